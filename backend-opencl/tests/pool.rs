//! The device's pool of memory: small tables share buffers, and released memory is used again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::device;
use imminent_core::pool::PoolStatistics;
use imminent_core::{Device, Table};

fn pool(device: &Device) -> PoolStatistics {
    device.memory().pool.unwrap()
}

#[test]
fn small_tables_share_buffers() {
    let device = device("");
    let before = pool(&device);
    let tables: Vec<Table<u32>> = (0..500).map(|value| Table::from_rows(&device, &[value; 60]).unwrap()).collect();
    let during = pool(&device);
    // 60 rows and the one after them are padded to 64.
    assert_eq!(during.used - before.used, 500 * 256);
    // A device whose buffers begin at multiples of 4096 bytes needs as many for each.
    let (held, most) = (during.held - before.held, 500 * 4096 + (64 << 12));
    assert!(held >= 500 * 256 && held <= most, "{held} bytes for 500 tables of 256");
    for (value, table) in (0..500).zip(&tables) {
        assert_eq!(table.read().unwrap(), [value; 60]);
    }
    drop(tables);
    assert_eq!(pool(&device).used, before.used);
    assert_eq!(pool(&device).used_peak, during.used_peak);
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
