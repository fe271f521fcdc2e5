//! Texts of the runtime, in the form of generated ones.

use imminent_ir::launch::LaunchLayout;
use imminent_lowering::wgsl::{BufferBinding, BufferRole, Requires, WgslSource};

/// Declarations of the state buffer and the launch block.
pub(super) const HEAD: &str = "\
@group(0) @binding(0) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> launch: array<u32>;
";

/// Returns a binding.
pub(super) fn binding(binding: u32, name: &str, role: BufferRole, writable: bool) -> BufferBinding {
    BufferBinding { binding, name: name.to_owned(), role, writable }
}

/// Wraps a shader of the runtime like a generated one.
pub(super) fn own_source(code: String, bindings: Vec<BufferBinding>, words: u32) -> WgslSource {
    WgslSource {
        code,
        entry: "main",
        workgroup_size: 256,
        line_map: Vec::new(),
        bindings,
        launch: LaunchLayout { words, headers: Vec::new(), params: Vec::new() },
        shared: Vec::new(),
        results: None,
        shared_bytes: 0,
        requires: Requires::default(),
    }
}
