//! Expressions of operators, from the weakest to the strongest.

use super::{DEEPEST, Parsed, Parser};
use crate::rules::ast::{Binary, Compare, Expr, Kind, Logic, Unary};
use crate::rules::error::Problem;
use crate::rules::token::{Token, Word};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Problem::new(self.here(), "the expression is nested too deeply", format!("level {DEEPEST}")));
        }
        let mut left = self.negation()?;
        while let Some(logic) = self.logic() {
            let left_condition = self.condition(left)?;
            let right = self.negation()?;
            let right = self.condition(right)?;
            let span = left_condition.span.start..right.span.end;
            left = self.made(Kind::Logic(logic, Box::new(left_condition), Box::new(right)), span)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    pub(super) fn logic(&mut self) -> Option<Logic> {
        let Some(Token { word: Word::Name(name), .. }) = self.peek() else { return None };
        let logic = match name.as_str() {
            "and" => Logic::And,
            "or" => Logic::Or,
            "xor" => Logic::Xor,
            "imp" => Logic::Implies,
            "eqv" => Logic::Equivalent,
            _ => return None,
        };
        self.at += 1;
        Some(logic)
    }

    pub(super) fn negation(&mut self) -> Parsed<Expr> {
        let start = self.here().start;
        if matches!(self.peek(), Some(Token { word: Word::Name(name), .. }) if name == "not") {
            self.at += 1;
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(Problem::new(
                    self.here(),
                    "the expression is nested too deeply",
                    format!("level {DEEPEST}"),
                ));
            }
            let inner = self.negation()?;
            self.depth -= 1;
            let inner = self.condition(inner)?;
            let span = start..inner.span.end;
            return self.made(Kind::Not(Box::new(inner)), span);
        }
        self.comparison()
    }

    pub(super) fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        let Some(Token { word: Word::Symbol(symbol), .. }) = self.peek() else { return Ok(left) };
        let compare = match *symbol {
            "=" => Compare::Equal,
            "!=" => Compare::Differs,
            "<" => Compare::Less,
            "<=" => Compare::AtMost,
            ">" => Compare::Greater,
            ">=" => Compare::AtLeast,
            _ => return Ok(left),
        };
        self.at += 1;
        let left = self.number(left)?;
        let right = self.sum()?;
        let right = self.number(right)?;
        let span = left.span.start..right.span.end;
        self.made(Kind::Compare(compare, Box::new(left), Box::new(right)), span)
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let binary = match () {
                () if self.eat("+") => Binary::Add,
                () if self.eat("-") => Binary::Subtract,
                () => return Ok(left),
            };
            let right = self.product()?;
            left = self.binary(binary, left, right)?;
        }
    }

    pub(super) fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.unary("a number or a condition")?;
        loop {
            let binary = match () {
                () if self.eat("*") => Binary::Multiply,
                () if self.eat("/") => Binary::Divide,
                () => return Ok(left),
            };
            let right = self.unary("a number")?;
            left = self.binary(binary, left, right)?;
        }
    }

    pub(super) fn binary(&self, binary: Binary, left: Expr, right: Expr) -> Parsed<Expr> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let span = left.span.start..right.span.end;
        self.made(Kind::Binary(binary, Box::new(left), Box::new(right)), span)
    }

    pub(super) fn unary(&mut self, wanted: &str) -> Parsed<Expr> {
        let start = self.here().start;
        if !self.eat("-") {
            return self.primary(wanted);
        }
        let inner = self.primary("a number")?;
        let inner = self.number(inner)?;
        let span = start..inner.span.end;
        let kind = match inner.kind {
            Kind::Number(number) => Kind::Number(-number),
            _ => Kind::Unary(Unary::Negate, Box::new(inner)),
        };
        self.made(kind, span)
    }
}
