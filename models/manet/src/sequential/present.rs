//! Nodes that are there, among which destinations are drawn.

use super::draws::share;
use crate::network::Network;
use crate::presence::{Change, changes};

/// Nodes that are there, in the order of which destinations are drawn.
#[derive(Debug)]
pub(super) struct Present {
    list: Vec<u32>,
    /// Changes to come, the first one last.
    changes: Vec<Change>,
}

impl Present {
    pub(super) fn new(network: &Network) -> Self {
        let mut changes = changes(network);
        changes.reverse();
        Present { list: vec![], changes }
    }

    /// Returns another node that is there with a node at a time, not before that of the last call: the one that a
    /// random word chooses.
    pub(super) fn choose(&mut self, node: u32, time: u64, word: u32) -> Option<u32> {
        while let Some(change) = self.changes.pop_if(|change| change.time <= time) {
            match self.list.iter().position(|other| *other == change.node) {
                Some(place) => drop(self.list.swap_remove(place)),
                None => self.list.push(change.node),
            }
        }
        let others = self.list.len().checked_sub(1).filter(|others| *others > 0)?;
        let drawn = self.list[share(word, others as u32) as usize];
        Some(if drawn == node { self.list[others] } else { drawn })
    }
}
