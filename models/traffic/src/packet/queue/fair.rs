//! Lanes by flow with CoDel, served in turn by deficit round robin, new ones first (RFC 8290, section 4).

use super::Packet;
use super::codel::{Controller, Law};
use super::lane::Lane;
use super::longest::{Longest, Place, Rank};
use super::signals::Signals;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

/// Largest number of packets that one arrival pushes out of the longest lane.
const MAX_SHED: usize = 64;

/// Packets of one flow, or of several with the same hash.
#[derive(Debug, Clone, Default)]
struct Turn {
    lane: Lane,
    controller: Controller,
    /// Bytes that the lane may still send before others; negative after a packet beyond them.
    credits: i64,
    /// Place of the lane in the lists, while it is in one of them.
    place: Option<Place>,
}

impl Turn {
    fn rank(&self, number: u64) -> Option<Rank> {
        self.place.map(|place| (self.lane.bytes(), Reverse(place), number))
    }
}

/// Numbers the places of the lists.
#[derive(Debug, Clone, Copy, Default)]
struct Places {
    turns: u64,
}

impl Places {
    fn next(&mut self, is_second: bool) -> Option<Place> {
        self.turns += 1;
        Some(Place { is_second, turn: self.turns })
    }
}

/// All lanes of a link.
#[derive(Debug, Clone)]
pub(in super::super) struct Fair {
    law: Law,
    quantum: i64,
    queues: u64,
    turns: HashMap<u64, Turn>,
    /// Lanes that were empty before.
    new: VecDeque<u64>,
    /// Other lanes with packets, or recently with packets.
    old: VecDeque<u64>,
    places: Places,
    longest: Longest,
    packets: usize,
}

impl Fair {
    pub(super) fn new(law: Law, quantum: u32, queues: u32) -> Self {
        let (new, old, turns) = (VecDeque::new(), VecDeque::new(), HashMap::new());
        let (places, longest) = (Places::default(), Longest::default());
        Self { law, quantum: quantum.into(), queues: queues.into(), turns, new, old, places, longest, packets: 0 }
    }

    pub(super) fn add(&mut self, packet: Packet, now: u64, hash: u64) {
        let number = hash % self.queues;
        let turn = self.turns.entry(number).or_default();
        let before = turn.rank(number);
        turn.lane.add(packet, now);
        self.packets += 1;
        if turn.place.is_none() {
            (turn.place, turn.credits) = (self.places.next(false), self.quantum);
            self.new.push_back(number);
        }
        self.longest.replace(before, turn.rank(number));
    }

    pub(super) fn take(&mut self, now: u64, signals: &mut Signals) -> Option<Packet> {
        let taken = self.take_in_turn(now, signals);
        if self.packets == 0 {
            self.longest.forget();
        }
        taken
    }

    fn take_in_turn(&mut self, now: u64, signals: &mut Signals) -> Option<Packet> {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let number = *list.front()?;
            let turn = self.turns.get_mut(&number)?;
            let rank = turn.rank(number);
            let out_of_credits = turn.credits <= 0;
            if out_of_credits {
                turn.credits += self.quantum;
            } else {
                let before = turn.lane.len();
                let taken = turn.controller.take(&self.law, &mut turn.lane, now, signals);
                self.packets -= before - turn.lane.len();
                if let Some(packet) = taken {
                    turn.credits -= i64::from(packet.bytes);
                    self.longest.replace(rank, turn.rank(number));
                    return Some(packet);
                }
            }
            list.pop_front();
            // An empty new lane has to wait for a round, lest a flow of single packets starve others.
            let is_old = out_of_credits || is_new;
            turn.place = if is_old { self.places.next(true) } else { None };
            self.longest.replace(rank, turn.rank(number));
            if is_old {
                self.old.push_back(number);
            }
        }
    }

    /// Drops half of the packets of the lane with the most bytes, from its head, at most [`MAX_SHED`]. Of lanes of the
    /// same length it is the first one listed.
    pub(super) fn shed(&mut self, signals: &mut Signals) {
        let listed = || self.new.iter().chain(&self.old);
        let ranks = || listed().filter_map(|number| self.turns.get(number)?.rank(*number));
        let Some(number) = self.longest.find(ranks) else { return };
        let Some(turn) = self.turns.get_mut(&number) else { return };
        let (rank, half) = (turn.rank(number), turn.lane.len().div_ceil(2).min(MAX_SHED));
        signals.dropped.extend((0..half).filter_map(|_| turn.lane.remove_first()));
        self.packets -= half;
        self.longest.replace(rank, turn.rank(number));
    }

    /// Removes and returns all packets, in the order of the lists.
    pub(super) fn empty(&mut self) -> Vec<Packet> {
        let numbers = self.new.drain(..).chain(self.old.drain(..));
        let lanes = numbers.filter_map(|number| self.turns.remove(&number)).map(|turn| turn.lane);
        let packets = lanes.flat_map(Lane::into_packets).collect();
        self.turns.clear();
        self.longest.forget();
        self.packets = 0;
        packets
    }

    pub(super) fn len(&self) -> usize {
        self.packets
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::packet;
    use super::*;
    use crate::packet::clock::SECOND;

    const MS: u64 = SECOND / 1000;

    fn fair() -> Fair {
        Fair::new(Law::new(5 * MS, 100 * MS, 1000), 1000, 8)
    }

    fn taken(fair: &mut Fair, count: usize) -> Vec<u32> {
        let mut signals = Signals::default();
        let owners = (0..count).map_while(|_| fair.take(0, &mut signals)).map(|packet| packet.owner).collect();
        assert!(signals.dropped.is_empty());
        owners
    }

    #[test]
    fn lanes_share_bytes_and_a_new_one_goes_first() {
        let mut fair = fair();
        // Flow 0 has packets of 1000 bytes, flow 1 of 500.
        (0..4).for_each(|_| fair.add(packet(0, 1000), 0, 0));
        (0..8).for_each(|_| fair.add(packet(1, 500), 0, 1));
        assert_eq!(taken(&mut fair, 6), [0, 1, 1, 0, 1, 1]);
        fair.add(packet(2, 1000), 0, 2);
        assert_eq!(taken(&mut fair, 7), [2, 0, 1, 1, 0, 1, 1]);
        assert_eq!((fair.len(), fair.take(0, &mut Signals::default()).is_none()), (0, true));
        // Flows of the same hash share a lane.
        (0..2).for_each(|_| fair.add(packet(0, 1000), 0, 0));
        fair.add(packet(8, 1000), 0, 8);
        fair.add(packet(1, 1000), 0, 1);
        assert_eq!(taken(&mut fair, 4), [0, 1, 0, 8]);
    }

    #[test]
    fn a_flow_of_single_packets_waits_a_round() {
        let mut fair = fair();
        (0..4).for_each(|_| fair.add(packet(0, 1000), 0, 0));
        fair.add(packet(1, 100), 0, 1);
        assert_eq!(taken(&mut fair, 2), [0, 1]);
        // Flow 1 is empty, but listed still: its next packet is no new flow's.
        fair.add(packet(1, 100), 0, 1);
        assert_eq!(taken(&mut fair, 1), [1], "credits are left");
        fair.add(packet(2, 100), 0, 2);
        assert_eq!(taken(&mut fair, 4), [2, 0, 0, 0]);
    }

    #[test]
    fn the_longest_lane_loses_half_from_its_head() {
        let mut fair = fair();
        (0..5).for_each(|place| fair.add(packet(place, 400), 0, 0));
        (0..200).for_each(|_| fair.add(packet(9, 1000), 0, 1));
        (0..2).for_each(|_| fair.add(packet(8, 900), 0, 2));
        let mut signals = Signals::default();
        fair.shed(&mut signals);
        assert_eq!((signals.dropped.len(), fair.len()), (64, 143));
        (0..3).for_each(|_| fair.shed(&mut signals));
        // 200 packets lose 64, 64, 36 and 18.
        assert_eq!((signals.dropped.len(), signals.dropped.iter().all(|(_, packet)| packet.owner == 9)), (182, true));
        let mut short = self::fair();
        (0..5).for_each(|place| short.add(packet(place, 400), 0, 0));
        signals.dropped.clear();
        short.shed(&mut signals);
        assert_eq!(signals.dropped.iter().map(|(_, packet)| packet.owner).collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// The choice of a search through the lists, at random additions, removals and overflows.
    #[test]
    fn the_longest_lane_is_the_first_of_those_with_the_most_bytes() {
        use imminent_common::streams::split_mix;
        let mut fair = Fair::new(Law::new(MS, 10 * MS, 100), 200, 16);
        let (mut signals, mut ties) = (Signals::default(), 0);
        for step in 0..200_000 {
            let draw = split_mix(7, step);
            // Few lengths, so that several lanes often have the same. Phases of growth and of decline take turns.
            let (choice, bytes) = (draw % 64, 100 * (1 + (draw >> 8) % 3) as u32);
            match choice {
                0..2 => {
                    let lanes: Vec<_> = fair.new.iter().chain(&fair.old).copied().collect();
                    let bytes = |number: &u64| fair.turns[number].lane.bytes();
                    let most = lanes.iter().map(bytes).max();
                    let longest = lanes.iter().find(|number| Some(bytes(number)) == most);
                    ties += usize::from(lanes.iter().filter(|number| Some(bytes(number)) == most).count() > 1);
                    let expected: Vec<_> = longest.map_or_else(Vec::new, |number| {
                        let lane = fair.turns[number].lane.clone().into_packets();
                        let half = lane.len().div_ceil(2).min(MAX_SHED);
                        lane.into_iter().take(half).map(|packet| packet.born).collect()
                    });
                    signals.dropped.clear();
                    fair.shed(&mut signals);
                    assert_eq!(signals.dropped.iter().map(|(_, packet)| packet.born).collect::<Vec<_>>(), expected);
                }
                _ if choice < if step / 500 % 2 == 0 { 40 } else { 24 } => {
                    fair.add(Packet { born: step, ..packet(0, bytes) }, step * MS, draw >> 32);
                }
                _ => drop(fair.take(step * MS, &mut signals)),
            }
        }
        assert!(ties > 500, "{ties}");
    }
}
