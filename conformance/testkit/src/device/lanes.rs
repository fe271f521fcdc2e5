//! Rows with lanes.

use super::machines::machines::{self, Line, Rule};
use super::{RULE, lengths};
use imminent_core::{Device, Lanes, Row, Table};

fn lines(rows: usize, capacity: u32) -> Vec<Line> {
    vec![Line::zeroed(capacity); rows]
}

pub fn lanes_are_written_read_and_grown(device: &Device) {
    for rows in lengths::<Line>(device) {
        let mut table = Table::from_rows(device, &lines(rows, 3)).unwrap();
        let rule = Rule { factor: 1 << 33, ..RULE };
        device.queue().launch::<machines::queue_up>((&mut table, &rule)).unwrap();
        let lane = |row: u64, lane: u64| (row << 33) + lane + row;
        let expected =
            |lanes: u64| (0..rows as u64).flat_map(|r| (0..lanes).map(move |l| lane(r, l))).fold(0, u64::wrapping_add);
        let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
        assert_eq!(sum.read().unwrap(), expected(3), "{rows}");
        table.grow(7).unwrap();
        let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
        assert_eq!(sum.read().unwrap(), expected(3), "{rows}");
        device.queue().launch::<machines::queue_up>((&mut table, &rule)).unwrap();
        let sum = device.queue().launch::<machines::waiting>((&table,)).unwrap();
        assert_eq!(sum.read().unwrap(), expected(7), "{rows}");
        if let Some(last) = table.read().unwrap().last() {
            assert_eq!(last.waiting.get(6), ((rows as u64 - 1) << 33) + 6);
        }
    }
}

pub fn lanes_of_the_host_and_the_device_are_the_same(device: &Device) {
    let mut rows = lines(4000, 4);
    for (row, i) in rows.iter_mut().zip(0..) {
        row.waiting = Lanes::zeroed(4);
        row.waiting.set(2, i);
    }
    assert_eq!(Table::from_rows(device, &rows).unwrap().read().unwrap(), rows);
}
