//! Number of tokens in the whole network while an engine runs.

use super::numbers::Census;

/// Count of the tokens that are at all nodes together and that wait there, and of the time with each number of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Population {
    /// Numbers of tokens that are at each node, and that wait there.
    of_node: Vec<[u64; 2]>,
    all: [u64; 2],
    /// Time of the last change.
    changed: u64,
    times: Census,
}

impl Population {
    /// Creates the count of an empty network.
    pub(crate) fn new(nodes: usize) -> Self {
        Self { of_node: vec![[0; 2]; nodes], ..Self::default() }
    }

    /// Notes the numbers of tokens that are at a node and that wait there from `now` on. Notes of one tick may come in
    /// any order, and the last of a node counts.
    pub(crate) fn note(&mut self, node: u32, numbers: [u64; 2], now: u64) {
        let Some(noted) = self.of_node.get_mut(node as usize).filter(|noted| **noted != numbers) else { return };
        self.times.add(self.all, now - self.changed);
        self.changed = now;
        for ((sum, before), number) in self.all.iter_mut().zip(noted.iter()).zip(numbers) {
            *sum = *sum - before + number;
        }
        *noted = numbers;
    }

    /// Returns the time with each number until `horizon`.
    pub(crate) fn until(&self, horizon: u64) -> Census {
        let mut times = self.times.clone();
        times.add(self.all, horizon - self.changed);
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_that_moves_within_a_tick_is_in_the_network_all_the_time() {
        let mut population = Population::new(2);
        population.note(0, [1, 1], 0);
        population.note(0, [1, 0], 3);
        population.note(1, [1, 0], 4);
        population.note(0, [0, 0], 4);
        population.note(1, [0, 0], 9);
        assert_eq!(population.until(9).present.times(), [0, 9]);
        assert_eq!(population.until(11).present.times(), [2, 9]);
        assert_eq!(population.until(11).waiting.times(), [8, 3]);
    }
}
