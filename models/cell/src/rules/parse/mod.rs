//! Parser of rules: words to expressions.
//!
//! As in CD++, `and`, `or`, `xor`, `imp` and `eqv` have one rank and are read from the left; `not` binds more tightly,
//! then comparisons, sums, and products.

mod functions;
mod operators;
mod places;
mod sends;
mod words;

use super::ast::{Expr, Given, Kind, Rule};
use super::error::Problem;
use super::error::Span;
use super::token::Token;
use crate::space::Offset;

/// Expressions nest no deeper than this.
const DEEPEST: usize = 64;

/// Most operations of which each is an operand of the next. The compiler and the evaluation of trees call themselves
/// for each of them, so the bound is one of the stack.
const HIGHEST: u32 = 1024;

/// Names that a rule may use.
pub(in crate::rules) struct Names<'a> {
    pub(in crate::rules) dimensions: usize,
    pub(in crate::rules) neighbours: &'a [Offset],
    /// Ports of neighbours, first `out`.
    pub(in crate::rules) ports: &'a [String],
    /// State variables of the cell.
    pub(in crate::rules) variables: &'a [String],
}

impl Names<'_> {
    /// Returns the names of a text that has positions only.
    pub(in crate::rules) const fn of_positions(dimensions: usize) -> Self {
        Names { dimensions, neighbours: &[], ports: &[], variables: &[] }
    }
}

/// Reads words one after another.
struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
    names: &'a Names<'a>,
    depth: usize,
    /// Place of a `send`.
    leaves: Option<Span>,
}

type Parsed<T> = Result<T, Problem>;

/// Reads the value of a `rule` entry.
pub(in crate::rules) fn rule(text: &str, span: &Span, names: &Names<'_>) -> Parsed<Rule> {
    let mut parser = Parser::new(text, span, names)?;
    let sends = parser.sends()?;
    let assigns = parser.assigns()?;
    let delay = parser.result("a delay")?;
    parser.expect("{", "the condition of the rule, in braces")?;
    let condition = parser.expression()?;
    let condition = parser.condition(condition)?;
    parser.expect("}", "the end of the condition")?;
    parser.finish("a rule is `{value} delay {condition}`")?;
    Ok(Rule { sends, assigns, delay, condition, leaves: parser.leaves })
}

/// Whole numbers in brackets, one for each dimension, anywhere among other words: the text of `neighbors` and `zone`.
pub(in crate::rules) fn positions(text: &str, span: &Span, names: &Names<'_>) -> Parsed<Vec<(Vec<i32>, Span)>> {
    let mut parser = Parser::with_dashes(text, span, names)?;
    let mut positions = Vec::new();
    while parser.peek().is_some() {
        let span = parser.here();
        if !parser.is("(") {
            parser.at += 1;
            continue;
        }
        let Some(position) = parser.position_ahead() else {
            return Err(Problem::new(span, "a position has to be whole numbers", "expected `(row,column)`"));
        };
        positions.push((position, span.start..parser.before()));
    }
    Ok(positions)
}

impl Parser<'_> {
    /// Makes an expression of parts, unless too many are inside one another.
    fn made(&self, kind: Kind, span: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, span);
        if expr.height() <= HIGHEST {
            return Ok(expr);
        }
        let place = expr.span.end..expr.span.end;
        let message = format!("an expression has more than {HIGHEST} operations of which each needs the one before");
        Err(Problem::new(place, message, "one too many")
            .note("put groups of its terms into brackets, or split the rule"))
    }

    /// The value or delay of a rule: a number, or an expression in braces.
    fn result(&mut self, what: &str) -> Parsed<Expr> {
        if self.eat("{") {
            let value = self.expression()?;
            let value = self.number(value)?;
            self.expect("}", &format!("the end of {what}"))?;
            return Ok(value);
        }
        let value = self.unary(&format!("{what}: a number, or an expression in braces"))?;
        self.number(value)
    }

    fn number(&self, expr: Expr) -> Parsed<Expr> {
        if expr.is_condition() {
            let problem = Problem::new(expr.span, "a condition stands where a number is wanted", "true or false");
            return Err(problem.note("`if(condition, number, number)` makes a number of a condition"));
        }
        Ok(expr)
    }

    fn condition(&self, expr: Expr) -> Parsed<Expr> {
        if expr.is_condition() {
            return Ok(expr);
        }
        let problem = Problem::new(expr.span, "a number stands where a condition is wanted", "a number");
        Err(problem.note("compare it with another number; `t` is always true"))
    }
}
