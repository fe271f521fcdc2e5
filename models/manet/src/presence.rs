//! Nodes that are there at a time, in networks whose nodes enter and leave.
//!
//! They are a list, in the order of which a random number chooses one. A node that enters is appended, and the last one
//! takes the place of a node that leaves. At one time nodes leave before others enter, each by their numbers.

use crate::network::Network;

/// Node that enters or leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    /// Time in µs.
    pub(crate) time: u64,
    /// `true` if the node enters.
    pub(crate) enters: bool,
    pub(crate) node: u32,
}

/// Returns the changes of a network's nodes before its end, in their order.
pub(crate) fn changes(network: &Network) -> Vec<Change> {
    let of = |node: u32| {
        let stay = network.stay(node);
        let is_ever_there = stay.enter < stay.leave.min(network.end);
        let enter = Change { time: stay.enter, enters: true, node };
        let leave = Change { time: stay.leave, enters: false, node };
        [enter, leave].into_iter().filter(move |change| is_ever_there && change.time < network.end)
    };
    let mut changes: Vec<Change> = (0..network.nodes).flat_map(of).collect();
    changes.sort_unstable();
    changes
}

/// History of the list: who was at each of its places, and how long it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Presence {
    /// Lengths of the list, each with the time in µs from which it holds.
    pub(crate) lengths: Vec<(u64, u32)>,
    /// Nodes at each place of the list, each with the time in µs from which it is there.
    pub(crate) places: Vec<Vec<(u64, u32)>>,
}

impl Presence {
    /// Follows the nodes of a network; of one whose nodes all stay, the history is empty.
    pub(crate) fn new(network: &Network) -> Self {
        let mut presence = Presence::default();
        if !network.has_stays() {
            return presence;
        }
        let mut list: Vec<u32> = vec![];
        let mut place_of = vec![0; network.nodes as usize];
        for Change { time, enters, node } in changes(network) {
            let place = match enters {
                true => {
                    list.push(node);
                    list.len() - 1
                }
                false => {
                    let place: usize = place_of[node as usize];
                    list.swap_remove(place);
                    place
                }
            };
            if let Some(moved) = list.get(place) {
                place_of[*moved as usize] = place;
                presence.places.resize_with(presence.places.len().max(place + 1), Vec::new);
                presence.places[place].push((time, *moved));
            }
            presence.lengths.push((time, list.len() as u32));
        }
        presence
    }

    /// Number of nodes that are there at a time.
    pub(crate) fn count(&self, time: u64) -> u32 {
        at(&self.lengths, time).unwrap_or(0)
    }

    /// Returns another node that is there with a node at a time, chosen by a number below the count less one.
    pub(crate) fn other(&self, node: u32, time: u64, number: u32) -> u32 {
        let of = |place: u32| at(&self.places[place as usize], time).unwrap_or(node);
        match of(number) {
            found if found == node => of(self.count(time) - 1),
            found => found,
        }
    }

    /// Returns the first node that enters after a time, and when.
    pub(crate) fn next(&self, network: &Network, time: u64) -> Option<(u64, u32)> {
        let entries = (0..network.nodes).map(|node| (network.stay(node).enter, node));
        entries.filter(|(enter, _)| *enter > time && *enter < network.end).min()
    }
}

/// Returns the value that holds at a time.
fn at(history: &[(u64, u32)], time: u64) -> Option<u32> {
    let after = history.partition_point(|(since, _)| *since <= time);
    history.get(after.checked_sub(1)?).map(|(_, value)| *value)
}
