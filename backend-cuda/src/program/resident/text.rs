//! Text of a loop that is one launch: the kernels of its operations as functions, and the order of their calls.

use std::fmt::Write as _;

const KERNEL: &str = "extern \"C\" __global__ void __launch_bounds__(";

/// Threads of a block.
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

/// Steps that blocks make by themselves.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    /// Turn of the steps.
    pub(super) turn: u32,
    pub(super) calls: Vec<Call>,
    pub(super) tests: Vec<Test>,
}

/// Test of a word after a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    /// Word of the arguments at which the word's address lies. Its constant lies [behind](CONSTANT) it.
    at: usize,
    comparison: &'static str,
}

/// Words from the address of a test to its constant, as [`Control::block`](imminent_device::replay::Control::block) has
/// them, and words at which the type and the comparison lie.
const CONSTANT: usize = 5;
const TYPE: usize = 3;
const COMPARISON: usize = 4;

impl Test {
    /// Returns a test whose words lie from `at` on among the arguments; `None` for one of other values than words.
    pub(super) fn new(words: &[u32], at: usize) -> Option<Test> {
        let comparison = *["==", "!=", "<", "<=", ">", ">="].get(*words.get(COMPARISON)? as usize)?;
        (*words.get(TYPE)? == 0).then_some(Test { at, comparison })
    }
}

/// Blocks of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    One,
    Several,
}

/// Returns the text of a loop of one block, whose launch has `words` words of arguments.
pub(super) fn text(parts: &[Part<'_>], turns: &[Turn], words: usize) -> String {
    let mut text = begin(parts, Blocks::One, words, "passes");
    text.push_str(
        "__shared__ u32 turn;\n\
         for (;;) {\n\
         if (threadIdx.x == 0u) { turn = *(volatile u32 *)state; }\n\
         __syncthreads();\n\
         switch (turn) {\n",
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

/// Returns the text of a loop whose blocks make their steps by themselves. The value that a test looks at may be that
/// of another block: all threads of a block take what one of them has seen.
pub(super) fn text_in_groups(parts: &[Part<'_>], steps: &Steps, words: usize) -> String {
    let mut text = begin(parts, Blocks::Several, words, "steps");
    let _ = writeln!(
        text,
        "__shared__ bool ends;\nif (*(volatile u32 *)state != {}u) {{ return; }}\nfor (; steps != 0ull; --steps) {{",
        steps.turn
    );
    for one in &steps.calls {
        call(&mut text, parts, one);
    }
    let value = |at: usize| format!("*(volatile u32 *)*(const u64 *)&arguments.w[{at}]");
    let holds = |test: &Test| format!("{} {} arguments.w[{}]", value(test.at), test.comparison, test.at + CONSTANT);
    let tests: Vec<String> = steps.tests.iter().map(holds).collect();
    let _ = write!(
        text,
        "if (threadIdx.x == 0u) {{ ends = {}; }}\n__syncthreads();\nif (ends) {{ return; }}\n}}\n}}\n",
        if tests.is_empty() { "false".to_owned() } else { tests.join(" || ") }
    );
    text
}

/// Returns the functions of the parts, and the beginning of the kernel up to its body.
fn begin(parts: &[Part<'_>], blocks: Blocks, words: usize, count: &str) -> String {
    let mut text = "typedef unsigned int u32;\ntypedef unsigned long long u64;\n".to_owned();
    for (number, part) in parts.iter().enumerate() {
        function(&mut text, number, part, blocks);
    }
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\nstruct imminent_arguments {{ __align__(8) u32 w[{words}]; }};\n\
         {KERNEL}{THREADS}) {ENTRY}(u32 *state, const __grid_constant__ imminent_arguments arguments, u64 {count}) {{\n"
    );
    text
}

/// Writes the functions of a kernel's text, in a name space of their own. Macros know none, so they end with it.
fn function(text: &mut String, number: usize, part: &Part<'_>, blocks: Blocks) {
    let placed = |text: &str| match blocks {
        // Numbers of the block and of all blocks.
        Blocks::One => text.replace("blockIdx.x", "0u").replace("gridDim.x", "1u"),
        Blocks::Several => text.to_owned(),
    };
    // What is called several times is not copied to each place.
    let qualifiers =
        if part.calls > 1 { "static __device__ __noinline__" } else { "static __device__ __forceinline__" };
    let _ = writeln!(text, "\nnamespace k{number} {{");
    let mut rest = part.text;
    while let Some(at) = rest.find(KERNEL) {
        text.push_str(&placed(&rest[..at]));
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
    text.push_str(&placed(rest));
    text.push_str("\n}\n");
    for name in part.text.lines().filter_map(|line| line.trim_start().strip_prefix("#define ")) {
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        let _ = writeln!(text, "#undef {}", &name[..end]);
    }
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
        function(&mut text, 3, &Part { text: PART, entry: "step", calls: 1 }, Blocks::One);
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

    #[test]
    fn blocks_make_their_steps_until_a_test_holds() {
        let words = [[0, 0, 0, 0, 5, 7, 0, 0], [0, 0, 0, 2, 5, 7, 0, 0]];
        assert!(Test::new(&words[1], 0).is_none(), "a test of a value of two words");
        let parts = [Part { text: PART, entry: "step", calls: 1 }];
        let calls = vec![Call { part: 0, block: 0, places: (8, 1), controls: false }];
        let steps = Steps { turn: 3, calls, tests: vec![Test::new(&words[0], 10).unwrap()] };
        let text = text_in_groups(&parts, &steps, 20);
        let lines = [
            "rows[blockIdx.x] = GROUPS;",
            "if (*(volatile u32 *)state != 3u) { return; }",
            "\nk0::step(state, *(const k0::imminent_launch *)&arguments.w[0], (u32 *)*(const u64 *)&arguments.w[8]);",
            "ends = *(volatile u32 *)*(const u64 *)&arguments.w[10] >= arguments.w[15];",
        ];
        let places: Vec<_> = lines.iter().map(|line| text.find(line)).collect();
        assert!(places.is_sorted() && places.iter().all(Option::is_some), "{places:?} in {text}");
    }
}
