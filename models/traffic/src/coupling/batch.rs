//! The packets' view of a batch of steps.

use super::fluids::Level;
use crate::packet::Influence;

/// The current batch: its start, and the values of the steps that were fetched.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    /// Start of the batch, in picoseconds.
    begin: u64,
    /// Length of a step, in picoseconds.
    step: u64,
    steps: u64,
    /// Number of shared queues.
    count: usize,
    /// Level of each shared queue at each fetched step.
    levels: Vec<Level>,
    /// For each fetched step and queue, the bytes that the link could have sent in addition since the start of the
    /// batch (the paper's Φ, equation 13).
    spared: Vec<f64>,
    /// For each queue, the whole bytes of Φ that packets have used.
    used: Vec<u64>,
}

impl Batch {
    /// Creates a placeholder before time 0, without fetched steps. `step` is in picoseconds.
    pub(super) fn new(step: u64, steps: u64, count: usize) -> Self {
        Self { begin: 0, step, steps, count, levels: Vec::new(), spared: Vec::new(), used: vec![0; count] }
    }

    /// Length of the batch, in picoseconds.
    pub(super) fn length(&self) -> u64 {
        self.step * self.steps
    }

    /// Length of a step, in picoseconds.
    pub(super) fn step(&self) -> u64 {
        self.step
    }

    /// Start of the batch, in picoseconds.
    pub(super) fn begun(&self) -> u64 {
        self.begin
    }

    /// End of the batch, in picoseconds.
    pub(super) fn end(&self) -> u64 {
        self.begin + self.length()
    }

    /// Begins the next batch.
    pub(super) fn begin(&mut self, begin: u64) {
        self.begin = begin;
        self.levels.clear();
        self.spared.clear();
        self.used.fill(0);
    }

    /// Returns the step of the batch that contains a time (equation 15), from 0.
    pub(super) fn step_at(&self, time: u64) -> u64 {
        (time - self.begin) / self.step
    }

    /// Checks that a step was fetched.
    pub(super) fn has(&self, step: u64) -> bool {
        step < (self.levels.len() / self.count.max(1)) as u64
    }

    /// Returns the length of a queue at the end of the batch, in bytes. All steps were fetched.
    pub(super) fn last_length(&self, place: usize) -> f64 {
        let last = self.levels.len().checked_sub(self.count);
        last.and_then(|last| self.levels.get(last + place)).map_or(0.0, |level| level.length)
    }

    /// Returns the buffer for [`Fluids::fetch`](super::Fluids::fetch). Call [`Batch::add_up`] after the fetch.
    pub(super) fn levels(&mut self) -> &mut Vec<Level> {
        &mut self.levels
    }

    /// Sums the fetched levels (equation 13).
    pub(super) fn add_up(&mut self) {
        for at in self.spared.len()..self.levels.len() {
            let before = at.checked_sub(self.count).map_or(0.0, |before| self.spared[before]);
            self.spared.push(before + self.levels[at].spare);
        }
    }

    /// Returns the influence of fluid on a packet in a shared queue, at a time whose step was fetched.
    pub(super) fn influence(&mut self, place: usize, time: u64) -> Influence {
        let step = self.step_at(time);
        let level = self.levels.get(step as usize * self.count + place).copied().unwrap_or_default();
        Influence { drop: level.loss, backlog: level.length.round() as u64, drained: self.drained(place, time) }
    }

    /// Returns the whole bytes of packets that left since the last call (equation 14).
    pub(super) fn drained(&mut self, place: usize, time: u64) -> u64 {
        if self.steps == 1 {
            return 0;
        }
        let spared = self.spared_at(place, time).floor() as u64;
        spared.saturating_sub(std::mem::replace(&mut self.used[place], spared))
    }

    /// Returns Φ, interpolated linearly between the ends of steps.
    fn spared_at(&self, place: usize, time: u64) -> f64 {
        let (step, into) = (self.step_at(time) as usize, (time - self.begin) % self.step);
        let at = |step: usize| self.spared.get(step * self.count + place).copied();
        let before = step.checked_sub(1).and_then(at).unwrap_or(0.0);
        match at(step) {
            Some(after) => before + (after - before) * (into as f64 / self.step as f64),
            // The time is the end of the batch.
            None => before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPARE: [[f64; 2]; 3] = [[0.0, 10.0], [7.0, 0.0], [3.5, 20.0]];

    fn batch() -> Batch {
        let mut batch = Batch::new(100, 3, 2);
        batch.begin(600);
        for step in SPARE {
            let level = |spare| Level { length: 0.6, loss: 0.25, spare };
            batch.levels().extend(step.map(level));
        }
        batch.add_up();
        batch
    }

    #[test]
    fn what_could_have_been_sent_grows_evenly_over_a_step() {
        let batch = batch();
        let expected = [(600, 0.0), (699, 0.0), (700, 0.0), (750, 3.5), (800, 7.0), (850, 8.75), (900, 10.5)];
        for (time, spared) in expected {
            assert_eq!(batch.spared_at(0, time), spared, "at {time}");
        }
        assert_eq!([650, 700, 799, 850, 900].map(|time| batch.spared_at(1, time)), [5.0, 10.0, 10.0, 20.0, 30.0]);
        assert_eq!((batch.end(), batch.step_at(600), batch.step_at(699), batch.step_at(700)), (900, 0, 0, 1));
        assert!(batch.has(2) && !batch.has(3));
    }

    #[test]
    fn packets_use_whole_bytes_of_it_and_no_byte_twice() {
        let mut batch = batch();
        assert_eq!(batch.influence(0, 750), Influence { drop: 0.25, backlog: 1, drained: 3 });
        assert_eq!([750, 780, 850, 900].map(|time| batch.drained(0, time)), [0, 2, 3, 2]);
        assert_eq!(batch.drained(1, 900), 30);
        batch.begin(900);
        assert!(!batch.has(0));
    }

    #[test]
    fn a_batch_of_one_step_is_not_fixed_up() {
        let mut batch = Batch::new(100, 1, 1);
        batch.levels().push(Level { spare: 50.0, ..Level::default() });
        batch.add_up();
        assert_eq!((batch.influence(0, 99).drained, batch.drained(0, 100)), (0, 0));
    }
}
