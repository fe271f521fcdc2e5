//! The engine of the host: everything that a network can have, one event after the other.
//!
//! It carries out the [rules](crate::scenario) of the exact engines and of blocking, so networks that those simulate
//! have the same outcomes here, bit for bit. Beyond them it has [behaviour](crate::network::Behaviour) that needs an
//! order of events or looks at several nodes: disciplines that interrupt or share servers, shifts and breakdowns,
//! impatience, balking and retrial, service in batches and by polling, forks and joins, routes by the state, regions
//! and resources, and sources whose rates change or that replay a table. Its rules add these to the three parts of a
//! tick:
//!
//! 1. Services end, and tokens leave, as there. Then servers come on duty or go, break down or work again; then tokens
//!    whose patience ends leave their lines, by the number of their node and entry. Then room is given to those that
//!    wait for it in servers.
//! 2. Tokens enter, as there; those that lost patience after those whose services ended. Then tokens that found no room
//!    before try again.
//! 3. Services start, node by node. A token that goes before one in service interrupts it. Stations that seize
//!    resources come last: of all tokens that could start there, the first is the one that came first to its station.
//!
//! Work is counted in 2^-32 ticks, so that servers which share their speed compute in integers too. Services end in the
//! first tick by which their work is done. Where servers are shared an event takes time in proportion to the classes;
//! all events, to the logarithm of the tokens at the node.
//!
//! Words for services, routes and choices come from the streams of the exact engines; patience, balking, retrials,
//! breakdowns, batches, phases and services drawn anew have [streams of their own](imminent_common::streams). So a
//! network with patience draws the services of the one without. Determinism class: exact.

mod blocking;
mod bulk;
mod calendar;
mod clock;
mod counts;
mod emission;
mod facility;
mod families;
mod line;
mod poll;
mod polling;
mod pools;
mod regions;
mod resources;
mod routing;
mod seizing;
mod serving;
mod sharing;
mod simulator;
mod starting;
mod streams;
mod token;

use crate::analysis::Watch;
use crate::deadlock::Deadlock;
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::spent::Timed;
use crate::stepping::{self, Clockwork as _};
use crate::tally::{Tally, Wanted};
use crate::trace::Visit;
use simulator::Simulator;
use std::ops::ControlFlow;

/// Simulates one replication. Servers in a deadlock stay blocked until the horizon.
#[must_use]
pub fn simulate(scenario: &Scenario<'_>) -> Outcome {
    let mut simulator = Simulator::begin(scenario);
    simulator.goes_on = true;
    simulator.run_to(scenario.horizon(), &mut drop);
    simulator.outcome(scenario.horizon(), &mut drop).0
}

/// Simulates one replication, and reports every visit that ends at the horizon or before, when it ends.
///
/// # Errors
/// [`Deadlock`] at the first deadlock of servers that block one another.
pub fn traced(scenario: &Scenario<'_>, visited: &mut dyn FnMut(Visit)) -> Result<Outcome, Deadlock> {
    let mut simulator = Simulator::begin(scenario);
    simulator.run_to(scenario.horizon(), visited);
    simulator.deadlock().map_or_else(|| Ok(simulator.outcome(scenario.horizon(), visited).0), Err)
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
    stepping::watched_while::<Simulator<'_>>(scenario, watch, go_on)
}

/// Simulates one replication, reports every visit, and returns the outcome at the last of some times and the tallies
/// between each two of them. Ends early, without an outcome, soon after `stop` returns `true`.
pub(crate) fn tallied_until(
    scenario: &Scenario<'_>,
    wanted: (&[u64], &Wanted),
    visited: &mut dyn FnMut(&Visit),
    stop: &dyn Fn() -> bool,
) -> Result<Option<(Outcome, Vec<Tally>)>, Deadlock> {
    stepping::tallied_until::<Simulator<'_>>(scenario, wanted, visited, stop)
}

/// Simulates one replication and observes it at ascending `times`. Calls `looked` with each outcome, and with the
/// statistics by node and class.
///
/// # Errors
/// [`Deadlock`] at the first deadlock.
pub fn by_class(
    scenario: &Scenario<'_>,
    times: &[u64],
    looked: &mut dyn FnMut(Outcome, Vec<NodeStatistics>),
) -> Result<(), Deadlock> {
    stepping::by_class::<Simulator<'_>>(scenario, times, looked)
}
