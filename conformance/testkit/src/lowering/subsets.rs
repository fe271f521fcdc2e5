//! Launches over rows that are listed on the device.

use super::{Data, Machine, Run, flat, layout, mix};
use crate::modules::{REDUCTIONS, kernels, reduces};
use imminent_ir::{Reduce, Scalar, TallyOp};
use std::slice;

/// A few of so many rows, in no order, none twice.
fn chosen(rows: u32, count: usize) -> Vec<u32> {
    let mut all: Vec<u32> = (0..rows).collect();
    all.sort_by_key(|row| mix(u64::from(*row) + 5));
    all.truncate(count);
    all
}

pub fn only_listed_rows_are_run<M: Machine>(machine: &M) {
    let flat = flat(&kernels::tally(Scalar::U32, TallyOp::Add));
    let layout = layout(&flat, 0);
    let rows = 1000;
    let mut table = Data::table(&layout, rows, 0);
    for row in 0..rows {
        table.set(&layout, "slot", row, u64::from(row % 7));
        table.set(&layout, "amount", row, u64::from(row));
    }
    let data = [table, Data::tally(Scalar::U32, 6, 0)];
    for count in [0, 1, 255, 256, 257, 700] {
        let list = chosen(rows, count);
        let mut slots = [0_u32; 6];
        for row in list.iter().filter(|row| **row % 7 < 6) {
            slots[(row % 7) as usize] += row;
        }
        let faulting = list.iter().copied().filter(|row| row % 7 == 6).min().unwrap_or(u32::MAX);
        for options in machine.ways(&flat, &data) {
            let run = Run { rows: 800, subset: Some(&list), ..Run::default() };
            let outcome = machine.launch_as(&flat, &options, &run, &data);
            assert_eq!(outcome.data[1], slots, "{count} {options:?}");
            assert_eq!(outcome.faults, [faulting], "{count} {options:?}");
            let halted = machine.launch_as(&flat, &options, &Run { halt: 1, ..run }, &data);
            assert_eq!(halted.data[1], [0; 6]);
        }
    }
}

pub fn results_are_those_of_the_listed_rows<M: Machine>(machine: &M) {
    for reduce in REDUCTIONS {
        for scalar in Scalar::ALL.into_iter().filter(|scalar| reduces(reduce, *scalar)) {
            let flat = flat(&kernels::reduction(reduce, scalar));
            let layout = layout(&flat, 0);
            let rows = 70_001;
            let bits = |row: u32| match scalar {
                Scalar::Bool => u64::from(row % 100 == 3),
                Scalar::F32 => u64::from(((mix(u64::from(row)) % 977) as f32 * 0.1).to_bits()),
                Scalar::F64 => ((mix(u64::from(row)) % 977) as f64 * 0.1).to_bits(),
                Scalar::U32 | Scalar::I32 => mix(u64::from(row)) % 1000,
                Scalar::U64 | Scalar::I64 => mix(u64::from(row)) & 0xffff_0000_0000_0003,
            };
            let mut table = Data::table(&layout, rows, 0);
            for row in 0..rows {
                table.set(&layout, "x", row, bits(row));
            }
            // Lists that fill one group, one level and two levels, in launches that could hold more.
            let long = matches!(reduce, Reduce::Sum | Reduce::ArgMin) && scalar.words() == 1;
            let lists = [(0, 70_000), (0, 1), (1, 1), (1, 1000), (300, 301), (66_000, 66_001)];
            for (count, most) in lists.into_iter().take(if long { 6 } else { 5 }) {
                let list = chosen(rows, count);
                let values: Vec<u64> = list.iter().map(|row| bits(*row)).collect();
                let mut expected = super::reductions::expected(reduce, scalar, &values);
                if reduce == Reduce::ArgMin
                    && let (Some(position), true) = (expected.last_mut(), count > 0)
                {
                    // Of equal values the lowest row wins, wherever it stands in the list.
                    let least = values[*position as usize];
                    *position = list.iter().copied().filter(|row| bits(*row) == least).min().unwrap();
                }
                for options in machine.ways(&flat, slice::from_ref(&table)) {
                    if scalar == Scalar::F64 && !machine.has_float64(&options) {
                        continue;
                    }
                    let run = Run { rows: most, subset: Some(&list), ..Run::default() };
                    let outcome = machine.launch_as(&flat, &options, &run, slice::from_ref(&table));
                    assert_eq!(outcome.result.as_ref(), Some(&expected), "{reduce:?} {scalar} {count} {options:?}");
                }
            }
        }
    }
}
