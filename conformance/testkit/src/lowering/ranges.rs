//! Loops over ranges of every kind.

use super::{Data, Machine, flat, layout};
use crate::modules::{INTEGERS, kernels};
use imminent_ir::Scalar;
use std::slice;

pub fn every_kind_of_range_visits_what_rusts_does<M: Machine>(machine: &M) {
    for scalar in INTEGERS {
        let flat = flat(&kernels::loops(scalar));
        let layout = layout(&flat, 0);
        let (least, greatest): (i128, i128) = match scalar {
            Scalar::U32 => (0, u32::MAX.into()),
            Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
            Scalar::U64 => (0, u64::MAX.into()),
            _ => (i64::MIN.into(), i64::MAX.into()),
        };
        let mut cases = Vec::new();
        for start in [least, least + 1, least + 9, (least + greatest) / 2, greatest - 11, greatest - 1, greatest] {
            for length in [0, 1, 2, 7, 40, -1, -3] {
                cases.push((start, (start + length).clamp(least, greatest)));
            }
        }
        let mut data = Data::table(&layout, cases.len() as u32, 0);
        for ((start, end), row) in cases.iter().zip(0..) {
            data.set(&layout, "start", row, *start as u64);
            data.set(&layout, "end", row, *end as u64);
        }
        for options in machine.ways(&flat, slice::from_ref(&data)) {
            let outcome = machine.launch(&flat, &options, data.rows, slice::from_ref(&data));
            let after = data.with(outcome.data[0].clone());
            for ((start, end), row) in cases.iter().zip(0..) {
                let ranges: [Vec<i128>; 6] = [
                    (*start..*end).collect(),
                    (*start..=*end).collect(),
                    (*start..*end).rev().collect(),
                    (*start..=*end).rev().collect(),
                    (3..=20).collect(),
                    (3..20).rev().collect(),
                ];
                for (kind, range) in ranges.iter().enumerate() {
                    let mut hash = 1_u32;
                    for i in range.iter().map(|i| *i as u32).filter(|i| i % 8 != 3) {
                        hash = hash.wrapping_mul(31).wrapping_add(i);
                        if hash % 256 == 77 {
                            break;
                        }
                    }
                    let got = after.get(&layout, &format!("hash[{kind}]"), row);
                    assert_eq!(got, u64::from(hash), "{scalar} {options:?} kind {kind}: {start} to {end}");
                }
            }
        }
    }
}
