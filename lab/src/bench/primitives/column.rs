//! Test values for primitives.

use imminent::primitives::Number;
use imminent::{Device, Result, Row, Table};

/// Type of measured columns: tables of it are single columns.
pub(super) trait Column: Number + Row {
    /// Returns a value from random bits; a float between 1 and 2, which keeps sums finite.
    fn from_random(bits: u64) -> Self;
}

impl Column for u32 {
    fn from_random(bits: u64) -> u32 {
        (bits >> 32) as u32
    }
}

impl Column for u64 {
    fn from_random(bits: u64) -> u64 {
        bits
    }
}

impl Column for f32 {
    fn from_random(bits: u64) -> f32 {
        f32::from_bits(0x3f80_0000 | (bits >> 41) as u32)
    }
}

/// Returns pseudorandom numbers, the same in every run.
pub(super) fn values<T: Column>(rows: u32) -> Vec<T> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        T::from_random(state ^ state >> 29)
    };
    (0..rows).map(|_| next()).collect()
}

/// Creates a table of such numbers.
pub(super) fn table<T: Column>(device: &Device, rows: u32) -> Result<Table<T>> {
    Table::from_rows(device, &values(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fill_their_range() {
        let (words, floats) = (values::<u32>(10_000), values::<f32>(10_000));
        let small = words.iter().filter(|word| **word < u32::MAX / 100).count();
        assert!((50..200).contains(&small), "{small}");
        assert!(floats.iter().all(|float| (1.0..2.0).contains(float)));
    }
}
