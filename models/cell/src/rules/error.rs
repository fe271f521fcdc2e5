//! Errors of rule files, with the place marked.

use imminent_common::input::InputError;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

/// Bytes of the expanded text of a rule file.
pub(super) type Span = Range<usize>;

/// Reasons why a rule file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleFileError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The text is wrong at a place.
    #[error("{rendered}")]
    At {
        /// File in which the place is.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// Description of the fault.
        message: String,
        /// The message with the line and the place marked.
        rendered: String,
    },
    /// The text of a file outside the model's folder is wrong. It is not shown, because the model's author may not be
    /// allowed to read what the user is.
    #[error(
        "{file}, line {line}: a rule file has something else here; copy the file into the model's folder to see the line, which is not shown of files elsewhere"
    )]
    Elsewhere {
        /// File, as the model names it.
        file: String,
        /// Line, counted from 1.
        line: usize,
    },
}

/// Something in a rule file that is passed over, as CD++ does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFileWarning {
    /// File in which it is.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Description.
    pub message: String,
}

impl fmt::Display for RuleFileWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}: {}", self.file, self.line, self.message)
    }
}

/// A warning at a place. Its message quotes no file, since the file may be one that is not shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) span: Span,
    pub(super) message: String,
}

/// Part of a rule file that was read, or the problem with it.
pub(super) type Built<T> = Result<T, Problem>;

/// A fault in a rule file, its place, and its remedies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) span: Span,
    pub(super) message: String,
    /// Text at the marked place.
    pub(super) label: String,
    /// Remedies.
    pub(super) notes: Vec<String>,
}

impl Problem {
    pub(super) fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Problem { span, message: message.into(), label: label.into(), notes: Vec::new() }
    }

    pub(super) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}
