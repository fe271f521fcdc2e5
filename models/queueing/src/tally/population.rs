//! Number of tokens in the whole network while an engine runs.

use super::numbers::TimeByNumber;

/// Count of the tokens at all nodes together, and of the time with each number of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Population {
    /// Number of tokens at each node.
    of_node: Vec<u64>,
    present: u64,
    /// Time of the last change.
    changed: u64,
    times: TimeByNumber,
}

impl Population {
    /// Creates the count of an empty network.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { of_node: vec![0; nodes], ..Self::default() }
    }

    /// Notes the number of tokens at a node from `now` on. Notes of one tick may come in any order.
    pub(crate) fn note(&mut self, node: u32, present: u64, now: u64) {
        let Some(noted) = self.of_node.get_mut(node as usize).filter(|noted| **noted != present) else { return };
        self.times.add(self.present, now - self.changed);
        self.changed = now;
        self.present = self.present - *noted + present;
        *noted = present;
    }

    /// Returns the time with each number until `horizon`.
    pub(crate) fn until(&self, horizon: u64) -> TimeByNumber {
        let mut times = self.times.clone();
        times.add(self.present, horizon - self.changed);
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_moves_within_a_tick_is_in_the_network_all_the_time() {
        let mut population = Population::new(2);
        population.note(0, 1, 0);
        population.note(1, 1, 4);
        population.note(0, 0, 4);
        population.note(1, 0, 9);
        assert_eq!(population.until(9).times(), [0, 9]);
        assert_eq!(population.until(11).times(), [2, 9]);
    }
}
