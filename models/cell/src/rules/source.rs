//! The text of a rule file with its includes and macros put in, and where each part of it comes from.

use super::error::{Built, Notice, Problem, RuleFileError, RuleFileWarning, Span};
use codespan_reporting::files::{Files as _, SimpleFiles};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// Files that include one another, and macros that use one another, go no deeper.
const DEEPEST: usize = 16;

/// Most bytes of the text that includes and macros make, and of all files together: 64 MiB.
const MAX_TEXT_BYTES: usize = 64 << 20;

/// Most uses of includes and macros, of which some make no text.
const MAX_USES: u32 = 1 << 20;

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
    files: SimpleFiles<String, Rc<str>>,
    /// Files by their number that are outside the model's folder.
    elsewhere: Vec<bool>,
    text: String,
    pieces: Vec<Piece>,
    macros: HashMap<String, Rc<[Stretch]>>,
    /// Bytes of all files.
    read: usize,
    /// Uses of includes and macros.
    uses: u32,
    /// Lines that were passed over.
    warnings: Vec<RuleFileWarning>,
}

/// Returns a part of the expanded text.
pub(super) fn text_of<'a>(sources: &'a Sources, span: &Span) -> &'a str {
    sources.text().get(span.clone()).unwrap_or_default()
}

/// A file that is named in another one.
pub(super) struct Loaded {
    pub(super) text: String,
    /// `true` if it is outside the model's folder, so errors do not show it.
    pub(super) elsewhere: bool,
    /// Name of the file, if it differs from the one that was asked for by the case of letters.
    pub(super) found_as: Option<String>,
}

impl Loaded {
    /// Tells that a file was found under a name in letters of another case.
    pub(super) fn another_case(&self, name: &str) -> Option<String> {
        let found = self.found_as.as_ref()?;
        Some(format!("`{name}` is read from `{found}`, the only file of this name in letters of another case"))
    }
}

/// Reads a file that is named in another one.
pub(super) type Load<'a> = &'a dyn Fn(&str) -> std::io::Result<Loaded>;

impl Sources {
    /// Reads the file that an entry names. A name in letters of another case is a notice.
    pub(super) fn named(&mut self, entry: &Span, load: Load<'_>, notices: &mut Vec<Notice>) -> Built<Span> {
        let name = text_of(self, entry).to_owned();
        let loaded = load(&name)
            .map_err(|error| Problem::new(entry.clone(), format!("cannot read `{name}`: {error}"), "named here"))?;
        let another = loaded.another_case(&name);
        notices.extend(another.map(|message| Notice { span: entry.clone(), message }));
        Ok(self.add(&name, &loaded))
    }

    /// No files yet.
    pub(super) fn empty() -> Self {
        Sources {
            files: SimpleFiles::new(),
            elsewhere: Vec::new(),
            text: String::new(),
            pieces: Vec::new(),
            macros: HashMap::new(),
            read: 0,
            uses: 0,
            warnings: Vec::new(),
        }
    }

    /// Expands the includes and macros of a file.
    pub(super) fn expand(name: &str, text: &str, load: Load<'_>) -> Result<Self, RuleFileError> {
        let mut sources = Sources::empty();
        let file = sources.open(name, text, false);
        match sources.include(file, load, 0) {
            Ok(()) => Ok(sources),
            Err(problem) => Err(problem.render(&sources)),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) const fn files(&self) -> &SimpleFiles<String, Rc<str>> {
        &self.files
    }

    /// Returns what was passed over when includes and macros were put in.
    pub(super) fn warnings(&self) -> &[RuleFileWarning] {
        &self.warnings
    }

    fn warn(&mut self, (file, range): Stretch, message: String) {
        let (file, line) = self.name_and_line(file, range.start);
        self.warnings.push(RuleFileWarning { file, line, message });
    }

    /// Returns the name of a file, and the line of a byte in it.
    pub(super) fn name_and_line(&self, file: usize, at: usize) -> (String, usize) {
        let line = self.files.line_index(file, at).map_or(0, |line| line + 1);
        (self.files.name(file).unwrap_or_default(), line)
    }

    /// Returns `true` if a part of a span is in a file outside the model's folder.
    pub(super) fn is_elsewhere(&self, span: &Span) -> bool {
        let first = self.pieces.partition_point(|piece| piece.at <= span.start).saturating_sub(1);
        let inside = self.pieces.iter().skip(first).take_while(|piece| piece.at < span.end.max(span.start + 1));
        inside.into_iter().any(|piece| self.elsewhere.get(piece.file).copied().unwrap_or(false))
    }

    /// Adds a file that is not part of the text, such as one with initial values.
    pub(super) fn add(&mut self, name: &str, loaded: &Loaded) -> Span {
        let file = self.open(name, &loaded.text, loaded.elsewhere);
        let start = self.text.len();
        self.push(file, 0..loaded.text.len());
        self.text.push('\n');
        start..start + loaded.text.len()
    }

    /// Numbers a file.
    fn open(&mut self, name: &str, text: &str, elsewhere: bool) -> usize {
        self.elsewhere.push(elsewhere);
        self.read += text.len();
        self.files.add(name.to_owned(), text.into())
    }

    /// Counts a use of an include or a macro at a place.
    fn count(&mut self, place: Stretch) -> Result<(), Problem> {
        self.uses += 1;
        let message = if self.uses > MAX_USES {
            format!("includes and macros are used more than {MAX_USES} times")
        } else if self.read > MAX_TEXT_BYTES {
            format!("the model and its includes have more than {} MiB", MAX_TEXT_BYTES >> 20)
        } else if self.text.len() > MAX_TEXT_BYTES {
            format!("macros and includes make a text of more than {} MiB", MAX_TEXT_BYTES >> 20)
        } else {
            return Ok(());
        };
        let note = "do not use macros inside one another so often, or make the model smaller";
        Err(self.problem(place, message, "used once more here").note(note))
    }

    /// Returns the text of a file.
    fn source(&self, file: usize) -> Rc<str> {
        self.files.get(file).map_or_else(|_| "".into(), |file| Rc::clone(file.source()))
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
        let source = self.source(file);
        let Some(text) = source.get(range.clone()) else { return };
        self.pieces.push(Piece { at: self.text.len(), file, from: range.start });
        self.text.push_str(text);
    }

    /// Makes a problem at a place of a file. The file is appended to the text to give the place a span.
    fn problem(&mut self, (file, range): Stretch, message: impl Into<String>, label: impl Into<String>) -> Problem {
        let start = self.text.len();
        self.push(file, range);
        Problem::new(start..self.text.len(), message, label)
    }

    /// Puts in the text of a file. As in CD++, an included file gives its macros only.
    fn include(&mut self, file: usize, load: Load<'_>, depth: usize) -> Result<(), Problem> {
        let text = self.source(file);
        let mut at = 0;
        let (mut notes, mut first_note) = (0, None);
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
                    Some((name, _, body)) => drop(self.macros.insert(name, body.into())),
                    None => {
                        let message = "`#EndMacro` without `#BeginMacro` is passed over, as in CD++";
                        self.warn(place(), message.to_owned());
                    }
                }
            } else if let Some((_, _, body)) = &mut recording {
                body.push((file, start..start + end));
            } else if let Some(name) = directive(trimmed, "#include") {
                if depth == DEEPEST {
                    return Err(self.problem(place(), "files include one another", "included too deeply"));
                }
                self.count(place())?;
                let loaded = match load(name) {
                    Ok(loaded) => loaded,
                    Err(error) => {
                        let message = format!("cannot read `{name}`: {error}");
                        return Err(self.problem(place(), message, "named here"));
                    }
                };
                // What a file elsewhere includes is elsewhere for its author too.
                let hidden = loaded.elsewhere || self.elsewhere.get(file).copied().unwrap_or(false);
                if let Some(message) = loaded.another_case(name) {
                    self.warn(place(), message);
                }
                let included = self.open(name, &loaded.text, hidden);
                self.count(place())?;
                self.include(included, load, depth + 1)?;
            } else if depth > 0 || is_note(trimmed) {
                if !trimmed.is_empty() {
                    notes += 1;
                    first_note.get_or_insert_with(place);
                }
            } else {
                self.line(file, start..start + end, 0)?;
            }
        }
        if let Some(place) = first_note {
            let what = if depth > 0 { "outside of macros" } else { "that begin with `#`" };
            self.warn(place, format!("lines {what} are passed over, as in CD++: {notes}, of which this is the first"));
        }
        match recording {
            Some((_, place, _)) => Err(self.problem(place, "a macro does not end", "add `#EndMacro` after its lines")),
            None => Ok(()),
        }
    }

    /// Puts a line in, with its macros.
    fn line(&mut self, file: usize, range: Range<usize>, depth: usize) -> Result<(), Problem> {
        let source = self.source(file);
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
            self.count(place.clone())?;
            let Some(body) = self.macros.get(&name).cloned() else {
                let message = format!("there is no macro `{name}`");
                let note = "define it before its use by `#BeginMacro(name)`, its lines, and `#EndMacro`";
                return Err(self.problem(place, message, "not defined before this line").note(note));
            };
            if depth == DEEPEST {
                return Err(self.problem(place, "macros use one another", "used too deeply"));
            }
            for (file, range) in body.iter() {
                self.line(*file, range.clone(), depth + 1)?;
            }
            done = found + close + 1;
        }
        self.push(file, range.start + done..range.end);
        self.pieces.push(Piece { at: self.text.len(), file, from: range.end });
        self.text.push('\n');
        Ok(())
    }
}

/// Returns `true` for a line that begins with `#` and is no directive.
fn is_note(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.starts_with('#') && !["#include", "#macro"].iter().any(|directive| lower.starts_with(directive))
}

/// Returns the text in the brackets of a directive, if the line is one.
fn directive<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let head = line.get(..word.len())?;
    let rest = line.get(word.len()..)?.trim_start();
    let inside = rest.strip_prefix('(')?;
    let inside = inside.get(..inside.find(')')?)?;
    head.eq_ignore_ascii_case(word).then(|| inside.trim())
}
