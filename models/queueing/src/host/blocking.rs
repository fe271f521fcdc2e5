//! Blocking after service: room for tokens that wait in their servers, and deadlocks.

use super::facility::Facility;
use super::token::Ended;
use crate::deadlock::Deadlock;
use crate::network::Overflow;
use std::collections::BTreeMap;

/// Room at the nodes to which blocked tokens want to go.
pub(super) struct Rooms<'s, 'a> {
    facilities: &'s [Facility<'a>],
    /// Changes of the room at nodes that tokens leave or enter.
    changes: BTreeMap<u32, i64>,
}

impl<'s, 'a> Rooms<'s, 'a> {
    pub(super) const fn of(facilities: &'s [Facility<'a>]) -> Self {
        Self { facilities, changes: BTreeMap::new() }
    }

    /// Returns `true` if tokens wait for room at `node` instead of being lost.
    pub(super) fn blocks(facilities: &[Facility<'_>], node: u32) -> bool {
        let station = facilities.get(node as usize).and_then(|facility| facility.station);
        station.is_some_and(|station| station.overflow == Overflow::Block && station.capacity.is_some())
    }

    fn has_room(&self, node: u32) -> bool {
        let room = self.facilities.get(node as usize).map_or(0, Facility::room);
        i128::from(room) + i128::from(self.changes.get(&node).copied().unwrap_or(0)) > 0
    }

    /// Returns the tokens that can leave now, first come, first served. One that leaves makes room where it was, and
    /// new room belongs to the first of all tokens that want it.
    pub(super) fn unblocked(mut self, blocked: &BTreeMap<Ended, u32>) -> Vec<Ended> {
        let mut waiting: Vec<(Ended, u32)> = blocked.iter().map(|(token, to)| (*token, *to)).collect();
        let mut left = vec![];
        while let Some(place) = waiting.iter().position(|(_, to)| self.has_room(*to)) {
            let (token, to) = waiting.remove(place);
            left.push(token);
            *self.changes.entry(to).or_default() -= 1;
            *self.changes.entry(token.1).or_default() += 1;
        }
        left
    }
}

/// Finds nodes that block one another for ever: a circle in which each waits for the next.
///
/// A node is stuck if it has tokens in service, all of them are blocked, and all wait for nodes that are stuck.
pub(super) fn deadlock(facilities: &[Facility<'_>], time: u64) -> Option<Deadlock> {
    let waits = |facility: &Facility<'_>| -> Option<Vec<u32>> {
        if facility.serving.is_empty() {
            return None;
        }
        facility.serving.values().map(|serving| serving.onward.node().filter(|_| serving.blocked)).collect()
    };
    let mut goals: BTreeMap<u32, Vec<u32>> =
        facilities.iter().filter_map(|facility| Some((facility.node, waits(facility)?))).collect();
    // Nodes that wait for one that moves are not stuck.
    while let Some(free) = goals.iter().find(|(_, goals_of)| goals_of.iter().any(|goal| !goals.contains_key(goal))) {
        let free = *free.0;
        goals.remove(&free);
    }
    let mut path = vec![*goals.keys().next()?];
    loop {
        let next = *goals.get(path.last()?)?.iter().min()?;
        if let Some(start) = path.iter().position(|&node| node == next) {
            let mut nodes = path.split_off(start);
            let least = nodes.iter().min().copied();
            let first = nodes.iter().position(|node| Some(*node) == least).unwrap_or(0);
            nodes.rotate_left(first);
            let network = facilities.first()?.network;
            let labels = nodes.iter().map(|&node| network.label(node)).collect();
            return Some(Deadlock { time, nodes, labels });
        }
        path.push(next);
    }
}
