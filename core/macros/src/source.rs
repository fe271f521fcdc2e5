//! Positions in the user's source.

use proc_macro2::Span;

/// A position as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) file: String,
    /// Line, 1-based.
    pub(crate) line: u32,
    /// Column, 1-based.
    pub(crate) column: u32,
}

/// Returns the start of a token.
pub(crate) fn position(span: Span) -> Position {
    let start = span.start();
    Position { file: span.file(), line: start.line as u32, column: start.column as u32 + 1 }
}
