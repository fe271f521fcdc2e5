//! Sorts on CUDA: one launch counts all digits, then one for each digit looks back over its tiles. Few rows take one
//! launch: all keys are compared with one another, or one group does every pass.

use super::task::Task;
use crate::c_primitives::kernel::{Kernel, SortStep, THREADS};
use crate::c_primitives::plan::step::{Machine, Plan};
use imminent_core::Result;

/// Digits of a pass.
const DIGITS: u64 = 256;
/// Number of groups that count digits on one processor, limited by their registers and threads.
const GROUPS_OF_A_PROCESSOR: u32 = 8;
/// Number of groups comparing all keys that one processor runs at a time, limited by their threads.
const COMPARING_ON_A_PROCESSOR: u32 = 8;
/// Rows that a comparing group places.
const ROWS_OF_A_COMPARING_GROUP: u32 = 32;
/// Rows of the largest sort by comparisons. Its cost grows with the square of the rows and soon exceeds that of passes.
const MAX_COMPARED: u32 = 8192;
/// Instructions of a processor spent on comparing before the passes of one group cost less: ten microseconds, at 64 per
/// cycle.
const COMPARING: u64 = 1 << 20;

/// The sums of all digits and the counters before them.
const COUNTERS: u64 = 64 + 8 * DIGITS;

/// Adds the launches to a plan.
pub(super) fn sort(machine: &dyn Machine, task: &Task, plan: &mut Plan) -> Result<()> {
    let own = |pass: u32| [pass, u32::from(task.numbers)];
    if is_compared(machine, task)? {
        let step = task.step(SortStep::Compare, task.rows.div_ceil(ROWS_OF_A_COMPARING_GROUP).max(1));
        let step = step.columns(task.columns()).words(0, &own(0));
        plan.steps.push(step.words(9, &[task.keys_wanted()]));
        return Ok(());
    }
    if task.rows <= task.tile(SortStep::Tile) {
        let step = task.step(SortStep::Tile, 1).columns(task.columns());
        plan.steps.push(step.words(0, &own(0)).words(9, &[task.keys_wanted()]));
        return Ok(());
    }
    let digits = Kernel::Sort(SortStep::Digits, task.scalar);
    let resident = machine.resident(digits)?;
    // Large tiles, if half of the processors get one: looking back over few is worth idle ones. Below that, small tiles
    // occupy all processors, and their writes stay in the cache until those of the neighbouring tiles arrive.
    let processors = resident / GROUPS_OF_A_PROCESSOR;
    let large = task.rows.div_ceil(task.tile(SortStep::Sweep));
    let sweep = if large < processors / 2 { SortStep::NarrowSweep } else { SortStep::Sweep };
    let tiles = task.rows.div_ceil(task.tile(sweep));
    let passes = task.scalar.words() * 4;
    // A word for each tile and digit, for this pass and the next; then the schedule.
    let states = u64::from(tiles) * DIGITS;
    let at = plan.scratch;
    let schedule = at + 2 * states;
    plan.scratch = schedule + u64::from(passes) * (DIGITS + 2);
    plan.counters = COUNTERS;
    let memory = [at as u32, states as u32, schedule as u32];
    // Every group adds its counts to the sums, so each should have many rows to count.
    let groups = resident.clamp(1, task.rows.div_ceil(THREADS * 16).max(1));
    let step = task.step(SortStep::Digits, groups).columns(task.columns());
    plan.steps.push(step.words(0, &[u32::from(task.in_place)]).words(2, &memory));
    for pass in 0..passes {
        let halves = task.room.keys.into_iter().chain(task.room.payloads).map(|word| word as u32);
        let halves: Vec<u32> = halves.collect();
        let step = task.step(sweep, tiles).columns(task.columns()).words(0, &own(pass)).words(2, &memory);
        plan.steps.push(step.words(5, &halves).words(9, &[task.keys_wanted()]));
    }
    Ok(())
}

/// Returns `true` if comparing all keys with one another is the fastest. Other groups may still read a column when the
/// first have written, so no result may lie there.
fn is_compared(machine: &dyn Machine, task: &Task) -> Result<bool> {
    if task.in_place || task.rows > MAX_COMPARED {
        return Ok(false);
    }
    let resident = machine.resident(Kernel::Sort(SortStep::Compare, task.scalar))?;
    let processors = (resident / COMPARING_ON_A_PROCESSOR).max(1);
    // A comparison of words, one more for each further word, and an addition.
    let instructions = u64::from(task.rows).pow(2) * u64::from(task.scalar.words() + 1);
    Ok(instructions <= u64::from(processors) * COMPARING)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::super::task::{MAX_ROWS, Room};
    use super::*;
    use crate::c_primitives::Dialect;
    use crate::c_primitives::plan::ColumnLocation;
    use imminent_ir::Scalar;

    struct Device(u32);

    impl Machine for Device {
        fn dialect(&self) -> Dialect {
            Dialect::Cuda
        }

        fn resident(&self, _kernel: Kernel) -> Result<u32> {
            Ok(self.0)
        }
    }

    fn planned(rows: u32, scalar: Scalar) -> Plan {
        planned_on(132, rows, scalar, false)
    }

    fn planned_on(processors: u32, rows: u32, scalar: Scalar, in_place: bool) -> Plan {
        let room = Room::new(rows, scalar.words());
        let task = Task {
            rows,
            scalar,
            keys: ColumnLocation::None,
            payloads: ColumnLocation::None,
            numbers: true,
            sorted_keys: ColumnLocation::None,
            sorted_payloads: ColumnLocation::None,
            in_place,
            room,
        };
        let mut plan = Plan { steps: Vec::new(), scratch: 0, counters: 1 };
        sort(&Device(processors * 8), &task, &mut plan).unwrap();
        plan
    }

    #[test]
    fn tiles_cover_the_rows_and_are_large_where_half_of_the_processors_get_one() {
        assert_eq!(planned(8192, Scalar::U32).steps.len(), 1);
        assert_eq!(planned(6800, Scalar::U64).steps.len(), 9);
        for (rows, tile) in [(8193, 2048), (65 * 8192, 2048), (65 * 8192 + 1, 8192), (1 << 20, 8192), (MAX_ROWS, 8192)]
        {
            let plan = planned(rows, Scalar::U32);
            assert_eq!(plan.steps.len(), 5);
            for step in &plan.steps[1..] {
                assert_eq!(step.groups, u32::div_ceil(rows, tile), "{rows} rows");
            }
        }
    }

    #[test]
    fn few_rows_are_compared_with_one_another_where_processors_are_many() {
        let kernel = |processors, rows, scalar, in_place| {
            let plan = planned_on(processors, rows, scalar, in_place);
            assert_eq!(plan.steps.len(), 1, "{rows}");
            let Kernel::Sort(step, _) = plan.steps[0].kernel else { panic!("{:?}", plan.steps[0].kernel) };
            (step, plan.steps[0].groups)
        };
        for (rows, groups) in [(0, 1), (1, 1), (32, 1), (33, 2), (8192, 256)] {
            assert_eq!(kernel(132, rows, Scalar::F32, false), (SortStep::Compare, groups));
            assert_eq!(kernel(132, rows, Scalar::F32, true), (SortStep::Tile, 1));
        }
        assert_eq!(kernel(132, 6700, Scalar::U64, false).0, SortStep::Compare);
        assert_eq!(kernel(4, 1400, Scalar::U32, false).0, SortStep::Compare);
        assert_eq!(kernel(4, 1500, Scalar::U32, false).0, SortStep::Tile);
    }

    #[test]
    fn the_scratch_memory_of_the_largest_sort_has_addresses_of_32_bits() {
        for scalar in [Scalar::U32, Scalar::U64] {
            let room = Room::new(MAX_ROWS, scalar.words()).rest;
            assert!(room + u64::from(MAX_ROWS) + planned(MAX_ROWS, scalar).scratch <= u64::from(u32::MAX));
        }
    }
}
