//! Errors and warnings with the lines of the files.

use super::error::{Notice, Problem, RuleFileError, RuleFileWarning};
use super::source::Sources;
use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::term;

impl Notice {
    /// Names the file and the line.
    pub(super) fn locate(self, sources: &Sources) -> RuleFileWarning {
        let (file, range) = sources.locate(&self.span);
        let (file, line) = sources.name_and_line(file, range.start);
        RuleFileWarning { file, line, message: self.message }
    }
}

impl Problem {
    /// Renders the error with the lines of the files.
    pub(super) fn render(self, sources: &Sources) -> RuleFileError {
        let (file, range) = sources.locate(&self.span);
        let files = sources.files();
        let (name, line) = sources.name_and_line(file, range.start);
        if sources.is_elsewhere(&self.span) {
            return RuleFileError::Elsewhere { file: name, line };
        }
        let label = Label::primary(file, range).with_message(self.label);
        let diagnostic =
            Diagnostic::error().with_message(&self.message).with_labels(vec![label]).with_notes(self.notes);
        let rendered = term::emit_into_string(&term::Config::default(), files, &diagnostic);
        let rendered = rendered.unwrap_or_else(|_| format!("{name}:{line}: {}", self.message));
        RuleFileError::At { file: name, line, message: self.message, rendered: rendered.trim_end().to_owned() }
    }
}
