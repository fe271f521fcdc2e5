//! Indices that are checked, up to those that do not exist.

use super::{Data, Machine, flat, layout, mix};
use crate::modules::{INTEGERS, kernels};
use imminent_ir::Scalar;
use std::collections::BTreeMap;
use std::slice;

pub fn checked_indices_read_zero_and_write_nothing_past_the_end<M: Machine>(machine: &M) {
    for scalar in INTEGERS {
        let flat = flat(&kernels::indices(scalar));
        let layout = layout(&flat, 0);
        let mut indices: Vec<u64> = (0..7).collect();
        indices.extend([u64::from(u32::MAX), 0x8000_0000]);
        match scalar {
            Scalar::I32 | Scalar::I64 => indices.extend([u64::MAX, i64::MIN as u64]),
            Scalar::U64 => indices.extend([u64::MAX, 1 << 32, (1 << 32) + 1, 1 << 63]),
            _ => {}
        }
        if scalar.words() == 1 {
            indices.iter_mut().for_each(|i| *i &= 0xffff_ffff);
        }
        let cases: Vec<(u64, u64)> = indices.iter().flat_map(|i| indices.iter().map(|j| (*i, *j))).collect();
        let mut data = Data::table(&layout, cases.len() as u32, 0);
        for (word, value) in data.words.iter_mut().zip(0_u64..) {
            *word = mix(value) as u32;
        }
        for ((i, j), row) in cases.iter().zip(0..) {
            data.set(&layout, "i", row, *i);
            data.set(&layout, "j", row, *j);
        }
        for options in machine.ways(&flat, slice::from_ref(&data)) {
            let outcome = machine.launch(&flat, &options, data.rows, slice::from_ref(&data));
            let after = data.with(outcome.data[0].clone());
            for ((i, j), row) in cases.iter().zip(0..) {
                let mut expected: BTreeMap<String, u64> =
                    layout.columns.iter().map(|c| (c.name.clone(), data.get(&layout, &c.name, row))).collect();
                let set = |map: &mut BTreeMap<String, u64>, name: String, value: u64| {
                    map.insert(name, value);
                };
                let a = if *i < 5 { expected[&format!("a[{i}]")] as u32 as i32 as i64 as u64 } else { 0 };
                set(&mut expected, "read[0]".to_owned(), a);
                let pair = if *i < 3 && *j < 2 { expected[&format!("nested[{i}].pair[{j}]")] } else { 0 };
                set(&mut expected, "read[1]".to_owned(), pair);
                if *j < 3 && *i < 2 {
                    set(&mut expected, format!("nested[{j}].pair[{i}]"), u64::MAX - 5);
                }
                if *j < 5 {
                    set(&mut expected, format!("a[{j}]"), u64::from(-7_i32 as u32));
                }
                let tag = match j {
                    0..3 if i == j => 99,
                    0..3 => expected[&format!("nested[{j}].tag")],
                    _ => 0,
                };
                set(&mut expected, "read[2]".to_owned(), tag);
                if *i < 3 && *j < 2 {
                    let now = expected[&format!("nested[{i}].pair[{j}]")];
                    set(&mut expected, "read[3]".to_owned(), now);
                } else {
                    expected.remove("read[3]");
                }
                for (name, value) in &expected {
                    let got = after.get(&layout, name, row);
                    assert_eq!(got, *value, "{scalar} {options:?}: {name} for {i:#x}, {j:#x}");
                }
            }
            let zero_row_start = (data.rows) as usize;
            assert_eq!(outcome.data[0][zero_row_start], data.words[zero_row_start], "the zero row is not written");
        }
    }
}
