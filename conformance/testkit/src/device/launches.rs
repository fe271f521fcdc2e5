//! Launches against the native functions, for odd lengths.

use super::machines::machines::{self, Machine, Number, Rule};
use super::{RULE, lengths, machines_of};
use imminent_core::{ArgMin, Determinism, Device, Table, TallyTable};

fn check_rows(expected: &[Machine], table: &Table<Machine>) {
    let found = table.read().unwrap();
    if let Some(row) = (0..expected.len()).find(|row| found[*row] != expected[*row]) {
        panic!("row {row} of {}: {:?} instead of {:?}", expected.len(), found[row], expected[row]);
    }
}

pub fn rows_are_changed_as_by_the_native_function(device: &Device) {
    for rows in lengths::<Machine>(device) {
        let mut expected = machines_of(rows);
        let mut table = Table::from_rows(device, &expected).unwrap();
        for _ in 0..3 {
            device.queue().launch::<machines::tick>((&mut table, &RULE)).unwrap();
            expected.iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
        }
        check_rows(&expected, &table);
    }
}

pub fn a_launch_sees_what_the_one_before_wrote(device: &Device) {
    let mut expected = vec![Number { value: 1 }; 300];
    let mut table = Table::from_rows(device, &expected).unwrap();
    for _ in 0..500 {
        device.queue().launch::<machines::double>((&mut table,)).unwrap();
        expected.iter_mut().zip(0..).for_each(|(me, row)| machines::double(me, row));
    }
    assert_eq!(table.read().unwrap(), expected);
}

pub fn other_rows_can_be_read(device: &Device) {
    for rows in lengths::<Machine>(device) {
        let before = machines_of(rows);
        let all = Table::from_rows(device, &before).unwrap();
        let mut table = Table::from_rows(device, &before).unwrap();
        device.queue().launch::<machines::look>((&mut table, &all)).unwrap();
        let mut expected = before.clone();
        for row in 0..rows {
            expected[row].clock ^= before[(row + 1) % rows].clock << 1;
        }
        check_rows(&expected, &table);
    }
}

pub fn returned_values_are_reduced(device: &Device) {
    let queue = device.queue();
    for rows in lengths::<Machine>(device) {
        let values = machines_of(rows);
        let table = Table::from_rows(device, &values).unwrap();
        let clocks = || values.iter().map(|m| m.clock);
        let least = queue.launch::<machines::least>((&table,)).unwrap();
        let greatest = queue.launch::<machines::greatest>((&table,)).unwrap();
        let sum = queue.launch::<machines::sum>((&table,)).unwrap();
        let odd = queue.launch::<machines::odd>((&table,)).unwrap();
        let above = queue.launch::<machines::any_above>((&table, &Rule { limit: 5, ..RULE })).unwrap();
        let never = queue.launch::<machines::any_above>((&table, &Rule { limit: 6, ..RULE })).unwrap();
        let rule = Rule { factor: 5, ..RULE };
        let first = queue.launch::<machines::first_least>((&table, &rule)).unwrap();
        assert_eq!(least.read().unwrap(), clocks().min().unwrap_or(u64::MAX), "{rows}");
        assert_eq!(greatest.read().unwrap(), values.iter().map(|m| m.balance).max().unwrap_or(i64::MIN));
        assert_eq!(sum.read().unwrap(), clocks().fold(0, u64::wrapping_add));
        assert_eq!(odd.read().unwrap(), clocks().filter(|c| c % 2 == 1).count() as u32);
        assert_eq!(above.read().unwrap(), values.iter().any(|m| m.step > 5));
        assert!(!never.read().unwrap());
        let expected = (0..).zip(clocks().map(|c| c % 5)).min_by_key(|(_, c)| *c);
        let expected = expected.map_or(ArgMin { value: u64::MAX, row: u32::MAX }, |(row, value)| ArgMin { value, row });
        assert_eq!(first.read().unwrap(), expected, "{rows}");
    }
}

pub fn tallies_gather_contributions(device: &Device) {
    for rows in lengths::<Machine>(device) {
        let values = machines_of(rows);
        let table = Table::from_rows(device, &values).unwrap();
        let counts = TallyTable::new(device, &[0u32; 13]).unwrap();
        let sums = TallyTable::new(device, &[u64::from(u32::MAX)]).unwrap();
        device.queue().launch::<machines::census>((&table, &counts, &sums, &RULE)).unwrap();
        let mut expected = vec![0; 13];
        values.iter().for_each(|m| expected[(m.clock % 13) as usize] += 1);
        assert_eq!(counts.read().unwrap(), expected, "{rows}");
        let sum = values.iter().map(|m| m.clock).fold(u64::from(u32::MAX), u64::wrapping_add);
        assert_eq!(sums.read().unwrap(), [sum], "{rows}");
    }
}

pub fn fewer_rows_than_a_table_has_can_be_visited(device: &Device) {
    let before = machines_of(1000);
    let mut table = Table::from_rows(device, &before).unwrap();
    device.queue().launch_rows::<machines::tick>(300, (&mut table, &RULE)).unwrap();
    let mut expected = before;
    expected[..300].iter_mut().zip(0..).for_each(|(me, row)| machines::tick(me, &RULE, row));
    check_rows(&expected, &table);
}

pub fn floats_are_summed_over_the_fixed_tree(device: &Device) {
    // Devices that round in their own way take part, too: how near they come is checked below.
    let device = &device.allowing(Determinism::LOOSEST);
    for rows in lengths::<Number>(device) {
        let numbers = Table::<Number>::zeroed(device, rows).unwrap();
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
