//! Calls of kernels: arguments, then the command.

use crate::cl::{self, Failure, Kernel, Mem};
use crate::device::Context;
use crate::launch::Work;
use crate::memory::WordBuffer;
use imminent_core::{Error, Result};
use imminent_lowering::c::ParameterRole;

/// A kernel with the arguments set last. Unchanged arguments need not be set again.
#[derive(Debug)]
pub(crate) struct Callable {
    pub(crate) kernel: Kernel,
    /// Number of each parameter's buffer; 0 for none.
    buffers: Vec<u64>,
    block: Vec<u32>,
}

impl Callable {
    /// Wraps a kernel without arguments.
    pub(crate) fn new(kernel: Kernel) -> Callable {
        Callable { kernel, buffers: Vec::new(), block: Vec::new() }
    }

    fn set_buffer(&mut self, index: u32, buffer: &WordBuffer) -> std::result::Result<(), Failure> {
        // Numbers are never reused: if this one was set, the kernel has this very buffer, which is alive.
        let at = index as usize;
        if self.buffers.get(at) == Some(&buffer.id) {
            return Ok(());
        }
        cl::set_arg_mem(&mut self.kernel, index, &buffer.mem)?;
        self.buffers.resize(self.buffers.len().max(at + 1), 0);
        self.buffers[at] = buffer.id;
        Ok(())
    }

    fn set_block(&mut self, index: u32, block: &[u32]) -> std::result::Result<(), Failure> {
        if self.block == block {
            return Ok(());
        }
        cl::set_arg_words(&mut self.kernel, index, block)?;
        self.block.clear();
        self.block.extend_from_slice(block);
        Ok(())
    }

    /// Sets the arguments. The returned memory, if any, must live until the kernel has been enqueued for the last time.
    pub(crate) fn bind(&mut self, context: &Context, work: &Work, state: &WordBuffer) -> Result<Option<Mem>> {
        let failed = |failure: Failure| context.failed("binding the arguments of a kernel", failure);
        if work.pipeline.buffers != work.buffers.len() {
            let message = format!("{} buffers for {:?}", work.buffers.len(), work.pipeline.parameters);
            return Err(context.driver("binding the arguments of a kernel", message));
        }
        let mut buffers = work.buffers.iter();
        let mut block = None;
        for (parameter, index) in work.pipeline.parameters.iter().zip(0..) {
            let set = match parameter.role {
                ParameterRole::State => self.set_buffer(index, state),
                ParameterRole::Launch if work.pipeline.launch_in_buffer => cl::create_words(&context.cl, &work.block)
                    .and_then(|mem| {
                        let set = cl::set_arg_mem(&mut self.kernel, index, &mem);
                        block = Some(mem);
                        set
                    }),
                ParameterRole::Launch => self.set_block(index, &work.block),
                ParameterRole::Partials
                | ParameterRole::Table { .. }
                | ParameterRole::Tally { .. }
                | ParameterRole::SubsetRows
                | ParameterRole::SubsetCount
                | ParameterRole::Input
                | ParameterRole::Output => match buffers.next() {
                    Some(buffer) => self.set_buffer(index, buffer),
                    None => Ok(()),
                },
            };
            set.map_err(failed)?;
        }
        Ok(block)
    }
}

/// Returns the error of a kernel that could not be enqueued.
pub(crate) fn not_enqueued(context: &Context, failure: Failure) -> Error {
    context.failed("launching a kernel", failure)
}
