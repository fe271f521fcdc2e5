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
//! | `walk` | the order of a text, entry points, functions, statements, expressions, places; the state of all dialects |
//! | `names`, `library`, `reduction`, [`kept`], [`phases`] | names, helper functions, reductions, fields kept in variables, barriers |
//! | [`c`] | CUDA C++ and OpenCL C, which differ in qualifiers, atomics and intrinsics alone (`c/dialect.rs`) |
//! | [`wgsl`] | WGSL |
//!
//! In each dialect's folder `statements`, `loops`, `ops`, `types`, `memory` and `entry` implement the traits, of which
//! `types` and `ops` are where a new type of the IR is written; `text` declares what stands before the functions.

pub mod c;
mod error;
#[cfg(test)]
mod error_texts;
pub mod kept;
mod library;
mod names;
pub mod phases;
mod reduction;
mod walk;
pub mod wgsl;

pub use error::LoweringError;
