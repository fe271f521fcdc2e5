//! Kernels of rule files: the interpreter of the rule buffer, and the engines' kernels for it.

mod arguments;
mod arithmetic;
pub mod cells;
mod machine;
mod operations;

pub use arguments::parameters;
pub use arithmetic::numbers;
pub use machine::interpreter;
pub use operations::codes;
