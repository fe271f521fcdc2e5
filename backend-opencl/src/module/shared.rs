//! Kernels that the runtime itself needs.

use super::pipeline::Pipeline;
use crate::device::Context;
use crate::primitives::primitive_source;
use crate::program::control_source;
use imminent_core::c_primitives::Kernel as PrimitiveKernel;
use imminent_core::{Error, Result};
use imminent_ir::launch::{EVERY_TURN, LaunchLayout, ROWS_PER_GROUP};
use imminent_ir::{Reduce, Scalar};
use imminent_lowering::c::{COptions, CSource, Parameter, ParameterRole, Requires, lower_reduce};
use std::sync::{Arc, PoisonError};

/// A kernel of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shared {
    /// Copies the words of one buffer to another, at its turn.
    Copy,
    /// Sets the words of a buffer to zero, at its turn.
    Clear,
    /// Writes words of the launch block to the start of a buffer, at its turn.
    Store,
    /// Ends a step of a program.
    Control {
        /// Number of buffers that the tests read.
        buffers: u32,
        /// Number of tests.
        tests: u32,
    },
    /// A further level of a reduction.
    Reduce {
        reduce: Reduce,
        scalar: Scalar,
        /// `true` if only the device knows the number of results.
        listed: bool,
    },
    /// A kernel of a primitive.
    Primitive(PrimitiveKernel),
}

impl Shared {
    /// Returns the compiled kernel.
    pub(crate) fn pipeline(self, context: &Context) -> Result<Arc<Pipeline>> {
        let mut shared = context.programs.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = shared.get(&self) {
            return Ok(pipeline.clone());
        }
        let name = format!("{self:?}").to_lowercase();
        let source = self.source(context)?;
        let limit = context.facts.parameter_bytes;
        if super::pipeline::argument_bytes(&source) > limit {
            return Err(Error::Limit {
                what: "bytes of the arguments of a program's control: 8 for each value and 32 for each test".to_owned(),
                requested: super::pipeline::argument_bytes(&source),
                limit,
            });
        }
        let pipeline = Pipeline::of(context, &name, "a kernel of the runtime", &source, false)?;
        shared.insert(self, pipeline.clone());
        Ok(pipeline)
    }

    fn source(self, context: &Context) -> Result<CSource> {
        Ok(match self {
            Shared::Copy => for_each_word(context, "copy_words", "output[i] = input[i];", true),
            Shared::Clear => for_each_word(context, "clear_words", "output[i] = 0;", false),
            Shared::Store => for_each_word(context, "store_words", "output[i] = launch.w[8 + i];", false),
            Shared::Control { buffers, tests } => control_source(context, buffers, tests),
            Shared::Reduce { reduce, scalar, listed } => {
                let options = COptions { launch_in_buffer: false, subset: listed, ..context.lowering.clone() };
                lower_reduce(reduce, scalar, &options)
                    .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })?
            }
            Shared::Primitive(kernel) => primitive_source(kernel),
        })
    }
}

/// Words of the launch block of the kernels below: words 0 and 1 the number of words, word 4 the turn,
/// from word 8 on a result to store.
const LAUNCH_WORDS: u32 = 12;

/// Returns a kernel that processes every word.
fn for_each_word(context: &Context, name: &str, body: &str, input: bool) -> CSource {
    let mut parameters = vec![state(), launch()];
    if input {
        parameters.push(parameter("input", ParameterRole::Input, false));
    }
    parameters.push(parameter("output", ParameterRole::Output, true));
    let input = if input { "__global const uint *input, " } else { "" };
    let code = format!(
        "typedef struct {{ uint w[{LAUNCH_WORDS}]; }} imminent_launch;

__kernel void {name}(__global const uint *state, imminent_launch launch, {input}__global uint *output) {{
    const ulong words = (ulong)launch.w[0] | ((ulong)launch.w[1] << 32);
    const ulong first = (ulong)get_group_id(0) * {ROWS_PER_GROUP};
    if (launch.w[4] != {EVERY_TURN}u && state[0] != launch.w[4]) {{
        return;
    }}
    for (ulong i = first + get_local_id(0); i < first + {ROWS_PER_GROUP} && i < words; i += get_local_size(0)) {{
        {body}
    }}
}}
"
    );
    own_source(name, code, parameters, LAUNCH_WORDS, context.lowering.workgroup_size)
}

pub(crate) fn parameter(name: &str, role: ParameterRole, writable: bool) -> Parameter {
    Parameter { name: name.to_owned(), role, writable }
}

pub(crate) fn state() -> Parameter {
    parameter("state", ParameterRole::State, true)
}

pub(crate) fn launch() -> Parameter {
    parameter("launch", ParameterRole::Launch, false)
}

/// Returns a kernel of the runtime in the form of a generated one.
pub(crate) fn own_source(
    entry: &str,
    code: String,
    parameters: Vec<Parameter>,
    words: u32,
    workgroup_size: u32,
) -> CSource {
    CSource {
        code,
        entry: entry.to_owned(),
        workgroup_size,
        line_map: Vec::new(),
        parameters,
        launch: LaunchLayout { words, headers: Vec::new(), params: Vec::new() },
        reduce: None,
        shared_bytes: 0,
        requires: Requires::default(),
    }
}
