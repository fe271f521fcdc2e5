//! Future event list with one entry for each node: a tournament tree.

/// Time of a node without an event: later than all others.
pub(super) const NEVER: u64 = u64::MAX;

/// Time of an event in the high half, number of its node in the low half. Of equal times, the lower node is first.
type Key = u128;

/// Next event of each node, and the first of them all.
///
/// A node replaces its entry, so nothing obsolete stays. Each step towards the root takes the lesser of two keys, which
/// compiles to conditional moves: nothing is mispredicted, as in a heap.
pub(super) struct Tournament {
    /// Keys of a complete binary tree. The root has number 1, and the node `n` the leaf `leaves + n`.
    keys: Vec<Key>,
    leaves: usize,
}

impl Tournament {
    /// Creates a list of `nodes` nodes without events.
    pub(super) fn new(nodes: usize) -> Self {
        let leaves = nodes.next_power_of_two();
        Self { keys: vec![Key::from(NEVER) << 64; 2 * leaves], leaves }
    }

    /// Returns time and node of the first event.
    #[inline(always)]
    pub(super) fn first(&self) -> (u64, u32) {
        let first = self.keys[1];
        ((first >> 64) as u64, first as u32)
    }

    /// Returns the time of the first event of all nodes but the one whose event is the first.
    #[inline(always)]
    pub(super) fn second(&self, first: u32) -> u64 {
        let mut place = self.leaves + first as usize;
        let mut least = NEVER;
        while place > 1 {
            least = least.min((self.keys[place ^ 1] >> 64) as u64);
            place >>= 1;
        }
        least
    }

    /// Replaces the event of the node whose event is the first.
    #[inline(always)]
    pub(super) fn replace_first(&mut self, node: u32, time: u64) {
        self.climb::<false>(node, time);
    }

    /// Replaces the event of a node. Stops where nothing changes: a late event rarely rises far.
    #[inline(always)]
    pub(super) fn replace(&mut self, node: u32, time: u64) {
        self.climb::<true>(node, time);
    }

    /// Replaces the event of a node, and the winners from there to the root, or to the first that stays.
    #[inline(always)]
    fn climb<const STOPS: bool>(&mut self, node: u32, time: u64) {
        let mut place = self.leaves + node as usize;
        let mut winner = Key::from(time) << 64 | Key::from(node);
        self.keys[place] = winner;
        while place > 1 {
            winner = winner.min(self.keys[place ^ 1]);
            place >>= 1;
            if STOPS && self.keys[place] == winner {
                return;
            }
            self.keys[place] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_is_the_least_of_all(nodes in 1_usize..20, changes in prop::collection::vec((0_u32..20, 0_u64..9), 1..60)) {
            let mut tournament = Tournament::new(nodes);
            let mut times = vec![NEVER; nodes];
            for (node, time) in changes {
                let node = node % nodes as u32;
                let time = if time == 0 { NEVER } else { time };
                times[node as usize] = time;
                if tournament.first().1 == node {
                    tournament.replace_first(node, time);
                } else {
                    tournament.replace(node, time);
                }
                let first = (0_u32..).zip(&times).map(|(node, &time)| (time, node)).min().unwrap_or_default();
                prop_assert_eq!(tournament.first().0, first.0);
                if first.0 < NEVER {
                    prop_assert_eq!(tournament.first(), first);
                    let others = times.iter().enumerate().filter(|(node, _)| *node != first.1 as usize);
                    prop_assert_eq!(tournament.second(first.1), others.map(|(_, &time)| time).min().unwrap_or(NEVER));
                }
            }
        }
    }
}
