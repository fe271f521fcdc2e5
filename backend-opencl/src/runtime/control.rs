//! Kernel that passes the turn on: it counts, looks for faults, and evaluates the tests.

use super::source::{launch, own_source, parameter, state};
use crate::device::Context;
use imminent_device::replay::{BLOCK_HEAD, HEAD_WORDS, TEST_WORDS};
use imminent_lowering::c::{CSource, ParameterRole};

const TEXT: &str = include_str!("control.cl");

/// Returns the kernel for tests that read `buffers` buffers.
pub(super) fn source(context: &Context, buffers: u32, tests: u32) -> CSource {
    let (code, words) = text(buffers, tests);
    let mut parameters = vec![state(), launch()];
    parameters.extend((0..buffers).map(|n| parameter(&format!("values{n}"), ParameterRole::Input, false)));
    own_source("control", code, parameters, words, context.lowering.workgroup_size)
}

fn text(buffers: u32, tests: u32) -> (String, u32) {
    let words = BLOCK_HEAD.saturating_add(TEST_WORDS.saturating_mul(tests));
    let parameters: String = (0..buffers).map(|n| format!(", __global const uint *values{n}")).collect();
    let cases: String = (0..buffers).map(|n| format!("case {n}: values = values{n}; break;\n            ")).collect();
    let code = TEXT
        .replace("/* parameters */", &parameters)
        .replace("/* cases */\n", &format!("{cases}default: break;\n"))
        .replace("LAUNCH_WORDS", &words.to_string())
        .replace("FIRST_SLOT", &HEAD_WORDS.to_string());
    (code, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_declares_and_selects_every_buffer() {
        let (code, words) = text(2, 3);
        assert_eq!(words, 32);
        for part in ["uint w[32]", "__global const uint *values1)", "case 1: values = values1;", "state[64 + slot]"] {
            assert!(code.contains(part), "{part}:\n{code}");
        }
        let (code, _) = text(0, 0);
        assert!(code.contains("imminent_launch launch)") && !code.contains("/*"), "{code}");
    }
}
