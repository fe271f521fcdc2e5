//! Sequential execution of one simulation: the reference for engines.

use super::alone::Alone;
use super::contract::Events;
use super::error::{EngineError, Outcome};
use super::event_types::Scheduled;
use super::simulation::{End, Start};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Event in the list of a simulation, ordered by time, module and tie.
#[derive(Debug)]
pub(super) struct Entry<E: Events>(pub(super) Scheduled<E>);

impl<E: Events> Entry<E> {
    fn key(&self) -> (u64, u32, u64) {
        (self.0.time, self.0.to, self.0.tie)
    }
}

impl<E: Events> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<E: Events> Eq for Entry<E> {}

impl<E: Events> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Events> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Runs a simulation on the host, in the order of time, with one event list. Handlers schedule at most `most` events
/// each. `simulation` is its number in errors.
///
/// # Errors
/// [`EngineError::Start`] for a simulation that cannot start.
pub fn sequential<E: Events>(start: &Start<E>, most: u32, simulation: usize) -> Result<Outcome<E>, EngineError> {
    start.check(simulation)?;
    let (mut alone, first) = Alone::new(start, most, simulation);
    let mut list: BinaryHeap<_> = first.into_iter().map(|event| Reverse(Entry(event))).collect();
    let mut handled = 0;
    while let Some(Reverse(Entry(event))) = list.pop() {
        if event.time >= start.end {
            list.push(Reverse(Entry(event)));
            break;
        }
        handled += 1;
        if let Err(trouble) = alone.happen(&event, |scheduled| list.push(Reverse(Entry(scheduled)))) {
            return Ok(Err(trouble));
        }
    }
    Ok(Ok(End { modules: alone.modules, handled, waiting: list.len() as u64 }))
}
