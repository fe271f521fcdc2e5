//! A device's pool of memory, for backends that have one: its contents, and the reuse of released memory.

use imminent_core::backend::PoolStatistics;
use imminent_core::{Device, Table};

fn pool(device: &Device) -> PoolStatistics {
    device.memory().pool.unwrap()
}

/// Creates `tables` tables of 256 bytes; the pool may hold at most `most` bytes for all of them.
pub fn small_tables_take_at_most(device: &Device, tables: u32, most: u64) {
    let before = pool(device);
    let made: Vec<Table<u32>> = (0..tables).map(|value| Table::from_rows(device, &[value; 60]).unwrap()).collect();
    let during = pool(device);
    // 60 rows and the one after them are padded to 64.
    let asked = u64::from(tables) * 256;
    assert_eq!(during.used - before.used, asked);
    let held = during.held - before.held;
    assert!((asked..=most).contains(&held), "{held} bytes for {tables} tables of 256");
    for (value, table) in (0..tables).zip(&made) {
        assert_eq!(table.read().unwrap(), [value; 60]);
    }
    drop(made);
    assert_eq!(pool(device).used, before.used);
    assert_eq!(pool(device).used_peak, during.used_peak);
}

pub fn released_memory_is_used_again(device: &Device) {
    let second = device.new_queue().unwrap();
    let round = |size: usize| {
        let values: Vec<u64> = (0..size as u64).collect();
        let mut from = Table::from_rows(device, &values).unwrap();
        let mut to = Table::<u64>::zeroed(device, size).unwrap();
        to.copy_from(&from).unwrap();
        from.clear().unwrap();
        assert_eq!(to.read().unwrap(), values);
        device.queue().wait().unwrap();
        second.wait().unwrap();
    };
    let sizes = [100_000, 99_000, 3000, 1];
    sizes.iter().for_each(|size| round(*size));
    let before = pool(device);
    (0..30).for_each(|turn| round(sizes[turn % sizes.len()]));
    let after = pool(device);
    assert_eq!((after.held, after.used), (before.held, before.used), "{before:?}, then {after:?}");
}
