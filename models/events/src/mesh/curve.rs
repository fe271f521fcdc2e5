//! Functions of one variable as tables, with equally many knots in every octave.

/// Lookup in a table of knots, in integers only, so that every device gives the same result.
#[imminent_core::kernels]
pub mod knots {
    /// Number of knots of a table: one for each number below 256, and 128 for each octave above.
    pub const KNOTS: usize = 3329;

    /// Interpolates the value at `x` between the two surrounding knots. The table begins at word `first`.
    pub fn look_up(tables: &Lanes<u32>, first: u32, x: u32) -> u32 {
        let shift = (32 - x.leading_zeros()).max(8) - 8;
        let knot = first + shift * 128 + (x >> shift);
        let left = i64::from(tables.get(knot));
        let right = i64::from(tables.get(knot + 1));
        let along = i64::from(x & ((1 << shift) - 1));
        (left + (((right - left) * along) >> shift)) as u32
    }
}

/// Creates the table of a function with values from 0 to 1, in units of 2^-32. The argument of the function is the
/// position of the knot, from 0 to 2^32.
pub(super) fn table(function: impl Fn(f64) -> f64) -> Vec<u32> {
    let place = |knot: u64| {
        let shift = (knot.max(256) - 128) / 128;
        if knot < 256 { knot } else { (knot - shift * 128) << shift }
    };
    let word = |value: f64| (value * 2_f64.powi(32)).round() as u32;
    (0..knots::KNOTS as u64).map(|knot| word(function(place(knot) as f64))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::Lanes;

    fn lanes(words: &[u32]) -> Lanes<u32> {
        let mut lanes = Lanes::zeroed(words.len() as u32);
        for (place, word) in (0..).zip(words) {
            lanes.set(place, *word);
        }
        lanes
    }

    #[test]
    fn a_straight_line_is_looked_up_exactly() {
        let table = lanes(&table(|x| x / 2_f64.powi(33)));
        let numbers = (0..600)
            .chain((0..32).flat_map(|bit| [(1_u32 << bit) - 1, 1 << bit, (1 << bit) + (1 << bit) / 3]))
            .chain([u32::MAX]);
        for x in numbers {
            let found = knots::look_up(&table, 0, x);
            assert!(found.abs_diff(x / 2) <= 1, "{x}: {found}");
        }
    }
}
