//! Simulators with one clock: runs from one observation to the next, and with a report of every visit.

use crate::analysis::Watch;
use crate::deadlock::Deadlock;
use crate::network::Network;
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::spent::{Spent, Timed};
use crate::tally::{Numbers, PoolTimes, Tally, Wanted};
use crate::trace::Visit;
use imminent_core::clock::Instant;
use std::collections::BTreeSet;
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

    /// Begins to count the time with each number of tokens. Must be called before the first tick.
    fn count_numbers(&mut self);

    /// Returns the time with each number of tokens until `horizon`, to which the run has been simulated.
    fn numbers(&self, horizon: u64) -> Numbers;

    /// Returns the times of the servers of each pool until `horizon`, to which the run has been simulated.
    fn pools(&self, horizon: u64) -> PoolTimes;
}

/// Tallies of the cells between observations, one after the other.
struct Cells<'c> {
    wanted: &'c Wanted,
    network: &'c Network,
    open: Tally,
    /// Visits that ended at the last observation. The run reports them again when it goes on.
    ended: BTreeSet<(u32, u64)>,
    /// Times with each number until the last observation.
    numbers: Numbers,
    /// Times of pools until the last observation.
    pools: PoolTimes,
    /// Numbers of tokens that found no room or left the line until the last observation, by node and class.
    turned: Vec<u64>,
}

impl<'c> Cells<'c> {
    /// Begins to gather what is wanted of a simulator that has not begun; `None` if nothing is.
    fn begin<'a: 'c, C: Clockwork<'a>>(
        wanted: &'c Wanted,
        scenario: &'a Scenario<'a>,
        simulator: &mut C,
    ) -> Option<Self> {
        if wanted.numbers {
            simulator.count_numbers();
        }
        let cells = || Self {
            wanted,
            network: scenario.network(),
            open: Tally::default(),
            ended: BTreeSet::new(),
            numbers: Numbers::default(),
            pools: PoolTimes::default(),
            turned: vec![],
        };
        wanted.is_any().then(cells)
    }

    /// Counts a visit that ended while the run went on.
    fn add(&mut self, visit: &Visit) {
        if !self.ended.remove(&(visit.node, visit.number)) {
            self.open.add(self.wanted, self.network, visit);
        }
    }

    /// Counts a visit that ended in the tick of an observation.
    fn add_last(&mut self, visit: &Visit) {
        self.ended.insert((visit.node, visit.number));
        self.open.add(self.wanted, self.network, visit);
    }

    /// Ends a cell at `time`, whose last visits were added, and returns its tally.
    fn close<'a, C: Clockwork<'a>>(&mut self, simulator: &C, time: u64, by_class: &[NodeStatistics]) -> Tally {
        let mut tally = std::mem::take(&mut self.open);
        let classes = self.network.classes().max(1);
        self.turned.resize(by_class.len(), 0);
        for (place, (before, sums)) in self.turned.iter_mut().zip(by_class).enumerate() {
            let turned = sums.lost + sums.reneged;
            let key = ((place / classes) as u32, (place % classes) as u32);
            tally.turn_away(self.wanted, key, turned - std::mem::replace(before, turned));
        }
        if self.wanted.numbers {
            let numbers = simulator.numbers(time);
            tally.numbers = numbers.since(&self.numbers);
            self.numbers = numbers;
        }
        if self.wanted.pools {
            let pools = simulator.pools(time);
            tally.pools = pools.since(&self.pools);
            self.pools = pools;
        }
        tally
    }
}

/// Simulates one replication from one observation of its watch to the next, and asks `go_on` from time to time. Returns
/// the outcome at the last, or, once `go_on` breaks, the one so far; and the wall time without the observations.
pub(crate) fn watched_while<'a, C: Clockwork<'a>>(
    scenario: &'a Scenario<'a>,
    watch: &mut Watch<'_>,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Timed, Deadlock> {
    let mut simulator = C::begin(scenario);
    let mut cells = Cells::begin(watch.wanted(), scenario, &mut simulator);
    let (mut spent, mut from, mut flow) = (Spent::default(), 0, ControlFlow::Continue(()));
    loop {
        let mut time = watch.next().unwrap_or(scenario.horizon()).min(scenario.horizon());
        let began = Instant::now();
        for slice in slices(from, time) {
            simulator.run_to(slice, &mut |visit| cells.iter_mut().for_each(|cells| cells.add(&visit)));
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
        let last = &mut |visit| cells.iter_mut().for_each(|cells| cells.add_last(&visit));
        let (outcome, by_class) = simulator.outcome(time, last);
        let tally = cells.as_mut().map(|cells| cells.close(&simulator, time, &by_class));
        if watch.wants_classes() {
            watch.observe_classes(by_class);
        }
        if flow.is_break() || watch.is_in_vain() {
            return Ok(Timed::read(outcome, spent));
        }
        tally.into_iter().for_each(|tally| watch.observe_tally(tally));
        watch.observe(&outcome.statistics);
        if watch.next().is_none() {
            return Ok(Timed::read(outcome, spent));
        }
    }
}

/// Simulates one replication and reports every visit that ends at the last of the ascending `times` or before, when it
/// ends. Returns the outcome at the last, and the tallies of what is wanted between each two of the times; `None` soon
/// after `stop` returns `true`.
///
/// Visits come in the order in which the tokens leave. In one tick, tokens whose service ends then come first, by node
/// and number of service; tokens that had waited for room follow.
pub(crate) fn tallied_until<'a, C: Clockwork<'a>>(
    scenario: &'a Scenario<'a>,
    (times, wanted): (&[u64], &Wanted),
    visited: &mut dyn FnMut(&Visit),
    stop: &dyn Fn() -> bool,
) -> Result<Option<(Outcome, Vec<Tally>)>, Deadlock> {
    let mut simulator = C::begin(scenario);
    let mut cells = Cells::begin(wanted, scenario, &mut simulator);
    let (mut tallies, mut from) = (vec![], 0);
    for &time in times {
        for slice in slices(from, time) {
            simulator.run_to(slice, &mut |visit| {
                visited(&visit);
                cells.iter_mut().for_each(|cells| cells.add(&visit));
            });
            if let Some(deadlock) = simulator.deadlock() {
                return Err(deadlock);
            }
            if stop() {
                return Ok(None);
            }
        }
        from = time;
        let is_last = Some(&time) == times.last();
        if !is_last && cells.is_none() {
            continue;
        }
        let (outcome, by_class) = simulator.outcome(time, &mut |visit| {
            if is_last {
                visited(&visit);
            }
            cells.iter_mut().for_each(|cells| cells.add_last(&visit));
        });
        tallies.extend(cells.as_mut().map(|cells| cells.close(&simulator, time, &by_class)));
        if is_last {
            // What came before the first time belongs to no pair of times.
            tallies.drain(..tallies.len().min(1));
            return Ok(Some((outcome, tallies)));
        }
    }
    Ok(None)
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
