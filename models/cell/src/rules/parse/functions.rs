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
                self.leaves.get_or_insert(span.clone());
                // What is sent leaves the cell space; the value of the function is 0.
                Kind::Number(0.0)
            }
            "cellpos" => Kind::Position(Box::new(self.argument(name)?)),
            "statecount" => {
                self.expect("(", "`statecount` has a value")?;
                let value = Box::new(self.number_argument()?);
                let port = if self.eat(",") { self.port_if_any()? } else { 0 };
                self.expect(")", "`statecount` has a value, and may have a port")?;
                Kind::Count { value, port }
            }
            "randint" => Kind::Random(Random::Integer, vec![self.argument(name)?]),
            "uniform" => {
                let [low, high] = self.two(name)?;
                Kind::Random(Random::Uniform, vec![low, high])
            }
            "normal" => {
                let [mean, deviation] = self.two(name)?;
                Kind::Random(Random::Normal, vec![mean, deviation])
            }
            "exponential" => Kind::Random(Random::Exponential, vec![self.argument(name)?]),
            "poisson" => Kind::Random(Random::Poisson, vec![self.argument(name)?]),
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
                    Kind::Host(host, Box::new(self.argument(name)?))
                } else if DERIVED.contains(&name) {
                    self.derived(name)?
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
        "rydberg" => Kind::Number(10_973_731.534),
        "grav" => Kind::Number(6.672_58e-11),
        "bohr_radius" => Kind::Number(0.529_177_249e-10),
        "bohr_magneton" => Kind::Number(9.274_015_4e-24),
        "boltzmann" => Kind::Number(1.380_658e-23),
        "accel" => Kind::Number(9.806_65),
        "light" => Kind::Number(299_792_458.0),
        "electron_charge" => Kind::Number(1.602_177_33e-19),
        "electron_mass" => Kind::Number(9.109_389_8e-28),
        "proton_mass" => Kind::Number(1.672_623_1e-24),
        "neutron_mass" => Kind::Number(1.674_928_6e-24),
        "planck" => Kind::Number(6.626_075_5e-34),
        "avogadro" => Kind::Number(6.022_136_7e23),
        "amu" => Kind::Number(1.660_540_2e-27),
        "pem" => Kind::Number(1_836.152_701),
        "ideal_gas" => Kind::Number(22.414_10),
        "faraday" => Kind::Number(96_485.309),
        "stefan_boltzmann" => Kind::Number(5.670_51e-8),
        _ => return None,
    })
}

fn count(value: Kind) -> Kind {
    Kind::Count { value: Box::new(Expr::new(value, 0..0)), port: 0 }
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
        "root" => Binary::Root,
        "hip" | "recttopolar_r" => Binary::Hypotenuse,
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

/// Functions that are made of others.
const DERIVED: [&str; 17] = [
    "sec",
    "cosec",
    "cotan",
    "sech",
    "cosech",
    "radtodeg",
    "degtorad",
    "ctok",
    "ktoc",
    "ctof",
    "ftoc",
    "ktof",
    "ftok",
    "logn",
    "recttopolar_angle",
    "polartorect_x",
    "polartorect_y",
];

/// Degrees between the zeros of the scales of Celsius and Kelvin, as CD++ has them.
const KELVIN: f64 = 273.0;

impl Parser<'_> {
    fn derived(&mut self, name: &str) -> Parsed<Kind> {
        let start = self.before();
        let at = |kind, end: usize| Box::new(Expr::new(kind, start..end));
        if matches!(name, "logn" | "recttopolar_angle" | "polartorect_x" | "polartorect_y") {
            let [a, b] = self.two(name)?.map(Box::new);
            let end = self.before();
            return Ok(match name {
                "logn" => {
                    Kind::Binary(Binary::Divide, at(Kind::Host(Host::Ln, a), end), at(Kind::Host(Host::Ln, b), end))
                }
                "recttopolar_angle" => Kind::Host(Host::Atan, at(Kind::Binary(Binary::Divide, b, a), end)),
                "polartorect_x" => Kind::Binary(Binary::Multiply, a, at(Kind::Host(Host::Cos, b), end)),
                _ => Kind::Binary(Binary::Multiply, a, at(Kind::Host(Host::Sin, b), end)),
            });
        }
        let a = Box::new(self.argument(name)?);
        let end = self.before();
        let by = |binary, a, number| Kind::Binary(binary, a, at(Kind::Number(number), end));
        let one_by = |host, a| Kind::Binary(Binary::Divide, at(Kind::Number(1.0), end), at(Kind::Host(host, a), end));
        let fahrenheit =
            |a| by(Binary::Add, at(by(Binary::Divide, at(by(Binary::Multiply, a, 9.0), end), 5.0), end), 32.0);
        let celsius =
            |a| by(Binary::Divide, at(by(Binary::Multiply, at(by(Binary::Subtract, a, 32.0), end), 5.0), end), 9.0);
        Ok(match name {
            "sec" => one_by(Host::Cos, a),
            "cosec" => one_by(Host::Sin, a),
            "cotan" => one_by(Host::Tan, a),
            "sech" => one_by(Host::Cosh, a),
            "cosech" => one_by(Host::Sinh, a),
            "radtodeg" => by(Binary::Divide, at(by(Binary::Multiply, a, 180.0), end), PI),
            "degtorad" => by(Binary::Divide, at(by(Binary::Multiply, a, PI), end), 180.0),
            "ctok" => by(Binary::Add, a, KELVIN),
            "ktoc" => by(Binary::Subtract, a, KELVIN),
            "ctof" => fahrenheit(a),
            "ftoc" => celsius(a),
            "ktof" => fahrenheit(at(by(Binary::Subtract, a, KELVIN), end)),
            _ => by(Binary::Add, at(celsius(a), end), KELVIN),
        })
    }
}
