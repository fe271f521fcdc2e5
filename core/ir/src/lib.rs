//! The portable intermediate representation (IR) of Imminent's kernels.
//!
//! `#[kernels]` type-checks a module of ordinary Rust and emits it twice: as native functions and as one
//! [`Module`] of this IR. Backends lower the IR; nothing else of a kernel reaches a device.
//!
//! The IR is a small, structured, fully typed language. Three properties make it easy to lower:
//!
//! * **Expressions are pure.** Calls, and every operation that may raise a fault, stand alone as statements, in the
//!   order in which Rust evaluates them. A backend may therefore evaluate an expression in any order.
//! * **Control flow is structured**: `if`, `loop`, `while`, `for` over an integer range, `break`, `continue`, `return`.
//!   There is no `match`, no label, no block expression: the macro has turned them into these.
//! * **Resources are named statically.** A reference to a row, a table, a lane array, a tally or a parameter block is
//!   always traceable to a kernel parameter. [`flatten`](fn@flatten) specialises functions over them; afterwards every
//!   place names its binding.
//!
//! The meaning of every operation is total and the same on every backend; it is stated beside each operation.

mod expr;
pub mod flatten;
pub mod interpret;
pub mod launch;
mod layout;
mod module;
mod reduction;
mod shape;
mod stmt;
mod types;
mod value;

pub use expr::{Base, BinaryOp, Builtin, Expr, ExprKind, Place, Step, UnaryOp};
pub use flatten::flatten;
pub use layout::{Column, Layout, packed_words, words};
pub use module::{
    Const, DecodeError, Enum, Field, FieldType, Function, Kernel, Local, LocalKind, Module, Param, ParamKind, Site,
    Struct, StructRole, VERSION,
};
pub use reduction::{MAX_RESULTS, Reduce, Reduction, Reductions, ResultBits, Scalars};
pub use shape::{GroupQuery, SCRATCH_BYTES, Shape, Vote};
pub use stmt::{Arg, Block, Stmt, StmtKind, TallyOp, WordOp};
pub use types::{ConstId, EnumId, FaultKind, FunctionId, LocalId, ParamId, Scalar, SiteId, StructId, Type};
pub use value::Value;
