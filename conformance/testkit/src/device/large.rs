//! Large tables and transfers, and large numbers of launches and of steps. Once for a backend is enough.

use super::faults::fault_of;
use super::machines::machines::{self, Machine, Number, Rule};
use super::{RULE, machines_of};
use imminent_core::{Device, Outcome, Program, Stop, Table};

pub fn more_groups_than_one_dimension_holds_are_dispatched(device: &Device) {
    let rows = 65_535 * 256 + 1;
    let mut table = Table::<Number>::zeroed(device, rows).unwrap();
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    device.queue().launch::<machines::double>((&mut table,)).unwrap();
    let found = table.read().unwrap();
    let wrong = found.iter().zip(0u32..).find(|(number, row)| number.value != row.wrapping_mul(3));
    assert_eq!(wrong, None);
}

pub fn a_transfer_larger_than_a_staging_buffer_goes_in_parts(device: &Device) {
    // Slightly more than 80 MiB.
    let values: Vec<u64> = (0..(10 << 20) + 3).map(|i| i * i).collect();
    let mut table = Table::<u64>::zeroed(device, values.len()).unwrap();
    table.write(&values).unwrap();
    assert!(table.read().unwrap() == values);
}

pub fn a_fault_is_found_after_more_launches_than_there_are_slots(device: &Device) {
    let mut table = Table::from_rows(device, &machines_of(10)).unwrap();
    let rule = |limit| Rule { limit, ..RULE };
    device.queue().launch::<machines::fails_late>((&mut table, &rule(9))).unwrap();
    for _ in 0..70_000 {
        device.queue().launch::<machines::fails_late>((&mut table, &rule(8))).unwrap();
    }
    assert_eq!(fault_of(device).row, 9);
    device.queue().wait().unwrap();
}

pub fn results_of_many_launches_share_little_memory(device: &Device) {
    let table = Table::from_rows(device, &machines_of(10)).unwrap();
    // The first result creates the pool.
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

pub fn many_steps_are_counted_right(device: &Device) {
    let mut table = Table::from_rows(device, &[Machine { clock: 1, step: 0, past: [0; 3], balance: 0 }]).unwrap();
    let outcome = Program::record(device, |program| {
        program.loop_until(20_000, |step| {
            let steps = step.launch::<machines::fails_at_step>((&mut table, &Rule { limit: u32::MAX, ..RULE }))?;
            Ok(vec![steps.at_least(12_345)])
        })
    })
    .unwrap()
    .run()
    .unwrap();
    assert_eq!(outcome, Outcome { steps: 12_345, stop: Stop::Condition(0) });
    assert_eq!(table.read().unwrap()[0].step, 12_345);
}
