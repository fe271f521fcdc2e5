//! Scans and selections: one launch with look-back on CUDA, two in OpenCL. There, each group of the second launch sums
//! up the totals that the groups before it left in the first.

use super::step::{ColumnLocation, Machine, Plan, Step};
use crate::c_primitives::Dialect;
use crate::c_primitives::kernel::{Fold, Kernel, THREADS};
use imminent_core::Result;
use imminent_core::backend::{Filter, ScanOp, View};
use imminent_core::reduce::order;
use imminent_ir::Scalar;

/// Returns the words of a tile of a scan: 128 bytes for each thread with look-back, else 64.
fn scan_words(machine: &dyn Machine) -> u32 {
    if machine.dialect() == Dialect::Cuda { THREADS * 32 } else { THREADS * 16 }
}
/// Rows of a tile of a selection without look-back.
const SELECT_ROWS: u32 = THREADS * 16;
/// Rows of a tile of a selection with look-back, if a warp has 1,024.
const VOTED_ROWS: u32 = THREADS * 32;
/// Number of rows from which a warp has two or four times 1,024 rows: measured on an H200.
const TWICE: u32 = 1 << 22;
const FOUR_TIMES: u32 = 1 << 24;
/// Offset of the tiles' counters; each has two words.
const STATES: u64 = 1 << 17;
/// Largest number of chunks: more cost more to sum up than they gain.
const MAX_CHUNKS: u32 = 2048;
/// Words of a partial result.
const PARTIAL_WORDS: u64 = 4;

/// Returns the kernel of a scan.
pub(super) fn kernel(op: ScanOp, scalar: Scalar) -> Kernel {
    Kernel::Scan(fold(op), scalar)
}

fn fold(op: ScanOp) -> Fold {
    match op {
        ScanOp::Sum => Fold::Sum,
        ScanOp::Min => Fold::Least,
        ScanOp::Max => Fold::Greatest,
    }
}

pub(super) fn scan(machine: &dyn Machine, op: ScanOp, exclusive: bool, column: &View, into: &View) -> Result<Plan> {
    let scalar = column.scalar();
    let none = match op {
        ScanOp::Sum => 0,
        ScanOp::Min => order::greatest(scalar),
        ScanOp::Max => order::least(scalar),
    };
    let places = || [ColumnLocation::View(column.clone()), ColumnLocation::View(into.clone())];
    let step = |kernel, groups| {
        let step = Step::new(kernel, groups, column.rows()).columns(places());
        step.words(4, &[none as u32, (none >> 32) as u32]).words(9, &[u32::from(exclusive)])
    };
    plan(
        machine,
        (column.rows(), scan_words(machine) / scalar.words()),
        &|groups| step(Kernel::Totals(fold(op), scalar), groups),
        &|groups| step(kernel(op, scalar), groups),
    )
}

pub(super) fn select(machine: &dyn Machine, filter: &Filter, rows: &View, count: &View) -> Result<Plan> {
    let column = &filter.column;
    let step = |kernel, groups| {
        let places = [&filter.column, rows, count].map(|view| ColumnLocation::View(view.clone()));
        Step::new(kernel, groups, column.rows()).columns(places).test(filter)
    };
    // Multiple of 1,024 rows.
    let times = match column.rows() {
        ..TWICE => 1,
        TWICE..FOUR_TIMES => 2,
        _ => 4,
    };
    let tile = if machine.dialect() == Dialect::Cuda { VOTED_ROWS * times } else { SELECT_ROWS };
    plan(machine, (column.rows(), tile), &|groups| step(Kernel::Counts(column.scalar()), groups), &|groups| {
        step(Kernel::Select(column.scalar()), groups).words(8, &[times])
    })
}

/// Plans the launches over `rows` rows in tiles, with `totals` before them if one launch is not enough.
fn plan(
    machine: &dyn Machine,
    (rows, tile): (u32, u32),
    totals: &dyn Fn(u32) -> Step,
    last: &dyn Fn(u32) -> Step,
) -> Result<Plan> {
    let tiles = rows.div_ceil(tile).max(1);
    if machine.dialect() == Dialect::Cuda {
        // Two-word values of each tile: its own total, and its prefix.
        let scratch = u64::from(tiles) * 4;
        let counters = if tiles == 1 { 1 } else { STATES + u64::from(tiles) * 2 };
        return Ok(Plan { steps: vec![last(tiles)], scratch, counters });
    }
    let most = if tiles == 1 { 1 } else { machine.resident(last(1).kernel)?.clamp(1, MAX_CHUNKS) };
    let chunk = tiles.div_ceil(most).saturating_mul(tile);
    let chunks = rows.div_ceil(chunk).max(1);
    let first = (chunks > 1).then(|| totals(chunks));
    let steps = first.into_iter().chain([last(chunks)]).map(|step| step.words(8, &[chunk])).collect();
    Ok(Plan { steps, scratch: u64::from(chunks) * PARTIAL_WORDS, counters: 1 })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    struct Device(Dialect, u32);

    impl Machine for Device {
        fn dialect(&self) -> Dialect {
            self.0
        }

        fn resident(&self, _kernel: Kernel) -> Result<u32> {
            Ok(self.1)
        }
    }

    fn planned(dialect: Dialect, resident: u32, rows: u32) -> Vec<(u32, u32)> {
        let step = |groups| Step::new(Kernel::Select(Scalar::U32), groups, rows);
        let plan = plan(&Device(dialect, resident), (rows, 4096), &step, &step).unwrap();
        plan.steps.iter().map(|step| (step.groups, step.block[24])).collect()
    }

    #[test]
    fn chunks_cover_the_rows_and_none_is_empty() {
        assert_eq!(planned(Dialect::OpenCl, 8, 0), [(1, 4096)]);
        assert_eq!(planned(Dialect::OpenCl, 8, 4096), [(1, 4096)]);
        assert_eq!(planned(Dialect::OpenCl, 8, 4097), [(2, 4096); 2]);
        assert_eq!(planned(Dialect::OpenCl, 8, 9 * 4096), [(5, 8192); 2]);
        for rows in [1 << 20, u32::MAX - 1023] {
            let [(groups, chunk), _] = planned(Dialect::OpenCl, 1000, rows)[..] else { unreachable!() };
            assert!(groups <= 1000 && u64::from(groups) * u64::from(chunk) >= u64::from(rows));
            assert!(u64::from(groups - 1) * u64::from(chunk) < u64::from(rows));
        }
    }

    #[test]
    fn a_device_with_look_back_needs_one_launch() {
        assert_eq!(planned(Dialect::Cuda, 8, 1 << 20), [(256, 0)]);
    }
}
