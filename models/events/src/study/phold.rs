//! PHOLD as a model of a catalogue.

use super::EventModel;
use crate::phold::{self, MAX_SCHEDULED, PholdStudy};
use crate::{End, Start};
use imminent_common::time::TICKS_PER_UNIT;
use imminent_core::{Work, WorkUnit};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Unit of the work. 131,072 modules execute 5.7 to 7 M events a second on one thread.
const EVENTS: WorkUnit = WorkUnit::new("events", 6e6);

/// Seconds of a GPU to create and to read a module: 1.0 s for 1,048,576 modules with 23 M events.
const OF_MODULE: f64 = 1e-6;

/// Events of a GPU in a second.
const GPU_EVENTS: f64 = 600e6;

/// Seconds of a GPU for a step: 16 modules take 0.06 s to the time 100 with a lookahead of 1.
const OF_STEP: f64 = 0.3e-3;

/// Modules that pass events on to one another.
#[derive(Clone, Debug, Default)]
pub struct Phold;

/// Configuration of PHOLD.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PholdConfig {
    /// Modules of a simulation.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub modules: u32,
    /// Events under way at each module at the beginning.
    #[schemars(range(max = 65_536))]
    pub tokens: u32,
    /// Least delay of an event that goes to another module.
    #[schemars(range(min = 1e-6, max = 1e9), extend("unit" = "time units"))]
    pub lookahead: f64,
    /// Mean of a delay beyond that.
    #[schemars(range(min = 1e-6, max = 1e9), extend("unit" = "time units"))]
    pub mean: f64,
    /// Events that go to any module, the own one included.
    #[schemars(range(max = 100), extend("unit" = "%"))]
    pub remote: u32,
    /// End of a run.
    #[schemars(range(min = 0.0, max = 1e9), extend("unit" = "time units"))]
    pub end: f64,
}

impl Default for PholdConfig {
    fn default() -> Self {
        Self { modules: 16, tokens: 16, lookahead: 1.0, mean: 1.0, remote: 90, end: 100.0 }
    }
}

impl EventModel for Phold {
    type Config = PholdConfig;
    type Events = phold::Phold;

    const MAX_SCHEDULED: u32 = MAX_SCHEDULED;

    fn description() -> Description {
        Description::new("phold", "1", "Modules that pass events on to one another (Fujimoto 1990).")
            .length("end")
            .measure(Measure::new("hops", "", "Events of the average module."))
            .measure(Measure::new("busiest", "", "Events of the busiest module."))
            .measure(Measure::new("rate", "1/time unit", "Events of the average module in a unit of time."))
    }

    fn work(config: &PholdConfig) -> Option<Work> {
        let PholdConfig { modules, tokens, lookahead, mean, remote, end } = *config;
        let modules = f64::from(modules);
        let delay = mean + lookahead * f64::from(remote) / 100.0;
        let events = modules * f64::from(tokens) * end / delay;
        let work = Work::new(EVENTS, events).on_gpu(modules * OF_MODULE + events / GPU_EVENTS);
        Some(work.in_steps(end / lookahead * OF_STEP).compiling(1.2))
    }

    fn start(&mut self, config: &PholdConfig, seed: u64) -> Result<Start<phold::Phold>, Fault> {
        let ticks = |units: f64| (units * TICKS_PER_UNIT as f64).round() as u64;
        let study = PholdStudy {
            simulations: 1,
            modules: config.modules,
            tokens: config.tokens,
            lookahead: ticks(config.lookahead).max(1),
            mean: ticks(config.mean).max(1),
            remote: config.remote,
            end: ticks(config.end),
            seed,
        };
        Ok(study.start(0))
    }

    fn values(config: &PholdConfig, end: &End<phold::phold::Module>) -> Vec<Option<f64>> {
        let hops = || end.modules.iter().map(|module| f64::from(module.hops));
        let mean = hops().sum::<f64>() / end.modules.len() as f64;
        vec![Some(mean), hops().reduce(f64::max), (config.end > 0.0).then(|| mean / config.end)]
    }
}
