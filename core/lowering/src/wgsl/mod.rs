//! Lowering kernels to WGSL.
//!
//! [`lower`] turns a flat kernel into one compute shader that people can read: it keeps the Rust names and says which
//! Rust line each statement comes from. [`lower_reduce`] gives the second level of a reduction. Nothing here touches a
//! device; [`WgslSource`] says how a runtime binds and dispatches what it gets.
//!
//! # The shader's interface (group 0)
//!
//! | Binding | Variable | Contents |
//! | --- | --- | --- |
//! | 0 | `state: array<atomic<u32>>` | word 0: whose turn it is, a launch of another turn (launch word 4) does nothing; fault slots |
//! | 1 | `launch: array<u32>` | rows `n`, first fault slot, first group, an extent, the turn, three times 0; the bindings' headers; parameter blocks ([`LaunchLayout`](imminent_ir::launch::LaunchLayout)) |
//! | 2 | `partials: array<u32>` | only where a value is returned: the reduced value of group `g` at word `g * words` |
//! | 3 ... | tables (by segment) and tallies | in the order of the kernel's parameters |
//!
//! With [`WgslOptions::shared`] the tables lie in a few buffers, `tables0` and so on, which stand before the tallies.
//! The launch block ends with the first word of each piece of a table ([`SharedPiece`]).
//!
//! # Dispatch
//!
//! A workgroup handles [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) consecutive rows, whatever its size. Its
//! number is `launch[2] + workgroup_id.y * num_workgroups.x + workgroup_id.x`, so that a runtime may spread many
//! workgroups over two dimensions or several dispatches; groups past the last row do nothing.
//!
//! # Reductions, version 1
//!
//! The values of a group's rows are combined in a fixed tree: for a distance of 128, 64, ... 1, element `i` below the
//! distance becomes `combine(element i, element i + distance)` where the latter is present. Absent elements are
//! skipped, never replaced by an identity. The groups' results are the elements of the next level, until one remains.
//!
//! # Memory safety
//!
//! The text never relies on what a device does past the end of an array: checked places test their indices, places that
//! the compiler proved in range are clamped all the same, row numbers are below the number of rows or are clamped to
//! the zero row, loops end where the Rust loops end. Trusted shader creation is therefore sound.

mod elements;
mod entry;
mod group;
mod library;
mod loops;
mod memory;
mod names;
mod ops;
mod options;
mod queries;
mod reserved;
mod segments;
mod shared;
mod source;
mod state;
mod statements;
mod tally;
mod text;
mod types;

pub use crate::walk::LineMapping;
pub use options::{Int64, WgslOptions};
pub use reserved::is_reserved;
pub use segments::{plan_ragged, plan_segments};
pub use source::{BufferBinding, BufferRole, Requires, SharedPiece, WgslSource};
pub use text::{lower, lower_reduce};
