//! TCP receiver: cumulative acknowledgements, at once or delayed (RFC 1122, RFC 5681).

use super::TcpRules;
use super::ranges::Ranges;
use super::sack::{Acknowledgement, Blocks, MAX_BLOCKS};

/// Receiving end of a connection.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Receiver {
    /// Number of the first missing packet.
    next: u64,
    /// Received packets after the first missing one.
    early: Ranges,
    /// Packets after the first missing one in different blocks, the last received first.
    recent: Vec<u64>,
    /// `true` if a packet waits to be acknowledged.
    pending: bool,
    /// `true` if a packet was marked, and no reduced window has been told since.
    echo: bool,
    /// Time at which the last packet that arrived was sent.
    sent: u64,
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

    /// Returns the acknowledgement of all packets so far.
    pub(in super::super) fn acknowledgement(&self) -> Acknowledgement {
        Acknowledgement { number: self.next, blocks: self.blocks(), echo: self.echo, sent: self.sent }
    }

    /// Records what a packet says of congestion: whether the sender has reduced its window, and whether a queue has
    /// marked the packet, which was sent at a time.
    pub(in super::super) fn notice(&mut self, reduced: bool, marked: bool, sent: u64) {
        self.echo = marked || (self.echo && !reduced);
        self.sent = sent;
    }

    /// Returns the blocks that a selective acknowledgement carries, that of the last received packet first.
    fn blocks(&self) -> Blocks {
        Blocks::of(self.next, self.recent.iter().filter_map(|&number| self.early.containing(number)))
    }

    /// Records a received packet. Returns whether it is new, and whether to acknowledge it at once.
    pub(in super::super) fn receive(&mut self, number: u64, now: u64, rules: &TcpRules) -> (bool, bool) {
        if number != self.next {
            // Packets out of order are acknowledged at once, because the sender counts duplicates.
            let new = number > self.next && self.early.insert(number..number + 1) > 0;
            if new && rules.has_sack() {
                self.remember(number);
            }
            return (new, true);
        }
        self.next += 1;
        let holes = !self.early.is_empty();
        if let Some(block) = self.early.containing(self.next) {
            self.next = block.end;
            self.early.remove_below(block.end);
            self.recent.retain(|number| *number >= block.end);
        }
        if holes || self.pending || rules.delayed_ack == 0 {
            return (true, true);
        }
        self.pending = true;
        self.deadline = Some(now + rules.delayed_ack);
        (true, false)
    }

    /// Puts a packet before those that are in other blocks.
    fn remember(&mut self, number: u64) {
        if let Some(block) = self.early.containing(number) {
            self.recent.retain(|number| !block.contains(number));
        }
        self.recent.insert(0, number);
        self.recent.truncate(MAX_BLOCKS);
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
    use crate::network::Variant;

    fn receive(receiver: &mut Receiver, number: u64, rules: &TcpRules) -> (bool, Option<u64>) {
        let (new, at_once) = receiver.receive(number, 10, rules);
        if at_once {
            receiver.acknowledged();
        }
        (new, at_once.then(|| receiver.next()))
    }

    #[test]
    fn every_packet_is_acknowledged_and_holes_make_duplicates() {
        let mut receiver = Receiver::default();
        let said: Vec<_> = [0, 2, 3, 2, 1, 0].map(|number| receive(&mut receiver, number, &TcpRules::default())).into();
        let expected = [(true, 1), (true, 1), (true, 1), (false, 1), (true, 4), (false, 4)];
        assert_eq!(said, expected.map(|(new, next)| (new, Some(next))));
    }

    #[test]
    fn delayed_acknowledgements_wait_for_a_second_packet_or_their_time() {
        let rules = TcpRules { delayed_ack: 5, ..TcpRules::default() };
        let mut receiver = Receiver::default();
        assert_eq!(receive(&mut receiver, 0, &rules), (true, None));
        assert_eq!(receiver.deadline(), Some(15));
        assert_eq!(receive(&mut receiver, 1, &rules), (true, Some(2)));
        assert_eq!(receiver.deadline(), None);
        assert_eq!(receive(&mut receiver, 2, &rules), (true, None));
        assert_eq!(receive(&mut receiver, 4, &rules), (true, Some(3)));
        assert_eq!(receive(&mut receiver, 3, &rules), (true, Some(5)));
    }

    #[test]
    fn marks_are_echoed_until_the_sender_tells_of_a_smaller_window() {
        let mut receiver = Receiver::default();
        let mut echo = |reduced, marked| {
            receiver.notice(reduced, marked, 0);
            receiver.acknowledgement().echo
        };
        assert_eq!([echo(false, false), echo(false, true), echo(false, false)], [false, true, true]);
        // A packet that tells of a smaller window may be marked itself.
        assert_eq!([echo(true, true), echo(true, false), echo(false, false)], [true, false, false]);
    }

    #[test]
    #[allow(clippy::single_range_in_vec_init, reason = "a list of one block")]
    fn blocks_begin_with_that_of_the_last_packet() {
        let rules = TcpRules { variant: Variant::Cubic, ..TcpRules::default() };
        let mut receiver = Receiver::default();
        let mut blocks = |number: u64| {
            receiver.receive(number, 10, &rules);
            receiver.blocks().ranges(receiver.next()).collect::<Vec<_>>()
        };
        assert_eq!(blocks(0), []);
        assert_eq!(blocks(2), [2..3]);
        assert_eq!(blocks(5), [5..6, 2..3]);
        assert_eq!(blocks(3), [2..4, 5..6]);
        assert_eq!(blocks(9), [9..10, 2..4, 5..6]);
        // A fourth block drives the oldest out. Blocks that grow together are one.
        assert_eq!(blocks(7), [7..8, 9..10, 2..4]);
        assert_eq!(blocks(8), [7..10, 2..4]);
        assert_eq!(blocks(1), [7..10]);
        assert_eq!(receiver.next(), 4);
    }
}
