//! Future event list.
//!
//! Events are processed in the order of their times. Events of the same picosecond keep the order in which they were
//! scheduled. Nothing else, such as the layout of a heap, affects the order.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Time of an event, and its rank among events of the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) time: u64,
    turn: u64,
}

/// Event of the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// The first packet on a link arrives at the end of the link.
    Arrival(u32),
    /// A link has sent a packet of a managed queue, and takes the next one.
    Sent(u32),
    /// A link fails.
    Fail(u32),
    /// A link carries packets again.
    Restore(u32),
    /// Routes change, by the number of the change.
    Reroute(u32),
    /// A TCP connection begins to send.
    Start(u32),
    /// A retransmission timer may have expired.
    Timer(u32),
    /// A delayed acknowledgement may be due.
    Acknowledge(u32),
    /// A source of datagrams sends one, or switches between on and off.
    Emission(u32),
    /// A client sends a request.
    Request(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    moment: Moment,
    event: Event,
}

impl Ord for Entry {
    /// Reverses the order, because the heap returns its greatest entry first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.moment.cmp(&self.moment)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Agenda {
    heap: BinaryHeap<Entry>,
    turns: u64,
}

impl Agenda {
    /// Size of an event in bytes.
    pub(super) const BYTES_OF_EVENT: u64 = size_of::<Entry>() as u64;

    /// Returns the next rank in the order of scheduling, for an event at `time`.
    pub(super) fn moment(&mut self, time: u64) -> Moment {
        self.turns += 1;
        Moment { time, turn: self.turns }
    }

    /// Schedules an event at a moment that [`moment`](Self::moment) returned.
    pub(super) fn put(&mut self, moment: Moment, event: Event) {
        self.heap.push(Entry { moment, event });
    }

    /// Schedules an event.
    pub(super) fn add(&mut self, time: u64, event: Event) {
        let moment = self.moment(time);
        self.put(moment, event);
    }

    /// Returns the next event before `end`, with its moment.
    pub(super) fn next_before(&mut self, end: u64) -> Option<(Moment, Event)> {
        if self.heap.peek()?.moment.time >= end {
            return None;
        }
        self.heap.pop().map(|entry| (entry.moment, entry.event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_time_happen_in_the_order_of_their_scheduling() {
        let mut agenda = Agenda::default();
        let late = agenda.moment(5);
        agenda.add(5, Event::Start(1));
        agenda.add(3, Event::Timer(2));
        agenda.put(late, Event::Arrival(0));
        agenda.add(9, Event::Emission(3));
        let order: Vec<_> =
            std::iter::from_fn(|| agenda.next_before(9)).map(|(moment, event)| (moment.time, event)).collect();
        assert_eq!(order, [(3, Event::Timer(2)), (5, Event::Arrival(0)), (5, Event::Start(1))]);
        assert_eq!(agenda.next_before(10).map(|(moment, event)| (moment.time, event)), Some((9, Event::Emission(3))));
    }
}
