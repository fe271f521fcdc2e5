//! Cells by their position, numbers and brackets.

use super::{Parsed, Parser};
use crate::rules::ast::{Expr, Kind};
use crate::rules::error::Problem;
use crate::rules::error::Span;
use crate::rules::single;
use crate::rules::token::{Token, Word};
use crate::space::MAX_DIMENSIONS;

impl Parser<'_> {
    /// A position, if one comes now: `(1,-1)`.
    pub(super) fn position_ahead(&mut self) -> Option<Vec<i32>> {
        let (mut at, mut position) = (self.at, Vec::new());
        let symbol = |at: usize, symbol: &str| matches!(self.tokens.get(at), Some(Token { word: Word::Symbol(found), .. }) if *found == symbol);
        if !symbol(at, "(") {
            return None;
        }
        loop {
            at += 1;
            let negative = symbol(at, "-");
            at += usize::from(negative || symbol(at, "+"));
            let Word::Number(number) = self.tokens.get(at)?.word else { return None };
            if number.fract() != 0.0 || number > f64::from(i32::MAX) {
                return None;
            }
            position.push(if negative { -(number as i32) } else { number as i32 });
            at += 1;
            if symbol(at, ")") {
                break;
            }
            if !symbol(at, ",") {
                return None;
            }
        }
        // A single number in brackets is a number, but for spaces of one dimension, where the neighbours decide.
        if position.len() == 1 && self.names.dimensions != 1 {
            return None;
        }
        self.at = at + 1;
        Some(position)
    }

    pub(super) fn cell(&mut self, position: &[i32], span: Span) -> Parsed<Expr> {
        let shown = position.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        if position.len() != self.names.dimensions {
            let dimensions = self.names.dimensions;
            let message =
                format!("`({shown})` has {} coordinates in a space of {dimensions} dimensions", position.len());
            return Err(Problem::new(span, message, "names no neighbour"));
        }
        let mut offset = [0; MAX_DIMENSIONS];
        for (to, &from) in offset.iter_mut().zip(position) {
            *to = from;
        }
        match self.names.neighbours.iter().position(|neighbour| *neighbour == offset) {
            Some(at) => {
                let port = self.port_if_any()?;
                Ok(Expr::new(Kind::Cell { at: at as u32, port }, span.start..self.before()))
            }
            None => Err(Problem::new(span, format!("`({shown})` is not a neighbour"), "not in the neighbourhood")
                .note("add it to the `neighbors` of the model")),
        }
    }

    pub(super) fn primary(&mut self, wanted: &str) -> Parsed<Expr> {
        let span = self.here();
        if let Some(position) = self.position_ahead() {
            return self.cell(&position, span.start..self.before());
        }
        if self.eat("(") {
            let inner = self.expression()?;
            self.expect(")", "the bracket is still open")?;
            return Ok(inner.at(span.start..self.before()));
        }
        if self.eat("?") {
            return Ok(Expr::new(Kind::Undefined, span));
        }
        if self.eat("$") {
            let variable = self.variable()?;
            return Ok(Expr::new(Kind::Variable(variable), span.start..self.before()));
        }
        match self.peek().map(|token| token.word.clone()) {
            Some(Word::Number(number)) => {
                self.at += 1;
                Ok(Expr::new(Kind::Number(single(number)), span))
            }
            Some(Word::Name(name)) => {
                self.at += 1;
                self.named(&name, span)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }
}
