//! PHOLD as a model to study.

use super::Studied;
use crate::description::{Description, Measure, Parameter};
use crate::laboratory::{Fault, Run};
use imminent_common::time::TICKS_PER_UNIT;
use imminent_events::phold::{self, MOST, PholdStudy};
use imminent_events::{End, Start};

/// Modules that pass events on to one another.
#[derive(Debug, Default)]
pub struct Phold;

/// The longest times, in units.
const LONGEST: f64 = 1e9;

impl Studied for Phold {
    type Events = phold::Phold;

    const MOST: u32 = MOST;

    fn description() -> Description {
        let units = |name: &str, least: f64, about: &str| Parameter::number(name, "time units", least..=LONGEST, about);
        Description::new("phold", "1", "Modules that pass events on to one another (Fujimoto 1990).")
            .parameter(Parameter::integer("modules", "", 1..=1 << 20, "Modules of a simulation.").default(16))
            .parameter(
                Parameter::integer("tokens", "", 0..=1 << 16, "Events under way at each module at the beginning.")
                    .default(16),
            )
            .parameter(units("lookahead", 1e-6, "Least delay of an event that goes to another module.").default(1.0))
            .parameter(units("mean", 1e-6, "Mean of a delay beyond that.").default(1.0))
            .parameter(
                Parameter::integer("remote", "%", 0..=100, "Events that go to any module, the own one included.")
                    .default(90),
            )
            .parameter(units("end", 0.0, "When a run ends.").default(100.0))
            .length("end")
            .measure(Measure::new("hops", "", "Events of the average module."))
            .measure(Measure::new("busiest", "", "Events of the busiest module."))
            .measure(Measure::new("rate", "1/time unit", "Events of the average module in a unit of time."))
    }

    fn start(&mut self, run: &Run) -> Result<Start<phold::Phold>, Fault> {
        let whole = |name: &str| Ok::<_, Fault>(u32::try_from(run.point.integer_of(name)?)?);
        let ticks = |name: &str| Ok::<_, Fault>((run.point.number_of(name)? * TICKS_PER_UNIT as f64).round() as u64);
        let study = PholdStudy {
            simulations: 1,
            modules: whole("modules")?,
            tokens: whole("tokens")?,
            lookahead: ticks("lookahead")?.max(1),
            mean: ticks("mean")?.max(1),
            remote: whole("remote")?,
            end: ticks("end")?,
            seed: run.seed,
        };
        Ok(study.start(0))
    }

    fn values(&self, run: &Run, end: &End<phold::phold::Module>) -> Vec<Option<f64>> {
        let hops = || end.modules.iter().map(|module| f64::from(module.hops));
        let mean = hops().sum::<f64>() / end.modules.len() as f64;
        let span = run.point.number_of("end").ok().filter(|span| *span > 0.0);
        vec![Some(mean), hops().reduce(f64::max), span.map(|span| mean / span)]
    }
}
