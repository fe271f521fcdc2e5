//! Sums over the fixed tree, against the host's.

use super::common::device;
use imminent_core::reduce::reduce_levels;
use imminent_core::{Reproducible, Table};

/// Below and above the rows from which a group takes eight parts of 8,192 at a time.
pub(crate) fn the_fixed_tree_is_the_host_s_however_groups_share_it() {
    let device = device("");
    let part = 8192;
    for rows in [
        1,
        255,
        256,
        257,
        part - 1,
        part,
        part + 1,
        3 * part + 77,
        40 * part,
        1024 * part,
        1024 * part + 1,
        1031 * part + 300,
    ] {
        let mut state = rows as u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f32::from_bits(0x3f80_0000 | (state >> 41) as u32) - 1.25
        };
        let values: Vec<f32> = (0..rows).map(|_| next()).collect();
        let table = Table::from_rows(&device, &values).unwrap();
        let sum = device.queue().sum_as(&table, Reproducible).unwrap().read().unwrap();
        let expected = reduce_levels(values, |a, b| a + b).unwrap();
        assert_eq!(sum.to_bits(), expected.to_bits(), "{rows} rows: {sum} and {expected}");
    }
}
