//! The overhead benchmark as a model to study.

use super::Studied;
use crate::description::{Description, Measure, Parameter};
use crate::laboratory::{Fault, Run};
use imminent_events::overhead::{self, MOST};
use imminent_events::{End, Start};

/// Modules at which one event after the other happens, and nothing else. There is nothing random in it.
#[derive(Debug, Default)]
pub struct Overhead;

impl Studied for Overhead {
    type Events = overhead::Overhead;

    const MOST: u32 = MOST;

    fn description() -> Description {
        let about = "Handlers that do nothing but schedule the next event (Kunz et al. 2012, V-C): what events cost.";
        Description::new("overhead", "1", about)
            .parameter(Parameter::integer("modules", "", 1..=1024, "Modules of a simulation.").default(1))
            .parameter(Parameter::integer("per_module", "", 1..=1 << 30, "Events at each module.").default(1024))
            .length("per_module")
            .measure(Measure::new("seen", "", "Events that modules have seen."))
    }

    fn start(&mut self, run: &Run) -> Result<Start<overhead::Overhead>, Fault> {
        let whole = |name: &str| Ok::<_, Fault>(u32::try_from(run.point.integer_of(name)?)?);
        Ok(overhead::start(whole("modules")?, whole("per_module")?))
    }

    fn values(&self, _run: &Run, end: &End<overhead::overhead::Module>) -> Vec<Option<f64>> {
        vec![Some(end.modules.iter().map(|module| f64::from(module.seen)).sum())]
    }
}
