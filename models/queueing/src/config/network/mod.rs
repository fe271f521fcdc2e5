//! Configuration of `run network`.

mod behaviour;
mod behaviour_shape;
mod build;
mod converted;
mod costs;
mod costs_shape;
mod entry;
mod generate;
mod imported;
mod keys;
mod lists;
mod named_routes;
mod node_shape;
mod nodes;
mod per_class;
mod problem;
mod replay;
mod shape;
mod taken;

pub use behaviour_shape::{
    AllParts, BatchShape, BreakdownsShape, BulkShape, Every, JoinShape, MarkovianShape, PollingShape, PoolShape,
    RegionShape, ReplayShape, ResourceShape, ServerCount, ShiftEnd, ShiftsShape, VisitsShape, VisitsUntil, WhenShape,
};
pub use converted::{ConversionError, Form};
pub use costs_shape::{ClassCostsShape, CostsShape};
pub use generate::GenerateShape;
pub use node_shape::{AtNode, NodeShape};
pub use nodes::NodeEntry;
pub use per_class::PerClass;
pub use replay::{Place, ReplayFileError};
pub use shape::{NetworkShape, RouteShape, SourceShape};

use super::{ConfigError, EARLIER, Engine, RunOptions};
use crate::costs::Costs;
use crate::engine::EngineError;
use crate::experiment::Experiment;
use crate::jsimg::is_jsimg;
use imminent_common::graph::is_graph;
use imminent_common::toml_text::{self, Document};
use imminent_study::{Keys, Unused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Returns the key that names a file which is no TOML, by its text and its name.
pub(crate) fn foreign_key(file: &Path, text: &str) -> Option<&'static str> {
    let has_extension = |name: &str| file.extension().is_some_and(|extension| extension == name);
    if has_extension("jsimg") || is_jsimg(text) {
        return Some("network.jsimg");
    }
    let named = ["graphml", "gexf", "gml", "json"].into_iter().any(has_extension);
    (is_graph(text) || named).then_some("network.graph")
}

/// A run of a network model: the sections `[network]` and `[run]`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// Section `[network]`: the model.
    pub network: NetworkShape,
    /// Section `[run]`: simulation and analysis.
    pub run: RunOptions,
}

impl NetworkConfig {
    /// Reads the configuration from a file of any kind: TOML; or a graph or a model of JSIMgraph, with every option at
    /// its default.
    ///
    /// A file that begins with `<` is a model of JSIMgraph if it has an element `sim`, and a graph otherwise, whatever
    /// its name.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that cannot be read or is not valid TOML. Errors of the network itself are found by
    /// [`experiment`](Self::experiment).
    pub fn from_file(path: &Path) -> Result<Self, ConfigError> {
        let file = path.display().to_string();
        let text = toml_text::read(path)?;
        let file_of_network = || Some(path.to_owned());
        let network = match foreign_key(path, &text) {
            Some("network.graph") => NetworkShape { graph: file_of_network(), ..NetworkShape::default() },
            Some(_) => NetworkShape { jsimg: file_of_network(), ..NetworkShape::default() },
            None => return Self::from_toml(&text, &file),
        };
        Ok(Self { network, run: RunOptions::default() })
    }

    /// Reads a configuration from TOML text. `file` is its path, used in errors and to find the files that it names.
    ///
    /// # Errors
    /// [`ConfigError::Toml`], with line and key, for text that is not TOML, unknown keys and values of the wrong type.
    pub fn from_toml(text: &str, file: &str) -> Result<Self, ConfigError> {
        let document = Document::new(text, file);
        document.refuse_earlier(&EARLIER)?;
        let mut config: Self = document.to().map_err(|error| error.explained(|key| Keys::of::<Self>().meaning(key)))?;
        if let Some(folder) = Path::new(file).parent() {
            config.network.move_to(folder);
        }
        Ok(config)
    }

    /// Returns the experiment that this configuration describes; reads the files that it names.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault ([`ConfigError::located`] finds its line in a file), or describes
    /// the error in the graph's file.
    pub fn experiment(&self) -> Result<Experiment, ConfigError> {
        self.experiment_and_unused().map(|(experiment, _)| experiment)
    }

    /// Returns the experiment that this configuration describes, and the keys that have no effect on it.
    ///
    /// # Errors
    /// [`ConfigError`], as for [`experiment`](Self::experiment).
    pub fn experiment_and_unused(&self) -> Result<(Experiment, Vec<Unused>), ConfigError> {
        let (network, mut unused) = self.network.network_and_unused()?;
        // Only in the sequential engine, unused servers cost nothing.
        if !self.run.engine.of(&network).is_of_host()
            && let Some(error) = EngineError::too_many_servers(&network)
        {
            return Err(self.network.too_many_servers(&error));
        }
        unused.extend(self.run.unused());
        let costs = self.network.costs(&network)?;
        let mut experiment = self.run.experiment(network)?;
        if let Some(costs) = costs {
            self.add_costs(&mut experiment, costs)?;
        }
        Ok((experiment, unused))
    }

    /// Adds costs to the plan of an experiment, if its engine counts what they need.
    fn add_costs(&self, experiment: &mut Experiment, costs: Costs) -> Result<(), ConfigError> {
        let wrong = |problem: &str| Err(ConfigError::value(&self.network.costs_by_class(), problem.to_owned()));
        let Experiment { network, plan, horizon, .. } = experiment;
        if costs.is_by_class() {
            if self.run.engine == Engine::Interval {
                return wrong(
                    "the engine `interval` does not count classes: choose another, or give the same costs to all",
                );
            }
            plan.by_class = true;
            if !plan.keeps_classes(network.len(), network.classes(), *horizon) {
                return wrong(
                    "the classes at all nodes do not fit into memory at every observation: give fewer observations, or the same costs to all",
                );
            }
        }
        plan.costs = Some(Arc::new(costs));
        Ok(())
    }
}
