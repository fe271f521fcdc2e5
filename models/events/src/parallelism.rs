//! How much of a simulation can happen side by side.

use super::alone::Alone;
use super::contract::{Events, Scheduled};
use super::engine::EngineError;
use super::sequential::Entry;
use super::simulation::Start;
use super::trouble::Trouble;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What bounds the speed of one simulation, however many events happen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Parallelism {
    /// Events that happen.
    pub events: u64,
    /// Rounds in which each module has one event at most, and none that something unknown can come before: those of [`coprocess`](super::coprocess()).
    pub rounds: u64,
    /// The longest chain of events of which each needs the one before: it was scheduled by it, or is the next at its module (the critical path of Berry and Jefferson 1985). Rounds in which
    /// every module guesses its next event, and always guesses right, cannot be fewer.
    pub chain: u64,
}

/// An event and the length of the longest chain to what scheduled it. Chains decide no order.
type Linked<E> = (Reverse<Entry<E>>, u64);

/// Counts rounds and chains of a simulation whose handlers schedule at most `most` events each.
///
/// # Errors
/// [`EngineError::Start`] for a simulation that cannot start; within, the trouble that it gets into.
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

/// Takes the next event of each module for which nothing unknown can come before it.
fn take_safe<E: Events>(start: &Start<E>, lists: &mut [BinaryHeap<Linked<E>>]) -> Vec<(Scheduled<E>, u64)> {
    let next = |list: &BinaryHeap<Linked<E>>| list.peek().map_or(u64::MAX, |(Reverse(entry), _)| entry.0.time);
    let horizon = match start.lookahead {
        0 => u64::MAX,
        lookahead => lists.iter().map(next).min().unwrap_or(u64::MAX).saturating_add(lookahead),
    };
    let before = horizon.min(start.end);
    let safe = lists.iter_mut().filter(|list| next(list) < before);
    safe.filter_map(|list| list.pop()).map(|(Reverse(Entry(event)), chain)| (event, chain)).collect()
}
