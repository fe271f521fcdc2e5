//! Primitives: the plan of `core`, bound to this device's memory.

use crate::cl::CommandQueue;
use crate::device::Facts;
use crate::launch::{Scratch, Work};
use crate::memory::memory;
use crate::runtime::{Runtime, RuntimeKernel};
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use imminent_device::c_primitives::{self, ColumnLocation, LOCAL_BYTES, THREADS};

/// Returns `true` if the kernels fit the device.
pub(crate) fn fit(facts: &Facts) -> bool {
    facts.workgroup >= THREADS && facts.local_bytes >= LOCAL_BYTES
}

/// Returns the calls of a primitive. Columns are passed as whole buffers, and their starts in the launch block.
pub(crate) fn works(
    runtime: &Runtime,
    queue: &CommandQueue,
    scratch: &mut Scratch,
    primitive: &Primitive,
) -> Result<Vec<Work>> {
    let plan = c_primitives::plan(primitive, runtime)?.ok_or_else(|| not_overridden(primitive))?;
    let counters = scratch.counters(&runtime.context, queue, plan.counters)?;
    let scratch = scratch.take(&runtime.context, 0, plan.scratch)?;
    let bound = plan.steps.into_iter().map(|mut step| {
        let mut places = Vec::with_capacity(step.columns.len() + 2);
        for (column, place) in step.columns.iter().enumerate() {
            let (buffer, word) = match place {
                ColumnLocation::None => (scratch.clone(), 0),
                ColumnLocation::Scratch(word) => (scratch.clone(), *word),
                ColumnLocation::View(view) => {
                    let memory = memory(&view.buffer)?;
                    (memory.buffer.clone(), memory.bytes_of(&view.span)?.start as u64 / 4)
                }
            };
            places.push(buffer);
            step.block[8 + 2 * column] = word as u32;
            step.block[9 + 2 * column] = (word >> 32) as u32;
        }
        places.extend([scratch.clone(), counters.clone()]);
        let code = runtime.kernel(RuntimeKernel::Primitive(step.kernel))?;
        Ok(Work { code, places, block: step.block.to_vec(), groups: step.groups, faulting: None })
    });
    bound.collect()
}
