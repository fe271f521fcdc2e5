//! Whole kernels: calls of every kind, a facility, odd names, a halted launch.

use super::{Data, Machine, flat, layout, mix};
use crate::modules::{calls, kernels, odd};
use imminent_ir::{Scalar, TallyOp};
use std::slice;

pub fn calls_copy_in_and_out_and_reach_the_right_rows<M: Machine>(machine: &M) {
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
    for options in machine.ways(&flat, &data) {
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

pub fn a_halted_launch_does_nothing<M: Machine>(machine: &M) {
    let flat = flat(&kernels::tally(Scalar::U32, TallyOp::Add));
    let layout = layout(&flat, 0);
    let mut table = Data::table(&layout, 300, 0);
    for row in 0..300 {
        table.set(&layout, "amount", row, 1);
    }
    table.set(&layout, "slot", 7, 99);
    let data = [table, Data::tally(Scalar::U32, 1, 0)];
    for options in machine.ways(&flat, &data) {
        let halted = machine.launch_with(&flat, &options, 300, &data, 1);
        assert_eq!(halted.data[0], data[0].words);
        assert_eq!(halted.data[1], [0]);
        assert_eq!(halted.faults, [u32::MAX]);
        let running = machine.launch_with(&flat, &options, 300, &data, 0);
        assert_eq!((&running.data[1][..], &running.faults[..]), (&[299][..], &[7][..]));
    }
}

pub fn a_facility_gives_the_same_words_in_every_mode_and_shape<M: Machine>(machine: &M) {
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
    for options in machine.ways(&flat, &data) {
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

pub fn odd_names_and_values_mean_what_they_say<M: Machine>(machine: &M) {
    let flat = flat(&odd::odd());
    let layout = layout(&flat, 0);
    let data = Data::table(&layout, 300, 0);
    for options in machine.ways(&flat, slice::from_ref(&data)) {
        let outcome = machine.launch(&flat, &options, 300, slice::from_ref(&data));
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
