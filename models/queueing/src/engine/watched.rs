//! Exact simulation of many replications, each from one observation to the next, by the fastest engine for it.

use super::exact::exact_until_its_end;
use super::general::{Simulation, watch_on_host};
use super::{EngineError, Schedule, events};
use crate::analysis::Watch;
use crate::kernels::server::Server;
use crate::outcome::{Ended, NodeStatistics};
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use crate::trace::Times;
use imminent_common::sharing::{Report, share};
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Settings of [`watched`] and [`watched_each`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Watching {
    /// Order in which nodes are visited.
    pub schedule: Schedule,
    /// `true` if watches receive the waiting and sojourn times of visits.
    pub times: bool,
}

/// Update on an ensemble under way.
#[derive(Debug)]
pub enum Seen<'a, 'w> {
    /// Number of steps, or of events on a host, of all scenarios together.
    Progress(Progress),
    /// A scenario has ended.
    Ended {
        /// Index of the scenario in the list.
        index: usize,
        /// Watch of the scenario, with all observations.
        watch: &'a Watch<'w>,
        /// Outcome, whose time spent is not known yet.
        timed: &'a Timed,
    },
}

/// Function that observes an ensemble under way, and ends it by breaking.
pub type Observer<'o> = &'o mut dyn FnMut(Seen<'_, '_>) -> ControlFlow<()>;

/// Simulates an ensemble exactly, as [`watched_each`] does, without reports of the scenarios that end.
///
/// # Errors
/// [`EngineError`], as for [`watched_each`].
pub fn watched(
    device: &Device,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    how: Watching,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<Option<Timed>>, EngineError> {
    watched_each(device, scenarios, watches, how, &mut |seen| match seen {
        Seen::Progress(now) => progress(now),
        Seen::Ended { .. } => ControlFlow::Continue(()),
    })
}

/// Simulates an ensemble of scenarios exactly, each from one observation of its watch to the next. Returns each one's
/// outcome at its last observation; `None` for a scenario that was [stopped in vain](Watch::is_in_vain).
///
/// Outcomes and observations are those of each scenario alone, to the bit, except that the lean engines do not know the
/// greatest numbers waiting. A lean engine runs scenarios of [simple](crate::Network::simple) networks whose watches
/// only look at the end, on a host, or one at a time. The general engine runs all others. On a host as many scenarios
/// run at a time as the device has threads, and each is reported as soon as it has ended. On other devices all run
/// together. The wall time, without set-ups and observations, is divided evenly. Determinism class: exact.
///
/// # Errors
/// [`EngineError`], as for [`Simulation`]; cancellation by the observer.
pub fn watched_each(
    device: &Device,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    how: Watching,
    observer: Observer<'_>,
) -> Result<Vec<Option<Timed>>, EngineError> {
    let native = device.capabilities().native_rows;
    match (how.schedule, scenarios, &mut *watches) {
        (Schedule::Events, ..) if !native => Err(EngineError::NotNative { device: device.info().name.clone() }),
        (Schedule::Events | Schedule::Auto, ..) if native => on_host(device, scenarios, watches, how.times, observer),
        (_, [scenario], [watch]) if is_lean(scenario, watch, how.times) => {
            let mut progress = |now| stopping(watch, observer(Seen::Progress(now)));
            let timed = match exact_until_its_end(device, scenario, &mut progress) {
                Ok(timed) => timed,
                Err(_) if watch.is_in_vain() => return Ok(vec![None]),
                Err(error) => return Err(error),
            };
            watch.observe_results(&timed.ended.nodes)?;
            // The ensemble has ended: there is nothing to break.
            let _ = observer(Seen::Ended { index: 0, watch, timed: &timed });
            Ok(vec![Some(timed)])
        }
        _ => together(device, scenarios, watches, how, observer),
    }
}

/// Returns `true` if a lean engine can run a scenario.
fn is_lean(scenario: &Scenario<'_>, watch: &Watch<'_>, times: bool) -> bool {
    scenario.simple().is_some() && !times && scenario.counted_from().is_none() && watch.looks_at_the_end()
}

/// Breaks if the watch is stopped in vain.
fn stopping(watch: &Watch<'_>, flow: ControlFlow<()>) -> ControlFlow<()> {
    if watch.is_in_vain() { ControlFlow::Break(()) } else { flow }
}

/// State that a thread keeps from one scenario to the next.
#[derive(Default)]
struct ThreadState {
    servers: Vec<Server>,
    /// Wall time of the thread, without set-ups.
    spent: Spent,
}

/// Simulates scenarios on the threads of a host, each from its start to its end.
fn on_host(
    device: &Device,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    times: bool,
    observer: Observer<'_>,
) -> Result<Vec<Option<Timed>>, EngineError> {
    let threads = (device.capabilities().threads as usize).max(1);
    let threads_of_each = (threads / scenarios.len().max(1)).max(1);
    let (send, ended) = channel();
    let mut outcomes: Vec<Option<Timed>> = vec![None; scenarios.len()];
    let mut collect = |observer: &mut dyn FnMut(Seen<'_, '_>) -> ControlFlow<()>| {
        let mut flow = ControlFlow::Continue(());
        for (index, watch, timed) in ended.try_iter() {
            // Scenarios that ended are reported even after the observer has broken.
            if observer(Seen::Ended { index, watch, timed: &timed }).is_break() {
                flow = ControlFlow::Break(());
            }
            if let Some(slot) = outcomes.get_mut(index) {
                *slot = Some(timed);
            }
        }
        flow
    };
    let mut look = |steps| {
        collect(observer)?;
        observer(Seen::Progress(Progress { steps }))
    };
    let items = scenarios.iter().zip(watches.iter_mut()).enumerate();
    let shared = share(items, threads, &mut look, ThreadState::default, |state, (index, (scenario, watch)), report| {
        let timed = if is_lean(scenario, watch, times) {
            lean(scenario, watch, &mut state.servers, threads_of_each, report)?
        } else {
            watch_on_host(scenario, watch, times, report)?
        };
        if let Some(timed) = timed {
            state.spent += timed.spent;
            // The receiver outlives the threads.
            let _ = send.send((index, watch, timed));
        }
        Ok(())
    });
    // All have ended now, so there is nothing to break.
    let _ = collect(observer);
    let spent = shared?.threads.iter().map(|state| state.spent).max_by_key(|spent| spent.total()).unwrap_or_default();
    let spent = spent.divided(outcomes.iter().flatten().count());
    outcomes.iter_mut().flatten().for_each(|timed| timed.spent = spent);
    Ok(outcomes)
}

/// Simulates a simple network event by event to its end; returns `None` if it is stopped in vain.
fn lean(
    scenario: &Scenario<'_>,
    watch: &mut Watch<'_>,
    servers: &mut Vec<Server>,
    threads: usize,
    report: Report<'_>,
) -> Result<Option<Timed>, EngineError> {
    let mut reported = 0;
    let result = events::simulate_until_its_end(scenario, servers, threads, &mut |now| {
        let events = now.steps - reported;
        reported = now.steps;
        stopping(watch, report(events))
    });
    let timed = match result {
        Ok(timed) => timed,
        Err(_) if watch.is_in_vain() => return Ok(None),
        Err(error) => return Err(error),
    };
    watch.observe_results(&timed.ended.nodes)?;
    let events = timed.ended.events;
    if report(events - reported).is_break() {
        return Err(EngineError::Cancelled { steps: events });
    }
    Ok(Some(timed))
}

/// Simulates all scenarios together on a device.
fn together(
    device: &Device,
    scenarios: &[Scenario<'_>],
    watches: &mut [Watch<'_>],
    how: Watching,
    observer: Observer<'_>,
) -> Result<Vec<Option<Timed>>, EngineError> {
    let mut simulation = Simulation::new(device, scenarios, how.schedule)?;
    if how.times {
        simulation = simulation.with_times()?;
    }
    let counts_arrivals = scenarios.iter().any(|scenario| scenario.counted_from().is_some());
    if counts_arrivals || watches.iter().any(Watch::wants_classes) {
        simulation = simulation.with_classes()?;
    }
    let (mut outcomes, mut reading) = (vec![None; scenarios.len()], Duration::ZERO);
    // A run that has ended before others continues with them, without being observed.
    while let Some(time) = watches.iter().filter_map(Watch::next).min() {
        let in_vain = || watches.iter().all(|watch| watch.next().is_none() || watch.is_in_vain());
        let result = simulation.run_to(time, &mut |now| {
            if in_vain() { ControlFlow::Break(()) } else { observer(Seen::Progress(now)) }
        });
        match result {
            Err(_) if in_vain() => break,
            result => result?,
        }
        let began = Instant::now();
        let mut times = simulation.take_visit_times().unwrap_or_default().into_iter();
        let mut classes = simulation.by_class()?.unwrap_or_default().into_iter();
        let seen = simulation.results()?.into_iter();
        let seen: Vec<_> = seen.map(|ended| Look { ended, times: times.next(), classes: classes.next() }).collect();
        let looks = watches.par_iter_mut().zip(seen).map(|(watch, look)| look.observed(watch, time));
        let looks = looks.collect::<Result<Vec<_>, _>>()?;
        for (index, ((watch, timed_outcome), ended)) in watches.iter().zip(&mut outcomes).zip(looks).enumerate() {
            let Some(ended) = ended else { continue };
            let timed = Timed { ended, spent: Spent::default() };
            let flow = observer(Seen::Ended { index, watch, timed: &timed });
            *timed_outcome = Some(timed);
            if flow.is_break() {
                return Err(EngineError::Cancelled { steps: simulation.steps() });
            }
        }
        reading += began.elapsed();
    }
    let spent = Spent { simulation: simulation.wall(), reading }.divided(scenarios.len());
    outcomes.iter_mut().flatten().for_each(|timed| timed.spent = spent);
    Ok(outcomes)
}

/// Results of one scenario of an ensemble at a time at which it stops.
struct Look {
    ended: Ended,
    times: Option<Times>,
    classes: Option<Vec<NodeStatistics>>,
}

impl Look {
    /// Records what a watch wants at `time`. Returns the results if they are the last.
    fn observed(self, watch: &mut Watch<'_>, time: u64) -> Result<Option<Ended>, EngineError> {
        let Self { mut ended, times, classes } = self;
        if let Some(times) = times.filter(|_| watch.next().is_some()) {
            watch.observe_times(times);
        }
        if watch.next() != Some(time) {
            return Ok(None);
        }
        if let Some(classes) = &classes {
            ended.add_arrived(classes)?;
        }
        if let Some(classes) = classes.filter(|_| watch.wants_classes()) {
            watch.observe_classes(classes);
        }
        watch.observe_results(&ended.nodes)?;
        Ok(watch.is_over().then_some(ended))
    }
}
