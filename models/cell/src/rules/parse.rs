//! Parser of rules: words to expressions.
//!
//! As in CD++, `and`, `or`, `xor`, `imp` and `eqv` have one rank and are read from the left; `not` binds more tightly,
//! then comparisons, sums, and products.

use super::ast::{Binary, Compare, Expr, Host, Kind, Logic, Random, Rule, Test, Unary};
use super::error::Problem;
use super::source::Span;
use super::token::{Token, Word, tokens};
use crate::space::{MAX_DIMENSIONS, Offset};
use std::f64::consts::{E, PI};

/// Expressions nest no deeper than this.
const DEEPEST: usize = 64;

/// Names that a rule may use.
pub(super) struct Names<'a> {
    pub(super) dimensions: usize,
    pub(super) neighbours: &'a [Offset],
}

/// Reads words one after another.
pub(super) struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    end: usize,
    names: &'a Names<'a>,
    depth: usize,
}

type Parsed<T> = Result<T, Problem>;

/// Reads the value of a `rule` entry.
pub(super) fn rule(text: &str, span: &Span, names: &Names<'_>) -> Parsed<Rule> {
    let mut parser = Parser::new(text, span, names)?;
    let value = parser.result("a value")?;
    let delay = parser.result("a delay")?;
    parser.expect("{", "the condition of the rule, in braces")?;
    let condition = parser.expression()?;
    let condition = parser.condition(condition)?;
    parser.expect("}", "the end of the condition")?;
    parser.finish("a rule is `{value} delay {condition}`")?;
    Ok(Rule { value, delay, condition })
}

/// Whole numbers in brackets, one for each dimension, anywhere among other words: the text of `neighbors` and `zone`.
pub(super) fn positions(text: &str, span: &Span, names: &Names<'_>) -> Parsed<Vec<(Vec<i32>, Span)>> {
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

impl<'a> Parser<'a> {
    fn new(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, false)?, at: 0, end: span.end, names, depth: 0 })
    }

    fn with_dashes(text: &str, span: &Span, names: &'a Names<'a>) -> Parsed<Self> {
        let part = text.get(span.clone()).unwrap_or_default();
        Ok(Parser { tokens: tokens(part, span.start, true)?, at: 0, end: span.end, names, depth: 0 })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Some(Token { word: Word::Symbol(found), .. }) if *found == symbol)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is = self.is(symbol);
        self.at += usize::from(is);
        is
    }

    /// Where the last word ended.
    fn before(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.span.end)
    }

    fn here(&self) -> Span {
        self.peek().map_or(self.end..self.end, |token| token.span.clone())
    }

    fn unexpected(&self, wanted: &str) -> Problem {
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

    fn expect(&mut self, symbol: &str, what: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`: {what}"))) }
    }

    fn finish(&self, form: &str) -> Parsed<()> {
        if self.peek().is_none() {
            return Ok(());
        }
        Err(self.unexpected("the end of the rule").note(form))
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

    fn expression(&mut self) -> Parsed<Expr> {
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
            left = Expr { kind: Kind::Logic(logic, Box::new(left_condition), Box::new(right)), span };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn logic(&mut self) -> Option<Logic> {
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

    fn negation(&mut self) -> Parsed<Expr> {
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
            return Ok(Expr { span: start..inner.span.end, kind: Kind::Not(Box::new(inner)) });
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed<Expr> {
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
        Ok(Expr { kind: Kind::Compare(compare, Box::new(left), Box::new(right)), span })
    }

    fn sum(&mut self) -> Parsed<Expr> {
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

    fn product(&mut self) -> Parsed<Expr> {
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

    fn binary(&self, binary: Binary, left: Expr, right: Expr) -> Parsed<Expr> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        let span = left.span.start..right.span.end;
        Ok(Expr { kind: Kind::Binary(binary, Box::new(left), Box::new(right)), span })
    }

    fn unary(&mut self, wanted: &str) -> Parsed<Expr> {
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
        Ok(Expr { kind, span })
    }

    /// A position, if one comes now: `(1,-1)`.
    fn position_ahead(&mut self) -> Option<Vec<i32>> {
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

    fn cell(&self, position: &[i32], span: Span) -> Parsed<Expr> {
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
            Some(at) => Ok(Expr { kind: Kind::Cell(at as u32), span }),
            None => Err(Problem::new(span, format!("`({shown})` is not a neighbour"), "not in the neighbourhood")
                .note("add it to the `neighbors` of the model")),
        }
    }

    fn primary(&mut self, wanted: &str) -> Parsed<Expr> {
        let span = self.here();
        if let Some(position) = self.position_ahead() {
            return self.cell(&position, span.start..self.before());
        }
        if self.eat("(") {
            let inner = self.expression()?;
            self.expect(")", "the bracket is still open")?;
            return Ok(Expr { span: span.start..self.before(), ..inner });
        }
        if self.eat("?") {
            return Ok(Expr { kind: Kind::Undefined, span });
        }
        match self.peek().map(|token| token.word.clone()) {
            Some(Word::Number(number)) => {
                self.at += 1;
                Ok(Expr { kind: Kind::Number(number), span })
            }
            Some(Word::Name(name)) => {
                self.at += 1;
                self.named(&name, span)
            }
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Parsed<Expr> {
        if let Some(kind) = constant(name) {
            return Ok(Expr { kind, span });
        }
        let kind = match name {
            "portvalue" => {
                self.expect("(", "`portValue` names a port")?;
                let Some(Token { word: Word::Name(_), .. }) = self.peek() else {
                    return Err(self.unexpected("the name of a port, or `thisPort`"));
                };
                self.at += 1;
                self.expect(")", "`portValue` names one port")?;
                Kind::Input
            }
            "cellpos" => Kind::Position(Box::new(self.argument(name)?)),
            "statecount" => Kind::Count(Box::new(self.argument(name)?)),
            "randint" => Kind::Random(Random::Integer, vec![self.argument(name)?]),
            "uniform" => {
                let [low, high] = self.two(name)?;
                Kind::Random(Random::Uniform, vec![low, high])
            }
            "even" => Kind::Test(Test::Even, Box::new(self.argument(name)?)),
            "odd" => Kind::Test(Test::Odd, Box::new(self.argument(name)?)),
            "isint" => Kind::Test(Test::Integer, Box::new(self.argument(name)?)),
            "isundefined" => Kind::Test(Test::Undefined, Box::new(self.argument(name)?)),
            "if" => {
                let (condition, then) = self.conditional(name)?;
                self.expect(",", "`if` has three arguments")?;
                let other = self.number_argument()?;
                self.expect(")", "`if` has three arguments")?;
                Kind::If(Box::new(condition), Box::new(then), Box::new(other))
            }
            "ifu" => {
                let (condition, then) = self.conditional(name)?;
                self.expect(",", "`ifu` has four arguments")?;
                let other = self.number_argument()?;
                self.expect(",", "`ifu` has four arguments")?;
                let undefined = self.number_argument()?;
                self.expect(")", "`ifu` has four arguments")?;
                Kind::IfUndefined(Box::new(condition), Box::new(then), Box::new(other), Box::new(undefined))
            }
            _ => {
                if let Some(unary) = unary(name) {
                    Kind::Unary(unary, Box::new(self.argument(name)?))
                } else if let Some(binary) = binary(name) {
                    let [left, right] = self.two(name)?;
                    Kind::Binary(binary, Box::new(left), Box::new(right))
                } else if let Some(host) = host(name) {
                    let argument = self.argument(name)?;
                    if !argument.is_constant() {
                        let message = format!("`{name}` of a value that changes has other bits on other devices");
                        return Err(Problem::new(span.start..self.before(), message, "its argument is no constant")
                            .note("give it constants only, or write a polynomial"));
                    }
                    Kind::Host(host, Box::new(argument))
                } else {
                    return Err(Problem::new(
                        span,
                        format!("there is no function or constant `{name}`"),
                        "unknown name",
                    ));
                }
            }
        };
        Ok(Expr { kind, span: span.start..self.before() })
    }

    fn number_argument(&mut self) -> Parsed<Expr> {
        let argument = self.expression()?;
        self.number(argument)
    }

    fn argument(&mut self, name: &str) -> Parsed<Expr> {
        self.expect("(", &format!("`{name}` has one argument"))?;
        let argument = self.number_argument()?;
        self.expect(")", &format!("`{name}` has one argument"))?;
        Ok(argument)
    }

    fn two(&mut self, name: &str) -> Parsed<[Expr; 2]> {
        self.expect("(", &format!("`{name}` has two arguments"))?;
        let left = self.number_argument()?;
        self.expect(",", &format!("`{name}` has two arguments"))?;
        let right = self.number_argument()?;
        self.expect(")", &format!("`{name}` has two arguments"))?;
        Ok([left, right])
    }

    fn conditional(&mut self, name: &str) -> Parsed<(Expr, Expr)> {
        self.expect("(", &format!("`{name}` begins with a condition"))?;
        let condition = self.expression()?;
        let condition = self.condition(condition)?;
        self.expect(",", &format!("`{name}` has a value for a true condition"))?;
        Ok((condition, self.number_argument()?))
    }
}

fn constant(name: &str) -> Option<Kind> {
    Some(match name {
        "t" => Kind::Truth(true),
        "f" => Kind::Truth(false),
        "time" => Kind::Time,
        "random" => Kind::Random(Random::Unit, Vec::new()),
        "randomsign" => Kind::Random(Random::Sign, Vec::new()),
        "truecount" => count(Kind::Number(1.0)),
        "falsecount" => count(Kind::Number(0.0)),
        "undefcount" => count(Kind::Undefined),
        "pi" => Kind::Number(PI),
        "e" => Kind::Number(E),
        "inf" => Kind::Number(f64::INFINITY),
        "golden" => Kind::Number(1.618_033_988_749_895),
        "catalan" => Kind::Number(0.915_965_594_177_219),
        "euler_gamma" => Kind::Number(0.577_215_664_901_532_9),
        _ => return None,
    })
}

fn count(value: Kind) -> Kind {
    Kind::Count(Box::new(Expr { kind: value, span: 0..0 }))
}

fn unary(name: &str) -> Option<Unary> {
    Some(match name {
        "abs" => Unary::Abs,
        "sqrt" => Unary::Sqrt,
        "trunc" => Unary::Floor,
        "truncupper" => Unary::Ceil,
        "round" => Unary::Round,
        "fractional" => Unary::Fractional,
        "sign" => Unary::Sign,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "min" => Binary::Min,
        "max" => Binary::Max,
        "remainder" => Binary::Remainder,
        "power" | "pow" => Binary::Power,
        _ => return None,
    })
}

fn host(name: &str) -> Option<Host> {
    Some(match name {
        "sin" => Host::Sin,
        "cos" => Host::Cos,
        "tan" => Host::Tan,
        "asin" => Host::Asin,
        "acos" => Host::Acos,
        "atan" => Host::Atan,
        "sinh" => Host::Sinh,
        "cosh" => Host::Cosh,
        "tanh" => Host::Tanh,
        "exp" => Host::Exp,
        "ln" => Host::Ln,
        "log" => Host::Log,
        _ => return None,
    })
}
