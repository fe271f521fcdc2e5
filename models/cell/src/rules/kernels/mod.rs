//! Kernels of rule files: the interpreter of the rule buffer, and the paper's advance by it.

mod advancing;
mod arithmetic;
mod cells;
mod evaluation;
mod inputs;
mod operations;
mod pending;

pub use advancing::advance;
pub use arithmetic::numbers;
pub use cells::space;
pub use evaluation::interpreter;
pub use inputs::feeds;
pub use operations::codes;
pub use pending::outputs;
