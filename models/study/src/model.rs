//! A model, as programs see it: what it measures, the keys of its configuration, and its laboratory.

use super::base::Base;
use super::benchmark::Benchmark;
use super::check::Check;
use super::checkpoint::Checkpoints;
use super::description::Description;
use super::experiment::Experiments;
use super::figures::Figures;
use super::key::Alternatives;
use super::keys::Keys;
use super::laboratory::{Fault, Laboratory, Point};
use super::unused::Unused;
use imminent_core::{Device, ModuleSource, Work};
use serde_json::{Value as Json, json};
use std::any::Any;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

/// A model of a [catalogue](super::Catalogue).
///
/// Every command that walks the catalogue then takes the model by its name. A run is a configuration with a seed; its
/// values depend on nothing else, not on the device.
pub trait Model: Any + Debug + Send + Sync {
    /// Returns name, revision, measures and notes of the model, and the key that says how long a run is. Parameters are
    /// left out: they are the [`keys`](Self::keys).
    fn description(&self) -> Description;

    /// Returns the keys of a configuration.
    fn keys(&self) -> Keys;

    /// Returns keys that a study does not set, each with what says the same in a study.
    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns earlier spellings of keys, each with today's.
    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the names of other models of the catalogue, each with the keys that it has now.
    fn moved(&self) -> &'static [(&'static str, &'static [&'static str])] {
        &[]
    }

    /// Returns `true` if there is no configuration without a file.
    fn needs_file(&self) -> bool {
        false
    }

    /// Returns the key that names a file which is no TOML, if a run takes such a file in place of a configuration: with
    /// the text of a GraphML file, `run network a.graphml` is a run whose key `network.graph` is that file.
    fn key_of_file(&self, _file: &Path, _text: &str) -> Option<&'static str> {
        None
    }

    /// Returns names of keys that exclude one another beside each other, such as the `mean` and the `rate` of a law. A
    /// value that is given takes the place of the others in a file.
    fn alternatives(&self) -> Alternatives {
        &[]
    }

    /// Returns the names of [mappings](Means::mapping) among which a study may choose.
    fn mappings(&self) -> Vec<&'static str> {
        vec![]
    }

    /// Returns notes on a study for readers of its results.
    fn notes(&self, _base: &Base) -> Vec<String> {
        vec![]
    }

    /// Returns the check of whether there can be runs of a point, beyond what the keys say of each value by itself.
    fn possible(&self, base: &Arc<Base>) -> Possible;

    /// Returns the keys that have no effect on runs of a point, because others override them. A study that sets a key
    /// is refused if it has none at any point. Points are [possible](Self::possible).
    fn unused(&self, _base: &Base, _point: &Point) -> Vec<Unused> {
        vec![]
    }

    /// Returns the work of a run of a point, by which a device is chosen for it; `None` where it is not known. Points
    /// are [possible](Self::possible).
    fn work(&self, _base: &Base, _point: &Point) -> Option<Work> {
        None
    }

    /// Returns the modules with kernels of the model, for those who print or compile them.
    fn kernels(&self) -> Vec<&'static ModuleSource> {
        vec![]
    }

    /// Returns the experiments of the model, if it tells outcomes in full. Of other models `run` tells the measures.
    fn experiments(&self) -> Option<&dyn Experiments> {
        None
    }

    /// Returns statements about the engines of the model, which the conformance suite tests on every device.
    fn checks(&self) -> Vec<Check> {
        vec![]
    }

    /// Returns benchmarks of the engines, for `lab bench`.
    ///
    /// Only a [`Catalogue`](super::Catalogue) with the feature `lab` refers to this function and to
    /// [`figures`](Self::figures). Other programs, such as the page for browsers, do not contain their code.
    fn benchmarks() -> Vec<Benchmark>
    where
        Self: Sized,
    {
        vec![]
    }

    /// Returns figures of publications about the model, for `lab figures`.
    fn figures() -> Vec<Figures>
    where
        Self: Sized,
    {
        vec![]
    }

    /// Opens the laboratory that executes runs on a device.
    ///
    /// # Errors
    /// A fault that prevents all runs.
    fn open(&self, base: &Arc<Base>, device: &Device, means: &Means) -> Result<Box<dyn Laboratory + Send>, Fault>;
}

impl dyn Model {
    /// Returns the JSON Schema of configurations, with the measures of the model beside the keywords of the standard.
    #[must_use]
    pub fn schema(&self) -> Json {
        let (description, keys) = (self.description(), self.keys());
        let mut schema = keys.schema().as_value().clone();
        if let Some(object) = schema.as_object_mut() {
            object.insert("title".to_owned(), json!(description.name));
            object.insert("description".to_owned(), json!(description.about));
            object.insert("measures".to_owned(), json!(description.measures));
            object.insert("length".to_owned(), json!(description.length));
        }
        schema
    }
}

/// Check of whether there can be runs of a point. Its error says why there cannot.
pub type Possible = Box<dyn FnMut(&Point) -> Result<(), Fault>>;

/// Options for executing runs. They change no result; a model ignores options that do not concern it.
#[derive(Debug, Clone, Default)]
pub struct Means {
    /// Name of the mapping of runs to warps, one of [`Model::mappings`]; automatic if there is none.
    pub mapping: Option<String>,
    /// Store of the states of runs under way, if they are kept.
    pub checkpoints: Option<Arc<Checkpoints>>,
}
