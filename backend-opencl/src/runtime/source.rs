//! Texts of the runtime, in the form of generated ones.

use imminent_ir::launch::LaunchLayout;
use imminent_lowering::c::{CSource, Parameter, ParameterRole, Requires};

/// Returns a parameter.
pub(super) fn parameter(name: &str, role: ParameterRole, writable: bool) -> Parameter {
    Parameter { name: name.to_owned(), role, writable }
}

/// Returns the parameter of the state buffer.
pub(super) fn state() -> Parameter {
    parameter("state", ParameterRole::State, true)
}

/// Returns the parameter of the launch block.
pub(super) fn launch() -> Parameter {
    parameter("launch", ParameterRole::Launch, false)
}

/// Returns a kernel of the runtime in the form of a generated one.
pub(super) fn own_source(
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
        results: None,
        shared_bytes: 0,
        requires: Requires::default(),
    }
}
