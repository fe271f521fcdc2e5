//! Result of a fire.

use crate::outcome::{Digest, Hash};

/// Time of a cell that does not ignite before the horizon.
pub const NEVER: u32 = u32::MAX;

/// Ignition times of all cells and the statistics of the run, in which the cells that are lit at the start do not
/// count.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Rows of the grid.
    pub height: u32,
    /// Columns of the grid.
    pub width: u32,
    /// Simulated time, in milliseconds.
    pub horizon: u32,
    /// Ignition time of each cell, in milliseconds, row by row; `u32::MAX` where it does not burn.
    pub ignition: Vec<u32>,
    /// Number of distinct ignition times.
    pub distinct_times: u64,
    /// Number of cells that ignite.
    pub cells_burnt: u64,
    /// Largest number of cells that ignite at once.
    pub most_simultaneous: u32,
}

impl Outcome {
    /// Counts the statistics of ignition times.
    #[must_use]
    pub fn new(height: u32, width: u32, horizon: u32, ignition: Vec<u32>) -> Self {
        let times = sorted(ignition.iter().copied().filter(|&time| time != 0 && time != NEVER).collect());
        let mut counts = Counts::default();
        for same in times.chunk_by(|a, b| a == b) {
            counts.add(same.first().copied().unwrap_or(0), same.len());
        }
        Self::counted(height, width, horizon, ignition, counts)
    }

    /// Takes over statistics that were counted with the ignition times.
    pub(super) fn counted(height: u32, width: u32, horizon: u32, ignition: Vec<u32>, counts: Counts) -> Self {
        let Counts { distinct_times, cells_burnt, most_simultaneous } = counts;
        Outcome { height, width, horizon, ignition, distinct_times, cells_burnt, most_simultaneous }
    }

    /// Returns the digest of the ignition times and the statistics.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hash = Hash::default();
        hash.add(&[self.height, self.width, self.horizon].map(u64::from));
        hash.add(&[self.distinct_times, self.cells_burnt, u64::from(self.most_simultaneous)]);
        hash.add_words(&self.ignition);
        hash.digest()
    }

    /// Returns the value of a cell as CD++ shows it: the minute of ignition plus 1, or 0. Truncated delays make it
    /// differ by up to a millisecond a step.
    #[must_use]
    pub fn minutes(&self, cell: u32) -> Option<f64> {
        let time = self.ignition.get(cell as usize).copied()?;
        Some(if time == NEVER { 0.0 } else { 1.0 + f64::from(time) / 60_000.0 })
    }
}

/// Statistics of ignitions, which come in the order of their times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    distinct_times: u64,
    cells_burnt: u64,
    most_simultaneous: u32,
}

impl Counts {
    /// Adds the cells that ignite at one time. Those that are lit at time 0 do not count.
    pub(super) fn add(&mut self, time: u32, cells: usize) {
        if time > 0 && cells > 0 {
            self.distinct_times += 1;
            self.cells_burnt += cells as u64;
            self.most_simultaneous = self.most_simultaneous.max(cells as u32);
        }
    }
}

/// Bits of a digit of the sort.
const DIGIT: u32 = 11;

/// Sorts by digits, the lowest first: faster than by comparisons for a million times.
fn sorted(mut times: Vec<u32>) -> Vec<u32> {
    let greatest = times.iter().copied().max().unwrap_or(0);
    let mut other = vec![0; times.len()];
    let mut shift = 0;
    while shift < u32::BITS && greatest >> shift > 0 {
        let digit = |time: u32| (time >> shift) as usize % (1 << DIGIT);
        let mut places = vec![0_usize; 1 << DIGIT];
        for &time in &times {
            if let Some(count) = places.get_mut(digit(time)) {
                *count += 1;
            }
        }
        let mut before = 0;
        for place in &mut places {
            (*place, before) = (before, before + *place);
        }
        for &time in &times {
            if let Some(place) = places.get_mut(digit(time)) {
                if let Some(to) = other.get_mut(*place) {
                    *to = time;
                }
                *place += 1;
            }
        }
        std::mem::swap(&mut times, &mut other);
        shift += DIGIT;
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_sorted_by_digits() {
        let times: Vec<u32> = (0..5000_u32).map(|at| at.wrapping_mul(2_654_435_761) >> (at % 32)).collect();
        let mut expected = times.clone();
        expected.sort_unstable();
        assert_eq!(sorted(times), expected);
        assert_eq!(sorted(Vec::new()), Vec::<u32>::new());
    }

    #[test]
    fn lit_cells_and_cells_that_never_burn_do_not_count() {
        let outcome = Outcome::new(2, 3, 100, vec![0, 7, NEVER, 7, 90, NEVER]);
        assert_eq!((outcome.distinct_times, outcome.cells_burnt, outcome.most_simultaneous), (2, 3, 2));
        assert_eq!((outcome.minutes(0), outcome.minutes(2), outcome.minutes(6)), (Some(1.0), Some(0.0), None));
        let mut other = outcome.clone();
        other.ignition[4] = 91;
        assert_ne!(outcome.digest(), other.digest());
    }
}
