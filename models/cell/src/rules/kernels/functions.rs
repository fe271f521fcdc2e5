//! Elementary functions of reals that change.

/// Exponentials, logarithms and circular functions.
///
/// Each has the operations of FreeBSD's msun in their order, as the package `libm` has them. A device that rounds as
/// IEEE 754 requires therefore gives the same bits as `libm` does on a host. Errors are below one unit in the last
/// place.
#[allow(clippy::excessive_precision)] // Constants stand as in msun.
#[imminent_core::kernels]
pub mod elementary {
    /// High word of 2^20 times pi/2, 1,647,099.3: arguments of circular functions are smaller in absolute value.
    const END_OF_CIRCLES: u32 = 0x4139_21fb;
    /// High part of the natural logarithm of 2.
    const LN2_HIGH: f64 = 6.93147180369123816490e-01;
    /// Low part of the natural logarithm of 2.
    const LN2_LOW: f64 = 1.90821492927058770002e-10;

    /// Argument of a circular function, less a multiple of pi/2.
    struct Reduced {
        /// The multiple.
        quarters: i32,
        /// Rest, rounded.
        high: f64,
        /// Part of the rest that rounding lost.
        low: f64,
    }

    /// Returns the upper half of the bits of a number without its sign.
    fn high_word(x: f64) -> u32 {
        (x.to_bits() >> 32) as u32 & 0x7fff_ffff
    }

    /// Multiplies a number near 1 with a power of 2.
    fn scaled(x: f64, exponent: i32) -> f64 {
        let mut power = exponent;
        let mut value = x;
        if power > 1023 {
            value *= f64::from_bits(0x7fe0_0000_0000_0000);
            power -= 1023;
        }
        if power < -1022 {
            // 2^-969, so that a subnormal result is rounded once.
            value *= f64::from_bits(54u64 << 52);
            power += 969;
        }
        value * f64::from_bits(((1023 + power) as u64) << 52)
    }

    /// Returns e to the power of a number.
    pub fn exp(argument: f64) -> f64 {
        let mut x = argument;
        if x.is_nan() {
            return x;
        }
        if x > 709.782712893383973096 {
            return f64::INFINITY;
        }
        if x < -745.13321910194110842 {
            return 0.0;
        }
        let word = high_word(x);
        let mut k = 0i32;
        let mut high = x;
        let mut low = 0.0f64;
        if word > 0x3fd6_2e42 {
            if word >= 0x3ff0_a2b2 {
                let half = if x < 0.0 { -0.5 } else { 0.5 };
                k = (std::f64::consts::LOG2_E * x + half) as i32;
            } else {
                k = if x < 0.0 { -1 } else { 1 };
            }
            high = x - k as f64 * LN2_HIGH;
            low = k as f64 * LN2_LOW;
            x = high - low;
        } else if word <= 0x3e30_0000 {
            return 1.0 + x;
        }
        let square = x * x;
        let c = x - square
            * (1.66666666666666019037e-01
                + square
                    * (-2.77777777770155933842e-03
                        + square
                            * (6.61375632143793436117e-05
                                + square * (-1.65339022054652515390e-06 + square * 4.13813679705723846039e-08))));
        let y = 1.0 + (x * c / (2.0 - c) - low + high);
        if k == 0 { y } else { scaled(y, k) }
    }

    /// Mantissa of a number between sqrt(1/2) and sqrt(2), less 1, and the exponent of 2 beside it.
    struct Split {
        f: f64,
        k: i32,
    }

    /// Splits a positive number that is not infinite.
    fn split(argument: f64) -> Split {
        let mut x = argument;
        let mut k = 0i32;
        if high_word(x) < 0x0010_0000 {
            k = -54;
            x *= f64::from_bits(0x4350_0000_0000_0000);
        }
        let bits = x.to_bits();
        let word = (bits >> 32) as u32 + (0x3ff0_0000 - 0x3fe6_a09e);
        k += (word >> 20) as i32 - 0x3ff;
        let mantissa = (word & 0x000f_ffff) + 0x3fe6_a09e;
        Split { f: f64::from_bits(((mantissa as u64) << 32) | (bits & 0xffff_ffff)) - 1.0, k }
    }

    /// Returns the series of ln(1 + f) beyond f - f^2/2, by s = f / (2 + f).
    fn series(s: f64) -> f64 {
        let z = s * s;
        let w = z * z;
        let t1 = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
        let t2 = z
            * (6.666666666666735130e-01
                + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
        t2 + t1
    }

    /// Returns the natural logarithm of a number; NaN unless it is positive.
    pub fn ln(x: f64) -> f64 {
        if x.is_nan() || x <= 0.0 {
            return f64::NAN;
        }
        if !x.is_finite() || x == 1.0 {
            return if x == 1.0 { 0.0 } else { x };
        }
        let parts = split(x);
        let f = parts.f;
        let half = 0.5 * f * f;
        let s = f / (2.0 + f);
        let r = series(s);
        let k = parts.k as f64;
        s * (half + r) + k * LN2_LOW - half + f + k * LN2_HIGH
    }

    /// Returns the decimal logarithm of a number; NaN unless it is positive.
    pub fn log10(x: f64) -> f64 {
        if x.is_nan() || x <= 0.0 {
            return f64::NAN;
        }
        if !x.is_finite() || x == 1.0 {
            return if x == 1.0 { 0.0 } else { x };
        }
        let parts = split(x);
        let f = parts.f;
        let half = 0.5 * f * f;
        let s = f / (2.0 + f);
        let r = series(s);
        let high = f64::from_bits((f - half).to_bits() & 0xffff_ffff_0000_0000);
        let low = f - high - half + s * (half + r);
        let by_ln10_high = 4.34294481878168880939e-01;
        let by_ln10_low = 2.50829467116452752298e-11;
        let value = high * by_ln10_high;
        let k = parts.k as f64;
        let y = k * 3.01029995663611771306e-01;
        let rest = k * 3.69423907715893078616e-13 + (low + high) * by_ln10_low + low * by_ln10_high;
        let w = y + value;
        rest + ((y - w) + value) + w
    }

    /// Returns an argument less the nearest multiple of pi/2. It is smaller than [`END_OF_CIRCLES`].
    fn reduced(x: f64) -> Reduced {
        let word = high_word(x);
        let to_int = 6755399441055744.0f64;
        let pio2_1 = 1.57079632673412561417e+00;
        let pio2_1t = 6.07710050650619224932e-11;
        let mut n = x * (2.0 * std::f64::consts::FRAC_1_PI) + to_int - to_int;
        // Near multiples of pi/2 the first part leaves too few bits. Elsewhere below 9 pi/4 it is enough.
        let mut exact = word > 0x401c_463b;
        if word <= 0x400f_6a7a {
            exact = (word & 0x000f_ffff) == 0x0009_21fb;
            if !exact {
                n = (if word <= 0x4002_d97c { 1.0f64 } else { 2.0 }).copysign(x);
            }
        } else if word <= 0x4015_fdbc {
            exact = word == 0x4012_d97c;
            if !exact {
                n = 3.0f64.copysign(x);
            }
        } else if !exact {
            exact = word == 0x4019_21fb;
            if !exact {
                n = 4.0f64.copysign(x);
            }
        }
        let mut rest = x - n * pio2_1;
        let mut w = n * pio2_1t;
        let mut high = rest - w;
        let exponent = (word >> 20) as i32;
        if exact && exponent - ((high.to_bits() >> 52) as i32 & 0x7ff) > 16 {
            let first = rest;
            w = n * 6.07710050630396597660e-11;
            rest = first - w;
            w = n * 2.02226624879595063154e-21 - ((first - rest) - w);
            high = rest - w;
            if exponent - ((high.to_bits() >> 52) as i32 & 0x7ff) > 49 {
                let second = rest;
                w = n * 2.02226624871116645580e-21;
                rest = second - w;
                w = n * 8.47842766036889956997e-32 - ((second - rest) - w);
                high = rest - w;
            }
        }
        Reduced { quarters: n as i32, high, low: (rest - high) - w }
    }

    /// Returns the sine of a number of at most pi/4, with its low part.
    fn sine_near(x: f64, low: f64, whole: bool) -> f64 {
        let z = x * x;
        let w = z * z;
        let r = 8.33333333332248946124e-03
            + z * (-1.98412698298579493134e-04 + z * 2.75573137070700676789e-06)
            + z * w * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10);
        let v = z * x;
        let s1 = -1.66666666666666324348e-01;
        if whole { x + v * (s1 + z * r) } else { x - ((z * (0.5 * low - v * r) - low) - v * s1) }
    }

    /// Returns the cosine of a number of at most pi/4, with its low part.
    fn cosine_near(x: f64, low: f64) -> f64 {
        let z = x * x;
        let w = z * z;
        let r = z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * 2.48015872894767294178e-05))
            + w * w
                * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
        let half = 0.5 * z;
        let whole = 1.0 - half;
        whole + (((1.0 - whole) - half) + (z * r - x * low))
    }

    /// Returns the sine of an angle in radians; NaN from 2^20 times pi/2 on.
    pub fn sine(x: f64) -> f64 {
        let word = high_word(x);
        if word >= END_OF_CIRCLES {
            return f64::NAN;
        }
        if word <= 0x3fe9_21fb {
            return if word < 0x3e50_0000 { x } else { sine_near(x, 0.0, true) };
        }
        let rest = reduced(x);
        let turned = if (rest.quarters & 1) == 0 {
            sine_near(rest.high, rest.low, false)
        } else {
            cosine_near(rest.high, rest.low)
        };
        if (rest.quarters & 2) == 0 { turned } else { 0.0 - turned }
    }

    /// Returns the cosine of an angle in radians; NaN from 2^20 times pi/2 on.
    pub fn cosine(x: f64) -> f64 {
        let word = high_word(x);
        if word >= END_OF_CIRCLES {
            return f64::NAN;
        }
        if word <= 0x3fe9_21fb {
            return if word < 0x3e46_a09e { 1.0 } else { cosine_near(x, 0.0) };
        }
        let rest = reduced(x);
        let turned = if (rest.quarters & 1) == 0 {
            cosine_near(rest.high, rest.low)
        } else {
            sine_near(rest.high, rest.low, false)
        };
        let negative = ((rest.quarters + 1) & 2) != 0;
        if negative { 0.0 - turned } else { turned }
    }

    /// Returns the arc tangent of a number.
    pub fn arctangent(argument: f64) -> f64 {
        let mut x = argument;
        if x.is_nan() {
            return x;
        }
        let word = high_word(x);
        if word >= 0x4410_0000 {
            return std::f64::consts::FRAC_PI_2.copysign(x);
        }
        if word < 0x3e40_0000 {
            return x;
        }
        let mut high = 0.0f64;
        let mut low = 0.0f64;
        let near = word < 0x3fdc_0000;
        if !near {
            x = x.abs();
            if word < 0x3fe6_0000 {
                x = (2.0 * x - 1.0) / (2.0 + x);
                high = 4.63647609000806093515e-01;
                low = 2.26987774529616870924e-17;
            } else if word < 0x3ff3_0000 {
                x = (x - 1.0) / (x + 1.0);
                high = std::f64::consts::FRAC_PI_4;
                low = 3.06161699786838301793e-17;
            } else if word < 0x4003_8000 {
                x = (x - 1.5) / (1.0 + 1.5 * x);
                high = 9.82793723247329054082e-01;
                low = 1.39033110312309984516e-17;
            } else {
                x = -1.0 / x;
                high = std::f64::consts::FRAC_PI_2;
                low = 6.12323399573676603587e-17;
            }
        }
        let z = x * x;
        let w = z * z;
        let s1 = z
            * (3.33333333333329318027e-01
                + w * (1.42857142725034663711e-01
                    + w * (9.09088713343650656196e-02
                        + w * (6.66107313738753120669e-02
                            + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)))));
        let s2 = w
            * (-1.99999999998764832476e-01
                + w * (-1.11111104054623557880e-01
                    + w * (-7.69187620504482999495e-02
                        + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))));
        if near {
            return x - x * (s1 + s2);
        }
        let value = high - (x * (s1 + s2) - low - x);
        value.copysign(argument)
    }
}

#[cfg(test)]
mod tests {
    use super::elementary::{arctangent, cosine, exp, ln, log10, sine};
    use imminent_core::random::Pcg32;

    /// Numbers of all sizes: near multiples of pi/2, near powers of two, and drawn bits.
    fn numbers() -> Vec<f64> {
        let mut random = Pcg32::new(5, 5);
        let drawn: Vec<f64> = (0..200_000).map(|_| f64::from_bits(random.next_u64())).filter(|x| !x.is_nan()).collect();
        let spread = (0..400_000).map(|at| f64::from(at) * 0.01 - 2000.0);
        let quarters = (-3_000..3_000).map(|at| f64::from(at) * std::f64::consts::FRAC_PI_2);
        let close = quarters.flat_map(|x| [x, x * (1.0 + 1e-15), x * (1.0 - 1e-9), x * 1.000_000_6, x * 0.999_999_5]);
        let special = [0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, 2.2e-308, f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
        let subnormal = (0..2_000).map(|at| -708.0 - f64::from(at) * 0.02);
        drawn.into_iter().chain(spread).chain(close).chain(special).chain(subnormal).collect()
    }

    #[test]
    fn functions_have_the_bits_of_libm() {
        type Function = fn(f64) -> f64;
        /// Name, our function, that of `libm`, and where it is defined.
        type Case = (&'static str, Function, Function, fn(f64) -> bool);
        let inside = |x: f64| x.abs() < 1_647_099.0;
        let positive = |x: f64| x > 0.0;
        let any = |_: f64| true;
        let pairs: [Case; 6] = [
            ("exp", exp, libm::exp, any),
            ("ln", ln, libm::log, positive),
            ("log10", log10, libm::log10, positive),
            ("sin", sine, libm::sin, inside),
            ("cos", cosine, libm::cos, inside),
            ("atan", arctangent, libm::atan, any),
        ];
        for (name, ours, theirs, domain) in pairs {
            for x in numbers().into_iter().filter(|&x| domain(x)) {
                let (ours, theirs) = (ours(x) + 0.0, theirs(x) + 0.0);
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{name}({x:e}): {ours:e}, not {theirs:e}");
            }
        }
        assert!(ln(0.0).is_nan() && ln(-1.0).is_nan() && sine(2e6).is_nan() && cosine(f64::INFINITY).is_nan());
    }
}
