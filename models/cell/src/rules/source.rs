//! The text of a rule file with its includes and macros put in, and where each part of it comes from.

use super::error::{Problem, RuleFileError};
use codespan_reporting::files::SimpleFiles;
use std::collections::HashMap;
use std::ops::Range;

/// Bytes of the expanded text.
pub(super) type Span = Range<usize>;

/// Files that include one another, and macros that use one another, go no deeper.
const DEEPEST: usize = 16;

/// A stretch of the expanded text that stands in one file.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    file: usize,
    from: usize,
}

/// A stretch of a file.
type Stretch = (usize, Range<usize>);

/// All files that were read, and the text that they make.
#[derive(Debug)]
pub(super) struct Sources {
    files: SimpleFiles<String, String>,
    text: String,
    pieces: Vec<Piece>,
    macros: HashMap<String, Vec<Stretch>>,
}

/// Reads a file that is named in another one.
pub(super) type Load<'a> = &'a dyn Fn(&str) -> std::io::Result<String>;

impl Sources {
    /// No files yet.
    pub(super) fn empty() -> Self {
        Sources { files: SimpleFiles::new(), text: String::new(), pieces: Vec::new(), macros: HashMap::new() }
    }

    /// Expands the includes and macros of a file.
    pub(super) fn expand(name: &str, text: &str, load: Load<'_>) -> Result<Self, RuleFileError> {
        let mut sources = Sources::empty();
        let file = sources.files.add(name.to_owned(), text.to_owned());
        match sources.include(file, load, 0) {
            Ok(()) => Ok(sources),
            Err(problem) => Err(problem.render(&sources)),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn files(&self) -> &SimpleFiles<String, String> {
        &self.files
    }

    /// Adds a file that is not part of the text, such as one with initial values.
    pub(super) fn add(&mut self, name: &str, text: &str) -> Span {
        let file = self.files.add(name.to_owned(), text.to_owned());
        let start = self.text.len();
        self.push(file, 0..text.len());
        self.text.push('\n');
        start..start + text.len()
    }

    /// Returns the file of a span, and its bytes in that file.
    pub(super) fn locate(&self, span: &Span) -> (usize, Range<usize>) {
        let after = self.pieces.partition_point(|piece| piece.at <= span.start);
        let Some(piece) = after.checked_sub(1).and_then(|at| self.pieces.get(at)) else { return (0, 0..0) };
        let start = piece.from + (span.start - piece.at);
        let end = self.pieces.get(after).map_or(span.end, |next| span.end.min(next.at).max(span.start));
        (piece.file, start..start + end.saturating_sub(span.start))
    }

    fn push(&mut self, file: usize, range: Range<usize>) {
        let Some(text) = self.files.get(file).ok().and_then(|file| file.source().get(range.clone())) else { return };
        self.pieces.push(Piece { at: self.text.len(), file, from: range.start });
        self.text.push_str(text);
    }

    /// Makes a problem at a place of a file. The file is appended to the text to give the place a span.
    fn problem(&mut self, (file, range): Stretch, message: impl Into<String>, label: impl Into<String>) -> Problem {
        let start = self.text.len();
        self.push(file, range);
        Problem::new(start..self.text.len(), message, label)
    }

    fn include(&mut self, file: usize, load: Load<'_>, depth: usize) -> Result<(), Problem> {
        let text = self.files.get(file).map(|file| file.source().clone()).unwrap_or_default();
        let mut at = 0;
        let mut recording: Option<(String, Stretch, Vec<Stretch>)> = None;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let end = line.find('%').unwrap_or_else(|| line.trim_end_matches(['\n', '\r']).len());
            let code = line.get(..end).unwrap_or_default();
            let trimmed = code.trim();
            let place = || {
                let indent = code.len() - code.trim_start().len();
                (file, start + indent..start + indent + trimmed.len())
            };
            if let Some(name) = directive(trimmed, "#beginmacro") {
                recording = Some((name.to_uppercase(), place(), Vec::new()));
            } else if trimmed.to_lowercase().starts_with("#endmacro") {
                match recording.take() {
                    Some((name, _, body)) => drop(self.macros.insert(name, body)),
                    None => return Err(self.problem(place(), "`#EndMacro` without `#BeginMacro`", "ends nothing")),
                }
            } else if let Some((_, _, body)) = &mut recording {
                body.push((file, start..start + end));
            } else if let Some(name) = directive(trimmed, "#include") {
                if depth == DEEPEST {
                    return Err(self.problem(place(), "files include one another", "included too deeply"));
                }
                let text = match load(name) {
                    Ok(text) => text,
                    Err(error) => {
                        let message = format!("cannot read `{name}`: {error}");
                        return Err(self.problem(place(), message, "named here"));
                    }
                };
                let included = self.files.add(name.to_owned(), text);
                self.include(included, load, depth + 1)?;
            } else {
                self.line(file, start..start + end, 0)?;
            }
        }
        match recording {
            Some((_, place, _)) => Err(self.problem(place, "a macro does not end", "add `#EndMacro` after its lines")),
            None => Ok(()),
        }
    }

    /// Puts a line in, with its macros.
    fn line(&mut self, file: usize, range: Range<usize>, depth: usize) -> Result<(), Problem> {
        let source = self.files.get(file).map(|file| file.source().clone()).unwrap_or_default();
        let line = source.get(range.clone()).unwrap_or_default();
        let lower = line.to_ascii_lowercase();
        let mut done = 0;
        while let Some(found) = lower.get(done..).and_then(|rest| rest.find("#macro")).map(|found| done + found) {
            self.push(file, range.start + done..range.start + found);
            let rest = line.get(found..).unwrap_or_default();
            let place = (file, range.start + found..range.end);
            let Some(close) = rest.find(')') else {
                return Err(self.problem(place, "a macro has no name", "write `#macro(name)`"));
            };
            let place = (file, range.start + found..range.start + found + close + 1);
            let name = directive(rest.get(..=close).unwrap_or_default(), "#macro").unwrap_or_default().to_uppercase();
            let Some(body) = self.macros.get(&name).cloned() else {
                let message = format!("there is no macro `{name}`");
                let note = "define it before its use by `#BeginMacro(name)`, its lines, and `#EndMacro`";
                return Err(self.problem(place, message, "not defined before this line").note(note));
            };
            if depth == DEEPEST {
                return Err(self.problem(place, "macros use one another", "used too deeply"));
            }
            for (file, range) in body {
                self.line(file, range, depth + 1)?;
            }
            done = found + close + 1;
        }
        self.push(file, range.start + done..range.end);
        self.pieces.push(Piece { at: self.text.len(), file, from: range.end });
        self.text.push('\n');
        Ok(())
    }
}

/// Returns the text in the brackets of a directive, if the line is one.
fn directive<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let head = line.get(..word.len())?;
    let rest = line.get(word.len()..)?.trim_start();
    let inside = rest.strip_prefix('(')?;
    let inside = inside.get(..inside.find(')')?)?;
    head.eq_ignore_ascii_case(word).then(|| inside.trim())
}
