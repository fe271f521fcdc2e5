//! The LCG benchmark as a model to study.

use super::Studied;
use crate::description::{Description, Measure, Parameter};
use crate::laboratory::{Fault, Run};
use imminent_common::streams::split_mix;
use imminent_events::lcg::{self, MOST};
use imminent_events::{End, Start};

/// Modules that draw numbers from one of four generators: a seed's first words are where they begin.
#[derive(Debug, Default)]
pub struct Lcg;

/// 2^32: one more than the greatest number that is drawn.
const RANGE: f64 = 4_294_967_296.0;

impl Studied for Lcg {
    type Events = lcg::Lcg;

    const MOST: u32 = MOST;

    fn description() -> Description {
        Description::new(
            "lcg",
            "2",
            "Modules that draw numbers from a generator and do nothing else (Kunz et al. 2012, V-B).",
        )
        .parameter(Parameter::integer("modules", "", 1..=1024, "Modules of a simulation.").default(1))
        .parameter(
            Parameter::integer("per_simulation", "", 1..=1 << 30, "Events of a simulation, which its modules share.")
                .default(300),
        )
        .parameter(
            Parameter::integer("iterations", "", 0..=1 << 30, "Iterations of the generator for each event.")
                .default(20_000),
        )
        .parameter(
            Parameter::integer("generator", "", 1..=4, "Which generator: each has a handler of its own.").default(1),
        )
        .length("per_simulation")
        .measure(Measure::new("draws", "", "Numbers that were drawn."))
        .measure(Measure::new("last", "", "Mean over modules of the number drawn last, as a share of 2^32."))
    }

    fn start(&mut self, run: &Run) -> Result<Start<lcg::Lcg>, Fault> {
        let whole = |name: &str| Ok::<_, Fault>(u32::try_from(run.point.integer_of(name)?)?);
        let numbers = (0..whole("modules")?).map(|module| split_mix(run.seed, u64::from(module)) as u32);
        Ok(lcg::start(whole("generator")? - 1, numbers, whole("per_simulation")?, whole("iterations")?))
    }

    fn values(&self, _run: &Run, end: &End<lcg::lcg::Module>) -> Vec<Option<f64>> {
        let draws = end.modules.iter().map(|module| f64::from(module.draws)).sum::<f64>();
        let last = end.modules.iter().map(|module| f64::from(module.number) / RANGE).sum::<f64>();
        vec![Some(draws), Some(last / end.modules.len() as f64)]
    }
}
