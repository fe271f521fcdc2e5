//! Tables and tallies that share buffers, because kernels bind few. The right values are computed here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{backend, device};
use imminent_core::{Device, Error, Program, Stop, Table, TallyTable};
use imminent_testkit::device::{columns, groups, launches, loops};
use kernels::{Cell, count, gather, least};

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

    #[kernel]
    pub fn count(
        me: &Cell,
        ones: &Tally<u32>,
        signed: &Tally<i32>,
        wide: &Tally<u64>,
        bits: &Tally<u64>,
        last: &Tally<u32>,
        first: &Tally<u32>,
        row: u32,
    ) {
        ones.add(row % 3, 1);
        signed.add(1, -2);
        wide.add(row % 2, me.value);
        bits.or(0, 1 << (row % 50));
        last.max(0, row);
        first.min(4, row + 5);
    }

    #[kernel]
    pub fn least(least: &Tally<i32>, ones: &Tally<u32>, me: &Cell, row: u32) {
        least.min(row % 2, -((row + 1) as i32));
        ones.add(row % 3, 1 + (me.value & 1) as u32);
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

#[test]
fn a_kernel_has_more_tallies_than_it_can_bind() {
    for options in ["bindings=4", "bindings=8", "bindings=8,int64=emulated"] {
        let device = device(options);
        let cells: Vec<_> = (0..ROWS).map(|row| Cell { value: value(row, 0) }).collect();
        let cells = Table::from_rows(&device, &cells).unwrap();
        let words = |words: &[u32]| TallyTable::new(&device, words).unwrap();
        let wide = |words: &[u64]| TallyTable::new(&device, words).unwrap();
        let (ones, last, first) = (words(&[0; 3]), words(&[0; 2]), words(&[u32::MAX; 5]));
        let signed = TallyTable::new(&device, &[7_i32, 5]).unwrap();
        let (sums, bits) = (wide(&[1, u64::MAX]), wide(&[0]));
        device.queue().launch::<count>((&cells, &ones, &signed, &sums, &bits, &last, &first)).unwrap();
        assert_eq!(ones.read().unwrap(), [259; 3], "{options}");
        assert_eq!(signed.read().unwrap(), [7, 5 - 2 * 777], "{options}");
        // Even rows are 0 to 776, odd ones 1 to 775, times 2^30.
        let (even, odd) = ((388 * 389) << 30, (388 * 388) << 30);
        assert_eq!(sums.read().unwrap(), [even + 1, odd - 1], "{options}");
        assert_eq!(bits.read().unwrap(), [(1 << 50) - 1], "{options}");
        assert_eq!(last.read().unwrap(), [776, 0], "{options}");
        let never = u32::MAX;
        assert_eq!(first.read().unwrap(), [never, never, never, never, 5], "{options}");
    }
}

/// A signed minimum needs a type of its own, so each tally is bound alone.
#[test]
fn tallies_of_other_types_are_bound_by_their_parts() {
    let device = device("bindings=8");
    let cells = Table::from_rows(&device, &vec![Cell { value: 1 }; ROWS as usize]).unwrap();
    let lowest = TallyTable::new(&device, &[i32::MAX; 2]).unwrap();
    let ones = TallyTable::new(&device, &[0; 3]).unwrap();
    device.queue().launch::<least>((&lowest, &ones, &cells)).unwrap();
    assert_eq!(lowest.read().unwrap(), [-777, -776]);
    assert_eq!(ones.read().unwrap(), [518; 3]);
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
