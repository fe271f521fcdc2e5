//! Files of single lines (initial values, maps and events), and lists of words.

use super::error::Span;
use super::source::{Sources, text_of};

/// Returns the span of a part of the text at `span`, without blanks around it.
pub(super) fn part(sources: &Sources, span: &Span, from: usize, to: usize) -> Span {
    let text = text_of(sources, &(span.start + from..span.start + to));
    let start = span.start + from + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// Returns the words of a text and where they stand.
pub(super) fn words(sources: &Sources, span: &Span) -> Vec<Span> {
    let text = text_of(sources, span);
    let place = |word: &str| {
        let start = span.start + (word.as_ptr() as usize - text.as_ptr() as usize);
        start..start + word.len()
    };
    text.split_whitespace().map(place).collect()
}

/// Splits a file into lines with their spans, without comments, blanks and empty lines.
pub(super) fn lines(sources: &Sources, file: &Span) -> Vec<Span> {
    let mut at = 0;
    let text = text_of(sources, file);
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        let end = line.find('%').unwrap_or(line.len());
        let span = part(sources, file, at, at + end);
        at += line.len();
        if !span.is_empty() {
            found.push(span);
        }
    }
    found
}
