//! Words of a rule, one after another.

use super::{Names, Parsed, Parser};
use crate::rules::error::Problem;
use crate::rules::error::Span;
use crate::rules::token::{Token, Word, tokens};

impl<'a> Parser<'a> {
    pub(super) fn new(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, false)?, at: 0, end: span.end, names, depth: 0, leaves: None })
    }

    pub(super) fn with_dashes(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, true)?, at: 0, end: span.end, names, depth: 0, leaves: None })
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        #[cfg(test)]
        tests::VISITS.set(tests::VISITS.get() + 1);
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
            Some(Word::Symbol("[" | "!")) => problem.note("tuples of newer CD++ versions are not supported"),
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::rules::Model;
    use std::cell::Cell;

    thread_local! {
        /// Looks at words in this thread.
        pub(super) static VISITS: Cell<u64> = const { Cell::new(0) };
    }

    fn visits(rules: &str) -> f64 {
        VISITS.set(0);
        let space = "dim : (3,3)\ndelay : transport\nborder : wrapped\nneighbors : m(0,0)\nlocaltransition : r";
        let text = format!("[top]\ncomponents : m\n[m]\ntype : cell\n{space}\n[r]\n{rules}\n");
        Model::parse("m.ma", &text, &|_| unreachable!()).unwrap();
        VISITS.get() as f64
    }

    #[test]
    fn the_parser_looks_at_words_in_proportion_to_their_number() {
        let rules = |count: usize| visits(&"rule : { (0,0) + 1 } 10 { (0,0) > 2 and not (0,0) = 5 }\n".repeat(count));
        let terms = |count: usize| {
            let sum = vec!["(0,0)"; count].join(" + ");
            visits(&format!("rule : {{ ({sum}) * max({sum}, 3) }} 10 {{ t }}"))
        };
        let brackets =
            |depth: usize| visits(&format!("rule : {{ {}1{} }} 10 {{ t }}", "(".repeat(depth), ")".repeat(depth)));
        for (once, twice) in [(rules(500), rules(1000)), (terms(400), terms(800)), (brackets(20), brackets(40))] {
            assert!(once > 20.0 && twice < 2.1 * once, "{once} looks, and {twice} for a text twice as long");
        }
    }
}
