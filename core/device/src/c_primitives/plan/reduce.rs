//! Reductions and censuses: one launch, except for the levels of the fixed tree in OpenCL.

use super::step::{ColumnLocation, Machine, Plan, Step};
use crate::c_primitives::Dialect;
use crate::c_primitives::kernel::{Fold, Kernel, THREADS};
use imminent_core::Result;
use imminent_core::backend::{Census, Filter, Reduction, View};
use imminent_core::reduce::order;
use imminent_ir::Scalar;

/// Bytes of a column that a group reads in one round of its loop: 16 for each of four loads of each thread.
const TILE_BYTES: u64 = THREADS as u64 * 4 * 16;
/// Words of a partial result.
const PARTIAL_WORDS: u64 = 4;
/// Rows of a part of the fixed tree: 32 blocks.
const PART_ROWS: u32 = 32 * 256;

/// Largest number of parts that are spread over as many groups. They leave 2^15 values for the last group, which takes
/// about as long for them as another barrier among groups would.
const PARTS_TO_SPREAD: u32 = 1024;

/// Returns the kernel of a reduction.
pub(super) fn kernel(op: Reduction, scalar: Scalar) -> Kernel {
    match op {
        Reduction::Min => Kernel::Reduce(Fold::Least, scalar),
        Reduction::Max => Kernel::Reduce(Fold::Greatest, scalar),
        Reduction::ArgMin => Kernel::Reduce(Fold::LeastRow, scalar),
        Reduction::ArgMax => Kernel::Reduce(Fold::GreatestRow, scalar),
        Reduction::Sum if matches!(scalar, Scalar::F32 | Scalar::F64) => Kernel::Tree(scalar),
        Reduction::Sum | Reduction::SumUnordered => Kernel::Reduce(Fold::Sum, scalar),
    }
}

/// Returns the number of groups that fold a column: one for each tile, but no more than are resident.
pub(super) fn groups(machine: &dyn Machine, kernel: Kernel, column: &View) -> Result<u32> {
    let bytes = u64::from(column.rows()) * u64::from(column.scalar().words()) * 4;
    let tiles = u32::try_from(bytes.div_ceil(TILE_BYTES)).unwrap_or(u32::MAX);
    // One group needs no counter, and no limit of resident groups.
    if tiles <= 1 { Ok(1) } else { Ok(tiles.min(machine.resident(kernel.canonical())?).max(1)) }
}

fn one(step: Step) -> Plan {
    let scratch = u64::from(step.groups) * PARTIAL_WORDS;
    Plan { steps: vec![step], scratch, counters: 1 }
}

pub(super) fn reduce(
    machine: &dyn Machine,
    op: Reduction,
    column: &View,
    into: &View,
    row: Option<&View>,
) -> Result<Plan> {
    let kernel = kernel(op, column.scalar());
    if let (Kernel::Tree(_), 1..) = (kernel, column.rows()) {
        return tree(machine, kernel, column, into);
    }
    // The sum of no floats does not depend on the order.
    let kernel = if let Kernel::Tree(scalar) = kernel { Kernel::Reduce(Fold::Sum, scalar) } else { kernel };
    let none = match op {
        Reduction::Min | Reduction::ArgMin => order::greatest(column.scalar()),
        Reduction::Max | Reduction::ArgMax => order::least(column.scalar()),
        Reduction::Sum | Reduction::SumUnordered => 0,
    };
    let mut places = vec![ColumnLocation::View(column.clone()), ColumnLocation::View(into.clone())];
    places.extend(row.map(|row| ColumnLocation::View(row.clone())));
    let groups = groups(machine, kernel, column)?;
    Ok(one(Step::new(kernel, groups, column.rows()).columns(places).words(4, &[none as u32, (none >> 32) as u32])))
}

pub(super) fn census(machine: &dyn Machine, what: Census, filter: &Filter, into: &View) -> Result<Plan> {
    let column = &filter.column;
    let kernel = Kernel::Census(column.scalar());
    let what = match what {
        Census::Count => 0,
        Census::Any => 1,
        Census::All => 2,
    };
    let places = [ColumnLocation::View(column.clone()), ColumnLocation::View(into.clone())];
    let groups = groups(machine, kernel, column)?;
    Ok(one(Step::new(kernel, groups, column.rows()).columns(places).test(filter).words(4, &[what])))
}

/// Plans the sum of at least one row over the fixed tree.
fn tree(machine: &dyn Machine, kernel: Kernel, column: &View, into: &View) -> Result<Plan> {
    let words = u64::from(column.scalar().words());
    let parts = |rows: u32| rows.div_ceil(PART_ROWS);
    let resident = |groups: u32| Ok(if groups <= 1 { 1 } else { groups.min(machine.resident(kernel)?).max(1) });
    let blocks = column.rows().div_ceil(256);
    // Start of the values of every second level.
    let upper = (u64::from(blocks) * words).next_multiple_of(4);
    let scratch = upper + u64::from(blocks.div_ceil(256)) * words;
    let mut input = ColumnLocation::View(column.clone());
    if machine.dialect() == Dialect::Cuda {
        let together = if parts(column.rows()) <= PARTS_TO_SPREAD { 1 } else { 8 };
        let step = Step::new(kernel, resident(parts(column.rows()).div_ceil(together))?, column.rows())
            .columns([input, ColumnLocation::View(into.clone())])
            .words(0, &[upper as u32])
            .words(2, &[together]);
        return Ok(Plan { steps: vec![step], scratch, counters: 1 });
    }
    let groups = |rows: u32| -> Result<u32> { resident(parts(rows)) };
    let (mut steps, mut count) = (Vec::new(), column.rows());
    loop {
        let next = count.div_ceil(256);
        let output = match steps.len() % 2 {
            _ if next == 1 => ColumnLocation::View(into.clone()),
            0 => ColumnLocation::Scratch(0),
            _ => ColumnLocation::Scratch(upper),
        };
        steps.push(Step::new(kernel, groups(count)?, count).columns([input, output.clone()]));
        (input, count) = (output, next);
        if count == 1 {
            return Ok(Plan { steps, scratch, counters: 0 });
        }
    }
}
