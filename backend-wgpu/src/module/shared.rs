//! Shaders that the runtime itself needs, compiled at first use.

use super::pipeline::{Loops, Pipeline};
use crate::device::Context;
use crate::primitives::PrimitiveShader;
use crate::program::control_source;
use imminent_core::{Error, Result};
use imminent_ir::launch::LaunchLayout;
use imminent_ir::{Reduce, Scalar};
use imminent_lowering::wgsl::{BufferBinding, BufferRole, Requires, WgslOptions, WgslSource, lower_reduce};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A shader of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shared {
    /// Copies the words of one buffer to another, if it is its turn in a program.
    Copy,
    /// Sets the words of a buffer to zero, if it is its turn in a program.
    Clear,
    /// Writes words of the launch block to the start of a buffer, if it is its turn in a program.
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
    /// A shader of a primitive.
    Primitive(PrimitiveShader),
}

/// Compiled shaders of the runtime.
#[derive(Debug, Default)]
pub(crate) struct SharedPipelines {
    compiled: Mutex<HashMap<Shared, Arc<Pipeline>>>,
}

impl SharedPipelines {
    /// Returns the compiled shader.
    pub(crate) fn get(&self, context: &Context, shader: Shared) -> Result<Arc<Pipeline>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = compiled.get(&shader) {
            return Ok(pipeline.clone());
        }
        let name = format!("{shader:?}").to_lowercase();
        let pipeline = Arc::new(Pipeline::new(
            context,
            &name,
            "a shader of the runtime",
            &source(context, shader)?,
            Loops::Bounded,
        )?);
        compiled.insert(shader, pipeline.clone());
        Ok(pipeline)
    }
}

const HEAD: &str = "\
@group(0) @binding(0) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> launch: array<u32>;
";

fn source(context: &Context, shader: Shared) -> Result<WgslSource> {
    Ok(match shader {
        Shared::Copy => for_each_word("output[i] = input[i];", true),
        Shared::Clear => for_each_word("output[i] = 0u;", false),
        Shared::Store => for_each_word("output[i] = launch[8u + i];", false),
        Shared::Control { buffers, tests } => control_source(buffers, tests),
        Shared::Reduce { reduce, scalar, listed } => {
            let options = WgslOptions { subset: listed, ..context.lowering.clone() };
            lower_reduce(reduce, scalar, &options)
                .map_err(|error| Error::Module { module: "reductions".to_owned(), reason: error.to_string() })?
        }
        Shared::Primitive(shader) => shader.source(),
    })
}

/// Makes a shader that executes `body` for every word below `launch[0]`.
fn for_each_word(body: &str, input: bool) -> WgslSource {
    let mut code = HEAD.to_owned();
    let mut bindings =
        vec![binding(0, "state", BufferRole::State, true), binding(1, "launch", BufferRole::Launch, false)];
    if input {
        code.push_str("@group(0) @binding(2) var<storage, read> input: array<u32>;\n");
        bindings.push(binding(2, "input", BufferRole::Input, false));
    }
    code.push_str("@group(0) @binding(3) var<storage, read_write> output: array<u32>;\n");
    bindings.push(binding(3, "output", BufferRole::Output, true));
    code.push_str(&format!(
        "
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {{
    let i = (group.y * groups.x + group.x) * 256u + local;
    if (atomicLoad(&state[0]) == launch[4] && i < launch[0]) {{
        {body}
    }}
}}
"
    ));
    own_source(code, bindings, LAUNCH_WORDS)
}

/// Words of the launch block of the runtime's word shaders: the header, and a result to store.
const LAUNCH_WORDS: u32 = 12;

pub(crate) fn binding(binding: u32, name: &str, role: BufferRole, writable: bool) -> BufferBinding {
    BufferBinding { binding, name: name.to_owned(), role, writable }
}

/// Wraps a shader of the runtime like a generated one.
pub(crate) fn own_source(code: String, bindings: Vec<BufferBinding>, words: u32) -> WgslSource {
    WgslSource {
        code,
        entry: "main",
        workgroup_size: 256,
        line_map: Vec::new(),
        bindings,
        launch: LaunchLayout { words, headers: Vec::new(), params: Vec::new() },
        reduce: None,
        shared_bytes: 0,
        requires: Requires::default(),
    }
}
