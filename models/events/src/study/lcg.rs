//! The LCG benchmark as a model of a catalogue.

use super::EventModel;
use crate::benchmarks::of_many;
use crate::figures::of_kunz;
use crate::lcg::{self, MAX_SCHEDULED};
use crate::{End, Start};
use imminent_common::streams::split_mix;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use imminent_study::{Benchmark, Description, Figures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Modules that draw numbers from one of four generators: a seed's first words are where they begin.
#[derive(Clone, Debug, Default)]
pub struct Lcg;

/// Configuration of the LCG benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LcgConfig {
    /// Modules of a simulation.
    #[schemars(range(min = 1, max = 1024))]
    pub modules: u32,
    /// Events of a simulation, which its modules share.
    #[schemars(range(min = 1, max = 1_073_741_824))]
    pub per_simulation: u32,
    /// Iterations of the generator for each event.
    #[schemars(range(max = 1_073_741_824))]
    pub iterations: u32,
    /// Which generator: each has a handler of its own.
    #[schemars(range(min = 1, max = 4))]
    pub generator: u32,
}

impl Default for LcgConfig {
    fn default() -> Self {
        Self { modules: 1, per_simulation: 300, iterations: 20_000, generator: 1 }
    }
}

/// 2^32: one more than the greatest number that is drawn.
const RANGE: f64 = 4_294_967_296.0;

impl EventModel for Lcg {
    type Config = LcgConfig;
    type Events = lcg::Lcg;

    const MAX_SCHEDULED: u32 = MAX_SCHEDULED;

    fn description() -> Description {
        let about = "Modules that draw numbers from a generator and do nothing else (Kunz et al. 2012, V-B).";
        Description::new("lcg", "2", about)
            .length("per_simulation")
            .measure(Measure::new("draws", "", "Numbers that were drawn."))
            .measure(Measure::new("last", "", "Mean over modules of the number drawn last, as a share of 2^32."))
    }

    fn start(&mut self, config: &LcgConfig, seed: u64) -> Result<Start<lcg::Lcg>, Fault> {
        let numbers = (0..config.modules).map(|module| split_mix(seed, u64::from(module)) as u32);
        Ok(lcg::start(config.generator - 1, numbers, config.per_simulation, config.iterations))
    }

    fn benchmarks() -> Vec<Benchmark> {
        vec![of_many()]
    }

    fn figures() -> Vec<Figures> {
        vec![of_kunz()]
    }

    fn values(_: &LcgConfig, end: &End<lcg::lcg::Module>) -> Vec<Option<f64>> {
        let draws = end.modules.iter().map(|module| f64::from(module.draws)).sum::<f64>();
        let last = end.modules.iter().map(|module| f64::from(module.number) / RANGE).sum::<f64>();
        vec![Some(draws), Some(last / end.modules.len() as f64)]
    }
}
