//! Functions and constants by their names.

use super::{Parsed, Parser};
use crate::rules::ast::{Binary, Expr, Host, Kind, Random, Test, Unary};
use crate::rules::error::Problem;
use crate::rules::error::Span;
use crate::rules::token::Word;
use std::f64::consts::{E, PI};

impl Parser<'_> {
    pub(super) fn named(&mut self, name: &str, span: Span) -> Parsed<Expr> {
        if let Some(kind) = constant(name) {
            return Ok(Expr::new(kind, span));
        }
        let kind = match name {
            "portvalue" => {
                self.expect("(", "`portValue` names a port")?;
                let Some(Word::Name(port)) = self.peek().map(|token| token.word.clone()) else {
                    return Err(self.unexpected("the name of a port, or `thisPort`"));
                };
                self.at += 1;
                self.expect(")", "`portValue` names one port")?;
                Kind::Input(Some(port).filter(|port| port != "thisport"))
            }
            "send" => {
                self.expect("(", "`send` names a port and a value")?;
                let Some(Word::Name(_)) = self.peek().map(|token| token.word.clone()) else {
                    return Err(self.unexpected("the name of a port"));
                };
                self.at += 1;
                self.expect(",", "`send` has a value after the port")?;
                self.number_argument()?;
                self.expect(")", "`send` has two arguments")?;
                self.sends.get_or_insert(span.clone());
                // What is sent leaves the cell space; the value of the function is 0.
                Kind::Number(0.0)
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
        self.made(kind, span.start..self.before())
    }

    pub(super) fn number_argument(&mut self) -> Parsed<Expr> {
        let argument = self.expression()?;
        self.number(argument)
    }

    pub(super) fn argument(&mut self, name: &str) -> Parsed<Expr> {
        self.expect("(", &format!("`{name}` has one argument"))?;
        let argument = self.number_argument()?;
        self.expect(")", &format!("`{name}` has one argument"))?;
        Ok(argument)
    }

    pub(super) fn two(&mut self, name: &str) -> Parsed<[Expr; 2]> {
        self.expect("(", &format!("`{name}` has two arguments"))?;
        let left = self.number_argument()?;
        self.expect(",", &format!("`{name}` has two arguments"))?;
        let right = self.number_argument()?;
        self.expect(")", &format!("`{name}` has two arguments"))?;
        Ok([left, right])
    }

    pub(super) fn conditional(&mut self, name: &str) -> Parsed<(Expr, Expr)> {
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
    Kind::Count(Box::new(Expr::new(value, 0..0)))
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
