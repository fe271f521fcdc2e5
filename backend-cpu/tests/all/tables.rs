//! Tables, columns and tallies on the host, through the typed API.

#![allow(clippy::unwrap_used)]

use imminent_core::{Device, Error, Result, Table, TallyTable};
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;

fn device() -> Device {
    Device::open(CpuBackend::open(&Options { threads: Some(2), ..Options::default() }).unwrap()).unwrap()
}

#[test]
fn new_rows_are_zero() {
    let device = device();
    assert_eq!(Table::<u64>::zeroed(&device, 3).unwrap().read().unwrap(), [0; 3]);
    assert!(Table::<f32>::zeroed(&device, 0).unwrap().read().unwrap().is_empty());
}

#[test]
fn rows_are_read_into_memory_used_before() {
    let device = device();
    let table = Table::from_rows(&device, &[1_u32, 2, 3]).unwrap();
    for mut rows in [vec![], vec![9; 2], vec![9; 7]] {
        table.read_into(&mut rows).unwrap();
        assert_eq!(rows, [1, 2, 3]);
    }
}

#[test]
fn rows_of_another_number_are_refused() {
    let device = device();
    let mut table = Table::from_rows(&device, &[1_u32, 2]).unwrap();
    let error = table.write(&[1]).unwrap_err();
    assert!(error.to_string().contains("2 rows, 1 were given"), "{error}");
    assert_eq!(table.read().unwrap(), [1, 2]);
}

#[test]
fn copies_need_equal_shapes_and_one_device() {
    let (device, other) = (device(), device());
    let from = Table::from_rows(&device, &[1_i64, -2]).unwrap();
    let mut to = Table::<i64>::zeroed(&device, 2).unwrap();
    to.copy_from(&from).unwrap();
    assert_eq!(to.read().unwrap(), [1, -2]);
    assert!(matches!(Table::<i64>::zeroed(&device, 3).unwrap().copy_from(&from), Err(Error::Invalid { .. })));
    assert!(matches!(Table::<i64>::zeroed(&other, 2).unwrap().copy_from(&from), Err(Error::Invalid { .. })));
}

#[test]
fn columns_are_read_and_written_in_part() {
    let device = device();
    let table = Table::from_rows(&device, &[1_u32, 2, 3, 4]).unwrap();
    table.column::<u32>(0).write_rows(1, &[20, 30]).unwrap();
    assert_eq!(table.column::<u32>(0).read_rows(1..4).unwrap(), [20, 30, 4]);
    assert!(table.column::<u32>(0).read_rows(2..5).is_err());
    assert!(table.column::<u32>(1).read().is_err(), "there is no such column");
    assert!(table.column::<u64>(0).read().is_err(), "the column has another type");
}

#[test]
fn a_table_without_lanes_cannot_grow() {
    let error = Table::<u32>::zeroed(&device(), 2).unwrap().grow(4).unwrap_err();
    assert!(error.to_string().contains("no lanes"), "{error}");
}

#[test]
fn more_than_the_memory_is_refused_with_both_numbers() {
    let device = device();
    let error = Table::<u64>::zeroed(&device, 4_000_000_000).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { requested: 32_000_000_008, limit: Some(_), .. }), "{error}");
    let error = Table::<u64>::zeroed(&device, 1 << 40).unwrap_err();
    assert!(matches!(error, Error::Limit { requested, .. } if requested == 1 << 40), "{error}");
}

#[test]
fn memory_is_given_back() {
    let device = device();
    let before = device.backend().allocated_bytes();
    let table = Table::<u64>::zeroed(&device, 1000).unwrap();
    assert_eq!(device.backend().allocated_bytes() - before, 8 * 1001);
    drop(table);
    assert_eq!(device.backend().allocated_bytes(), before);
}

#[test]
fn a_tally_keeps_its_slots() {
    let mut tally = TallyTable::new(&device(), &[1_u64, u64::MAX]).unwrap();
    assert_eq!(tally.read().unwrap(), [1, u64::MAX]);
    tally.fill(7).unwrap();
    assert_eq!(tally.read().unwrap(), [7, 7]);
    assert!(matches!(tally.write(&[1]), Err(Error::Invalid { .. })));
    assert!(matches!(TallyTable::<u32>::new(&device(), &[]), Err(Error::Invalid { .. })));
}

#[test]
fn native_rows_can_be_used_in_place() {
    let mut table = Table::from_rows(&device(), &[1_u32, 2, 3]).unwrap();
    let sum = table.with_native_rows(|rows| {
        rows[0] = 10;
        rows.iter().sum::<u32>()
    });
    assert_eq!(sum.unwrap(), Some(15));
    assert_eq!(table.read().unwrap(), [10, 2, 3]);
}

proptest! {
    #[test]
    fn what_is_written_is_read(rows: Vec<u64>, flags: Vec<bool>, reals: Vec<f32>) {
        let device = device();
        let round_trip = || -> Result<()> {
            assert_eq!(Table::from_rows(&device, &rows)?.read()?, rows);
            assert_eq!(Table::from_rows(&device, &rows)?.column::<u64>(0).read()?, rows);
            assert_eq!(Table::from_rows(&device, &flags)?.column::<bool>(0).read()?, flags);
            let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(Table::from_rows(&device, &reals)?.column::<f32>(0).read()?), bits(reals));
            Ok(())
        };
        round_trip().unwrap();
    }
}
