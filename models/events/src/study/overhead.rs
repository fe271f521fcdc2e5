//! The overhead benchmark as a model of a catalogue.

use super::EventModel;
use crate::overhead::{self, MAX_SCHEDULED};
use crate::{End, Start};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Modules at which one event after the other happens, and nothing else. There is nothing random in it.
#[derive(Clone, Debug, Default)]
pub struct Overhead;

/// Configuration of the overhead benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OverheadConfig {
    /// Modules of a simulation.
    #[schemars(range(min = 1, max = 1024))]
    pub modules: u32,
    /// Events at each module.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    pub per_module: u32,
}

impl Default for OverheadConfig {
    fn default() -> Self {
        Self { modules: 1, per_module: 1024 }
    }
}

impl EventModel for Overhead {
    type Config = OverheadConfig;
    type Events = overhead::Overhead;

    const MAX_SCHEDULED: u32 = MAX_SCHEDULED;

    fn description() -> Description {
        let about = "Handlers that do nothing but schedule the next event (Kunz et al. 2012, V-C): what events cost.";
        Description::new("overhead", "1", about).length("per_module").measure(Measure::new(
            "seen",
            "",
            "Events that modules have seen.",
        ))
    }

    fn start(&mut self, config: &OverheadConfig, _seed: u64) -> Result<Start<overhead::Overhead>, Fault> {
        Ok(overhead::start(config.modules, config.per_module))
    }

    fn values(_: &OverheadConfig, end: &End<overhead::overhead::Module>) -> Vec<Option<f64>> {
        vec![Some(end.modules.iter().map(|module| f64::from(module.seen)).sum())]
    }
}
