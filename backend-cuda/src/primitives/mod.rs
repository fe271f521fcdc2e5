//! Primitives: the plan of `core`, bound to this device's memory.

use crate::driver::{Context, Stream};
use crate::launch::{Planner, Sink, Work};
use crate::memory::memory;
use crate::module::Shared;
use imminent_core::Result;
use imminent_core::backend::{Primitive, not_overridden};
use imminent_core::c_primitives::{self, COUNTERS_WORD, Dialect, Kernel, Machine, Place, Plan};
use std::sync::Arc;

impl Machine for Context {
    fn dialect(&self) -> Dialect {
        Dialect::Cuda
    }

    fn resident(&self, kernel: Kernel) -> Result<u32> {
        Ok(self.shared.get(self, Shared::Primitive(kernel))?.resident)
    }
}

fn plan(context: &Context, primitive: &Primitive) -> Result<Plan> {
    c_primitives::plan(primitive, context)?.ok_or_else(|| not_overridden(primitive))
}

/// Compiles the kernels of a primitive and checks its columns, without launching it.
pub(crate) fn prepare(context: &Context, primitive: &Primitive) -> Result<()> {
    for step in plan(context, primitive)?.steps {
        context.shared.get(context, Shared::Primitive(step.kernel))?;
        for place in &step.columns {
            if let Place::View(view) = place {
                memory(&view.buffer)?.bytes_of(&view.span)?;
            }
        }
    }
    Ok(())
}

impl Planner {
    /// Plans a primitive. Columns are passed by address in the launch block.
    pub(crate) fn primitive(
        &mut self,
        context: &Context,
        stream: &Arc<Stream>,
        primitive: &Primitive,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut plan = plan(context, primitive)?;
        let scratch = self.scratch.take(context, 0, plan.scratch * 4)?;
        let (counters, counter_words) = self.scratch.counters(context, plan.counters)?;
        for step in &mut plan.steps {
            let kernel = context.shared.get(context, Shared::Primitive(step.kernel))?;
            for (column, place) in step.columns.iter().enumerate() {
                let address = match place {
                    Place::None => 0,
                    Place::Scratch(word) => scratch + word * 4,
                    Place::View(view) => {
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
            sink.take(Work {
                function: &kernel.function,
                blocks: step.groups,
                threads: kernel.threads,
                block: &mut step.block,
                block_in_memory: false,
                pointers: &[scratch, counters],
                faulting: None,
            })?;
        }
        Ok(())
    }
}
