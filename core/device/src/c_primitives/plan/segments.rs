//! Reductions of segments, and histograms: both one launch.

use super::step::{ColumnLocation, Machine, Plan, Step};
use crate::c_primitives::Dialect;
use crate::c_primitives::kernel::{Fold, Kernel, THREADS};
use imminent_core::Result;
use imminent_core::backend::{Reduction, View};
use imminent_core::reduce::order;
use imminent_ir::Scalar;

/// Returns the kernel of a reduction of segments; `None` if only the fixed tree gives the result.
pub(super) fn kernel(op: Reduction, scalar: Scalar) -> Option<Kernel> {
    let fold = match op {
        Reduction::Min => Fold::Least,
        Reduction::Max => Fold::Greatest,
        Reduction::Sum if matches!(scalar, Scalar::F32 | Scalar::F64) => return None,
        Reduction::Sum | Reduction::SumUnordered => Fold::Sum,
        Reduction::ArgMin | Reduction::ArgMax => return None,
    };
    Some(Kernel::Segments(fold, scalar).canonical())
}

/// Returns the threads for a segment, by the mean length: few enough that most of them have a row.
fn lanes(dialect: Dialect, mean: u32) -> u32 {
    match dialect {
        Dialect::Cuda if mean <= 8 => 1,
        Dialect::Cuda if mean <= 512 => 32,
        Dialect::OpenCl if mean <= 64 => 1,
        Dialect::Cuda | Dialect::OpenCl => THREADS,
    }
}

/// Returns the number of groups: as many as there is work for, but no more than are resident.
fn groups(machine: &dyn Machine, kernel: Kernel, wanted: u32) -> Result<u32> {
    if wanted <= 1 { Ok(1) } else { Ok(wanted.min(machine.resident(kernel)?).max(1)) }
}

pub(super) fn reduce(
    machine: &dyn Machine,
    op: Reduction,
    column: &View,
    offsets: &View,
    into: &View,
) -> Result<Option<Plan>> {
    let Some(kernel) = kernel(op, column.scalar()) else { return Ok(None) };
    let none = match op {
        Reduction::Min => order::greatest(column.scalar()),
        Reduction::Max => order::least(column.scalar()),
        _ => 0,
    };
    let segments = into.rows();
    let lanes = lanes(machine.dialect(), column.rows() / segments.max(1));
    let groups = groups(machine, kernel, segments.div_ceil(THREADS / lanes))?;
    let step = Step::new(kernel, groups, segments)
        .columns([column, offsets, into].map(|view| ColumnLocation::View(view.clone())))
        .words(0, &[column.rows(), lanes])
        .words(4, &[none as u32, (none >> 32) as u32]);
    Ok(Some(Plan { steps: vec![step], scratch: 1, counters: 1 }))
}

pub(super) fn histogram(
    machine: &dyn Machine,
    column: &View,
    (lowest, width): (u64, u64),
    tally: &View,
) -> Result<Plan> {
    let kernel = Kernel::Histogram(column.scalar()).canonical();
    // Every group adds its counts to the tally, so each should have many rows to count.
    let groups = groups(machine, kernel, column.rows().div_ceil(THREADS * 16))?;
    let step = Step::new(kernel, groups, column.rows())
        .columns([column, tally].map(|view| ColumnLocation::View(view.clone())))
        .words(0, &[lowest as u32, (lowest >> 32) as u32, width as u32, (width >> 32) as u32, tally.rows()]);
    Ok(Plan { steps: vec![step], scratch: 1, counters: 1 })
}
