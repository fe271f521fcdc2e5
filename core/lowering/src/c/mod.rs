//! Lowering kernels to C: CUDA C++ for NVRTC, and OpenCL C 1.2.
//!
//! [`lower`] turns a flat kernel into one self-contained text that people can read: it keeps the Rust names and says
//! which Rust line each statement comes from. [`lower_reduce`] gives the second level of a reduction. Both dialects
//! come from one lowering; they differ in qualifiers, atomics and intrinsics alone. Nothing here touches a device:
//! [`CSource`] says how a runtime passes arguments and launches what it gets, and [`compiler_options`] how it must be
//! compiled.
//!
//! # The kernel's parameters, in order
//!
//! | Parameter | Type | Contents |
//! | --- | --- | --- |
//! | `state` | `u32 *` | word 0: whose turn it is, a launch of another turn (launch word 4) does nothing; fault slots |
//! | `launch` | `imminent_launch`, by value | [`LaunchLayout`](imminent_ir::launch::LaunchLayout): rows `n` and so on; the bindings' headers; parameter blocks |
//! | `partials` | `u32 *` | only where a value is returned: the reduced value of group `g` at word `g * words` |
//! | `subset_rows`, `subset_count` | `const u32 *` | only over a subset: the rows to be run, and how many they are ([`COptions::subset`]) |
//! | tables and tallies | `u32 *`, or `const u32 *` if only read | in the order of the kernel's parameters |
//!
//! Buffers are aligned to at least 8 bytes, the device is little-endian, and a table's stride is even: scalars of two
//! words are then loaded and stored at once. No two of the buffers overlap, unless neither is written.
//!
//! # Launch
//!
//! A workgroup (block) handles [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) consecutive rows, whatever its
//! size; the grid has one dimension. Groups past the last row do nothing. Of a grouped kernel a workgroup handles one
//! group, with an invocation for each row ([`phases`](crate::phases)).
//!
//! # Ragged tables
//!
//! A text is for tables whose rows all have the same lanes, but for the bindings that [`COptions::ragged`] names: there
//! two words after the fixed ones of a row say where its places in the pool begin and how many they are. No kernel
//! writes them.
//!
//! # Reductions, version 1
//!
//! The values of a group's rows are combined in a fixed tree (`imminent_core::reduce`) in shared memory. The groups'
//! results are the elements of the next level, until one remains.
//!
//! # No undefined behaviour
//!
//! Signed arithmetic is done in unsigned types, shift counts are masked, divisors and float-to-integer casts are
//! tested, places that the compiler proved in range are clamped all the same, row numbers are below the number of rows
//! or are those of the zero row. Expressions have no effects, so their order of evaluation cannot be observed.

mod context;
mod crossing;
mod dialect;
mod entry;
mod group;
mod inlining;
mod library;
mod loops;
mod memory;
mod names;
mod ops;
mod options;
mod reserved;
mod source;
mod stages;
mod state;
mod statements;
mod tally;
mod text;
mod types;

pub use crate::walk::LineMapping;
pub use options::{COptions, Dialect, compiler_options};
pub use source::{CSource, Parameter, ParameterRole, Requires};
pub use text::{lower, lower_reduce};
