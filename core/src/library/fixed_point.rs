//! Elementary functions in fixed point.

/// Elementary functions in fixed point for kernels: sine, cosine, exponential, logarithm and square root, all in
/// integers, so every backend computes the same bits.
///
/// The end of a name says the format of the result: `q30` has 30 fraction bits. Determinism class: exact.
#[crate::kernels]
pub mod fixed {
    /// Coefficients of `sin(pi/2 s) / s` in powers of `s^2`, of alternating sign, in units of `2^-32`; error `2^-35`.
    const SINE: [u64; 6] = [6_746_518_852, 2_774_394_665, 342_277_127, 20_107_567, 688_288, 14_739];

    /// Coefficients of `2^-f` in powers of `f`, of alternating sign, in units of `2^-63`; relative error `2^-39.7`.
    const POWER: [u64; 9] = [
        0x7fff_ffff_ffaf_c315,
        0x58b9_0bfb_b61b_77dd,
        0x1ebf_bdfa_3522_7781,
        0x071a_c1ff_1329_1ded,
        0x013b_299b_d245_7b8c,
        0x002b_adc4_e120_87c0,
        0x0005_0690_6ac8_fe6e,
        0x0000_7a43_9595_c2b3,
        0x0000_07dc_ce65_0947,
    ];

    /// `1 / ln 2` in units of `2^-63`.
    const LOG2_E: u64 = 13_306_513_097_844_322_492;

    /// `ln(1 + (i + 1/2) / 32)` in units of `2^-32`.
    const LN_CENTRE: [u32; 32] = [
        0x03f81516, 0x0bba2c7b, 0x1341d796, 0x1a926d3a, 0x21aefcfa, 0x289a56da, 0x2f571204, 0x35e7929d, 0x3c4e0edc,
        0x428c938a, 0x48a507ef, 0x4e993156, 0x546ab61d, 0x5a1b207a, 0x5fabe0ee, 0x651e5071, 0x6a73b26a, 0x6fad3677,
        0x74cbf9f8, 0x79d10987, 0x7ebd623e, 0x8391f2e1, 0x884f9cf1, 0x8cf735a3, 0x918986be, 0x96074f6a, 0x9a7144ed,
        0x9ec81354, 0xa30c5e11, 0xa73ec08e, 0xab5fceae, 0xaf701549,
    ];

    /// `1 / (1 + (i + 1/2) / 32)` in units of `2^-32`.
    const INVERSE_CENTRE: [u32; 32] = [
        0xfc0fc0fc, 0xf4898d60, 0xed7303b6, 0xe6c2b448, 0xe070381c, 0xda740da7, 0xd4c77b03, 0xcf6474a9, 0xca4587e7,
        0xc565c87b, 0xc0c0c0c1, 0xbc52640c, 0xb81702e0, 0xb40b40b4, 0xb02c0b03, 0xac769184, 0xa8e83f57, 0xa57eb503,
        0xa237c32b, 0x9f1165e7, 0x9c09c09c, 0x991f1a51, 0x964fda6c, 0x939a85c4, 0x90fdbc09, 0x8e78356d, 0x8c08c08c,
        0x89ae408a, 0x8767ab5f, 0x85340853, 0x83126e98, 0x81020408,
    ];

    /// Returns the sine of an angle, in units of `2^-30`. The angle is in units of `2^-32` turns, so it wraps with the
    /// circle.
    ///
    /// The absolute error is below `2^-29.8`. Multiples of a quarter turn are exact, and so are the symmetries of the
    /// sine. Computed by an odd polynomial of degree 11 over a quarter turn.
    ///
    /// ```
    /// use imminent_core::fixed::sine_q30;
    ///
    /// const DEGREE: f64 = 4_294_967_296.0 / 360.0;
    /// assert_eq!(sine_q30(1 << 30), 1 << 30); // a quarter turn
    /// assert_eq!(sine_q30((30.0 * DEGREE) as u32), 1 << 29); // rounded: one half
    /// ```
    pub fn sine_q30(angle: u32) -> i32 {
        let rest = angle & 0x3fff_ffff;
        let quarter = if angle & 0x4000_0000 == 0 { rest } else { 0x4000_0000 - rest };
        let s = quarter as u64;
        let square = (s * s + 0x0800_0000) >> 28;
        let mut sum: u64 = 0;
        for i in (0..6u32).rev() {
            sum = SINE[i as usize] - ((square * sum + 0x8000_0000) >> 32);
        }
        let sine = ((s * sum + 0x8000_0000) >> 32) as i32;
        if angle >> 31 == 0 { sine } else { -sine }
    }

    /// Returns the cosine of an angle, in units of `2^-30`. The angle is in units of `2^-32` turns.
    ///
    /// The absolute error is below `2^-29.8`, as that of [`sine_q30`].
    ///
    /// ```
    /// use imminent_core::fixed::cosine_q30;
    ///
    /// assert_eq!(cosine_q30(0), 1 << 30);
    /// assert_eq!(cosine_q30(1 << 31), -1 << 30); // half a turn
    /// ```
    pub fn cosine_q30(angle: u32) -> i32 {
        sine_q30(angle + 0x4000_0000)
    }

    /// Returns `exp(-x)` in units of `2^-63`, for `x` in units of `2^-32`.
    ///
    /// The relative error is below `2^-39`, with an absolute error of `2^-63` besides. From `exp(-44.4)` on the result
    /// is 0. Suits probabilities that are multiplied or added many times.
    ///
    /// ```
    /// use imminent_core::fixed::exp_negative_q63;
    ///
    /// let survival = exp_negative_q63(3 << 32) as f64 / 2f64.powi(63);
    /// assert!((survival - (-3.0f64).exp()).abs() < 1e-12);
    /// ```
    pub fn exp_negative_q63(x: u64) -> u64 {
        if x >> 38 != 0 {
            return 0;
        }
        // x / ln 2 in units of 2^-57: the whole part is a shift.
        let halvings = mul_high(x << 26, LOG2_E);
        let shift = (halvings >> 57) as u32;
        if shift > 63 { 0 } else { power(halvings << 7) >> shift }
    }

    /// Returns `2^-f` in units of `2^-63`, for `f` in units of `2^-64`.
    fn power(f: u64) -> u64 {
        let mut sum: u64 = 0;
        for i in (0..9u32).rev() {
            sum = POWER[i as usize] - mul_high(f, sum);
        }
        sum
    }

    /// Returns `exp(x)` in units of `2^-32`, for `x` in units of `2^-32`.
    ///
    /// The error is below `2^-32.9` for `x` up to 0, and for greater `x` below `2^-32.9` plus `2^-39` of the result.
    /// From `x = 32 ln 2` (22.18) on the result is `u64::MAX`.
    ///
    /// ```
    /// use imminent_core::fixed::exp_q32;
    ///
    /// const ONE: i64 = 1 << 32;
    /// assert_eq!(exp_q32(0), 1 << 32);
    /// assert_eq!(exp_q32(-30 * ONE), 0);
    /// let e = exp_q32(ONE) as f64 / ONE as f64;
    /// assert!((e - std::f64::consts::E).abs() < 1e-9);
    /// ```
    pub fn exp_q32(x: i64) -> u64 {
        if x <= 0 {
            return (exp_negative_q63((-x) as u64) + 0x4000_0000) >> 31;
        }
        if x >= 23 << 32 {
            return u64::MAX;
        }
        let doublings = mul_high((x as u64) << 26, LOG2_E);
        // 2^y is 2^whole 2^-f with the next greater integer.
        let whole = ((doublings + 0x01ff_ffff_ffff_ffff) >> 57) as u32;
        let mantissa = power((((whole as u64) << 57) - doublings) << 7);
        match whole {
            0..=30 => (mantissa + (0x4000_0000 >> whole)) >> (31 - whole),
            31 => mantissa,
            32 => mantissa << 1,
            _ => u64::MAX,
        }
    }

    /// Returns `ln(1 + f)` in units of `2^-32`, for `f` in units of `2^-32`.
    ///
    /// The absolute error is below `2^-28`. Computed from 32 segments and a polynomial of degree 4.
    ///
    /// ```
    /// use imminent_core::fixed::ln_1p_q32;
    ///
    /// let ln = ln_1p_q32(1 << 31) as f64 / 2f64.powi(32); // ln 1.5
    /// assert!((ln - 1.5f64.ln()).abs() < 2f64.powi(-28));
    /// ```
    pub fn ln_1p_q32(f: u32) -> i64 {
        let offset = (f & 0x07ff_ffff) as i64 - 0x0400_0000;
        let t = (offset * INVERSE_CENTRE[(f >> 27) as usize] as i64) >> 32;
        let t2 = (t * t) >> 32;
        let t3 = (t2 * t) >> 32;
        let t4 = (t3 * t) >> 32;
        LN_CENTRE[(f >> 27) as usize] as i64 + t - (t2 >> 1) + ((t3 * 0x5555_5555) >> 32) - (t4 >> 2)
    }

    /// Returns the square root of an integer, rounded down.
    ///
    /// For `x` in units of `2^-32` the root is in units of `2^-16`.
    ///
    /// ```
    /// use imminent_core::fixed::square_root;
    ///
    /// assert_eq!(square_root(99), 9);
    /// assert_eq!(square_root(2 << 32), 92_681); // 1.41419 in units of 2^-16
    /// ```
    pub fn square_root(x: u64) -> u32 {
        let mut rest = x;
        let mut root: u64 = 0;
        let mut bit: u64 = 1 << 62;
        while bit != 0 {
            if rest >= root + bit {
                rest -= root + bit;
                root = (root >> 1) + bit;
            } else {
                root >>= 1;
            }
            bit >>= 2;
        }
        root as u32
    }
}
