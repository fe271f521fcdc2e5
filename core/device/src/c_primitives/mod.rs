//! Primitives in C: CUDA C++ and OpenCL C from one text, and the plan of their launches.
//!
//! [`plan()`] turns a [`Primitive`](imminent_core::backend::Primitive) into steps: kernels with their launch blocks and
//! columns, in order. A backend compiles the texts ([`Kernel::text`]), reports the number of resident groups of a
//! kernel, binds and launches. The texts lie in `text/`: `cuda.h` and `opencl.h` hold the differences between the
//! dialects, everything else is written once.
//!
//! Every kernel has the same parameters: `state`, `launch` ([`BLOCK_WORDS`] words by value), in OpenCL the buffers of
//! four columns (in CUDA their addresses stand in the launch block), `scratch` with any contents, and `counters`.
//! Counters are 0 before the first launch, and every launch resets them for the next. Like all kernels of a runtime
//! these do nothing unless it is their turn.

mod dialect;
mod kernel;
mod plan;
mod source;

pub use dialect::Dialect;
pub use kernel::{Fold, Kernel, LOCAL_BYTES, MoveKind, SortStep, THREADS};
pub use plan::{BLOCK_WORDS, COUNTERS_WORD, ColumnLocation, Machine, Plan, Step, plan, supports};
