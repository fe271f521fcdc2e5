//! Errors of rule files, with the place marked.

use super::source::{Sources, Span};
use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::Files as _;
use codespan_reporting::term;
use thiserror::Error;

/// Reasons why a rule file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleFileError {
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Read {
        /// File.
        path: String,
        /// Error of the operating system.
        reason: String,
    },
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
}

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

    /// Renders the error with the lines of the files.
    pub(super) fn render(self, sources: &Sources) -> RuleFileError {
        let (file, range) = sources.locate(&self.span);
        let files = sources.files();
        let line = files.line_index(file, range.start).map_or(0, |line| line + 1);
        let label = Label::primary(file, range).with_message(self.label);
        let diagnostic =
            Diagnostic::error().with_message(&self.message).with_labels(vec![label]).with_notes(self.notes);
        let rendered = term::emit_into_string(&term::Config::default(), files, &diagnostic);
        let name = files.name(file).unwrap_or_default();
        let rendered = rendered.unwrap_or_else(|_| format!("{name}:{line}: {}", self.message));
        RuleFileError::At { file: name, line, message: self.message, rendered: rendered.trim_end().to_owned() }
    }
}
