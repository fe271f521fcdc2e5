//! Compiled kernels.

use super::callable::{Callable, Signature};
use super::compile;
use crate::cl;
use crate::device::{Context, POINTER_BYTES};
use imminent_core::{Error, Limit, Result};
use imminent_lowering::c::CSource;
use std::fmt;
use std::sync::Mutex;

/// A compiled kernel and its calling convention.
pub(crate) struct Pipeline {
    program: cl::Program,
    entry: String,
    /// Kernel for launches from the queue, whose arguments are set and used under the lock.
    pub(crate) callable: Mutex<Callable>,
    pub(crate) signature: Signature,
    /// Work-items of a work-group.
    pub(crate) workgroup: u32,
    /// Work-items of the largest work-group in which the device can run the kernel.
    pub(crate) most_workgroup: u32,
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("entry", &self.entry)
            .field("workgroup", &self.workgroup)
            .finish_non_exhaustive()
    }
}

/// Returns the bytes of a kernel's arguments when the launch block is passed by value.
pub(crate) fn argument_bytes(source: &CSource) -> u64 {
    (source.parameters.len() as u64).saturating_sub(1) * POINTER_BYTES + u64::from(source.launch.words) * 4
}

impl Pipeline {
    /// Returns the compiled form of a text. `name` is the kernel's, `location` the line where it begins.
    pub(crate) fn of(
        context: &Context,
        name: &str,
        location: &str,
        source: &CSource,
        launch_in_buffer: bool,
    ) -> Result<Pipeline> {
        let call = format!("{} {} {}", source.entry, source.workgroup_size, compile::options(context));
        let key = context.cache.key(&source.code, &call);
        let pointers = source.parameters.len() as u64 * POINTER_BYTES;
        if pointers > context.facts.parameter_bytes {
            let what = Limit::ArgumentBytes { kernel: name.to_owned() };
            return Err(Error::limit(what, pointers, context.facts.parameter_bytes));
        }
        let compile::Compiled { program, kernel, most_workgroup } =
            compile::compile(context, key, name, location, source)?;
        Ok(Pipeline {
            program,
            entry: source.entry.clone(),
            callable: Mutex::new(Callable::new(kernel)),
            signature: Signature::new(source, launch_in_buffer),
            workgroup: source.workgroup_size,
            most_workgroup: u32::try_from(most_workgroup).unwrap_or(u32::MAX),
        })
    }

    /// Creates another kernel of the same code, with its own arguments.
    pub(crate) fn another_kernel(&self, context: &Context) -> Result<cl::Kernel> {
        cl::create_kernel(&self.program, &self.entry).map_err(|failure| context.failed("making a kernel", failure))
    }
}
