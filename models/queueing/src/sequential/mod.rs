//! The oracle: one clock, one event at a time.
//!
//! This is the textbook's event-scheduling simulator. It works tick by tick, as the [rules](crate::scenario) say, and
//! is meant to be checked by reading. Tokens are objects in a line or in a server. The only event is the end of a
//! service. Statistics are areas under curves over time, not the sums over services that define them. The parallel
//! engines share none of this. Only this engine implements blocking after service.

mod blocking;
mod draws;
pub(crate) mod exponential;
mod facility;
mod laws;
mod routes;
mod simulator;

pub use crate::deadlock::Deadlock;
pub(crate) use facility::{Facility, Origin};

use crate::analysis::Watch;
use crate::host;
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::spent::Timed;
use crate::stepping;
use crate::tally::{Tally, Wanted};
use crate::trace::Visit;
use simulator::Simulator;
use std::ops::ControlFlow;

/// Returns `true` if the network has something that only the engine of the host carries out.
fn is_beyond(scenario: &Scenario<'_>) -> bool {
    scenario.network().beyond_sequential().is_some()
}

/// Simulates one replication.
///
/// Exact by construction, and the reference for every exact engine's bits. Each event takes a few operations of a
/// balanced tree. Servers in a deadlock stay blocked until the horizon: see [`run`].
#[must_use]
pub fn simulate(scenario: &Scenario<'_>) -> Outcome {
    if is_beyond(scenario) {
        return host::simulate(scenario);
    }
    let mut simulator = Simulator::new(scenario);
    simulator.advance(scenario.horizon(), false, &mut drop);
    simulator.outcome_by_class(scenario.horizon(), &mut drop).0
}

/// Simulates one replication, which must not come to a deadlock.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn run(scenario: &Scenario<'_>) -> Result<Outcome, Deadlock> {
    traced(scenario, &mut drop)
}

/// Simulates one replication from one observation of its watch to the next. Returns the outcome at the last, and the
/// wall time without the observations.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn watched(scenario: &Scenario<'_>, watch: &mut Watch<'_>) -> Result<Timed, Deadlock> {
    watched_while(scenario, watch, &mut || ControlFlow::Continue(()))
}

/// Simulates as [`watched`], and asks `go_on` from time to time. Once it breaks, the outcome is the one so far.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn watched_while(
    scenario: &Scenario<'_>,
    watch: &mut Watch<'_>,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Timed, Deadlock> {
    if is_beyond(scenario) {
        return host::watched_while(scenario, watch, go_on);
    }
    stepping::watched_while::<Simulator<'_>>(scenario, watch, go_on)
}

/// Simulates one replication and reports every visit that ends at the horizon or before, when it ends.
///
/// Visits come in the order in which the tokens leave. In one tick, tokens whose service ends then come first, by node
/// and number of service; tokens that had waited for room follow. All exact engines carry out the same services, so
/// these are the visits of any of them.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn traced(scenario: &Scenario<'_>, visited: &mut dyn FnMut(Visit)) -> Result<Outcome, Deadlock> {
    if is_beyond(scenario) {
        return host::traced(scenario, visited);
    }
    let mut simulator = Simulator::new(scenario);
    simulator.advance(scenario.horizon(), true, visited);
    match simulator.deadlock.take() {
        Some(deadlock) => Err(deadlock),
        None => Ok(simulator.outcome_by_class(scenario.horizon(), visited).0),
    }
}

/// Simulates one replication, reports every visit, and returns the outcome at the last of some times and the tallies
/// between each two of them. Ends early, without an outcome, soon after `stop` returns `true`.
pub(crate) fn tallied_until(
    scenario: &Scenario<'_>,
    wanted: (&[u64], &Wanted),
    visited: &mut dyn FnMut(&Visit),
    stop: &dyn Fn() -> bool,
) -> Result<Option<(Outcome, Vec<Tally>)>, Deadlock> {
    if is_beyond(scenario) {
        return host::tallied_until(scenario, wanted, visited, stop);
    }
    stepping::tallied_until::<Simulator<'_>>(scenario, wanted, visited, stop)
}

/// Simulates one replication and observes it at ascending `times`. Calls `looked` with each outcome, and with the
/// statistics by node and class. A class has no greatest number waiting.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn by_class(
    scenario: &Scenario<'_>,
    times: &[u64],
    looked: &mut dyn FnMut(Outcome, Vec<NodeStatistics>),
) -> Result<(), Deadlock> {
    if is_beyond(scenario) {
        return host::by_class(scenario, times, looked);
    }
    stepping::by_class::<Simulator<'_>>(scenario, times, looked)
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod simple_tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::{Network, Node};
    use crate::outcome::{NodeState, NodeStatistics};
    use crate::scenario::Start;
    use rand_core::Rng as _;

    fn network(mean: u32, tokens: [u32; 2]) -> Network {
        let node = |tokens| Node { label: None, mean_service: mean, tokens };
        Network::from_edges(tokens.map(node).to_vec(), &[(0, 1), (1, 0)]).unwrap()
    }

    #[test]
    fn a_lone_token_is_always_in_service() {
        let network = network(1000, [1, 0]);
        let scenario = Scenario::new(&network, Start::One, 100_000, 9, 0).unwrap();
        let outcome = simulate(&scenario);
        let totals = outcome.totals();
        assert_eq!(totals.busy, 100_000);
        assert_eq!(totals.number_integral, 100_000);
        assert_eq!(totals.waiting_sum, 0);
        assert_eq!(outcome.waiting.total(), 1);
        assert!(totals.served - totals.completed <= 1);
        assert!((60..160).contains(&totals.served), "{}", totals.served);
    }

    #[test]
    fn by_hand_two_tokens_at_one_node() {
        let network = network(1000, [2, 0]);
        // Services of both nodes, drawn independently of the simulator.
        let scenario = Scenario::new(&network, Start::One, 1, 4, 0).unwrap();
        let mut words = scenario.key().node(0).generator();
        let first = exponential::service(words.next_u32(), 1000);
        let _only_edge = words.next_u32();
        let second = exponential::service(words.next_u32(), 1000);
        let mut words = scenario.key().node(1).generator();
        let other = exponential::service(words.next_u32(), 1000);

        // Up to the instant before the first departure, one token is served and one waits.
        let scenario = Scenario::new(&network, Start::One, first, 4, 0).unwrap();
        let outcome = simulate(&scenario);
        let node = outcome.statistics[0];
        assert_eq!((node.served, node.completed, node.busy), (1, 1, first));
        assert_eq!((node.sojourn_sum, node.waiting_sum, node.number_integral), (first, 0, 2 * first));
        assert_eq!(outcome.waiting.of(0), [0]);
        assert_eq!(outcome.waiting.of(1), [first]);
        assert_eq!(outcome.states[0], NodeState { free_at: first, next_service: second, ..outcome.states[0] });

        // One tick more: both nodes start a service in that tick.
        let scenario = Scenario::new(&network, Start::One, first + 1, 4, 0).unwrap();
        let outcome = simulate(&scenario);
        assert_eq!(outcome.states[0].free_at, first + second);
        assert_eq!(outcome.states[1].free_at, first + other);
        assert_eq!(outcome.statistics[1].busy, 1);
        assert_eq!(outcome.statistics[0].number_integral, 2 * first + 1);
    }

    #[test]
    fn nothing_happens_before_a_horizon_of_zero() {
        let network = network(1000, [2, 1]);
        let outcome = simulate(&Scenario::new(&network, Start::One, 0, 4, 0).unwrap());
        assert_eq!(outcome.totals(), NodeStatistics { most_waiting: Some(0), ..NodeStatistics::default() });
        assert_eq!(outcome.waiting.of(0), [0, 0]);
        assert_eq!(outcome.states[0].free_at, 0);
        assert!(outcome.states[0].next_service > 0);
    }
}
