//! Evaluation of expressions as trees: the oracle's reading of the rules, and that of constants.

use super::ast::{Binary, Compare, Expr, Host, Kind, Logic, Random, Test, Unary};
use super::layers::Layers;
use imminent_core::random::Pcg32;

/// Tolerance of equality between reals in CD++.
pub(super) const TOLERANCE: f64 = 1e-8;

/// Largest exponent of `power`, in absolute value.
pub(super) const MAX_POWER: f64 = 1024.0;

/// Value that stands for an undefined one.
pub(super) const UNDEFINED: f64 = f64::NAN;

/// Context of an evaluation beside the expression.
pub(super) struct Scene<'a> {
    /// Values of the neighbours, undefined ones as NaN: those of each layer that the cell sees.
    pub(super) neighbours: &'a [f64],
    pub(super) layers: Layers,
    /// Port by which the cell sends.
    pub(super) port: u32,
    /// State variables.
    pub(super) variables: &'a mut [f64],
    pub(super) position: &'a [u32],
    /// Milliseconds.
    pub(super) time: f64,
    /// Value of the external input; NaN where there is none.
    pub(super) input: f64,
    pub(super) random: &'a mut Pcg32,
}

impl Scene<'_> {
    /// Returns the values of the neighbours at a port.
    fn seen(&self, port: u32) -> &[f64] {
        let seen = self.layers.seen(self.port, port);
        self.neighbours.get(seen.start as usize..seen.end as usize).unwrap_or_default()
    }
}

/// Bound of the arguments of circular functions that change: 2^20 times pi/2.
const END_OF_CIRCLES: f64 = f64::from_bits(0x4139_21fb << 32);

/// Evaluates an elementary function. Of a value that changes some are made of others, as on devices.
fn elementary(host: Host, a: f64, constant: bool) -> f64 {
    use libm::{atan, cos, exp, log, log10, sin};
    let outside = match host {
        Host::Ln | Host::Log => a <= 0.0,
        Host::Sin | Host::Cos | Host::Tan => !constant && a.abs() >= END_OF_CIRCLES,
        _ => false,
    };
    if a.is_nan() || outside {
        return UNDEFINED;
    }
    match host {
        Host::Exp => exp(a),
        Host::Ln => log(a),
        Host::Log => log10(a),
        Host::Sin => sin(a),
        Host::Cos => cos(a),
        Host::Atan => atan(a),
        Host::Tan if constant => libm::tan(a),
        Host::Asin if constant => libm::asin(a),
        Host::Acos if constant => libm::acos(a),
        Host::Sinh if constant => libm::sinh(a),
        Host::Cosh if constant => libm::cosh(a),
        Host::Tanh if constant => libm::tanh(a),
        Host::Tan => sin(a) / cos(a),
        Host::Asin => atan(a / (1.0 - a * a).sqrt()),
        Host::Acos => std::f64::consts::FRAC_PI_2 - atan(a / (1.0 - a * a).sqrt()),
        Host::Sinh => 0.5 * (exp(a) - exp(-a)),
        Host::Cosh => 0.5 * (exp(a) + exp(-a)),
        Host::Tanh => 1.0 - 2.0 / (exp(2.0 * a) + 1.0),
    }
}

/// Equality within the tolerance; `None` if exactly one side is undefined.
pub(super) fn equal(a: f64, b: f64) -> Option<bool> {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Some(true),
        (false, false) => Some(a >= b - TOLERANCE && a <= b + TOLERANCE),
        _ => None,
    }
}

/// Strict order; `None` if exactly one side is undefined.
fn ordered(a: f64, b: f64, less: bool) -> Option<bool> {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => Some(false),
        (false, false) => Some(if less { a < b } else { a > b }),
        _ => None,
    }
}

fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(true) || b == Some(true) { Some(true) } else { Some(a? || b?) }
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    if a == Some(false) || b == Some(false) { Some(false) } else { Some(a? && b?) }
}

/// Computes a power with a whole exponent, by repeated squaring.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if base.is_nan() || base < 0.0 || exponent.is_nan() || exponent.trunc() != exponent || exponent.abs() > MAX_POWER {
        return UNDEFINED;
    }
    let (mut result, mut square, mut left) = (1.0, base, exponent.abs() as u32);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    if exponent < 0.0 { 1.0 / result } else { result }
}

fn is_integer(value: f64) -> bool {
    !value.is_nan() && value - value.floor() <= 0.0
}

fn draw(random: &mut Pcg32) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}

/// A number; NaN where it is undefined.
pub(super) fn number(expr: &Expr, scene: &mut Scene<'_>) -> f64 {
    match &expr.kind {
        Kind::Number(number) => *number,
        Kind::Undefined => UNDEFINED,
        Kind::Cell { at, port } => scene.seen(*port).get(*at as usize).copied().unwrap_or(UNDEFINED),
        Kind::Variable(variable) => scene.variables.get(*variable as usize).copied().unwrap_or(UNDEFINED),
        Kind::Position(dimension) => {
            let dimension = number(dimension, scene);
            let at = if dimension >= 0.0 { dimension as usize } else { usize::MAX };
            scene.position.get(at).map_or(UNDEFINED, |&at| f64::from(at))
        }
        Kind::Time => scene.time,
        Kind::Input(_) => scene.input,
        Kind::Count { value, port } => {
            let value = number(value, scene);
            scene.seen(*port).iter().filter(|&&neighbour| equal(neighbour, value) == Some(true)).count() as f64
        }
        Kind::Unary(unary, a) => {
            let a = number(a, scene);
            match unary {
                Unary::Abs => a.abs(),
                Unary::Sqrt => a.sqrt(),
                Unary::Floor => a.floor(),
                Unary::Ceil => a.ceil(),
                Unary::Round => a.round_ties_even(),
                Unary::Fractional => a - a.trunc(),
                Unary::Sign if a.is_nan() => UNDEFINED,
                Unary::Sign => f64::from(i8::from(a > 0.0) - i8::from(a < 0.0)),
                Unary::Negate => 0.0 - a,
            }
        }
        Kind::Host(host, a) => {
            let value = number(a, scene);
            elementary(*host, value, a.is_constant())
        }
        Kind::Binary(binary, a, b) => {
            let (a, b) = (number(a, scene), number(b, scene));
            if a.is_nan() || b.is_nan() {
                return UNDEFINED;
            }
            match binary {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Multiply => a * b,
                Binary::Divide if equal(b, 0.0) == Some(true) => UNDEFINED,
                Binary::Divide => a / b,
                Binary::Min => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Max => {
                    if a > b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Remainder => {
                    if b == 0.0 {
                        UNDEFINED
                    } else {
                        a % b
                    }
                }
                Binary::Power => power(a, b),
                Binary::Root if a < 0.0 || b == 0.0 => UNDEFINED,
                Binary::Root if a == 0.0 => 0.0,
                Binary::Root => libm::exp(1.0 / b * libm::log(a)),
                Binary::Hypotenuse => (a * a + b * b).sqrt(),
            }
        }
        Kind::Random(random, parts) => {
            let mut parts = parts.iter().map(|part| number(part, scene)).collect::<Vec<_>>().into_iter();
            let (a, b) = (parts.next().unwrap_or(0.0), parts.next().unwrap_or(0.0));
            let random_numbers = &mut *scene.random;
            match random {
                Random::Unit => draw(random_numbers),
                Random::Uniform => a + (b - a) * draw(random_numbers),
                Random::Integer => (draw(random_numbers) * (a + 1.0)).floor(),
                Random::Normal => {
                    let drawn = f64::from(random_numbers.normal_q28()) / f64::from(1 << 28);
                    if b >= 0.0 { a + b * drawn } else { UNDEFINED }
                }
                Random::Exponential => {
                    let drawn = f64::from(random_numbers.exponential_q27()) / f64::from(1 << 27);
                    if a >= 0.0 { a * drawn } else { UNDEFINED }
                }
                Random::Poisson => {
                    let allowed = (0.0..=1e6).contains(&a);
                    let drawn = random_numbers.poisson(if allowed { (a * 4_294_967_296.0) as u64 } else { 0 });
                    if allowed { f64::from(drawn) } else { UNDEFINED }
                }
                Random::Sign => {
                    if draw(random_numbers) < 0.5 {
                        1.0
                    } else {
                        -1.0
                    }
                }
            }
        }
        Kind::If(condition, then, other) => {
            let chosen = if truth(condition, scene) == Some(true) { then } else { other };
            number(chosen, scene)
        }
        Kind::IfUndefined(condition, then, other, undefined) => match truth(condition, scene) {
            Some(true) => number(then, scene),
            Some(false) => number(other, scene),
            None => number(undefined, scene),
        },
        Kind::Truth(_) | Kind::Compare(..) | Kind::Logic(..) | Kind::Not(_) | Kind::Test(..) => UNDEFINED,
    }
}

/// A condition; `None` where it is undefined.
pub(super) fn truth(expr: &Expr, scene: &mut Scene<'_>) -> Option<bool> {
    match &expr.kind {
        Kind::Truth(truth) => Some(*truth),
        Kind::Compare(compare, a, b) => {
            let (a, b) = (number(a, scene), number(b, scene));
            // As in CD++, `!=` is never undefined, and "or equal" counts an undefined equality as false.
            let same = equal(a, b) == Some(true);
            match compare {
                Compare::Equal => equal(a, b),
                Compare::Differs => Some(!same),
                Compare::Less => ordered(a, b, true),
                Compare::AtMost => or(Some(same), ordered(a, b, true)),
                Compare::Greater => ordered(a, b, false),
                Compare::AtLeast => or(Some(same), ordered(a, b, false)),
            }
        }
        Kind::Logic(logic, a, b) => {
            let (a, b) = (truth(a, scene), truth(b, scene));
            match logic {
                Logic::And => and(a, b),
                Logic::Or => or(a, b),
                Logic::Xor => Some(a? != b?),
                Logic::Implies => or(a.map(|a| !a), b),
                Logic::Equivalent => Some(a == b),
            }
        }
        Kind::Not(a) => truth(a, scene).map(|a| !a),
        Kind::Test(test, a) => {
            let a = number(a, scene);
            let even = is_integer(a / 2.0);
            Some(match test {
                Test::Undefined => a.is_nan(),
                Test::Integer => is_integer(a),
                Test::Even => even,
                Test::Odd => is_integer(a) && !even,
            })
        }
        _ => None,
    }
}

/// Evaluates a constant expression.
pub(super) fn constant(expr: &Expr) -> Option<f64> {
    let mut random = Pcg32::new(0, 0);
    let mut scene = Scene {
        neighbours: &[],
        layers: Layers::default(),
        port: 0,
        variables: &mut [],
        position: &[],
        time: 0.0,
        input: UNDEFINED,
        random: &mut random,
    };
    expr.is_constant().then(|| number(expr, &mut scene))
}

/// Converts a rule's delay in milliseconds to whole units of some of them.
pub(super) fn delay(value: f64, unit: u64) -> Option<u32> {
    let units = value.trunc() / unit as f64;
    (value >= 0.0 && units <= f64::from(i32::MAX)).then_some(units as u32)
}
