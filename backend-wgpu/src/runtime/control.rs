//! Shader at the end of a step: it counts, checks for faults, evaluates the tests, and sets whose turn is next.

use super::source::{binding, own_source};
use imminent_device::replay::{BLOCK_HEAD, HEAD_WORDS, TEST_WORDS};
use imminent_lowering::wgsl::{BufferRole, WgslSource};

const TEXT: &str = include_str!("control.wgsl");

/// Returns the shader for a number of buffers and tests.
pub(super) fn source(buffers: u32, tests: u32) -> WgslSource {
    let mut declarations = String::new();
    let mut cases = String::new();
    let mut bindings =
        vec![binding(0, "state", BufferRole::State, true), binding(1, "launch", BufferRole::Launch, false)];
    for number in 0..buffers {
        let (at, name) = (number + 2, format!("values{number}"));
        declarations.push_str(&format!("@group(0) @binding({at}) var<storage, read> {name}: array<u32>;\n"));
        cases.push_str(&format!("        case {number}u: {{ return {name}[at]; }}\n"));
        bindings.push(binding(at, &name, BufferRole::Input, false));
    }
    let code = TEXT
        .replace("/* declarations */\n", &declarations)
        .replace("        /* cases */\n", &cases)
        .replace("FIRST_SLOT", &format!("{HEAD_WORDS}u"));
    own_source(code, bindings, BLOCK_HEAD + TEST_WORDS * tests)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    #[test]
    fn the_shader_is_valid_for_any_number_of_buffers() {
        for buffers in [0, 1, 7] {
            let source = super::source(buffers, 2);
            let module = naga::front::wgsl::parse_str(&source.code).unwrap();
            Validator::new(ValidationFlags::all(), Capabilities::default()).validate(&module).unwrap();
            assert_eq!(source.bindings.len() as u32, buffers + 2);
        }
    }
}
