//! Kernels with unusual arguments: many tables, large parameter blocks.

use imminent_core::{Device, Error, Program, Table};
use kernels::{Cell, Huge, Wide};

#[imminent_core::kernels]
pub mod kernels {
    #[derive(Row)]
    pub struct Cell {
        pub value: u64,
    }

    /// Parameters larger than the argument space of a kernel on many devices.
    #[derive(Params)]
    pub struct Wide {
        pub numbers: [u64; 700],
    }

    /// Parameters larger than the argument space of a kernel on any device.
    #[derive(Params)]
    pub struct Huge {
        pub numbers: [u64; 5000],
    }

    #[kernel]
    pub fn choose(me: &mut Cell, wide: &Wide, row: u32) {
        me.value += wide.numbers[(row % 700) as usize];
    }

    #[kernel(reduce = sum)]
    pub fn choose_far(me: &mut Cell, huge: &Huge, row: u32) -> u64 {
        assert!(huge.numbers[(row % 5000) as usize] >> 62 == 0);
        me.value += huge.numbers[(row % 5000) as usize];
        me.value
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
        row: u32,
    ) -> u64 {
        me.value = a.get(row).value + b.get(row).value * 2 + c.get(row).value * 3 + d.get(row).value * 5;
        me.value += e.get(row).value * 7 + f.get(row).value * 11 + g.get(row).value * 13;
        me.value
    }
}

fn cells(rows: u64) -> Vec<Cell> {
    (0..rows).map(|i| Cell { value: i << 20 }).collect()
}

fn wide(seed: u64) -> Wide {
    Wide { numbers: std::array::from_fn(|i| (i as u64 + seed) << 33) }
}

fn huge(seed: u64) -> Huge {
    Huge { numbers: std::array::from_fn(|i| (i as u64 + seed) << 33) }
}

pub fn a_parameter_block_larger_than_the_arguments_may_be_is_passed_all_the_same(device: &Device) {
    let mut table = Table::from_rows(device, &cells(1000)).unwrap();
    // Each launch has its own block, although the first may not have begun when the last is enqueued.
    for seed in 1..=20 {
        device.queue().launch::<kernels::choose>((&mut table, &wide(seed))).unwrap();
        device.queue().launch::<kernels::choose_far>((&mut table, &huge(seed))).unwrap();
    }
    let mut program = Program::record(device, |program| {
        program.repeat(30, |inner| {
            inner.launch::<kernels::choose>((&mut table, &wide(100)))?;
            inner.launch::<kernels::choose_far>((&mut table, &huge(100))).map(drop)
        })
    })
    .unwrap();
    program.run().unwrap();
    program.run().unwrap();
    let given = |seed: u64, row: u64| ((row % 700 + seed) << 33) + ((row % 5000 + seed) << 33);
    let expected = cells(1000).into_iter().zip(0u64..).map(|(cell, row)| Cell {
        value: cell.value + (1..=20).chain([100; 60]).map(|seed| given(seed, row)).sum::<u64>(),
    });
    assert_eq!(table.read().unwrap(), expected.collect::<Vec<_>>());
}

pub fn a_fault_in_a_kernel_with_a_large_block_finds_its_slot(device: &Device) {
    let mut table = Table::from_rows(device, &cells(4500)).unwrap();
    let mut numbers = huge(0);
    numbers.numbers[4321] = u64::MAX >> 1;
    device.queue().launch::<kernels::choose_far>((&mut table, &huge(0))).unwrap();
    device.queue().launch::<kernels::choose_far>((&mut table, &numbers)).unwrap();
    match device.queue().wait() {
        Err(Error::Fault(fault)) => assert_eq!((fault.kernel.as_str(), fault.row), ("choose_far", 4321)),
        other => panic!("{other:?}"),
    }
}

pub fn a_table_can_be_bound_many_times_for_reading(device: &Device) {
    let all = Table::from_rows(device, &cells(777)).unwrap();
    let mut table = Table::<Cell>::zeroed(device, 777).unwrap();
    let sum = device.queue().launch::<kernels::gather>((&mut table, &all, &all, &all, &all, &all, &all, &all)).unwrap();
    assert_eq!(sum.read().unwrap(), (0..777u64).map(|row| (row << 20) * 42).sum::<u64>());
    assert_eq!(table.read().unwrap()[776].value, (776 << 20) * 42);
}
