//! Sorts on CUDA: one launch counts all digits, then one for each digit looks back over its tiles.

use super::{Machine, Plan, Task};
use crate::c_primitives::kernel::{Kernel, SortStep, THREADS};
use crate::error::Result;

/// Digits of a pass.
const DIGITS: u64 = 256;
/// With fewer rows, large tiles would be fewer than the multiprocessors of a large device; small ones are enough for all, and what
/// they write lies in the cache until its neighbours come.
const NARROW_ROWS: u32 = 1 << 20;
/// The sums of all digits and the counters before them.
const COUNTERS: u64 = 64 + 8 * DIGITS;

/// Adds the launches to a plan.
pub(super) fn sort(machine: &dyn Machine, task: &Task, plan: &mut Plan) -> Result<()> {
    let own = |pass: u32| [pass, u32::from(task.numbers)];
    if task.rows <= task.tile(SortStep::Tile) {
        let step = task.step(SortStep::Tile, 1).columns(task.columns());
        plan.steps.push(step.words(0, &own(0)).words(9, &[task.keys_wanted()]));
        return Ok(());
    }
    let sweep = if task.rows < NARROW_ROWS { SortStep::NarrowSweep } else { SortStep::Sweep };
    let tiles = task.rows.div_ceil(task.tile(sweep));
    let passes = task.scalar.words() * 4;
    // A word for each tile and digit, for this pass and the next; then the schedule.
    let states = u64::from(tiles) * DIGITS;
    let at = plan.scratch;
    let schedule = at + 2 * states;
    plan.scratch = schedule + u64::from(passes) * (DIGITS + 2);
    plan.counters = COUNTERS;
    let memory = [at as u32, states as u32, schedule as u32];
    let digits = Kernel::Sort(SortStep::Digits, task.scalar);
    // Every group adds its counts to the sums, so it should have many rows to count.
    let groups = machine.resident(digits)?.clamp(1, task.rows.div_ceil(THREADS * 16).max(1));
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
