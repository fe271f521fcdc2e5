//! Blocking after service: tokens that wait in their servers for room, and deadlocks of servers.

use super::facility::Facility;
use crate::deadlock::Deadlock;
use crate::network::{Network, Overflow};
use std::collections::{BTreeMap, BTreeSet};

/// Token whose service has ended: end, node, number of the service. This is the order in which room is given.
pub(super) type Ended = (u64, u32, u64);

/// Returns `true` if tokens wait for room at `node` instead of being lost.
pub(super) fn blocks(facilities: &[Facility], node: u32) -> bool {
    let station = facilities.get(node as usize).and_then(|facility| facility.station);
    station.is_some_and(|station| station.overflow == Overflow::Block && station.capacity.is_some())
}

/// Finds the `ended` tokens for blocking nodes that can leave now. A token that leaves makes room at its previous node,
/// which may let another leave.
pub(super) fn unblocked(facilities: &[Facility], ended: &BTreeMap<Ended, u32>) -> Vec<Ended> {
    let mut room: BTreeMap<u32, u64> = BTreeMap::new();
    for &to in ended.values() {
        if let Some(facility) = facilities.get(to as usize) {
            room.entry(to).or_insert_with(|| facility.room());
        }
    }
    let mut waiting = ended.clone();
    let mut left = vec![];
    // Starts again from the first each time: new room belongs to the first of all tokens that want it.
    while let Some((token, to)) =
        waiting.iter().find(|(_, to)| room.get(to).is_some_and(|&room| room > 0)).map(|(&token, &to)| (token, to))
    {
        waiting.remove(&token);
        left.push(token);
        room.entry(to).and_modify(|room| *room -= 1);
        room.entry(token.1).and_modify(|room| *room += 1);
    }
    left
}

/// Finds nodes that block each other for ever.
///
/// A node is stuck if all of its tokens in service are blocked, and every node that they wait for is stuck.
pub(super) fn deadlock(network: &Network, facilities: &[Facility], time: u64) -> Option<Deadlock> {
    let waits_for = |facility: &Facility| -> Option<Vec<u32>> {
        let serving = facility.serving.iter();
        serving.map(|token| token.onward.filter(|_| token.blocked).map(|(to, _)| to)).collect()
    };
    let mut stuck: BTreeMap<u32, Vec<u32>> = facilities
        .iter()
        .filter(|facility| !facility.serving.is_empty())
        .filter_map(|facility| Some((facility.node, waits_for(facility)?)))
        .collect();
    loop {
        let nodes: BTreeSet<u32> = stuck.keys().copied().collect();
        stuck.retain(|_, next| next.iter().all(|node| nodes.contains(node)));
        if stuck.len() == nodes.len() {
            break;
        }
    }
    // A path of stuck nodes ends in a cycle.
    let mut path = vec![*stuck.keys().next()?];
    loop {
        let next = *stuck.get(path.last()?)?.iter().min()?;
        if let Some(start) = path.iter().position(|&node| node == next) {
            let mut nodes = path.split_off(start);
            let least = (0..nodes.len()).min_by_key(|&place| nodes.get(place)).unwrap_or(0);
            nodes.rotate_left(least);
            let labels = nodes.iter().map(|&node| network.label(node)).collect();
            return Some(Deadlock { time, nodes, labels });
        }
        path.push(next);
    }
}
