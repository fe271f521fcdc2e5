//! Operations on numbers, conditions and undefined values.

/// Arithmetic and logic of rules: a condition is 1 or 0, and NaN is undefined.
#[imminent_core::kernels]
pub mod numbers {
    use crate::rules::kernels::codes::*;
    use crate::rules::kernels::elementary::{arctangent, cosine, exp, ln, log10, sine};
    use imminent_core::random::Pcg32;

    /// Tolerance of equality between reals.
    const TOLERANCE: f64 = 1e-8;
    /// Largest exponent of `power`, in absolute value.
    const MAX_POWER: f64 = 1024.0;
    /// Largest mean of the Poisson distribution.
    const MAX_MEAN: f64 = 1e6;

    /// Equality within the tolerance: 1, 0, or NaN if exactly one side is undefined.
    pub fn equal(a: f64, b: f64) -> f64 {
        if a.is_nan() && b.is_nan() {
            return 1.0;
        }
        if a.is_nan() || b.is_nan() {
            return f64::NAN;
        }
        truth(a >= b - TOLERANCE && a <= b + TOLERANCE)
    }

    /// Returns `true` if two values are equal, or both are undefined.
    pub fn same(a: f64, b: f64) -> bool {
        equal(a, b) == 1.0
    }

    /// Returns `true` if a newly computed value equals another, in steps of a quantum if that is above 0.
    pub fn unchanged(quantum: f64, a: f64, b: f64) -> bool {
        if quantum > 0.0 { same((a / quantum).trunc(), (b / quantum).trunc()) } else { same(a, b) }
    }

    fn truth(condition: bool) -> f64 {
        if condition { 1.0 } else { 0.0 }
    }

    fn less(a: f64, b: f64) -> f64 {
        if a.is_nan() && b.is_nan() {
            return 0.0;
        }
        if a.is_nan() || b.is_nan() {
            return f64::NAN;
        }
        truth(a < b)
    }

    /// Returns whether both conditions are true.
    pub fn and(a: f64, b: f64) -> f64 {
        if a == 0.0 || b == 0.0 {
            return 0.0;
        }
        if a.is_nan() || b.is_nan() { f64::NAN } else { 1.0 }
    }

    fn not(a: f64) -> f64 {
        if a.is_nan() { a } else { truth(a == 0.0) }
    }

    fn or(a: f64, b: f64) -> f64 {
        not(and(not(a), not(b)))
    }

    fn power(base: f64, exponent: f64) -> f64 {
        if base.is_nan()
            || base < 0.0
            || exponent.is_nan()
            || exponent.trunc() != exponent
            || exponent.abs() > MAX_POWER
        {
            return f64::NAN;
        }
        let mut result = 1.0f64;
        let mut square = base;
        let mut left = exponent.abs() as u32;
        while left > 0 {
            if left % 2 == 1 {
                result *= square;
            }
            square *= square;
            left /= 2;
        }
        if exponent < 0.0 { 1.0 / result } else { result }
    }

    fn sign(a: f64) -> f64 {
        if a.is_nan() {
            return a;
        }
        if a > 0.0 {
            return 1.0;
        }
        if a < 0.0 { -1.0 } else { 0.0 }
    }

    fn is_integer(a: f64) -> bool {
        !a.is_nan() && a - a.floor() <= 0.0
    }

    /// Draws a number of the normal distribution. The deviation is not negative.
    pub fn normal(random: &mut Pcg32, mean: f64, deviation: f64) -> f64 {
        let drawn = random.normal_q28() as f64 / 268435456.0;
        if deviation >= 0.0 { mean + deviation * drawn } else { f64::NAN }
    }

    /// Draws a number of the exponential distribution. The mean is not negative.
    pub fn exponential(random: &mut Pcg32, mean: f64) -> f64 {
        let drawn = random.exponential_q27() as f64 / 134217728.0;
        if mean >= 0.0 { mean * drawn } else { f64::NAN }
    }

    /// Draws a number of the Poisson distribution. The mean is from 0 to 1,000,000.
    pub fn poisson(random: &mut Pcg32, mean: f64) -> f64 {
        let low = mean >= 0.0;
        let allowed = low && mean <= MAX_MEAN;
        let drawn = random.poisson((if allowed { mean * 4294967296.0 } else { 0.0 }) as u64);
        if allowed { drawn as f64 } else { f64::NAN }
    }

    /// Draws a number from 0 up to 1.
    pub fn draw(random: &mut Pcg32) -> f64 {
        random.next_u32() as f64 / 4294967296.0
    }

    /// Comparisons of two numbers.
    pub fn compare(code: u32, a: f64, b: f64) -> f64 {
        match code {
            EQUAL => equal(a, b),
            DIFFERS => truth(!same(a, b)),
            LESS => less(a, b),
            AT_MOST => or(truth(same(a, b)), less(a, b)),
            GREATER => less(b, a),
            _ => or(truth(same(a, b)), less(b, a)),
        }
    }

    /// Operations of two numbers.
    pub fn two(code: u32, a: f64, b: f64) -> f64 {
        let undefined = a.is_nan() || b.is_nan();
        match code {
            ADD => a + b,
            SUBTRACT => a - b,
            MULTIPLY => a * b,
            DIVIDE => {
                if undefined || same(b, 0.0) {
                    f64::NAN
                } else {
                    a / b
                }
            }
            MIN => {
                if undefined {
                    f64::NAN
                } else if a < b {
                    a
                } else {
                    b
                }
            }
            MAX => {
                if undefined {
                    f64::NAN
                } else if a > b {
                    a
                } else {
                    b
                }
            }
            REMAINDER => {
                if undefined || b == 0.0 {
                    f64::NAN
                } else {
                    a % b
                }
            }
            POWER => power(a, b),
            ROOT => {
                if undefined || a < 0.0 || b == 0.0 {
                    f64::NAN
                } else if a == 0.0 {
                    0.0
                } else {
                    exp(1.0 / b * ln(a))
                }
            }
            HYPOTENUSE => (a * a + b * b).sqrt(),
            EQUAL | DIFFERS | LESS | AT_MOST | GREATER | AT_LEAST => compare(code, a, b),
            AND => and(a, b),
            OR => or(a, b),
            XOR => {
                if undefined {
                    f64::NAN
                } else {
                    truth(a != b)
                }
            }
            IMPLIES => or(not(a), b),
            EQUIVALENT => truth(a == b || (a.is_nan() && b.is_nan())),
            _ => f64::NAN,
        }
    }

    /// Operations of one number.
    pub fn one(code: u32, a: f64) -> f64 {
        match code {
            ABS => a.abs(),
            SQRT => a.sqrt(),
            FLOOR => a.floor(),
            CEIL => a.ceil(),
            ROUND => a.round_ties_even(),
            FRACTIONAL => a - a.trunc(),
            SIGN => sign(a),
            NEGATE => 0.0 - a,
            NOT => not(a),
            IS_UNDEFINED => truth(a.is_nan()),
            IS_INTEGER => truth(is_integer(a)),
            IS_EVEN => truth(is_integer(a / 2.0)),
            IS_ODD => truth(is_integer(a) && !is_integer(a / 2.0)),
            EXP => exp(a),
            LN => ln(a),
            LOG => log10(a),
            SIN => sine(a),
            COS => cosine(a),
            TAN => sine(a) / cosine(a),
            ASIN => arctangent(a / (1.0 - a * a).sqrt()),
            ACOS => std::f64::consts::FRAC_PI_2 - arctangent(a / (1.0 - a * a).sqrt()),
            ATAN => arctangent(a),
            SINH => 0.5 * (exp(a) - exp(0.0 - a)),
            COSH => 0.5 * (exp(a) + exp(0.0 - a)),
            TANH => 1.0 - 2.0 / (exp(2.0 * a) + 1.0),
            _ => f64::NAN,
        }
    }
}
