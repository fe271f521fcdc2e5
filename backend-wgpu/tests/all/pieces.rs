//! Tables in several segments, because they exceed the largest binding.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{MAX_ROWS, backend, device};
use imminent_core::{Error, Table, TallyTable};
use imminent_testkit::device::machines::machines::{self, Line, Rule};
use imminent_testkit::device::{columns, loops};

#[test]
fn columns_and_lanes_do_not_overlap_however_a_table_is_cut() {
    for options in ["max-binding-bytes=512", "max-binding-bytes=768", "max-binding-bytes=1300"] {
        // A column of 64-bit values must fit one segment.
        columns::columns_and_lanes_do_not_overlap_with(&backend(options), &[1, 62, 63]);
    }
}

#[test]
fn part_of_a_column_can_be_written_and_read_in_pieces() {
    columns::part_of_a_column_can_be_written_and_read(&backend("max-binding-bytes=512"));
}

#[test]
fn a_table_in_pieces_grows_without_losing_anything() {
    for options in ["max-binding-bytes=512", "max-binding-bytes=1300", "max-binding-bytes=2048"] {
        columns::a_table_grows_without_losing_anything_with(&backend(options), &[1, 63]);
    }
}

#[test]
fn tables_in_pieces_are_copied_in_order() {
    loops::nodes_outside_loops_and_repetitions_are_done_in_order(&backend("max-binding-bytes=512"));
}

#[test]
fn rows_with_room_of_their_own_lie_in_pieces() {
    let run = |options: &str| {
        let device = device(options);
        let room = |row: u32| if row == 7 { 90 } else { row * row % 4 };
        let mut table = Table::<Line>::ragged(&device, &(0..3000).map(room).collect::<Vec<_>>()).unwrap();
        for _ in 0..2 {
            let rule = Rule { factor: 3, shift: 17, limit: 13 };
            device.queue().launch::<machines::queue_up>((&mut table, &rule)).unwrap();
            table.grow_rows(&(0..3000).map(|row| room(row) + row % 3).collect::<Vec<_>>()).unwrap();
        }
        table.read().unwrap()
    };
    let whole = run("");
    assert!(whole.iter().any(|row| row.length > 1), "nothing was queued");
    // The first size holds three columns of rows, or one pair of columns of the pool.
    for options in ["max-binding-bytes=40000", "int64=emulated,max-binding-bytes=40000", "max-binding-bytes=60000"] {
        assert_eq!(run(options), whole, "{options}");
    }
}

#[test]
fn too_many_pieces_are_a_typed_error() {
    let device = device("max-binding-bytes=40000");
    // Three words a lane, two columns a segment at this length: more segments than the device binds.
    let bindings = device.capabilities().limits.bindings;
    let mut table = Table::<Line>::with_capacity(&device, MAX_ROWS, bindings).unwrap();
    let error = device
        .queue()
        .launch::<machines::queue_up>((&mut table, &Rule { factor: 3, shift: 17, limit: 13 }))
        .unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    assert!(error.to_string().contains("storage buffers"), "{error}");
}

#[test]
fn what_does_not_fit_is_a_typed_error() {
    let device_with_small_pieces = device("max-binding-bytes=40000");
    let error = Table::<u64>::zeroed(&device_with_small_pieces, MAX_ROWS + 1).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let error = TallyTable::new(&device_with_small_pieces, &vec![0u64; 5001]).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let device = device("");
    let error = Table::<u64>::zeroed(&device, u32::MAX as usize - 2000).unwrap_err();
    assert!(matches!(error, Error::Limit { .. } | Error::OutOfMemory { .. }), "{error}");
    // The device can still be used.
    assert_eq!(Table::from_rows(&device, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
}
