//! The overhead benchmark with large states as a model of a catalogue.

use super::EventModel;
use crate::laden::{self, MAX_SCHEDULED};
use crate::{End, Start};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Modules at which one event after the other updates a large state. There is nothing random in it.
#[derive(Clone, Debug, Default)]
pub struct Laden;

/// Configuration of the overhead benchmark with large states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LadenConfig {
    /// Modules of a simulation.
    #[schemars(range(min = 1, max = 1024))]
    pub modules: u32,
    /// Events at each module.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    pub per_module: u32,
    /// State of a module, in whole words of four bytes.
    #[schemars(range(min = 8, max = 1_048_576), extend("unit" = "bytes"))]
    pub state: u32,
}

impl Default for LadenConfig {
    fn default() -> Self {
        Self { modules: 1, per_module: 1024, state: 72 }
    }
}

impl EventModel for Laden {
    type Config = LadenConfig;
    type Events = laden::Laden;

    const MAX_SCHEDULED: u32 = MAX_SCHEDULED;

    fn description() -> Description {
        let about = "Handlers that update the whole state of their module (Kunz et al. 2012, V-A2): what states cost.";
        Description::new("laden", "1", about)
            .length("per_module")
            .measure(Measure::new("seen", "", "Events that modules have seen."))
            .measure(Measure::new("updates", "", "Updates of words of the states."))
    }

    fn check(config: &LadenConfig) -> Result<(), Fault> {
        match config.state % 4 {
            0 => Ok(()),
            rest => Err(format!("`state` is {} bytes: give whole words, {}", config.state, config.state - rest).into()),
        }
    }

    fn start(&mut self, config: &LadenConfig, _seed: u64) -> Result<Start<laden::Laden>, Fault> {
        Ok(laden::start(config.modules, config.per_module, config.state))
    }

    fn values(_: &LadenConfig, end: &End<laden::laden::Module>) -> Vec<Option<f64>> {
        let seen = end.modules.iter().map(|module| f64::from(module.seen)).sum();
        let updates =
            end.modules.iter().map(|module| f64::from(module.seen) * f64::from(module.state.capacity())).sum();
        vec![Some(seen), Some(updates)]
    }
}
