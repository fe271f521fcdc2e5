//! Result of a rule file's model.

use crate::outcome::Digest;
use crate::space::CellSpace;

/// Final state of all cells and the statistics of the run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Cells, border and neighbourhood.
    pub space: CellSpace,
    /// Simulated time, in milliseconds.
    pub horizon: u32,
    /// Value that each cell emitted last; NaN where it is undefined.
    pub values: Vec<f64>,
    /// Time of each cell's last output, in milliseconds.
    pub times: Vec<u32>,
    /// Number of distinct times after 0 at which cells emitted or had external inputs.
    pub distinct_times: u64,
    /// Outputs after the initial ones.
    pub outputs: u64,
}

impl Outcome {
    /// Returns the digest of the final values, the times of the last outputs and the statistics.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let shape: Vec<u64> = self.space.dimensions().iter().map(|&cells| u64::from(cells)).collect();
        let counts = [u64::from(self.horizon), self.distinct_times, self.outputs];
        // A NaN stands for an undefined value, whatever its bits, and a zero has no sign.
        let bits = |&value: &f64| if value.is_nan() { u64::MAX } else { (value + 0.0).to_bits() };
        let values: Vec<u64> = self.values.iter().map(bits).collect();
        let times: Vec<u64> = self.times.iter().map(|&time| u64::from(time)).collect();
        Digest::of([&shape[..], &counts[..], &values[..], &times[..]])
    }
}
