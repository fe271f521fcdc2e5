//! TCP receiver: cumulative acknowledgements, at once or delayed (RFC 1122, RFC 5681).

use super::Reno;
use std::collections::BTreeSet;

/// Receiving end of a connection.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Receiver {
    /// Number of the first missing packet.
    next: u64,
    /// Received packets after the first missing one.
    early: BTreeSet<u64>,
    /// `true` if a packet waits to be acknowledged.
    pending: bool,
    deadline: Option<u64>,
}

impl Receiver {
    /// Returns the number of the first missing packet, which acknowledgements carry.
    pub(in super::super) fn next(&self) -> u64 {
        self.next
    }

    /// Returns the time at which a delayed acknowledgement is due, if one waits.
    pub(in super::super) fn deadline(&self) -> Option<u64> {
        self.deadline
    }

    /// Records a received packet. Returns whether it is new, and whether to acknowledge it at once.
    pub(in super::super) fn receive(&mut self, number: u64, now: u64, reno: &Reno) -> (bool, bool) {
        if number != self.next {
            // Packets out of order are acknowledged at once, because the sender counts duplicates.
            let new = number > self.next && self.early.insert(number);
            return (new, true);
        }
        self.next += 1;
        let holes = !self.early.is_empty();
        while self.early.remove(&self.next) {
            self.next += 1;
        }
        if holes || self.pending || reno.delayed_ack == 0 {
            return (true, true);
        }
        self.pending = true;
        self.deadline = Some(now + reno.delayed_ack);
        (true, false)
    }

    /// Records that an acknowledgement is sent.
    pub(in super::super) fn acknowledged(&mut self) {
        self.pending = false;
        self.deadline = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(receiver: &mut Receiver, number: u64, reno: &Reno) -> (bool, Option<u64>) {
        let (new, at_once) = receiver.receive(number, 10, reno);
        if at_once {
            receiver.acknowledged();
        }
        (new, at_once.then(|| receiver.next()))
    }

    #[test]
    fn every_packet_is_acknowledged_and_holes_make_duplicates() {
        let mut receiver = Receiver::default();
        let said: Vec<_> = [0, 2, 3, 2, 1, 0].map(|number| receive(&mut receiver, number, &Reno::default())).into();
        let expected = [(true, 1), (true, 1), (true, 1), (false, 1), (true, 4), (false, 4)];
        assert_eq!(said, expected.map(|(new, next)| (new, Some(next))));
    }

    #[test]
    fn delayed_acknowledgements_wait_for_a_second_packet_or_their_time() {
        let reno = Reno { delayed_ack: 5, ..Reno::default() };
        let mut receiver = Receiver::default();
        assert_eq!(receive(&mut receiver, 0, &reno), (true, None));
        assert_eq!(receiver.deadline(), Some(15));
        assert_eq!(receive(&mut receiver, 1, &reno), (true, Some(2)));
        assert_eq!(receiver.deadline(), None);
        assert_eq!(receive(&mut receiver, 2, &reno), (true, None));
        assert_eq!(receive(&mut receiver, 4, &reno), (true, Some(3)));
        assert_eq!(receive(&mut receiver, 3, &reno), (true, Some(5)));
    }
}
