//! The walker: from the flattened IR to text, one function after the other, in any dialect.
//!
//! | file | contents |
//! | --- | --- |
//! | `assemble` | the order of a text's sections |
//! | `entry` | entry points |
//! | `accesses`, `accessors` | functions that read and write memory |
//! | `dialect` | the traits by which the walker asks a dialect for its words |
//! | `shared`, `body` | the state of a lowering, and of that of one function |
//! | `function` | a function: its names, its variables, its body |
//! | `keeping`, `stmt`, `checked`, `loops`, `call`, `group`, `operands` | statements |
//! | `expr`, `place` | expressions, and the places that they read |
//! | `code`, `facts`, `writer` | texts of expressions, facts about the IR, lines |
//!
//! A file above imports those below it alone.

mod accesses;
pub(crate) mod accessors;
pub(crate) mod assemble;
mod body;
mod call;
mod checked;
mod code;
mod dialect;
mod entry;
mod expr;
mod facts;
mod function;
mod group;
mod keeping;
mod loops;
mod operands;
mod place;
mod shared;
mod stmt;
mod writer;

pub(crate) use accesses::{Access, Accessor, Direction, Storage, WordCode};
pub(crate) use accessors::{Accessors, Signature};
pub(crate) use assemble::{GENERATED, Sections, Text};
pub(crate) use body::{FunctionLowering, Mode};
pub(crate) use code::{Code, Level, helper_of, infix};
pub(crate) use dialect::{Contribution, Dialect, Loops, Memory, Operations, Range, Types};
pub(crate) use entry::{Entry, Interface, Warp, slots};
pub(crate) use facts::{number, returns};
pub(crate) use shared::{CommonOptions, Shared};
pub use writer::LineMapping;
pub(crate) use writer::{Writer, printable};
