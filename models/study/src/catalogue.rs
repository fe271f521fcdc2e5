//! The models that a program has, by name.

use super::base::Base;
use super::definition::{Definition, DefinitionError, Sample};
use super::description::{DescriptionError, DescriptionProblem};
use super::model::Model;
use super::plan::{MAX_CHECKED, Study};
use super::unused::Unused;
use imminent_common::toml_text::nearest;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// The models that a program has. A model is in it under the name of its description.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    models: Vec<Arc<dyn Model>>,
}

impl Catalogue {
    /// Adds a model. [`check`](Self::check) refuses one that has the name of another.
    #[must_use]
    pub fn with(mut self, model: impl Model + 'static) -> Self {
        self.models.push(Arc::new(model));
        self
    }

    /// Removes the model with a name, if there is one: a model of one's own may then take its place.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.models.retain(|known| known.description().name != name);
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
        self.models.iter().map(|model| &**model)
    }

    /// Returns the names of the models.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.iter().map(|model| model.description().name).collect()
    }

    /// Returns the model with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Model>> {
        self.models.iter().find(|model| model.description().name == name)
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

    /// Plans a study, and checks with [`Study::check`] that its points can have runs. Names of files are relative to
    /// `folder`.
    ///
    /// # Errors
    /// [`DefinitionError`] for a model that is not there, for keys that its configuration does not have, for values
    /// that no run can have, and for a mapping of a model whose runs have none.
    pub fn plan(&self, definition: &Definition, folder: &Path) -> Result<Planned, DefinitionError> {
        let model = self.model(definition)?;
        let (description, keys) = (model.description(), model.keys());
        let checked = description.check().and_then(|()| description.check_length(|key| keys.key(key).is_some()));
        checked.map_err(|error| DefinitionError::value("model", error.to_string()))?;
        let base = Arc::new(Base::read(&**model, definition, folder)?);
        let study = definition.plan(base.description().clone())?;
        study.check(&mut *model.possible(&base))?;
        if let Some((at, Unused { key, why })) = unused(&**model, &base, definition, &study) {
            let problem = format!("`{key}` has no effect: {why}; remove it");
            return Err(DefinitionError::value(&at, problem));
        }
        self.check_mapping(&**model, definition)?;
        Ok(Planned { model: Arc::clone(model), base, study })
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

/// Returns a key that a study sets and that has no effect at any point, with its place in the study.
fn unused(model: &dyn Model, base: &Base, definition: &Definition, study: &Study) -> Option<(String, Unused)> {
    let at = |key: &str| {
        let axis = definition.axis.iter().position(|axis| axis.parameter == key);
        let of_sample = |(place, sample): (usize, &Sample)| {
            let axis = sample.axis.iter().position(|axis| axis.parameter == key)?;
            Some(format!("sample[{place}].axis[{axis}].parameter"))
        };
        let sampled = || definition.sample.iter().enumerate().find_map(of_sample);
        axis.map(|axis| format!("axis[{axis}].parameter")).or_else(sampled).unwrap_or(format!("fixed.{key}"))
    };
    // As many points as are checked, evenly among all; mostly the first one shows that there is none.
    let stride = study.points().div_ceil(MAX_CHECKED).max(1) as usize;
    let mut left: Option<Vec<Unused>> = None;
    for point in (0..study.points()).step_by(stride).filter_map(|number| study.point(number)) {
        let now = model.unused(base, &point);
        let still = match left {
            None => now.into_iter().filter(|unused| base.given_key(unused).is_some()).collect(),
            Some(left) => left.into_iter().filter(|unused| now.iter().any(|now| now.key == unused.key)).collect(),
        };
        left = Some(still).filter(|still: &Vec<_>| !still.is_empty());
        left.as_ref()?;
    }
    let unused = left?.into_iter().next()?;
    let key = base.given_key(&unused)?.to_owned();
    Some((at(&key), Unused { key, ..unused }))
}

/// A study with its model.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Configuration from which points start.
    pub base: Arc<Base>,
    /// The study.
    pub study: Study,
}
