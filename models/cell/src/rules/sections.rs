//! Sections of a rule file and their entries.

use super::error::Problem;
use super::source::Span;

/// A line `key : value`, which may go on over several lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Key in lower case.
    pub(super) key: String,
    pub(super) key_span: Span,
    /// Value, without blanks around it.
    pub(super) value: Span,
}

/// The entries after `[name]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    /// Name in lower case.
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) entries: Vec<Entry>,
}

impl Section {
    pub(super) fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.key == key)
    }

    pub(super) fn first(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// Returns the key at the start of a line, if there is one.
fn key(line: &str) -> Option<(&str, usize)> {
    let trimmed = line.trim_start();
    let length = trimmed.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))?;
    let (key, rest) = trimmed.split_at(length);
    let after = rest.trim_start();
    let colon = line.len() - after.len();
    (!key.is_empty() && after.starts_with(':') && !after.starts_with(":=")).then_some((key, colon))
}

/// Returns the span of the text between `start` and `end`, without blanks around it.
fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let part = text.get(start..end).unwrap_or_default();
    let from = start + part.len() - part.trim_start().len();
    from..from + part.trim().len()
}

/// Splits the text into sections. An entry goes on until the next line that begins with a key, or with `[`, outside of
/// braces.
pub(super) fn sections(text: &str) -> Result<Vec<Section>, Problem> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut at, mut depth) = (0_i64, 0_i64);
    let mut open: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let start = at as usize;
        at += line.len() as i64;
        let content = line.trim();
        let begins = depth <= 0;
        if begins && content.starts_with('[') {
            let span = trimmed(text, start, start + line.len());
            let Some(name) = content.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name)
            else {
                return Err(Problem::new(span, "the name of a section does not end", "add `]`"));
            };
            sections.push(Section { name: name.trim().to_lowercase(), span, entries: Vec::new() });
            open = None;
            continue;
        }
        if let Some((key, colon)) = key(line).filter(|_| begins) {
            let key_span = trimmed(text, start, start + colon);
            let Some(section) = sections.last_mut() else {
                return Err(Problem::new(
                    key_span,
                    "an entry stands before the first section",
                    "belongs to no section",
                )
                .note("begin the file with `[top]`"));
            };
            let value = start + colon + 1;
            section.entries.push(Entry { key: key.to_lowercase(), key_span, value: value..value });
            open = Some(value);
            depth = 0;
        } else if open.is_none() && !content.is_empty() {
            let span = trimmed(text, start, start + line.len());
            return Err(Problem::new(span, "a line is no entry", "expected `key : value` or `[section]`"));
        }
        if let (Some(begin), Some(entry)) = (open, sections.last_mut().and_then(|section| section.entries.last_mut())) {
            entry.value = trimmed(text, begin, start + line.len());
            let counted = line.bytes();
            depth += counted.map(|byte| i64::from(byte == b'{') - i64::from(byte == b'}')).sum::<i64>();
        }
    }
    Ok(sections)
}
