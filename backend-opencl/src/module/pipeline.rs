//! Compiled kernels.

use super::compile;
use super::shared::Shared;
use crate::cl;
use crate::device::{Context, POINTER_BYTES};
use crate::queue::Callable;
use imminent_core::kernel_cache::Key;
use imminent_core::{Error, Result};
use imminent_lowering::c::{CSource, Parameter, ParameterRole};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A compiled kernel and its calling convention.
pub(crate) struct Pipeline {
    program: cl::Program,
    entry: String,
    /// Kernel for launches from the queue, whose arguments are set and used under the lock.
    pub(crate) callable: Mutex<Callable>,
    pub(crate) parameters: Vec<Parameter>,
    /// Number of buffers that a launch passes beside the state and the launch block.
    pub(crate) buffers: usize,
    /// `true` if the launch block is passed as a pointer.
    pub(crate) launch_in_buffer: bool,
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

/// Programs of a device that have been compiled or loaded.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    built: Mutex<HashMap<Key, Arc<Pipeline>>>,
    /// Programs of the runtime, found without generating their text again.
    pub(super) shared: Mutex<HashMap<Shared, Arc<Pipeline>>>,
}

/// Returns the bytes of a kernel's arguments when the launch block is passed by value.
pub(super) fn argument_bytes(source: &CSource) -> u64 {
    (source.parameters.len() as u64).saturating_sub(1) * POINTER_BYTES + u64::from(source.launch.words) * 4
}

/// Returns `true` if a parameter is the runtime's own.
fn own(parameter: &Parameter) -> bool {
    matches!(parameter.role, ParameterRole::State | ParameterRole::Launch)
}

impl Pipeline {
    /// Returns the compiled form of a text. `name` is the kernel's, `location` the line where it begins.
    pub(crate) fn of(
        context: &Context,
        name: &str,
        location: &str,
        source: &CSource,
        launch_in_buffer: bool,
    ) -> Result<Arc<Pipeline>> {
        let call = format!("{} {} {}", source.entry, source.workgroup_size, compile::options(context));
        let key = context.cache.key(&source.code, &call);
        let mut built = context.programs.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = built.get(&key) {
            return Ok(pipeline.clone());
        }
        let pointers = source.parameters.len() as u64 * POINTER_BYTES;
        if pointers > context.facts.parameter_bytes {
            return Err(Error::Limit {
                what: format!("bytes of the arguments of kernel `{name}`: a pointer for each table and tally"),
                requested: pointers,
                limit: context.facts.parameter_bytes,
            });
        }
        let compile::Compiled { program, kernel, most_workgroup } =
            compile::compile(context, key, name, location, source)?;
        let pipeline = Arc::new(Pipeline {
            program,
            entry: source.entry.clone(),
            callable: Mutex::new(Callable::new(kernel)),
            parameters: source.parameters.clone(),
            buffers: source.parameters.iter().filter(|parameter| !own(parameter)).count(),
            launch_in_buffer,
            workgroup: source.workgroup_size,
            most_workgroup: u32::try_from(most_workgroup).unwrap_or(u32::MAX),
        });
        built.insert(key, pipeline.clone());
        Ok(pipeline)
    }

    /// Creates another kernel of the same code, with its own arguments.
    pub(crate) fn another_kernel(&self, context: &Context) -> Result<cl::Kernel> {
        cl::create_kernel(&self.program, &self.entry).map_err(|failure| context.failed("making a kernel", failure))
    }
}
