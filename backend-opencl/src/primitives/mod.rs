//! Primitives: the plan of `core`, bound to this device's memory.

use crate::cl::CommandQueue;
use crate::device::{Context, Facts};
use crate::launch::{Scratch, Work};
use crate::memory::memory;
use crate::module::{Shared, launch, own_source, parameter, state};
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use imminent_core::c_primitives::{self, BLOCK_WORDS, Dialect, Kernel, LOCAL_BYTES, Machine, Place, THREADS};
use imminent_lowering::c::{CSource, ParameterRole};

/// Returns `true` if the kernels fit the device.
pub(crate) fn fit(facts: &Facts) -> bool {
    facts.workgroup >= THREADS && facts.local_bytes >= LOCAL_BYTES
}

impl Machine for Context {
    fn dialect(&self) -> Dialect {
        Dialect::OpenCl
    }

    fn resident(&self, _kernel: Kernel) -> Result<u32> {
        Ok(self.facts.resident_groups())
    }
}

/// Returns a kernel in the form of a generated one.
pub(crate) fn primitive_source(kernel: Kernel) -> CSource {
    let mut parameters = vec![state(), launch()];
    let rest = ["a", "b", "c", "d", "scratch", "counters"];
    parameters.extend(rest.map(|name| parameter(name, ParameterRole::Output, true)));
    own_source(kernel.entry(), kernel.text(Dialect::OpenCl), parameters, BLOCK_WORDS as u32, THREADS)
}

/// Returns the calls of a primitive. Columns are passed as whole buffers, and their starts in the launch block.
pub(crate) fn works(
    context: &Context,
    queue: &CommandQueue,
    scratch: &mut Scratch,
    primitive: &Primitive,
) -> Result<Vec<Work>> {
    let plan = c_primitives::plan(primitive, context)?.ok_or_else(|| not_overridden(primitive))?;
    let counters = scratch.counters(context, queue, plan.counters)?;
    let scratch = scratch.words(context, 0, plan.scratch)?;
    let bound = plan.steps.into_iter().map(|mut step| {
        let mut buffers = Vec::with_capacity(step.columns.len() + 2);
        for (column, place) in step.columns.iter().enumerate() {
            let (buffer, word) = match place {
                Place::None => (scratch.clone(), 0),
                Place::Scratch(word) => (scratch.clone(), *word),
                Place::View(view) => {
                    let memory = memory(&view.buffer)?;
                    (memory.buffer.clone(), memory.bytes_of(&view.span)?.start as u64 / 4)
                }
            };
            buffers.push(buffer);
            step.block[8 + 2 * column] = word as u32;
            step.block[9 + 2 * column] = (word >> 32) as u32;
        }
        buffers.extend([scratch.clone(), counters.clone()]);
        let pipeline = Shared::Primitive(step.kernel).pipeline(context)?;
        Ok(Work { pipeline, buffers, block: step.block.to_vec(), groups: step.groups, faulting: None })
    });
    bound.collect()
}
