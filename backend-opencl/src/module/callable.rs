//! Arguments of kernels.

use crate::cl::{self, Failure, Kernel, Mem};
use crate::device::Context;
use crate::memory::WordBuffer;
use imminent_core::Result;
use imminent_lowering::c::{CSource, Parameter, ParameterRole};
use std::sync::Arc;

/// Parameters of a kernel.
#[derive(Debug)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
    /// Number of buffers that a launch passes beside the state and the launch block.
    buffers: usize,
    /// `true` if the launch block is passed as a pointer.
    launch_in_buffer: bool,
}

impl Signature {
    pub(super) fn new(source: &CSource, launch_in_buffer: bool) -> Signature {
        // The state and the launch block are parameters too.
        let buffers = source.parameters.len().saturating_sub(2);
        Signature { parameters: source.parameters.clone(), buffers, launch_in_buffer }
    }
}

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
    pub(crate) fn bind(
        &mut self,
        context: &Context,
        signature: &Signature,
        (state, words, buffers): (&WordBuffer, &[u32], &[Arc<WordBuffer>]),
    ) -> Result<Option<Mem>> {
        let failed = |failure: Failure| context.failed("binding the arguments of a kernel", failure);
        if signature.buffers != buffers.len() {
            let message = format!("{} buffers for {:?}", buffers.len(), signature.parameters);
            return Err(context.driver("binding the arguments of a kernel", message));
        }
        let mut buffers = buffers.iter();
        let mut block = None;
        for (parameter, index) in signature.parameters.iter().zip(0..) {
            let set = match parameter.role {
                ParameterRole::State => self.set_buffer(index, state),
                ParameterRole::Launch if signature.launch_in_buffer => {
                    cl::create_words(&context.cl, words).and_then(|mem| {
                        let set = cl::set_arg_mem(&mut self.kernel, index, &mem);
                        block = Some(mem);
                        set
                    })
                }
                ParameterRole::Launch => self.set_block(index, words),
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
