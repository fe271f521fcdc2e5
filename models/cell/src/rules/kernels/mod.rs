//! Kernels of rule files: the interpreter of the rule buffer, and the engines' kernels for it.

mod arguments;
mod arithmetic;
pub mod cells;
mod functions;
mod machine;
mod operations;

pub use arguments::parameters;
pub use arithmetic::numbers;
pub use functions::elementary;
pub use machine::interpreter;
pub use operations::codes;

/// Returns the modules with kernels, for those who print or compile them.
#[must_use]
pub fn sources() -> Vec<&'static imminent_core::ModuleSource> {
    vec![cells::cells::source()]
}
