//! The device's pool of memory: released buffers are used again, and tables have buffers of their own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::device;
use imminent_core::pool::PoolStatistics;
use imminent_core::{Device, Table};

fn pool(device: &Device) -> PoolStatistics {
    device.memory().pool.unwrap()
}

#[test]
fn what_is_held_is_what_was_asked_for() {
    let device = device("");
    let before = pool(&device);
    let tables: Vec<Table<u32>> = (0..50).map(|value| Table::from_rows(&device, &[value; 60]).unwrap()).collect();
    let during = pool(&device);
    // 60 rows and the one after them are padded to 64.
    assert_eq!(during.used - before.used, 50 * 256);
    assert!(during.held - before.held <= 50 * 256);
    for (value, table) in (0..50).zip(&tables) {
        assert_eq!(table.read().unwrap(), [value; 60]);
    }
    drop(tables);
    assert_eq!(pool(&device).used, before.used);
}

#[test]
fn released_memory_is_used_again() {
    let device = device("");
    let second = device.new_queue().unwrap();
    let round = |size: usize| {
        let values: Vec<u64> = (0..size as u64).collect();
        let mut from = Table::from_rows(&device, &values).unwrap();
        let mut to = Table::<u64>::zeroed(&device, size).unwrap();
        to.copy_from(&from).unwrap();
        from.clear().unwrap();
        assert_eq!(to.read().unwrap(), values);
        device.queue().wait().unwrap();
        second.wait().unwrap();
    };
    let sizes = [100_000, 99_000, 3000, 1];
    sizes.iter().for_each(|size| round(*size));
    let before = pool(&device);
    (0..30).for_each(|turn| round(sizes[turn % sizes.len()]));
    let after = pool(&device);
    assert_eq!((after.held, after.used), (before.held, before.used), "{before:?}, then {after:?}");
}
