//! Shaders on whole buffers.

use super::source::{HEAD, binding, own_source};
use imminent_device::dispatch::STORE_WORDS;
use imminent_lowering::wgsl::{BufferRole, WgslSource};

/// Makes a shader that executes `body` for every word below `launch[0]`. If it has an input, this is `shared` with the
/// output where both may be parts of one buffer: then both must be bound for writing.
pub(super) fn for_each_word(body: &str, input: Option<bool>) -> WgslSource {
    let mut code = HEAD.to_owned();
    let mut bindings =
        vec![binding(0, "state", BufferRole::State, true), binding(1, "launch", BufferRole::Launch, false)];
    if let Some(shared) = input {
        let access = if shared { "read_write" } else { "read" };
        code.push_str(&format!("@group(0) @binding(2) var<storage, {access}> input: array<u32>;\n"));
        bindings.push(binding(2, "input", BufferRole::Input, shared));
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
    own_source(code, bindings, STORE_WORDS)
}
