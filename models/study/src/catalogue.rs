//! The models that a program has, by name.

use super::base::Base;
#[cfg(feature = "lab")]
use super::benchmark::Benchmark;
use super::definition::{Definition, DefinitionError};
use super::description::{DescriptionError, DescriptionProblem};
#[cfg(feature = "lab")]
use super::figures::Figures;
use super::model::Model;
use super::planned::Planned;
use imminent_common::toml_text::nearest;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The models that a program has. A model is in it under the name of its description.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    model: Arc<dyn Model>,
    #[cfg(feature = "lab")]
    benchmarks: fn() -> Vec<Benchmark>,
    #[cfg(feature = "lab")]
    figures: fn() -> Vec<Figures>,
}

impl Catalogue {
    /// Adds a model. [`check`](Self::check) refuses one that has the name of another.
    #[must_use]
    pub fn with<M: Model>(mut self, model: M) -> Self {
        self.entries.push(Entry {
            model: Arc::new(model),
            #[cfg(feature = "lab")]
            benchmarks: M::benchmarks,
            #[cfg(feature = "lab")]
            figures: M::figures,
        });
        self
    }

    /// Removes the model with a name, if there is one: a model of one's own may then take its place.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.entries.retain(|known| known.model.description().name != name);
        self
    }

    /// Checks the descriptions of all models. Programs do so when they begin.
    ///
    /// # Errors
    /// [`DescriptionError`] for the first one that is wrong, or of a name that an earlier model has.
    pub fn check(&self) -> Result<(), DescriptionError> {
        let mut names = HashSet::new();
        for description in self.iter().map(Model::description) {
            description.check()?;
            if !names.insert(description.name.clone()) {
                return Err(description.wrong(DescriptionProblem::SameModel));
            }
        }
        Ok(())
    }

    /// Returns the models, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Model> {
        self.models().map(|model| &**model)
    }

    fn models(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        self.entries.iter().map(|entry| &entry.model)
    }

    /// Returns the [benchmarks](Model::benchmarks) of all models.
    #[cfg(feature = "lab")]
    #[must_use]
    pub fn benchmarks(&self) -> Vec<Benchmark> {
        self.entries.iter().flat_map(|entry| (entry.benchmarks)()).collect()
    }

    /// Returns the [figures](Model::figures) of all models.
    #[cfg(feature = "lab")]
    #[must_use]
    pub fn figures(&self) -> Vec<Figures> {
        self.entries.iter().flat_map(|entry| (entry.figures)()).collect()
    }

    /// Returns the names of the models.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.iter().map(|model| model.description().name).collect()
    }

    /// Returns the model with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Model>> {
        self.models().find(|model| model.description().name == name)
    }

    /// Returns the model of a study.
    ///
    /// # Errors
    /// [`DefinitionError::Toml`] for a name that no model has; it lists the known names.
    pub fn model(&self, definition: &Definition) -> Result<&Arc<dyn Model>, DefinitionError> {
        self.get(&definition.model).ok_or_else(|| {
            let names = self.names();
            let hint = match nearest(&definition.model, names.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => format!("there are: '{}'", names.join("', '")),
            };
            DefinitionError::value("model", format!("there is no model '{}'; {hint}", definition.model))
        })
    }

    /// Plans a study, and checks with [`Study::check`](super::plan::Study::check) that its points can have runs. Names
    /// of files are relative to `folder`.
    ///
    /// # Errors
    /// [`DefinitionError`] for a model that is not there, for keys that its configuration does not have, for values
    /// that no run can have, and for a mapping of a model whose runs have none.
    pub fn plan(&self, definition: &Definition, folder: &Path) -> Result<Planned, DefinitionError> {
        let model = self.model(definition)?;
        let (description, keys) = (model.description(), model.keys());
        let checked = description.check().and_then(|()| description.check_length(|key| keys.key(key).is_some()));
        checked.map_err(|error| DefinitionError::value("model", error.to_string()))?;
        let planned = Planned::new(model, || Base::read(&**model, definition, folder), definition)?;
        self.check_mapping(&**model, definition)?;
        Ok(planned)
    }

    fn check_mapping(&self, model: &dyn Model, definition: &Definition) -> Result<(), DefinitionError> {
        let (Some(name), mappings) = (&definition.mapping, model.mappings()) else { return Ok(()) };
        if mappings.contains(&name.as_str()) {
            return Ok(());
        }
        let problem = match mappings.is_empty() {
            false => format!("there is no mapping '{name}': give {}", mappings.join(", ")),
            true => {
                let mapped = self.iter().filter(|model| !model.mappings().is_empty());
                let names: Vec<_> = mapped.map(|model| model.description().name).collect();
                let (own, others) = (model.description().name, names.join("', '"));
                format!("runs of '{own}' are not mapped, those of '{others}' are: remove it")
            }
        };
        Err(DefinitionError::value("mapping", problem))
    }
}
