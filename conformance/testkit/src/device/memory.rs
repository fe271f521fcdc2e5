//! Tables and tallies: data that is written can be read, for any length.

use imminent_core::{Device, Table, TallyTable};

const LENGTHS: [usize; 11] = [0, 1, 2, 63, 64, 65, 255, 256, 257, 1000, 4991];

pub fn a_column_is_read_as_it_was_written(device: &Device) {
    for rows in LENGTHS {
        let values: Vec<u64> = (0..rows as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let mut table = Table::<u64>::zeroed(device, rows).unwrap();
        assert_eq!(table.read().unwrap(), vec![0; rows]);
        table.write(&values).unwrap();
        assert_eq!(table.read().unwrap(), values);
        table.clear().unwrap();
        assert_eq!(table.read().unwrap(), vec![0; rows]);
    }
}

pub fn every_scalar_type_is_stored(device: &Device) {
    fn check<T: imminent_core::Row>(device: &imminent_core::Device, values: &[T]) {
        assert_eq!(Table::from_rows(device, values).unwrap().read().unwrap(), values);
    }
    check(device, &[true, false, true]);
    check(device, &[u32::MAX, 0, 7]);
    check(device, &[i32::MIN, -1, 7]);
    check(device, &[u64::MAX, 1 << 40, 7]);
    check(device, &[i64::MIN, -1, 7]);
    check(device, &[f32::MAX, -0.0, f32::INFINITY]);
    check(device, &[f64::MIN_POSITIVE, -0.0, f64::NEG_INFINITY]);
}

pub fn tallies_are_stored(device: &Device) {
    for slots in [1, 2, 255, 256] {
        let values: Vec<i64> = (0..slots).map(|i| -i << 33).collect();
        let mut tally = TallyTable::new(device, &values).unwrap();
        assert_eq!(tally.read().unwrap(), values);
        tally.fill(-5).unwrap();
        assert_eq!(tally.read().unwrap(), vec![-5; values.len()]);
    }
}

pub fn a_table_takes_over_another(device: &Device) {
    for rows in LENGTHS {
        let values: Vec<u64> = (0..rows as u64).collect();
        let mut from = Table::from_rows(device, &values).unwrap();
        let mut to = Table::<u64>::zeroed(device, rows).unwrap();
        to.copy_from(&from).unwrap();
        from.clear().unwrap();
        assert_eq!(to.read().unwrap(), values);
        assert_eq!(from.read().unwrap(), vec![0; rows]);
    }
}
