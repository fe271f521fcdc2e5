//! Kernels on whole buffers.

use super::source::{launch, own_source, parameter, state};
use crate::device::Context;
use imminent_device::dispatch::STORE_WORDS;
use imminent_ir::launch::{EVERY_TURN, ROWS_PER_GROUP};
use imminent_lowering::c::{CSource, ParameterRole};

/// Returns a kernel that processes every word. Words 0 and 1 of its launch block are the number of words, word 4 is the
/// turn, and from word 8 on there are results to store.
pub(super) fn for_each_word(context: &Context, name: &str, body: &str, input: bool) -> CSource {
    let mut parameters = vec![state(), launch()];
    if input {
        parameters.push(parameter("input", ParameterRole::Input, false));
    }
    parameters.push(parameter("output", ParameterRole::Output, true));
    let input = if input { "__global const uint *input, " } else { "" };
    let code = format!(
        "typedef struct {{ uint w[{STORE_WORDS}]; }} imminent_launch;

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
    own_source(name, code, parameters, STORE_WORDS, context.lowering.workgroup_size)
}
