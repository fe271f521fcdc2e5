//! Text of a loop that one block runs: the kernels of its operations as functions, and the order of their calls.

use std::fmt::Write as _;

const KERNEL: &str = "extern \"C\" __global__ void __launch_bounds__(";

/// Threads of the block.
pub(super) const THREADS: u32 = 256;

/// Symbol of the kernel.
pub(super) const ENTRY: &str = "imminent_resident";

/// A kernel that becomes a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    /// Text of the kernel, for blocks of [`THREADS`] threads or of one warp.
    pub(super) text: &'a str,
    pub(super) entry: &'a str,
    /// Number of calls in the loop.
    pub(super) calls: usize,
}

/// A call of a part. Its arguments lie among the words of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) part: usize,
    /// Word at which the launch block lies.
    pub(super) block: usize,
    /// Word at which the addresses lie, and their number.
    pub(super) places: (usize, usize),
    /// `true` if it passes the turn on.
    pub(super) controls: bool,
}

/// The calls of a turn, the last of which passes the turn on.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) number: u32,
    pub(super) calls: Vec<Call>,
    /// `true` if a pass ends with it.
    pub(super) ends_pass: bool,
}

/// Returns the text of a loop, whose launch has `words` words of arguments.
pub(super) fn text(parts: &[Part<'_>], turns: &[Turn], words: usize) -> String {
    let mut text = "typedef unsigned int u32;\ntypedef unsigned long long u64;\n".to_owned();
    for (number, part) in parts.iter().enumerate() {
        function(&mut text, number, part);
    }
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nstruct imminent_arguments {{ __align__(8) u32 w[{words}]; }};\n\
         {KERNEL}{}) {ENTRY}(u32 *state, const __grid_constant__ imminent_arguments arguments, u64 passes) {{\n\
         __shared__ u32 turn;\n\
         for (;;) {{\n\
         if (threadIdx.x == 0u) {{ turn = *(volatile u32 *)state; }}\n\
         __syncthreads();\n\
         switch (turn) {{\n",
        THREADS
    );
    for turn in turns {
        let _ = writeln!(text, "case {}u: {{", turn.number);
        for one in &turn.calls {
            call(&mut text, parts, one);
        }
        if turn.ends_pass {
            text.push_str("passes -= 1ull;\nif (passes == 0ull) { return; }\n");
        }
        text.push_str("break; }\n");
    }
    text.push_str("default: return;\n}\n}\n}\n");
    text
}

/// Writes the functions of a kernel's text, in a name space of their own. Macros know none, so they end with it.
fn function(text: &mut String, number: usize, part: &Part<'_>) {
    // What is called several times is not copied to each place.
    let qualifiers =
        if part.calls > 1 { "static __device__ __noinline__" } else { "static __device__ __forceinline__" };
    let _ = writeln!(text, "\nnamespace k{number} {{");
    let mut rest = part.text;
    while let Some(at) = rest.find(KERNEL) {
        text.push_str(&alone(&rest[..at]));
        let header = &rest[at + KERNEL.len()..];
        let (_bounds, after) = header.split_once(") ").unwrap_or((header, ""));
        let (name, after) = after.split_once('(').unwrap_or((after, ""));
        let (parameters, after) = after.split_once('{').unwrap_or((after, ""));
        // Other kernels of the loop write what this one only reads.
        let parameters = parameters.replace("__restrict__", "");
        let parameters = parameters.replace("const __grid_constant__ imminent_launch ", "const imminent_launch &");
        let _ = write!(text, "{qualifiers} void {name}({parameters}{{");
        rest = after;
    }
    text.push_str(&alone(rest));
    text.push_str("\n}\n");
    for name in part.text.lines().filter_map(|line| line.trim_start().strip_prefix("#define ")) {
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let _ = writeln!(text, "#undef {}", &name[..end]);
    }
}

/// Replaces the number of a block and of all blocks by those of a single one.
fn alone(text: &str) -> String {
    text.replace("blockIdx.x", "0u").replace("gridDim.x", "1u")
}

fn call(text: &mut String, parts: &[Part<'_>], call: &Call) {
    let (part, entry) = (call.part, parts[call.part].entry);
    let guard = if call.controls { "if (threadIdx.x < 32u) " } else { "" };
    let _ =
        write!(text, "{guard}k{part}::{entry}(state, *(const k{part}::imminent_launch *)&arguments.w[{}]", call.block);
    let (first, count) = call.places;
    for place in 0..count {
        let _ = write!(text, ", (u32 *)*(const u64 *)&arguments.w[{}]", first + 2 * place);
    }
    text.push_str(");\n__syncthreads();\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: &str = "#define GROUPS gridDim.x\n#  define NOT_AT_THE_START\nstruct imminent_launch { u32 w[8]; };\n\
        extern \"C\" __global__ void __launch_bounds__(256, 4) step(u32 *state, const __grid_constant__ imminent_launch \
        launch, u32 *__restrict__ rows) {\n    rows[blockIdx.x] = GROUPS;\n}\n";

    #[test]
    fn a_kernel_becomes_a_function_of_one_block() {
        let mut text = String::new();
        function(&mut text, 3, &Part { text: PART, entry: "step", calls: 1 });
        assert!(text.contains(
            "static __device__ __forceinline__ void step(u32 *state, const imminent_launch &launch, u32 * rows) {"
        ));
        assert!(text.contains("rows[0u] = GROUPS;") && text.contains("#define GROUPS 1u"), "{text}");
        assert!(text.starts_with("\nnamespace k3 {") && text.contains("#undef GROUPS\n"), "{text}");
    }

    #[test]
    fn a_turn_calls_its_kernels_in_order() {
        let parts = [Part { text: PART, entry: "step", calls: 2 }];
        let call = |block, controls| Call { part: 0, block, places: (block + 8, 1), controls };
        let turn = Turn { number: 7, calls: vec![call(0, false), call(10, true)], ends_pass: true };
        let text = text(&parts, &[turn], 20);
        let lines = [
            "case 7u: {",
            "\nk0::step(state, *(const k0::imminent_launch *)&arguments.w[0], (u32 *)*(const u64 *)&arguments.w[8]);",
            "\nif (threadIdx.x < 32u) k0::step(state, *(const k0::imminent_launch *)&arguments.w[10], ",
            "passes -= 1ull;",
        ];
        let places: Vec<_> = lines.iter().map(|line| text.find(line)).collect();
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?} in {text}");
        assert!(text.contains("static __device__ __noinline__ void step"), "{text}");
    }
}
