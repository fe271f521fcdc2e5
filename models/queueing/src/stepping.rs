//! Simulators with one clock: runs from one observation to the next, and with a report of every visit.

use crate::analysis::Watch;
use crate::deadlock::Deadlock;
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use crate::trace::Visit;
use imminent_core::clock::Instant;
use std::ops::ControlFlow;

/// A simulator of one replication with one clock.
pub(crate) trait Clockwork<'a> {
    /// Creates the simulator of a scenario, before its first tick.
    fn begin(scenario: &'a Scenario<'a>) -> Self;

    /// Carries out every tick before `horizon` in which something happens, continuing from an earlier one, or up to a
    /// deadlock. Calls `visited` for visits that end.
    fn run_to(&mut self, horizon: u64, visited: &mut dyn FnMut(Visit));

    /// Takes the first deadlock of the run.
    fn deadlock(&mut self) -> Option<Deadlock>;

    /// Returns the outcome of a run that ends at `horizon`, to which it has been simulated, and the statistics by node
    /// and class. Calls `visited` for the visits that end in the horizon's own tick; continuing the run would report
    /// these again.
    fn outcome(&self, horizon: u64, visited: &mut dyn FnMut(Visit)) -> (Outcome, Vec<NodeStatistics>);
}

/// Simulates one replication from one observation of its watch to the next, and asks `go_on` from time to time. Returns
/// the outcome at the last, or, once `go_on` breaks, the one so far; and the wall time without the observations.
pub(crate) fn watched_while<'a, C: Clockwork<'a>>(
    scenario: &'a Scenario<'a>,
    watch: &mut Watch<'_>,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Timed, Deadlock> {
    let mut simulator = C::begin(scenario);
    let (mut spent, mut from, mut flow) = (Spent::default(), 0, ControlFlow::Continue(()));
    loop {
        let mut time = watch.next().unwrap_or(scenario.horizon()).min(scenario.horizon());
        let began = Instant::now();
        for slice in slices(from, time) {
            simulator.run_to(slice, &mut drop);
            flow = go_on();
            if flow.is_break() || watch.is_in_vain() {
                time = slice;
                break;
            }
        }
        spent.simulation += began.elapsed();
        from = time;
        if let Some(deadlock) = simulator.deadlock() {
            return Err(deadlock);
        }
        let (outcome, by_class) = simulator.outcome(time, &mut drop);
        if watch.wants_classes() {
            watch.observe_classes(by_class);
        }
        if flow.is_break() || watch.is_in_vain() {
            return Ok(Timed::read(outcome, spent));
        }
        watch.observe(&outcome.statistics);
        if watch.next().is_none() {
            return Ok(Timed::read(outcome, spent));
        }
    }
}

/// Simulates one replication and reports every visit that ends at the horizon or before, when it ends. Ends early,
/// without an outcome, soon after `stop` returns `true`.
///
/// Visits come in the order in which the tokens leave. In one tick, tokens whose service ends then come first, by node
/// and number of service; tokens that had waited for room follow.
pub(crate) fn traced_until<'a, C: Clockwork<'a>>(
    scenario: &'a Scenario<'a>,
    visited: &mut dyn FnMut(Visit),
    stop: &dyn Fn() -> bool,
) -> Result<Option<Outcome>, Deadlock> {
    let mut simulator = C::begin(scenario);
    for slice in slices(0, scenario.horizon()) {
        simulator.run_to(slice, visited);
        if let Some(deadlock) = simulator.deadlock() {
            return Err(deadlock);
        }
        if stop() {
            return Ok(None);
        }
    }
    Ok(Some(simulator.outcome(scenario.horizon(), visited).0))
}

/// Simulates one replication and observes it at ascending `times`. Calls `looked` with each outcome, and with the
/// statistics by node and class. A class has no greatest number waiting.
pub(crate) fn by_class<'a, C: Clockwork<'a>>(
    scenario: &'a Scenario<'a>,
    times: &[u64],
    looked: &mut dyn FnMut(Outcome, Vec<NodeStatistics>),
) -> Result<(), Deadlock> {
    let mut simulator = C::begin(scenario);
    for &time in times {
        simulator.run_to(time.min(scenario.horizon()), &mut drop);
        if let Some(deadlock) = simulator.deadlock() {
            return Err(deadlock);
        }
        let (outcome, by_class) = simulator.outcome(time.min(scenario.horizon()), &mut drop);
        looked(outcome, by_class);
    }
    Ok(())
}

/// Returns times between `from` and `to` at which a run can be stopped; the last is `to`.
fn slices(from: u64, to: u64) -> impl Iterator<Item = u64> {
    const SLICES: u64 = 256;
    let length = (to.saturating_sub(from) / SLICES).max(1);
    (1..SLICES).map(move |slice| from + slice * length).take_while(move |time| *time < to).chain([to])
}
