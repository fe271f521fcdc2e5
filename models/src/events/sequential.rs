//! One simulation, one event after the other: what engines are held to.

use super::contract::{Events, Place, Scheduled};
use super::engine::{EngineError, Outcome};
use super::simulation::{End, Start};
use super::trouble::{Trouble, Whereabouts};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An event in the list of a simulation, which is in the order of time, module and tie.
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

/// Runs a simulation on the host, in the order of time, with one list of events. Handlers schedule at most `most` events each. It is number `simulation` in what goes wrong.
///
/// # Errors
/// [`EngineError::Start`] for a simulation that cannot start.
pub fn sequential<E: Events>(start: &Start<E>, most: u32, simulation: usize) -> Result<Outcome<E>, EngineError> {
    start.check(simulation)?;
    let Start { point, lookahead, end, .. } = start;
    let most = most.max(1);
    let count = start.modules.len() as u32;
    let mut modules = start.modules.clone();
    let mut agendas: Vec<_> = (0..count)
        .map(|module| {
            let (lookahead, end) = (*lookahead, *end);
            let place = Place { simulation: 0, module, modules: count, first: 0, stride: 1, lookahead, most, end };
            E::agenda(&place, most)
        })
        .collect();
    let mut post = E::post(&agendas[0], most);
    let (first, numbers) = start.agenda();
    let mut list: BinaryHeap<_> = first.into_iter().map(|event| Reverse(Entry(event))).collect();
    for (agenda, number) in agendas.iter_mut().zip(numbers) {
        E::number_from(agenda, number);
    }
    let mut handled = 0;
    while let Some(Reverse(Entry(event))) = list.pop() {
        if event.time >= *end {
            list.push(Reverse(Entry(event)));
            break;
        }
        handled += 1;
        let module = event.to as usize;
        let (me, agenda) = (&mut modules[module], &mut agendas[module]);
        E::happen(&event, me, point, agenda, &mut post, |scheduled| list.push(Reverse(Entry(scheduled))));
        let at = Whereabouts {
            simulation,
            module: event.to,
            time: event.time,
            event: E::NAMES.get(event.kind as usize).copied().unwrap_or("unknown"),
        };
        if let Some(trouble) = Trouble::numbered(E::trouble(agenda), at) {
            return Ok(Err(trouble));
        }
    }
    Ok(Ok(End { modules, handled, waiting: list.len() as u64 }))
}
