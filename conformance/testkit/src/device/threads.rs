//! Use of a device by several threads.

use super::machines::machines::{self, Number};
use imminent_core::{Device, Table};

pub fn a_device_can_be_used_by_several_threads(device: &Device) {
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            scope.spawn(move || {
                let rows = vec![Number { value: thread }; 300 + thread as usize];
                let mut table = Table::from_rows(device, &rows).unwrap();
                let mut expected = rows;
                for _ in 0..50 {
                    device.queue().launch::<machines::double>((&mut table,)).unwrap();
                    expected.iter_mut().zip(0..).for_each(|(me, row)| machines::double(me, row));
                }
                assert_eq!(table.read().unwrap(), expected);
            });
        }
    });
}

pub fn several_threads_write_and_read_tables_of_their_own(device: &Device) {
    std::thread::scope(|scope| {
        for n in 0..4u64 {
            scope.spawn(move || {
                for round in 0..50 {
                    let values = vec![n * 1000 + round; 777];
                    assert_eq!(Table::from_rows(device, &values).unwrap().read().unwrap(), values);
                }
            });
        }
    });
}
