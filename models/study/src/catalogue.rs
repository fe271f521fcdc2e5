//! The models that can be studied, by name.

use super::checkpoint::Checkpoints;
use super::definition::{Definition, DefinitionError};
use super::description::Description;
use super::events;
use super::fire;
use super::laboratory::{Fault, Laboratory, Point};
use super::manet;
use super::network;
use super::plan::Study;
use imminent_core::Device;
use imminent_events::{MappingChoice, UnknownMapping};
use std::path::Path;
use std::sync::Arc;

/// A model that can be studied.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    /// Name of the model in study files.
    pub name: &'static str,
    /// Returns the model's description, which may depend on the study.
    pub describe: fn(&Source<'_>) -> Result<Description, DefinitionError>,
    /// Returns the check of whether there can be runs of a point.
    pub possible: fn(&Source<'_>) -> Result<Possible, DefinitionError>,
    /// Opens the laboratory that carries out the model's runs on a device.
    pub open: Open,
    /// `true` if there is a choice of which runs are side by side.
    pub mapped: bool,
}

impl Model {
    /// Plans the requested study, and checks with [`Study::check`] that its points can have runs.
    ///
    /// # Errors
    /// [`DefinitionError`] for parameters that the model does not have, and for values that no run can have.
    pub fn plan(&self, source: &Source<'_>) -> Result<Study, DefinitionError> {
        let study = source.definition.plan((self.describe)(source)?)?;
        study.check(&mut *(self.possible)(source)?)?;
        Ok(study)
    }

    /// Returns the mapping of runs to warps that a study requests, or the automatic one.
    ///
    /// # Errors
    /// [`DefinitionError::Toml`] for a name that no mapping has, and for a model whose runs are not mapped.
    pub fn mapping(&self, definition: &Definition) -> Result<MappingChoice, DefinitionError> {
        let Some(name) = &definition.mapping else { return Ok(MappingChoice::Auto) };
        if !self.mapped {
            let models: Vec<_> = MODELS.iter().filter(|model| model.mapped).map(|model| model.name).collect();
            let reason =
                format!("runs of '{}' are not mapped, those of '{}' are: remove it", self.name, models.join("', '"));
            return Err(DefinitionError::value("mapping", reason));
        }
        name.parse().map_err(|error: UnknownMapping| DefinitionError::value("mapping", error.to_string()))
    }
}

/// Check of whether there can be runs of a point. Its error says why there cannot.
pub type Possible = Box<dyn FnMut(&Point) -> Result<(), Fault>>;

/// Function that sets up the laboratory of a model.
pub type Open = fn(&Source<'_>, &Device, &Means) -> Result<Box<dyn Laboratory + Send>, Fault>;

/// A requested study, and its folder.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Definition of the study.
    pub definition: &'a Definition,
    /// Folder from which relative names of files start.
    pub folder: &'a Path,
}

/// Options for executing runs. They change no result; a model ignores options that do not concern it.
#[derive(Debug, Clone, Default)]
pub struct Means {
    /// Mapping of the runs of an event model to warps.
    pub mapping: MappingChoice,
    /// Store of the states of runs under way, if they are kept.
    pub checkpoints: Option<Arc<Checkpoints>>,
}

/// All models.
pub const MODELS: &[Model] = &[
    Model {
        name: "network",
        describe: network::describe,
        possible: network::possible,
        open: network::open,
        mapped: false,
    },
    events::model::<events::Lcg>("lcg"),
    events::model::<events::Mesh>("mesh"),
    events::model::<events::Overhead>("overhead"),
    events::model::<events::Phold>("phold"),
    Model { name: "manet", describe: manet::describe, possible: manet::possible, open: manet::open, mapped: false },
    Model { name: "wildfire", describe: fire::describe, possible: fire::possible, open: fire::open, mapped: false },
];

/// Returns the model of a study.
///
/// # Errors
/// [`DefinitionError::Toml`] for a name that no model has; it lists the known names.
pub fn model(definition: &Definition) -> Result<&'static Model, DefinitionError> {
    MODELS.iter().find(|model| model.name == definition.model).ok_or_else(|| {
        let names: Vec<_> = MODELS.iter().map(|model| model.name).collect();
        let hint = match imminent_common::toml_text::nearest(&definition.model, names.iter().copied()) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("there are: '{}'", names.join("', '")),
        };
        DefinitionError::value("model", format!("there is no model '{}'; {hint}", definition.model))
    })
}
