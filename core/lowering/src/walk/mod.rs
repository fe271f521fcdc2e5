//! The walker: from the flattened IR to text, one function after the other, in any dialect.
//!
//! | file | contents |
//! | --- | --- |
//! | `dialect` | the traits by which the walker asks a dialect for its words |
//! | `shared`, `body` | the state of a lowering, and of that of one function |
//! | `function` | a function: its names, its variables, its body |
//! | `stmt`, `checked`, `loops`, `call`, `group`, `operands` | statements |
//! | `expr`, `place` | expressions, and the places that they read |
//! | `code`, `facts`, `writer` | texts of expressions, facts about the IR, lines |
//!
//! A file above imports those below it alone.

mod body;
mod call;
mod checked;
mod code;
mod dialect;
mod expr;
mod facts;
mod function;
mod group;
mod loops;
mod operands;
mod place;
mod shared;
mod stmt;
mod writer;

pub(crate) use body::{FunctionLowering, Mode};
pub(crate) use code::{Code, Level, helper_of, infix};
pub(crate) use dialect::{Contribution, Dialect, Loops, Memory, Operations, Part, Range, Types, Way, WordCode};
pub(crate) use facts::number;
pub(crate) use shared::{CommonOptions, Shared};
pub use writer::LineMapping;
pub(crate) use writer::{Writer, printable};
