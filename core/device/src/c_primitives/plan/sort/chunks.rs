//! Sorts in OpenCL: three launches for each digit; a single launch for few tiles.

use super::task::Task;
use crate::c_primitives::kernel::{Kernel, SortStep};
use crate::c_primitives::plan::step::{Machine, Plan};
use imminent_core::Result;

/// Largest number of tiles that one group sorts alone. With more, several groups are faster in spite of their launches.
const MAX_TILES_OF_ONE_GROUP: u32 = 2;
/// Largest number of chunks: more take longer to sum up than they gain.
const MAX_CHUNKS: u32 = 2048;
const DIGIT_BITS: u32 = 4;
const DIGITS: u32 = 1 << DIGIT_BITS;

/// Adds the launches to a plan.
pub(super) fn sort(machine: &dyn Machine, task: &Task, plan: &mut Plan) -> Result<()> {
    let tile = task.tile(SortStep::ColumnLocation);
    let tiles = task.rows.div_ceil(tile).max(1);
    let numbers = u32::from(task.numbers);
    if tiles <= MAX_TILES_OF_ONE_GROUP {
        let halves = task.room.keys.into_iter().chain(task.room.payloads).map(|word| word as u32);
        let halves: Vec<u32> = halves.collect();
        let step = task.step(SortStep::Small, 1).columns(task.columns());
        plan.steps.push(step.words(0, &halves).words(5, &[numbers, task.keys_wanted()]));
        return Ok(());
    }
    let most = machine.resident(Kernel::Sort(SortStep::ColumnLocation, task.scalar))?.clamp(1, MAX_CHUNKS);
    let chunk = tiles.div_ceil(most).saturating_mul(tile);
    let chunks = task.rows.div_ceil(chunk);
    let matrix = plan.scratch;
    plan.scratch += u64::from(DIGITS) * (u64::from(chunks) + 1);
    let passes = task.scalar.words() * 32 / DIGIT_BITS;
    for pass in 0..passes {
        let [keys, payloads, sorted_keys, sorted_payloads] = task.columns();
        let first = pass == 0;
        let last = pass + 1 == passes;
        let [from_keys, from_payloads] = if first { [keys, payloads] } else { task.room.half(pass as usize + 1) };
        let [to_keys, to_payloads] = if last { [sorted_keys, sorted_payloads] } else { task.room.half(pass as usize) };
        let columns = [from_keys, from_payloads, to_keys, to_payloads];
        let own = [pass * DIGIT_BITS, if first { numbers } else { 0 }, if last { task.keys_wanted() } else { 1 }];
        for (step, groups) in
            [(SortStep::Count, chunks), (SortStep::Offsets, DIGITS), (SortStep::ColumnLocation, chunks)]
        {
            let step = task.step(step, groups).columns(columns.clone()).words(0, &own);
            plan.steps.push(step.words(4, &[matrix as u32, 0, 0, 0, chunk, chunks]));
        }
    }
    Ok(())
}
