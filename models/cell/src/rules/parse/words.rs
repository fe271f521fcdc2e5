//! Words of a rule, one after another.

use super::{Names, Parsed, Parser};
use crate::rules::error::Problem;
use crate::rules::source::Span;
use crate::rules::token::{Token, Word, tokens};

impl<'a> Parser<'a> {
    pub(super) fn new(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, false)?, at: 0, end: span.end, names, depth: 0 })
    }

    pub(super) fn with_dashes(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, true)?, at: 0, end: span.end, names, depth: 0 })
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token { word: Word::Symbol(found), .. }) if *found == symbol)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let is = self.is(symbol);
        self.at += usize::from(is);
        is
    }

    /// Returns the end of the last word.
    pub(super) fn before(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.span.end)
    }

    pub(super) fn here(&self) -> Span {
        self.peek().map_or(self.end..self.end, |token| token.span.clone())
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Problem {
        let message = match self.peek().map(|token| &token.word) {
            None => "the rule ends too early".to_owned(),
            Some(Word::Number(number)) => format!("unexpected number {number}"),
            Some(Word::Name(name)) => format!("unexpected name `{name}`"),
            Some(Word::Symbol(symbol)) => format!("unexpected `{symbol}`"),
        };
        let problem = Problem::new(self.here(), message, format!("expected {wanted}"));
        match self.peek().map(|token| &token.word) {
            Some(Word::Symbol("~" | "$" | ";" | ":=" | "[")) => problem.note(
                "ports of neighbours, state variables, assignments and tuples of newer CD++ versions are not supported",
            ),
            _ => problem,
        }
    }

    pub(super) fn expect(&mut self, symbol: &str, what: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`: {what}"))) }
    }

    pub(super) fn finish(&self, form: &str) -> Parsed<()> {
        if self.peek().is_none() {
            return Ok(());
        }
        Err(self.unexpected("the end of the rule").note(form))
    }
}
