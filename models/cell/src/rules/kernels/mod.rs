//! Kernels of rule files: the interpreter of the rule buffer, and the paper's advance by it: a launch for each round of
//! outputs, or many rounds in a launch.

mod advancing;
mod arithmetic;
mod batching;
mod cells;
mod changing;
mod evaluation;
mod holding;
mod inputs;
mod operations;
mod pending;

pub use advancing::advance;
pub use arithmetic::numbers;
pub use batching::batch;
pub use cells::space;
pub use changing::change;
pub use evaluation::interpreter;
pub use holding::lanes;
pub use inputs::feeds;
pub use operations::codes;
pub use pending::outputs;
