//! Tables that share buffers, because kernels bind few. The right values are sums of products, computed here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{backend, device};
use imminent_core::{Device, Error, Program, Stop, Table, TallyTable};
use imminent_testkit::device::{columns, groups, launches, loops};
use kernels::{Cell, gather};

#[imminent_core::kernels]
mod kernels {
    #[derive(Row)]
    pub struct Cell {
        pub value: u64,
    }

    #[kernel(reduce = sum)]
    pub fn gather(
        me: &mut Cell,
        a: &Rows<Cell>,
        b: &Rows<Cell>,
        c: &Rows<Cell>,
        d: &Rows<Cell>,
        e: &Rows<Cell>,
        f: &Rows<Cell>,
        g: &Rows<Cell>,
        h: &Rows<Cell>,
        seen: &Tally<u32>,
        row: u32,
    ) -> u64 {
        me.value += a.get(row).value + b.get(row).value * 2 + c.get(row).value * 3 + d.get(row).value * 5;
        me.value += e.get(row).value * 7 + f.get(row).value * 11 + g.get(row).value * 13 + h.get(row).value * 17;
        seen.add(0, 1);
        me.value
    }
}

const ROWS: u64 = 777;
const FACTORS: [u64; 8] = [1, 2, 3, 5, 7, 11, 13, 17];

/// Row of table `k`, from 0.
fn value(row: u64, k: u64) -> u64 {
    (row << 30) + k
}

struct Tables {
    own: Table<Cell>,
    read: Vec<Table<Cell>>,
    seen: TallyTable<u32>,
}

impl Tables {
    fn new(device: &Device) -> Tables {
        let table =
            |k| Table::from_rows(device, &(0..ROWS).map(|row| Cell { value: value(row, k) }).collect::<Vec<_>>());
        Tables {
            own: Table::zeroed(device, ROWS as usize).unwrap(),
            read: (0..8).map(|k| table(k).unwrap()).collect(),
            seen: TallyTable::new(device, &[0]).unwrap(),
        }
    }

    /// Checks the tables after a number of launches.
    fn check(&self, launches: u64) {
        let gathered = |row| (0..).zip(FACTORS).map(|(k, factor)| factor * value(row, k)).sum::<u64>() * launches;
        assert!(self.own.read().unwrap().iter().zip(0..).all(|(cell, row)| cell.value == gathered(row)));
        for (table, k) in self.read.iter().zip(0..) {
            assert!(table.read().unwrap().iter().zip(0..).all(|(cell, row)| cell.value == value(row, k)), "{k}");
        }
        assert_eq!(self.seen.read().unwrap(), [(ROWS * launches) as u32]);
    }
}

#[test]
fn a_kernel_has_more_tables_than_it_can_bind() {
    for options in ["bindings=8", "bindings=5", "bindings=8,int64=emulated,max-binding-bytes=40000"] {
        let device = device(options);
        let mut tables = Tables::new(&device);
        let Tables { own, read, seen } = &mut tables;
        let [a, b, c, d, e, f, g, h] = read.as_slice() else { panic!("eight tables") };
        let sum = device.queue().launch::<gather>((&mut *own, a, b, c, d, e, f, g, h, &*seen)).unwrap();
        let all: u64 =
            (0..ROWS).flat_map(|row| (0..).zip(FACTORS).map(move |(k, factor)| factor * value(row, k))).sum();
        assert_eq!(sum.read().unwrap(), all, "{options}");
        let mut program = Program::record(&device, |program| {
            program.loop_until(3, |step| {
                let sum = step.launch::<gather>((own, a, b, c, d, e, f, g, h, seen))?;
                Ok(vec![sum.at_most(0)])
            })
        })
        .unwrap();
        let outcome = program.run().unwrap();
        assert_eq!((outcome.steps, outcome.stop), (3, Stop::StepLimit));
        drop(program);
        tables.check(4);
    }
}

/// The state, the launch block, the partial results, the tables and the tally are five.
#[test]
fn what_still_binds_too_many_is_a_typed_error() {
    let device = device("bindings=4");
    let Tables { mut own, read, seen } = Tables::new(&device);
    let [a, b, c, d, e, f, g, h] = read.as_slice() else { panic!("eight tables") };
    let refused = device.queue().launch::<gather>((&mut own, a, b, c, d, e, f, g, h, &seen));
    let error = refused.map(drop).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("storage buffers of kernel `gather`") && text.contains("5 is more than"), "{text}");
}

#[test]
fn tables_that_share_a_buffer_are_copied_and_grown() {
    loops::nodes_outside_loops_and_repetitions_are_done_in_order(&backend("bindings=8"));
    columns::a_table_grows_without_losing_anything_with(&backend("bindings=8"), &[1, 63]);
    columns::a_table_grows_without_losing_anything_with(&backend("bindings=8,max-binding-bytes=1300"), &[1, 63]);
    columns::a_result_is_zero_even_where_its_memory_was_used_before(&backend("bindings=8"));
}

#[test]
fn groups_and_lists_find_tables_in_a_shared_buffer() {
    let device = device("bindings=8");
    groups::groups_relax_to_what_a_plain_loop_gives(&device);
    groups::a_launch_over_a_subset_runs_its_rows_and_no_others(&device);
    launches::other_rows_can_be_read(&device);
}
