//! Lowering of kernels to text.
//!
//! A flat kernel ([`imminent_ir::flatten`](mod@imminent_ir::flatten)) becomes CUDA C++ or OpenCL C by [`c::lower`], or
//! WGSL by [`wgsl::lower`]. The text is one that people can read: it keeps the Rust names and says which Rust line each
//! statement comes from. Nothing here touches a device: the sources say how a runtime binds, launches and compiles
//! them.
//!
//! One walker goes over the IR, the same for all dialects, and asks a dialect for its words by the traits of
//! `walk::dialect`. So a statement of the IR is lowered in one place, and a dialect's peculiarities lie in its folder:
//!
//! | where | what |
//! | --- | --- |
//! | `walk` | functions, statements, expressions and places; the state that all dialects have |
//! | `names`, `reduction`, [`kept`], [`phases`] | names, reductions, fields kept in variables, barriers |
//! | [`c`] | CUDA C++ and OpenCL C, which differ in qualifiers, atomics and intrinsics alone (`c/dialect.rs`) |
//! | [`wgsl`] | WGSL |
//!
//! In each dialect's folder `statements`, `loops`, `ops`, `types` and `memory` implement the traits, of which `types`
//! and `ops` are where a new type of the IR is written; `entry`, `group_entry`, `rows`, `combine` and `levels` write
//! the entry points, and `assemble` puts the text together.

pub mod c;
mod error;
pub mod kept;
mod names;
pub mod phases;
mod reduction;
mod walk;
pub mod wgsl;

pub use error::LoweringError;
