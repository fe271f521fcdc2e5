//! Runs hand-built kernels on a device and compares with what the same Rust would do.

#![allow(clippy::unwrap_used, clippy::panic)]

mod c_dialect_support;

use c_dialect_support::machine::{Data, Machine, layout};
use c_dialect_support::shared::calls;
use c_dialect_support::shared::kernels::{self, Built};
use c_dialect_support::shared::odd;
use imminent_core::c_dialect::{CError, lower};
use imminent_ir::flatten::FlatKernel;
use imminent_ir::{Scalar, TallyOp, flatten};

fn flat(built: &Built) -> FlatKernel {
    flatten(&built.module, &built.kernel).unwrap_or_else(|e| panic!("{e}"))
}

fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn every_kind_of_range_visits_what_rusts_does() {
    let machine = Machine::open();
    for scalar in [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64] {
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
        for options in machine.shapes() {
            let outcome = machine.launch(&flat, &options, data.rows, std::slice::from_ref(&data));
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

#[test]
fn checked_indices_read_zero_and_write_nothing_past_the_end() {
    let machine = Machine::open();
    for scalar in [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64] {
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
        for options in machine.shapes() {
            let outcome = machine.launch(&flat, &options, data.rows, std::slice::from_ref(&data));
            let after = data.with(outcome.data[0].clone());
            for ((i, j), row) in cases.iter().zip(0..) {
                let mut expected: std::collections::BTreeMap<String, u64> =
                    layout.columns.iter().map(|c| (c.name.clone(), data.get(&layout, &c.name, row))).collect();
                let set = |map: &mut std::collections::BTreeMap<String, u64>, name: String, value: u64| {
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

#[test]
fn calls_copy_in_and_out_and_reach_the_right_rows() {
    let machine = Machine::open();
    let flat = flat(&calls::calls());
    let layouts: Vec<_> = [0, 1, 2, 3].map(|b| layout(&flat, b)).into();
    let n = 300;
    let capacity = 3;
    let mut cells = Data::table(&layouts[0], n, capacity);
    let mut own = Data::table(&layouts[1], n, 0);
    let mut all = Data::table(&layouts[2], n, 0);
    for row in 0..n {
        for lane in 0..capacity {
            cells.set_lane(&layouts[0], "line", Some(lane), row, u64::from(row * 10 + lane));
        }
        own.set(&layouts[1], "x", row, u64::from(row + 5));
        all.set(&layouts[2], "y", row, u64::from(row * 2));
    }
    let mut knobs = Data { rows: 1, stride: 1, capacity: 0, words: vec![0; layouts[3].fixed_words as usize] };
    for (name, value) in [("scale", 3), ("table[0]", 40), ("table[1]", 50), ("point.y", 9)] {
        knobs.set(&layouts[3], name, 0, value);
    }
    let data = vec![cells, own, all, knobs];
    for options in machine.shapes() {
        let outcome = machine.launch(&flat, &options, n, &data);
        let cells = data[0].with(outcome.data[0].clone());
        let own = data[1].with(outcome.data[1].clone());
        for row in 0..n {
            let odd = row & 1;
            let list = 4 + [5, 7][odd as usize];
            let at = |name: &str| cells.get(&layouts[0], name, row) as u32;
            assert_eq!(at(&format!("pairs[{odd}].left")), list, "row {row}");
            assert_eq!(at(&format!("pairs[{odd}].r#type")), 1);
            assert_eq!(at(&format!("pairs[{}].left", 1 - odd)), 0);
            let x = row + 6;
            assert_eq!(own.get(&layouts[1], "x", row), u64::from(x));
            let neighbour = if row + 1 < n { (row + 1) * 2 } else { 0 };
            let y = |y: u32| if y == 0 { 1000 } else { y };
            let lanes = n + (0..capacity).map(|l| row * 10 + l).sum::<u32>();
            // Even rows meet the NaN and choose from the list, odd ones the constant.
            let chosen = if odd == 0 { list } else { 1 };
            let mut total = chosen;
            for term in [y(neighbour), 1000, 1000, 9, lanes, x + 1, 1] {
                total = total.wrapping_mul(3).wrapping_add(term);
            }
            assert_eq!(at("x"), total.wrapping_add([40, 50][odd as usize]), "row {row}");
            for lane in 0..capacity {
                assert_eq!(cells.get_lane(&layouts[0], "line", Some(lane), row), u64::from((row * 10 + lane) * 3));
            }
            assert_eq!(cells.get_lane(&layouts[0], "wide[0]", Some(odd), row), 5);
            assert_eq!(cells.get_lane(&layouts[0], "wide[1]", Some(odd), row), u64::from(x + 1));
            assert_eq!(own.get(&layouts[1], "y", row), 1);
        }
        // The last row looks past the table first; every other row's first fault is the lane past the capacity.
        let site = |line: u32| flat.sites.iter().position(|s| s.site.line == line).unwrap();
        assert_eq!(outcome.faults[site(51)], n - 1);
        assert_eq!(outcome.faults[site(50)], 0);
        assert_eq!(outcome.faults[site(52)], u32::MAX);
    }
}

#[test]
fn tallies_add_up() {
    let machine = Machine::open();
    let slots = 5;
    let n = 1000;
    for scalar in [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64] {
        for op in [TallyOp::Add, TallyOp::Min, TallyOp::Max, TallyOp::Or, TallyOp::And] {
            let flat = flat(&kernels::tally(scalar, op));
            let layout = layout(&flat, 0);
            let mut table = Data::table(&layout, n, 0);
            let fill = match (op, scalar) {
                (TallyOp::And, _) => u64::MAX,
                (TallyOp::Min, Scalar::U32 | Scalar::U64) => u64::MAX,
                (TallyOp::Min, Scalar::I32) => 0x7fff_ffff,
                (TallyOp::Min, _) => i64::MAX as u64,
                (TallyOp::Max, Scalar::I32) => 0x8000_0000,
                (TallyOp::Max, Scalar::I64) => i64::MIN as u64,
                _ => 0,
            };
            let fill = if scalar.words() == 1 { fill & 0xffff_ffff } else { fill };
            let mut expected = vec![fill; slots as usize];
            let mut first_fault = u32::MAX;
            for row in 0..n {
                let slot = mix(u64::from(row)) as u32 % (slots + u32::from(row > 100));
                let amount = mix(u64::from(row) + 77) | if op == TallyOp::And { mix(u64::from(row)) } else { 0 };
                table.set(&layout, "slot", row, slot.into());
                table.set(&layout, "amount", row, amount);
                let Some(total) = expected.get_mut(slot as usize) else {
                    first_fault = first_fault.min(row);
                    continue;
                };
                *total = match (op, scalar) {
                    (TallyOp::Add, _) => total.wrapping_add(amount),
                    (TallyOp::Or, _) => *total | amount,
                    (TallyOp::And, _) => *total & amount,
                    (TallyOp::Min, Scalar::U32) => u64::from((*total as u32).min(amount as u32)),
                    (TallyOp::Max, Scalar::U32) => u64::from((*total as u32).max(amount as u32)),
                    (TallyOp::Min, Scalar::I32) => (*total as i32).min(amount as i32) as u64,
                    (TallyOp::Max, Scalar::I32) => (*total as i32).max(amount as i32) as u64,
                    (TallyOp::Min, Scalar::U64) => (*total).min(amount),
                    (TallyOp::Max, Scalar::U64) => (*total).max(amount),
                    (TallyOp::Min, _) => (*total as i64).min(amount as i64) as u64,
                    (TallyOp::Max, _) => (*total as i64).max(amount as i64) as u64,
                };
            }
            let data = vec![table, Data::tally(scalar, slots, fill)];
            for options in machine.shapes() {
                let wide = scalar.words() == 2 && matches!(op, TallyOp::Min | TallyOp::Max);
                if wide && !options.int64_atomics {
                    let error = lower(&flat, &options).unwrap_err();
                    assert!(matches!(error, CError::WideTally { .. }));
                    assert!(error.to_string().contains("return the value and reduce it"), "{error}");
                    continue;
                }
                let outcome = machine.launch(&flat, &options, n, &data);
                let words = scalar.words() as usize;
                let got: Vec<u64> = outcome.data[1]
                    .chunks(words)
                    .map(|w| u64::from(w[0]) | w.get(1).map_or(0, |h| u64::from(*h) << 32))
                    .collect();
                let expected: Vec<u64> =
                    expected.iter().map(|x| if words == 1 { x & 0xffff_ffff } else { *x }).collect();
                assert_eq!(got, expected, "{scalar} {op:?} {options:?}");
                assert_eq!(outcome.faults, [first_fault]);
                let after = data[0].with(outcome.data[0].clone());
                assert_eq!(after.get(&layout, "slots", n - 1), u64::from(slots));
            }
        }
    }
}

#[test]
fn a_halted_launch_does_nothing() {
    let machine = Machine::open();
    let flat = flat(&kernels::tally(Scalar::U32, TallyOp::Add));
    let layout = layout(&flat, 0);
    let mut table = Data::table(&layout, 300, 0);
    for row in 0..300 {
        table.set(&layout, "amount", row, 1);
    }
    table.set(&layout, "slot", 7, 99);
    let data = [table, Data::tally(Scalar::U32, 1, 0)];
    let options = machine.options();
    let halted = machine.launch_with(&flat, &options, 300, &data, 1);
    assert_eq!(halted.data[0], data[0].words);
    assert_eq!(halted.data[1], [0]);
    assert_eq!(halted.faults, [u32::MAX]);
    let running = machine.launch_with(&flat, &options, 300, &data, 0);
    assert_eq!((&running.data[1][..], &running.faults[..]), (&[299][..], &[7][..]));
}

#[test]
fn a_facility_gives_the_same_words_in_every_mode_and_shape() {
    let machine = Machine::open();
    let flat = flat(&kernels::serve());
    let n = 512;
    let capacity = 4;
    let layouts: Vec<_> = [0, 1, 2, 3].map(|b| layout(&flat, b)).into();
    let mut facilities = Data::table(&layouts[0], n, capacity);
    let mut posts = Data::table(&layouts[2], n, 0);
    for row in 0..n {
        let x = |salt: u64| mix(u64::from(row) * 100 + salt);
        facilities.set(&layouts[0], "free_at", row, x(1) >> 2);
        facilities.set(&layouts[0], "rng.state", row, x(2));
        facilities.set(&layouts[0], "rng.inc", row, x(3) | 1);
        facilities.set(&layouts[0], "waiting", row, x(4) % 6);
        for slot in 0..24 {
            facilities.set(&layouts[0], &format!("arrival[{slot}]"), row, x(10 + slot) >> 2);
        }
        posts.set(&layouts[2], "earliest", row, x(5) >> 1);
    }
    let mut network = Data { rows: 1, stride: 1, capacity: 0, words: vec![0; 3] };
    network.set(&layouts[3], "mean", 0, 1_000_003);
    network.set(&layouts[3], "width", 0, 16);
    let data = vec![
        facilities.clone(),
        Data::table(&layouts[1], n, 0),
        posts.clone(),
        network,
        Data::tally(Scalar::U64, 4, 0),
    ];

    let mut served = [0_u64; 4];
    let mut least_free = u64::MAX;
    let mut expected = facilities.clone();
    let mut lane_faults = Vec::new();
    for row in 0..n {
        let get = |name: &str| facilities.get(&layouts[0], name, row);
        let free_at = get("free_at");
        let neighbours = (1..=4).map(|k| posts.get(&layouts[2], "earliest", (row + k) & (n - 1)).max(free_at));
        let waiting = get("waiting") as u32;
        let arrival = get(&format!("arrival[{waiting}]"));
        let old = get("rng.state");
        expected.set(&layouts[0], "rng.state", row, old.wrapping_mul(6364136223846793005).wrapping_add(get("rng.inc")));
        let draw = ((((old >> 18) ^ old) >> 27) as u32).rotate_right((old >> 59) as u32);
        let service = u64::from(draw) / 1_000_003;
        let mut now = free_at;
        if arrival < neighbours.min().unwrap() {
            now = free_at.max(arrival) + service;
            expected.set(&layouts[0], "free_at", row, now);
            if waiting < capacity {
                expected.set_lane(&layouts[0], "line", Some(waiting), row, arrival);
            } else {
                lane_faults.push(row);
            }
            served[(row & 3) as usize] += service;
            expected.set(&layouts[0], &format!("arrival[{waiting}]"), row, now);
        }
        least_free = least_free.min(now);
    }
    for options in machine.shapes() {
        let outcome = machine.launch(&flat, &options, n, &data);
        assert_eq!(outcome.data[0], expected.words, "{options:?}");
        let total: Vec<u32> = served.iter().flat_map(|x| [*x as u32, (*x >> 32) as u32]).collect();
        assert_eq!(outcome.data[4], total);
        assert_eq!(outcome.result.unwrap(), [least_free as u32, (least_free >> 32) as u32]);
        let lane = flat.sites.iter().position(|s| s.site.line == 40).unwrap();
        for (site, row) in outcome.faults.iter().enumerate() {
            let first = if site == lane { lane_faults.first().copied().unwrap_or(u32::MAX) } else { u32::MAX };
            assert_eq!(*row, first, "site {site}");
        }
        assert!(!lane_faults.is_empty());
    }
}

#[test]
fn odd_names_and_values_mean_what_they_say() {
    let machine = Machine::open();
    let flat = flat(&odd::odd());
    let layout = layout(&flat, 0);
    let data = Data::table(&layout, 300, 0);
    for options in machine.shapes() {
        let outcome = machine.launch(&flat, &options, 300, std::slice::from_ref(&data));
        let after = data.with(outcome.data[0].clone());
        for row in 0..300 {
            let (words, sum) = odd::odd_expected(row);
            for (at, word) in words.iter().enumerate() {
                assert_eq!(after.get(&layout, &format!("out[{at}]"), row), u64::from(*word), "row {row}, word {at}");
            }
            assert_eq!(after.get(&layout, "sum", row) as i64, sum, "row {row}");
        }
    }
}
