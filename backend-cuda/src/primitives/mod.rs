//! Primitives: the plan of `core`, bound to this device's memory.

use crate::driver::Stream;
use crate::launch::{Scratch, Work};
use crate::memory::memory;
use crate::runtime::{Runtime, RuntimeKernel};
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use imminent_device::c_primitives::{self, COUNTERS_WORD, ColumnLocation};
use std::sync::Arc;

/// Returns the calls of a primitive. Columns are passed by address in the launch block.
pub(crate) fn works(
    runtime: &Runtime,
    stream: &Arc<Stream>,
    scratch: &mut Scratch,
    primitive: &Primitive,
) -> Result<Vec<Work>> {
    let plan = c_primitives::plan(primitive, runtime)?.ok_or_else(|| not_overridden(primitive))?;
    let (counters, counter_words) = scratch.counters(&runtime.context, plan.counters)?;
    let scratch = scratch.take(&runtime.context, 0, plan.scratch * 4)?;
    let bound = plan.steps.into_iter().map(|mut step| {
        for (column, place) in step.columns.iter().enumerate() {
            let address = match place {
                ColumnLocation::None => 0,
                ColumnLocation::Scratch(word) => scratch + word * 4,
                ColumnLocation::View(view) => {
                    let memory = memory(&view.buffer)?;
                    // Only results are ever stale.
                    let result = primitive.result().is_some_and(|result| result.is(&view.buffer));
                    memory.used_by(stream, result)?;
                    memory.pointer() + memory.bytes_of(&view.span)?.start
                }
            };
            step.block[8 + 2 * column] = address as u32;
            step.block[9 + 2 * column] = (address >> 32) as u32;
        }
        step.block[COUNTERS_WORD] = u32::try_from(counter_words).unwrap_or(u32::MAX);
        let code = runtime.kernel(RuntimeKernel::Primitive(step.kernel))?;
        let (places, block) = (vec![scratch, counters], step.block.to_vec());
        Ok(Work { code, places, block, groups: step.groups, faulting: None })
    });
    bound.collect()
}
