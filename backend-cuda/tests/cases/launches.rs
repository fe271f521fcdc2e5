//! Launches against the native functions, for odd lengths and block sizes.

use super::common::{VARIANTS, backend, device};
use super::machine_kernels::machines::{self, Line, Machine, Number, Rule};
use imminent_core::{ArgMin, Device, Error, Lanes, Row, Table, TallyTable};

const LENGTHS: [usize; 9] = [0, 1, 2, 62, 255, 256, 257, 511, 1000];

fn lengths(options: &str) -> &'static [usize] {
    if options.contains("workgroup=64") { &[0, 1, 257, 1300, 2500, 70_000] } else { &LENGTHS }
}

fn machines_of(rows: usize) -> Vec<Machine> {
    let mix = |i: u64| (i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 17);
    (0..rows as u64)
        .map(|i| Machine {
            clock: mix(i),
            step: i as u32 % 7,
            past: [i as u32, 0, 9],
            balance: mix(i + 99).cast_signed(),
        })
        .collect()
}

const RULE: Rule = Rule { factor: 0x5851_f42d_4c95_7f2d, shift: 17, limit: 13 };

fn check_rows(options: &str, expected: &[Machine], table: &Table<Machine>) {
    let found = table.read().unwrap();
    if let Some(row) = (0..expected.len()).find(|row| found[*row] != expected[*row]) {
        panic!("{options}: row {row} of {}: {:?} instead of {:?}", expected.len(), found[row], expected[row]);
    }
}

pub(crate) fn rows_are_changed_as_by_the_native_function() {
    for options in VARIANTS {
        let device = device(options);
        for rows in lengths(options) {
            let mut expected = machines_of(*rows);
            let mut table = Table::from_rows(&device, &expected).unwrap();
            for _ in 0..3 {
                device.queue().launch::<machines::tick>((&mut table, &RULE)).unwrap();
                expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
            }
            check_rows(options, &expected, &table);
        }
    }
}

pub(crate) fn a_launch_sees_what_the_one_before_wrote() {
    let device = device("");
    let mut expected = vec![Number { value: 1 }; 300];
    let mut table = Table::from_rows(&device, &expected).unwrap();
    for _ in 0..500 {
        device.queue().launch::<machines::double>((&mut table,)).unwrap();
        expected.iter_mut().zip(0..).for_each(|(me, row)| machines::double(me, row));
    }
    assert_eq!(table.read().unwrap(), expected);
}

pub(crate) fn other_rows_can_be_read() {
    for options in VARIANTS {
        let device = device(options);
        for rows in lengths(options) {
            let before = machines_of(*rows);
            let all = Table::from_rows(&device, &before).unwrap();
            let mut table = Table::from_rows(&device, &before).unwrap();
            device.queue().launch::<machines::look>((&mut table, &all)).unwrap();
            let mut expected = before.clone();
            for row in 0..*rows {
                expected[row].clock ^= before[(row + 1) % rows].clock << 1;
            }
            check_rows(options, &expected, &table);
        }
    }
}

pub(crate) fn returned_values_are_reduced() {
    for options in VARIANTS {
        let device = device(options);
        let queue = device.queue();
        for rows in lengths(options) {
            let values = machines_of(*rows);
            let table = Table::from_rows(&device, &values).unwrap();
            let clocks = || values.iter().map(|m| m.clock);
            let least = queue.launch::<machines::least>((&table,)).unwrap();
            let greatest = queue.launch::<machines::greatest>((&table,)).unwrap();
            let sum = queue.launch::<machines::sum>((&table,)).unwrap();
            let odd = queue.launch::<machines::odd>((&table,)).unwrap();
            let above = queue.launch::<machines::any_above>((&table, &Rule { limit: 5, ..RULE })).unwrap();
            let never = queue.launch::<machines::any_above>((&table, &Rule { limit: 6, ..RULE })).unwrap();
            let rule = Rule { factor: 5, ..RULE };
            let first = queue.launch::<machines::first_least>((&table, &rule)).unwrap();
            assert_eq!(least.read().unwrap(), clocks().min().unwrap_or(u64::MAX), "{options} {rows}");
            assert_eq!(greatest.read().unwrap(), values.iter().map(|m| m.balance).max().unwrap_or(i64::MIN));
            assert_eq!(sum.read().unwrap(), clocks().fold(0, u64::wrapping_add));
            assert_eq!(odd.read().unwrap(), clocks().filter(|c| c % 2 == 1).count() as u32);
            assert_eq!(above.read().unwrap(), values.iter().any(|m| m.step > 5));
            assert!(!never.read().unwrap());
            let expected = (0..).zip(clocks().map(|c| c % 5)).min_by_key(|(_, c)| *c);
            let expected =
                expected.map_or(ArgMin { value: u64::MAX, row: u32::MAX }, |(row, value)| ArgMin { value, row });
            assert_eq!(first.read().unwrap(), expected, "{options} {rows}");
        }
    }
}

pub(crate) fn tallies_gather_contributions() {
    for options in VARIANTS {
        let device = device(options);
        for rows in lengths(options) {
            let values = machines_of(*rows);
            let table = Table::from_rows(&device, &values).unwrap();
            let counts = TallyTable::new(&device, &[0u32; 13]).unwrap();
            let sums = TallyTable::new(&device, &[u64::from(u32::MAX)]).unwrap();
            device.queue().launch::<machines::census>((&table, &counts, &sums, &RULE)).unwrap();
            let mut expected = vec![0; 13];
            values.iter().for_each(|m| expected[(m.clock % 13) as usize] += 1);
            assert_eq!(counts.read().unwrap(), expected, "{options} {rows}");
            let sum = values.iter().map(|m| m.clock).fold(u64::from(u32::MAX), u64::wrapping_add);
            assert_eq!(sums.read().unwrap(), [sum], "{options} {rows}");
        }
    }
}

pub(crate) fn a_slot_past_the_end_of_a_tally_is_a_fault() {
    let device = device("");
    let table = Table::from_rows(&device, &machines_of(100)).unwrap();
    let counts = TallyTable::new(&device, &[0u32; 5]).unwrap();
    let sums = TallyTable::new(&device, &[0u64]).unwrap();
    device.queue().launch::<machines::census>((&table, &counts, &sums, &RULE)).unwrap();
    let error = device.queue().wait().unwrap_err();
    let row = machines_of(100).iter().position(|m| m.clock % 13 >= 5).unwrap();
    assert_eq!(error.fault().unwrap().row as usize, row, "{error}");
    assert!(matches!(counts.read(), Err(Error::Poisoned { .. })));
}

fn lines(rows: usize, capacity: u32) -> Vec<Line> {
    vec![Line::zeroed(capacity); rows]
}

pub(crate) fn lanes_are_written_read_and_grown() {
    for options in VARIANTS {
        let device = device(options);
        for rows in lengths(options) {
            let rows = *rows;
            let mut table = Table::from_rows(&device, &lines(rows, 3)).unwrap();
            let rule = Rule { factor: 1 << 33, ..RULE };
            device.queue().launch::<machines::queue_up>((&mut table, &rule)).unwrap();
            let lane = |row: u64, lane: u64| (row << 33) + lane + row;
            let expected = |lanes: u64| {
                (0..rows as u64).flat_map(|r| (0..lanes).map(move |l| lane(r, l))).fold(0, u64::wrapping_add)
            };
            let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
            assert_eq!(sum.read().unwrap(), expected(3), "{options} {rows}");
            table.grow(7).unwrap();
            let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
            assert_eq!(sum.read().unwrap(), expected(3), "{options} {rows}");
            device.queue().launch::<machines::queue_up>((&mut table, &rule)).unwrap();
            let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
            assert_eq!(sum.read().unwrap(), expected(7), "{options} {rows}");
            if let Some(last) = table.read().unwrap().last() {
                assert_eq!(last.waiting.get(6), ((rows as u64 - 1) << 33) + 6);
            }
        }
    }
}

pub(crate) fn fewer_rows_than_a_table_has_can_be_visited() {
    let device = device("");
    let before = machines_of(1000);
    let mut table = Table::from_rows(&device, &before).unwrap();
    device.queue().launch_rows::<machines::tick>(300, (&mut table, &RULE)).unwrap();
    let mut expected = before;
    expected[..300].iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
    check_rows("", &expected, &table);
}

pub(crate) fn floats_are_summed_over_the_fixed_tree() {
    let device = device("");
    for rows in [0, 1, 255, 256, 257, 70_000] {
        let numbers = Table::<Number>::zeroed(&device, rows).unwrap();
        let sum = device.queue().launch::<machines::float_sum>((&numbers,)).unwrap().read().unwrap();
        let mut level: Vec<f32> = (0..rows as u32).map(|row| machines::float_sum(&Number { value: 0 }, row)).collect();
        while level.len() > 1 {
            level =
                level.chunks_mut(256).filter_map(|b| imminent_core::reduce::reduce_block(b, |a, b| a + b)).collect();
        }
        let expected = level.first().copied().unwrap_or(0.0);
        if device.capabilities().f32.as_ref().is_some_and(|probe| probe.defects().is_empty()) {
            assert_eq!(sum.to_bits(), expected.to_bits(), "{rows}: {sum} {expected}");
        } else {
            assert!((sum - expected).abs() <= expected * 1e-5, "{rows}: {sum} {expected}");
        }
    }
}

pub(crate) fn more_groups_than_one_dimension_holds_are_dispatched() {
    let device = device("");
    let rows = 65_535 * 256 + 1;
    let mut table = Table::<Number>::zeroed(&device, rows).unwrap();
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    let found = table.read().unwrap();
    let wrong = found.iter().zip(0u32..).find(|(number, row)| number.value != row.wrapping_mul(3));
    assert_eq!(wrong, None);
}

fn fault_of(device: &Device) -> imminent_core::Fault {
    let error = device.queue().wait().unwrap_err();
    error.fault().unwrap_or_else(|| panic!("{error}")).clone()
}

pub(crate) fn the_lowest_row_of_the_earliest_launch_is_reported_and_data_is_poisoned() {
    for options in VARIANTS {
        let device = device(options);
        let values = machines_of(200);
        let mut first = Table::from_rows(&device, &values).unwrap();
        let mut second = Table::from_rows(&device, &values).unwrap();
        let untouched = Table::from_rows(&device, &values).unwrap();
        let rule = |limit, shift| Rule { limit, shift, ..RULE };
        // Rows 77 on fail; then, in another launch, rows 5 on.
        device.queue().launch::<machines::fails_late>((&mut first, &rule(77, 0))).unwrap();
        device.queue().launch::<machines::fails_late>((&mut second, &rule(5, 0))).unwrap();
        let fault = fault_of(&device);
        assert_eq!((fault.kernel.as_str(), fault.row), ("fails_late", 77), "{options}");
        assert_eq!(fault.kind, imminent_core::fault::FaultKind::Assertion);
        let source = include_str!("../common/machines.rs");
        let line = source.lines().position(|line| line.contains("assert!(row < rule.limit)")).unwrap() + 1;
        assert_eq!(fault.line as usize, line);
        assert!(fault.file.ends_with("machines.rs"), "{}", fault.file);
        for poisoned in [first.read(), second.read()] {
            assert!(matches!(poisoned, Err(Error::Poisoned { .. })), "{options}");
        }
        assert_eq!(untouched.read().unwrap(), values);
        // The queue goes on, and its next fault is its own.
        device.queue().wait().unwrap();
        second.write(&values).unwrap();
        device.queue().launch::<machines::fails_late>((&mut second, &rule(200, 0))).unwrap();
        device.queue().wait().unwrap();
        device.queue().launch::<machines::faulty>((&mut second, &rule(50, 20))).unwrap();
        let fault = fault_of(&device);
        // Row 20 indexes past the end before row 49 divides by zero.
        assert_eq!((fault.row, fault.kind), (20, imminent_core::fault::FaultKind::IndexOutOfRange), "{options}");
    }
}

pub(crate) fn a_fault_is_found_after_more_launches_than_there_are_slots() {
    let device = device("");
    let mut table = Table::from_rows(&device, &machines_of(10)).unwrap();
    let rule = |limit| Rule { limit, ..RULE };
    device.queue().launch::<machines::fails_late>((&mut table, &rule(9))).unwrap();
    for _ in 0..70_000 {
        device.queue().launch::<machines::fails_late>((&mut table, &rule(8))).unwrap();
    }
    assert_eq!(fault_of(&device).row, 9);
    device.queue().wait().unwrap();
}

pub(crate) fn results_of_many_launches_share_little_memory() {
    let backend = backend("");
    let device = Device::open(backend).unwrap();
    let table = Table::from_rows(&device, &machines_of(10)).unwrap();
    // The first result makes the pool.
    device.queue().launch::<machines::sum>((&table,)).unwrap();
    let before = device.backend().allocated_bytes();
    for _ in 0..300 {
        device.queue().launch::<machines::sum>((&table,)).unwrap();
    }
    assert_eq!(device.backend().allocated_bytes(), before);
    let kept: Vec<_> = (0..10).map(|_| device.queue().launch::<machines::sum>((&table,)).unwrap()).collect();
    let sums: Vec<u64> = kept.iter().map(|sum| sum.read().unwrap()).collect();
    assert!(sums.iter().all(|sum| *sum == sums[0]));
}

pub(crate) fn lanes_of_the_host_and_the_device_are_the_same() {
    let device = device("workgroup=64");
    let mut rows = lines(4000, 4);
    for (row, i) in rows.iter_mut().zip(0..) {
        row.waiting = Lanes::zeroed(4);
        row.waiting.set(2, i);
    }
    assert_eq!(Table::from_rows(&device, &rows).unwrap().read().unwrap(), rows);
}
