//! Result of a model of cells.

use crate::engine::End;
use crate::outcome::Digest;
use crate::space::CellSpace;
use imminent_core::Data;
use imminent_core::ir::Scalar;

/// Final state of all cells, and the statistics of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<V> {
    /// Cells, border and neighbourhood.
    pub space: CellSpace,
    /// Milliseconds of a unit of time: 1, but for a rule file that [reaches](crate::rules::Model::reach) farther than
    /// these do in 32 bits.
    pub unit: u64,
    /// Simulated time, in units.
    pub horizon: u32,
    /// Value that each cell emitted last; of a rule file NaN where it is undefined.
    pub values: Vec<V>,
    /// Time of each cell's last output, in units.
    pub times: Vec<u32>,
    /// Number of distinct times after 0 at which cells emitted or had external inputs.
    pub distinct_times: u64,
    /// Outputs after the initial ones.
    pub outputs: u64,
}

impl<V> Outcome<V> {
    pub(crate) fn new(space: &CellSpace, (horizon, unit): (u32, u64), end: End<V>) -> Self {
        let End { values, times, distinct_times, outputs } = end;
        Outcome { space: space.clone(), unit, horizon, values, times, distinct_times, outputs }
    }
}

impl<V: Data> Outcome<V> {
    /// Returns the digest of the final values, the times of the last outputs and the statistics.
    ///
    /// Floats count by their value: all NaN are one, and a zero has no sign.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let shape: Vec<u64> = self.space.dimensions().iter().map(|&cells| u64::from(cells)).collect();
        let milliseconds = |time: u32| u64::from(time) * self.unit;
        let counts = [milliseconds(self.horizon), self.distinct_times, self.outputs];
        let leaves = leaves::<V>();
        let scalars = self.values.iter().flat_map(|value| leaves.iter().map(move |leaf| (value, leaf)));
        let values: Vec<u64> = scalars.map(|(value, &(word, scalar))| canonical(value.leaf(word), scalar)).collect();
        let times: Vec<u64> = self.times.iter().map(|&time| milliseconds(time)).collect();
        Digest::of([&shape[..], &counts[..], &values[..], &times[..]])
    }
}

/// Lists the scalars of a value: the first word and the type of each.
fn leaves<V: Data>() -> Vec<(u32, Scalar)> {
    let mut columns = Vec::new();
    V::columns("", &mut columns);
    let mut word = 0;
    let place = |(_, scalar): (String, Scalar)| {
        let at = word;
        word += scalar.words();
        (at, scalar)
    };
    columns.into_iter().map(place).collect()
}

/// Returns the bits that stand for a scalar in a digest.
fn canonical(bits: u64, scalar: Scalar) -> u64 {
    let float = match scalar {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        _ => return bits,
    };
    if float.is_nan() {
        u64::MAX
    } else if float == 0.0 {
        0
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Border;

    fn outcome<V>(values: Vec<V>) -> Outcome<V> {
        let space = CellSpace::new(&[2], Border::Open, &[vec![1]]).unwrap();
        Outcome { space, unit: 1, horizon: 10, values, times: vec![0, 7], distinct_times: 1, outputs: 1 }
    }

    #[test]
    fn a_digest_depends_on_all_scalars_and_not_on_signs_of_zeros() {
        let digest = |pairs: [[u64; 2]; 2]| outcome(pairs.to_vec()).digest();
        let one = digest([[1, 2], [3, 4]]);
        assert_ne!(one, digest([[1, 2], [3, 5]]));
        assert_ne!(one, digest([[1 << 40 | 1, 2], [3, 4]]));
        let reals = |a: f64, b: f64| outcome(vec![a, b]).digest();
        assert_eq!(reals(0.0, f64::NAN), reals(-0.0, -f64::NAN));
        assert_ne!(reals(0.0, 1.0), reals(0.0, -1.0));
    }
}
