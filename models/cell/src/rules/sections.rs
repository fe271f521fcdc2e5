//! Sections of a rule file and their entries.

use super::error::{Built, Notice, Problem, Span};
use std::collections::HashMap;

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

/// Returns the first entry with a key that a section has to have.
pub(super) fn needed<'a>(section: &'a Section, key: &str) -> Built<&'a Entry> {
    section.first(key).ok_or_else(|| {
        Problem::new(section.span.clone(), format!("`{key}` is missing"), format!("add `{key} : ...` to this section"))
    })
}

/// A key in a line, and the place of its colon.
struct Key {
    start: usize,
    end: usize,
    colon: usize,
}

/// Returns the keys of a line outside of braces, of which `depth` are open before it. As in CD++, one may follow the
/// value of another.
fn keys(line: &str, depth: i64) -> Vec<Key> {
    let (mut found, mut depth, mut at) = (Vec::new(), depth.max(0), 0);
    let bytes = line.as_bytes();
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    while let Some(&byte) = bytes.get(at) {
        let end = at + bytes.iter().skip(at).take_while(|byte| in_word(byte)).count();
        if end == at {
            depth = (depth + i64::from(byte == b'{') - i64::from(byte == b'}')).max(0);
            at += 1;
            continue;
        }
        let colon = end + bytes.iter().skip(end).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_colon = bytes.get(colon) == Some(&b':') && bytes.get(colon + 1) != Some(&b'=');
        let before = line.get(..at).unwrap_or_default();
        // Times have colons too, and so have names of drives: a key later in a line is a word.
        let later = before.ends_with([' ', '\t', '}']) && byte.is_ascii_alphabetic() && end > at + 1;
        // A line that begins with a variable and a colon is an entry of that name.
        let indent = before.trim_end_matches('$');
        let first = indent.trim().is_empty();
        if depth == 0 && is_colon && (later || first) {
            found.push(Key { start: if first { indent.len() } else { at }, end, colon });
        }
        at = end;
    }
    found
}

/// Returns the span of the text between `start` and `end`, without blanks around it.
fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let part = text.get(start..end).unwrap_or_default();
    let from = start + part.len() - part.trim_start().len();
    from..from + part.trim().len()
}

/// Returns the braces that a text opens, less those that it closes.
fn opened(text: &str) -> i64 {
    text.bytes().map(|byte| i64::from(byte == b'{') - i64::from(byte == b'}')).sum()
}

/// Splits the text into sections, and tells what it passes over. An entry goes on until the next key outside of braces,
/// or the next line that begins with `[`. As in CD++, sections of one name are one.
pub(super) fn sections(text: &str) -> Built<(Vec<Section>, Vec<Notice>)> {
    let (mut sections, mut notices): (Vec<Section>, Vec<Notice>) = (Vec::new(), Vec::new());
    let (mut numbers, mut current): (HashMap<String, usize>, usize) = (HashMap::new(), 0);
    let (mut at, mut depth) = (0, 0_i64);
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim();
        if depth <= 0 && content.starts_with('[') {
            let span = trimmed(text, start, at);
            let Some(name) = content.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name)
            else {
                return Err(Problem::new(span, "the name of a section does not end", "add `]`"));
            };
            let name = name.trim().to_lowercase();
            current = *numbers.entry(name.clone()).or_insert(sections.len());
            if current == sections.len() {
                sections.push(Section { name, span, entries: Vec::new() });
            }
            open = false;
            continue;
        }
        let keys = keys(line, depth);
        let before = trimmed(text, start, start + keys.first().map_or(line.len(), |key| key.start));
        if !before.is_empty() {
            let Some(section) = sections.get_mut(current) else {
                let label = "expected `key : value` or `[section]`";
                return Err(Problem::new(before, "a line is no entry", label));
            };
            if let Some(entry) = section.entries.last_mut().filter(|_| open) {
                let from = if entry.value.is_empty() { before.start } else { entry.value.start };
                entry.value = from..before.end;
            } else {
                let message = "a line before the first entry of a section is passed over, as in CD++: an entry is \
                               `key : value`";
                notices.push(Notice { span: before, message: message.to_owned() });
            }
        }
        let ends = keys.iter().skip(1).map(|key| key.start).chain([line.len()]);
        for (key, end) in keys.iter().zip(ends) {
            let key_span = start + key.start..start + key.end;
            let Some(section) = sections.get_mut(current) else {
                let message = "an entry stands before the first section";
                return Err(
                    Problem::new(key_span, message, "belongs to no section").note("begin the file with `[top]`")
                );
            };
            let value = trimmed(text, start + key.colon + 1, start + end);
            let key = line.get(key.start..key.end).unwrap_or_default().to_lowercase();
            section.entries.push(Entry { key, key_span, value });
            open = true;
        }
        let (base, rest) = keys.last().map_or((depth, 0), |key| (0, key.colon));
        depth = base + opened(line.get(rest..).unwrap_or_default());
    }
    Ok((sections, notices))
}
