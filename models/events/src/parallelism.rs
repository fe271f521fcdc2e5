//! Available parallelism of a simulation.

use super::alone::Alone;
use super::contract::Events;
use super::error::EngineError;
use super::event_types::Scheduled;
use super::horizons::Horizons;
use super::sequential::Entry;
use super::simulation::Start;
use super::trouble::Trouble;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bounds for the speed of one simulation, independent of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Parallelism {
    /// Number of executed events.
    pub events: u64,
    /// Number of rounds with at most one safe event per module, as in [`coprocess`](super::coprocess()).
    pub rounds: u64,
    /// Length of the longest chain of dependent events (the critical path of Berry and Jefferson 1985). An event
    /// depends on the one that scheduled it, and on the previous one at its module. Even with perfect speculation about
    /// every module's next event there are at least this many rounds.
    pub chain: u64,
}

/// Event with the length of the longest chain to the event that scheduled it. The length does not affect the order.
type Linked<E> = (Reverse<Entry<E>>, u64);

/// Counts rounds and chains of a simulation whose handlers schedule at most `most` events each.
///
/// # Errors
/// [`EngineError::Start`] for a simulation that cannot start; within, the trouble of the simulation.
pub fn parallelism<E: Events>(start: &Start<E>, most: u32) -> Result<Result<Parallelism, Trouble>, EngineError> {
    start.check(0)?;
    let (mut alone, first) = Alone::new(start, most, 0);
    let mut lists: Vec<BinaryHeap<Linked<E>>> = start.modules.iter().map(|_| BinaryHeap::new()).collect();
    first.into_iter().for_each(|event| lists[event.to as usize].push((Reverse(Entry(event)), 0)));
    let mut chains = vec![0; lists.len()];
    let mut found = Parallelism { events: 0, rounds: 0, chain: 0 };
    loop {
        let safe = take_safe(start, &mut lists);
        if safe.is_empty() {
            return Ok(Ok(found));
        }
        found.rounds += 1;
        for (event, before) in safe {
            let chain = &mut chains[event.to as usize];
            *chain = before.max(*chain) + 1;
            found.events += 1;
            found.chain = found.chain.max(*chain);
            let happened = alone.happen(&event, |scheduled| {
                lists[scheduled.to as usize].push((Reverse(Entry(scheduled)), *chain));
            });
            if let Err(trouble) = happened {
                return Ok(Err(trouble));
            }
        }
    }
}

/// Removes the safe next event of each module from the lists.
fn take_safe<E: Events>(start: &Start<E>, lists: &mut [BinaryHeap<Linked<E>>]) -> Vec<(Scheduled<E>, u64)> {
    let next = |list: &BinaryHeap<Linked<E>>| list.peek().map_or(u64::MAX, |(Reverse(entry), _)| entry.0.time);
    let horizons = Horizons::new(&start.lookahead, lists.iter().map(next));
    let safe = (0..).zip(lists).filter(|(module, list)| next(list) < start.end.min(horizons.of(*module)));
    safe.filter_map(|(_, list)| list.pop()).map(|(Reverse(Entry(event)), chain)| (event, chain)).collect()
}
