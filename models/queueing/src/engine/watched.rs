//! Exact simulation of many replications at once, from one observation to the next.

use super::{EngineError, Schedule, Simulation};
use crate::analysis::Watch;
use crate::experiment::Timed;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Simulates an ensemble of scenarios exactly, each from one observation of its watch to the next. Returns each one's
/// outcome at its last observation.
///
/// Outcomes and observations are those of each scenario alone, to the bit. The wall time, without the observations, is
/// divided evenly. Determinism class: exact. With `times`, watches also receive the waiting and sojourn times of
/// visits.
///
/// # Errors
/// [`EngineError`], as for [`Simulation`].
pub fn watched(
    device: &Device,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    schedule: Schedule,
    times: bool,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<Timed>, EngineError> {
    let mut simulation = Simulation::new(device, scenarios, schedule)?;
    if times {
        simulation = simulation.with_times()?;
    }
    let counts_arrivals = scenarios.iter().any(|scenario| scenario.counted_from().is_some());
    if counts_arrivals || watches.iter().any(Watch::wants_classes) {
        simulation = simulation.with_classes()?;
    }
    let (mut ended, mut reading) = (vec![None; scenarios.len()], Duration::ZERO);
    // A run that has ended before others continues with them, without being observed.
    while let Some(time) = watches.iter().filter_map(Watch::next).min() {
        simulation.run_to(time, progress)?;
        let began = Instant::now();
        let mut times = simulation.take_visit_times().unwrap_or_default().into_iter();
        let mut classes = simulation.by_class()?.unwrap_or_default().into_iter();
        for ((watch, ended), mut outcome) in watches.iter_mut().zip(&mut ended).zip(simulation.observe()?) {
            let (times, classes) = (times.next(), classes.next());
            if let Some(classes) = &classes {
                outcome.add_arrived(classes);
            }
            if let Some(times) = times.filter(|_| watch.next().is_some()) {
                watch.observe_times(&times);
            }
            if watch.next() == Some(time) {
                if let Some(classes) = classes.filter(|_| watch.wants_classes()) {
                    watch.observe_classes(classes);
                }
                watch.observe(&outcome.statistics);
                if watch.next().is_none() {
                    *ended = Some(outcome);
                }
            }
        }
        reading += began.elapsed();
    }
    let spent = Spent { simulation: simulation.wall(), reading }.divided(scenarios.len());
    Ok(ended.into_iter().flatten().map(|outcome| Timed { outcome, spent }).collect())
}
