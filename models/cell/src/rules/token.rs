//! Words of the rule language, with their places.

use super::error::Problem;
use super::error::Span;
use winnow::LocatingSlice;
use winnow::ascii::{digit0, digit1, multispace0};
use winnow::combinator::{alt, eof, not, opt, preceded, repeat_till};
use winnow::prelude::*;
use winnow::token::{one_of, take_while};

/// A word of the language.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Number(f64),
    /// A name in lower case: case does not matter.
    Name(String),
    Symbol(&'static str),
}

/// A word and its place in the expanded text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) span: Span,
}

type Input<'a> = LocatingSlice<&'a str>;

fn number(input: &mut Input<'_>) -> winnow::Result<Word> {
    let whole = (digit1, opt(('.', not('.'), digit0))).void();
    let fraction = ('.', digit1).void();
    let text = alt((whole, fraction)).take().parse_next(input)?;
    // The shape of the text is that of a number.
    Ok(Word::Number(text.parse().unwrap_or(f64::NAN)))
}

fn name(input: &mut Input<'_>) -> winnow::Result<Word> {
    let first = one_of(|c: char| c.is_alphabetic() || c == '_');
    let rest = take_while(0.., |c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    (first, rest).take().map(|text: &str| Word::Name(text.trim_end_matches('-').to_lowercase())).parse_next(input)
}

fn symbol(input: &mut Input<'_>) -> winnow::Result<Word> {
    // A zone of three dots and more is one of two in CD++, which looks for two dots and then for the next bracket.
    let dots = take_while(2.., '.').value("..");
    let long = alt(("!=", "<=", ">=", ":=", dots));
    let short = alt(("(", ")", "{", "}", ",", "+", "-", "*", "/"));
    let other = one_of(['=', '<', '>', '?', '[', ']', ';', '!', '~', '$', '@', ':']).take();
    alt((long, short, other)).map(|text: &str| Word::Symbol(known(text))).parse_next(input)
}

/// Returns the same text with static lifetime.
fn known(text: &str) -> &'static str {
    const ALL: [&str; 26] = [
        "!=", "<=", ">=", ":=", "..", "(", ")", "{", "}", ",", "+", "-", "*", "/", "=", "<", ">", "?", "[", "]", ";",
        "!", "~", "$", "@", ":",
    ];
    ALL.iter().find(|symbol| **symbol == text).copied().unwrap_or("")
}

/// Splits a text that begins at `start` into words. If `dashes` is `true`, a dash may stand between letters of a name,
/// as in `fire-rule`.
pub(super) fn tokens(text: &str, start: usize, dashes: bool) -> Result<Vec<Token>, Problem> {
    let words = |input: &mut Input<'_>| -> winnow::Result<(Vec<(Word, Span)>, ())> {
        let word = preceded(multispace0, alt((number, if dashes { name } else { plain_name }, symbol)).with_span());
        repeat_till(0.., word, (multispace0, eof).void()).parse_next(input)
    };
    let mut words = words;
    match words.parse(LocatingSlice::new(text)) {
        Ok((words, ())) => Ok(words
            .into_iter()
            .map(|(word, span)| Token { word, span: start + span.start..start + span.end })
            .collect()),
        Err(error) => {
            let rest = text.get(error.offset()..).unwrap_or_default();
            let blank = rest.len() - rest.trim_start().len();
            let at = start + error.offset() + blank;
            let character = rest.trim_start().chars().next().unwrap_or(' ');
            let span = at..at + character.len_utf8();
            Err(Problem::new(span, format!("`{character}` has no meaning here"), "not part of the language"))
        }
    }
}

fn plain_name(input: &mut Input<'_>) -> winnow::Result<Word> {
    let first = one_of(|c: char| c.is_alphabetic() || c == '_');
    let rest = take_while(0.., |c: char| c.is_alphanumeric() || c == '_');
    (first, rest).take().map(|text: &str| Word::Name(text.to_lowercase())).parse_next(input)
}
