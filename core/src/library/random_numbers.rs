//! Random numbers: PCG32 streams and variates in integers.

/// Random numbers for kernels: [`Pcg32`](random::Pcg32) streams, uniform, Bernoulli, exponential, normal and
/// Poisson variates, all in integers, so every backend draws the same.
#[crate::kernels]
pub mod random {
    use crate::fixed::{exp_negative_q63, ln_1p_q32, square_root};

    /// Multiplier of the 64-bit linear congruential generator under PCG32.
    const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

    /// A PCG32 generator (PCG-XSH-RR 64/32): word for word the `Pcg32` of the crate `rand_pcg`.
    ///
    /// Give every entity its own stream; streams differ in their increment and never overlap in step.
    /// Determinism class: exact.
    pub struct Pcg32 {
        /// Position in the sequence.
        pub state: u64,
        /// Number of the sequence; odd.
        pub increment: u64,
    }

    impl Pcg32 {
        /// Creates the generator that starts at `state` of the given stream; the top bit of `stream` is ignored.
        pub fn new(state: u64, stream: u64) -> Pcg32 {
            let increment = (stream << 1) | 1;
            Pcg32 { state: (state + increment) * MULTIPLIER + increment, increment }
        }

        /// Draws the next 32 random bits.
        pub fn next_u32(&mut self) -> u32 {
            let state = self.state;
            self.state = state * MULTIPLIER + self.increment;
            let word = (((state >> 18) ^ state) >> 27) as u32;
            word.rotate_right((state >> 59) as u32)
        }

        /// Draws the next 64 random bits: the low word is drawn first.
        pub fn next_u64(&mut self) -> u64 {
            let low = self.next_u32() as u64;
            let high = self.next_u32() as u64;
            (high << 32) | low
        }

        /// Jumps ahead as if `next_u32` had been called `delta` times, in time proportional to the bits of `delta`.
        pub fn advance(&mut self, delta: u64) {
            let mut left = delta;
            let mut all_multiplied: u64 = 1;
            let mut all_added: u64 = 0;
            let mut multiplier = MULTIPLIER;
            let mut added = self.increment;
            while left > 0 {
                if left & 1 == 1 {
                    all_multiplied *= multiplier;
                    all_added = all_added * multiplier + added;
                }
                added = (multiplier + 1) * added;
                multiplier *= multiplier;
                left >>= 1;
            }
            self.state = all_multiplied * self.state + all_added;
        }

        /// Draws a uniform integer below `bound`, from one word: `floor(word * bound / 2^32)`.
        ///
        /// Each value's probability is within `2^-32` of `1 / bound`; `bound` 0 gives 0.
        pub fn below(&mut self, bound: u32) -> u32 {
            mul_high(self.next_u32(), bound)
        }

        /// Draws a uniform integer from `low` to `high`, both included, from two words.
        ///
        /// Each value's probability is within `2^-64` of the reciprocal of their number. Arithmetic wraps, so signed
        /// bounds are cast: `rng.uniform(low as u64, high as u64) as i64`.
        ///
        /// ```
        /// use imminent_core::random::Pcg32;
        ///
        /// let mut rng = Pcg32::new(1, 2);
        /// let pips = rng.uniform(1, 6);
        /// assert!((1..=6).contains(&pips));
        /// let error = rng.uniform(-3i64 as u64, 3) as i64;
        /// assert!((-3..=3).contains(&error));
        /// ```
        pub fn uniform(&mut self, low: u64, high: u64) -> u64 {
            let word = self.next_u64();
            let range = high - low + 1;
            // The range of all integers has 2^64 of them.
            low + if range == 0 { word } else { mul_high(word, range) }
        }

        /// Draws `true` with probability `probability / 2^32`, from one word.
        ///
        /// ```
        /// use imminent_core::random::Pcg32;
        ///
        /// const ONE_IN_TEN: u32 = u32::MAX / 10;
        /// let mut rng = Pcg32::new(1, 2);
        /// let hits = (0..10_000).filter(|_| rng.bernoulli(ONE_IN_TEN)).count();
        /// assert!((900..1_100).contains(&hits));
        /// ```
        pub fn bernoulli(&mut self, probability: u32) -> bool {
            self.next_u32() < probability
        }

        /// Draws a standard normal variate in fixed point with 28 fraction bits, from one word: see [`normal_q28`].
        ///
        /// ```
        /// use imminent_core::random::Pcg32;
        ///
        /// let mut rng = Pcg32::new(1, 2);
        /// // Mean 170, standard deviation 8.
        /// let height = 170 + ((rng.normal_q28() as i64 * 8 + (1 << 27)) >> 28);
        /// assert!((119..=221).contains(&height));
        /// ```
        pub fn normal_q28(&mut self) -> i32 {
            normal_q28(self.next_u32())
        }

        /// Draws a Poisson variate, from one word: see [`poisson`].
        ///
        /// ```
        /// use imminent_core::random::Pcg32;
        ///
        /// let mut rng = Pcg32::new(1, 2);
        /// let mean = (5 << 32) / 2; // 2.5
        /// let arrivals: u32 = (0..10_000).map(|_| rng.poisson(mean)).sum();
        /// assert!((24_500..25_500).contains(&arrivals));
        /// ```
        pub fn poisson(&mut self, mean_q32: u64) -> u32 {
            poisson(self.next_u32(), mean_q32)
        }

        /// Draws an exponential variate of mean 1 in fixed point with 27 fraction bits, from one word: see
        /// [`exponential_q27`].
        pub fn exponential_q27(&mut self) -> u32 {
            exponential_q27(self.next_u32())
        }
    }

    /// `ln 2` in units of `2^-32`.
    const LN_2: u64 = 2977044472;

    /// Returns `-ln u` for `u = (2 word + 1) / 2^33`, in units of `2^-27`: an exponential variate of mean 1 when `word`
    /// is uniform.
    ///
    /// The absolute error is below `2^-24`, that is, relative to the mean. The largest value is about 22.9. Computed in
    /// integers: `u` is brought to `2^-(k+1) (1 + f)`, and `ln(1 + f)` taken from 32 segments and a polynomial of
    /// degree 4. Determinism class: exact.
    pub fn exponential_q27(word: u32) -> u32 {
        let odd = ((word as u64) << 1) | 1;
        let shift = odd.leading_zeros() - 31;
        let ln = ln_1p_q32((odd << shift) as u32);
        let scaled = (shift as u64 + 1) * LN_2 - ln as u64;
        ((scaled + 16) >> 5) as u32
    }

    /// Scales a variate of mean 1 in units of `2^-27` to a mean in ticks and rounds it; at least one tick.
    ///
    /// `mean` is below `2^32`.
    pub fn scaled_ticks(q27: u32, mean: u64) -> u64 {
        let ticks = (q27 as u64 * mean + 0x0400_0000) >> 27;
        ticks.max(1)
    }

    /// Polynomials of degree 9 for [`normal_q28`], in units of `2^-30`, for four intervals of `-ln(4 u (1 - u))`:
    /// from 0, 2, 5 and 11 on, the last to 21.5. The argument runs from -1 to 1 over the interval.
    const NORMAL: [i64; 40] = [
        1_711_918_299,
        376_334_275,
        6_454_703,
        -3_608_518,
        152_032,
        58_010,
        -6_483,
        -858,
        175,
        9,
        2_646_487_672,
        536_087_705,
        -22_949_708,
        -2_466_547,
        1_218_983,
        -182_182,
        -6_754,
        8_368,
        -1_274,
        -67,
        4_041_395_241,
        803_395_727,
        -69_090_071,
        10_067_782,
        -1_095_897,
        -177_568,
        179_182,
        -73_280,
        18_379,
        -2_027,
        5_878_432_413,
        998_282_793,
        -79_870_432,
        12_554_090,
        -2_437_730,
        522_567,
        -117_495,
        25_962,
        -3_950,
        -73,
    ];

    /// Centres of the intervals of [`NORMAL`], in units of `2^-32`.
    const NORMAL_CENTRE: [i64; 4] = [0x1_0000_0000, 0x3_8000_0000, 0x8_0000_0000, 0x10_4000_0000];

    /// Reciprocals of half the widths of the intervals of [`NORMAL`], in units of `2^-29`.
    const NORMAL_SCALE: [i64; 4] = [536_870_912, 357_913_941, 178_956_971, 102_261_126];

    /// Returns the standard normal quantile of `u = (2 word + 1) / 2^33` in units of `2^-28`: a normal variate when
    /// `word` is uniform.
    ///
    /// The absolute error is below `2^-26`. Values lie within 6.34 of 0, and the quantiles of `u` and `1 - u` differ in
    /// sign alone. Computed as `x P(w)` with `x = 2u - 1` and `w = -ln(1 - x^2)`, by one of four polynomials of degree
    /// 9; the form is that of Giles, "Approximating the erfinv function" (2012). Determinism class: exact.
    ///
    /// ```
    /// use imminent_core::random::normal_q28;
    ///
    /// let upper = normal_q28((0.975 * 2f64.powi(32)) as u32) as f64 / 2f64.powi(28);
    /// assert!((upper - 1.959964).abs() < 1e-6);
    /// ```
    pub fn normal_q28(word: u32) -> i32 {
        let odd = ((word as u64) << 1) | 1;
        // 4 u (1 - u) in units of 2^-64, above 0.
        let product = odd * (0x2_0000_0000 - odd);
        let shift = product.leading_zeros();
        let w = (shift as u64 + 1) * LN_2 - ln_1p_q32(((product << shift) >> 31) as u32) as u64;
        let w = w as i64;
        let interval: u32 = match w >> 32 {
            5..=10 => 2,
            2..=4 => 1,
            i64::MIN..=1 => 0,
            _ => 3,
        };
        let place = ((w - NORMAL_CENTRE[interval as usize]) * NORMAL_SCALE[interval as usize]) >> 32;
        let mut sum: i64 = 0;
        for i in (interval * 10..interval * 10 + 10).rev() {
            sum = NORMAL[i as usize] + ((sum * place) >> 29);
        }
        let x = odd as i64 - 0x1_0000_0000;
        // The sign is set last, so that rounding is the same on both sides.
        let quantile = ((x.abs() * ((sum + 2) >> 2) + 0x8000_0000) >> 32) as i32;
        if x < 0 { -quantile } else { quantile }
    }

    /// Returns the Poisson quantile of `u = (2 word + 1) / 2^33` for a mean in units of `2^-32`: a Poisson variate when
    /// `word` is uniform. The mean is below `2^31`.
    ///
    /// Cumulative probabilities are exact to `2^-32` for means below 16. They are exact to `2^-19` from 16 on, to
    /// `2^-22` from 32 on, to `2^-25` from 64 on and to `2^-28` from 128 on. Means below 16 take as many steps as the
    /// result has units; greater means take a fixed number. Determinism class: exact.
    ///
    /// ```
    /// use imminent_core::random::poisson;
    ///
    /// // Of mean 1, no event has probability 0.3679, one event has as much.
    /// assert_eq!(poisson((0.36 * 2f64.powi(32)) as u32, 1 << 32), 0);
    /// assert_eq!(poisson((0.37 * 2f64.powi(32)) as u32, 1 << 32), 1);
    /// assert_eq!(poisson((0.5 * 2f64.powi(32)) as u32, 1000 << 32), 1000);
    /// ```
    pub fn poisson(word: u32, mean_q32: u64) -> u32 {
        if mean_q32 >> 36 != 0 {
            return poisson_expanded(word, mean_q32);
        }
        // Probabilities in units of 2^-60, one after the other from that of 0 on.
        let mut left = (((word as u64) << 1) | 1) << 27;
        let mut probability = exp_negative_q63(mean_q32) >> 3;
        let mut count: u32 = 0;
        while left >= probability && probability > 0 {
            left -= probability;
            count += 1;
            probability = mul_high(probability << 4, mean_q32 << 28) / count as u64;
        }
        count
    }

    /// Returns the Poisson quantile for means from 16 on, by the expansion of Cornish and Fisher for the inverse of the
    /// incomplete gamma function to the order `1 / mean^2`, as in Giles, "Algorithm 955" (2016).
    fn poisson_expanded(word: u32, mean_q32: u64) -> u32 {
        let w = normal_q28(word) as i64;
        let square = (w * w) >> 28;
        // The root has 32 significant bits, in units of 2^-(16 + shift / 2).
        let shift = mean_q32.leading_zeros() & 62;
        let root = square_root(mean_q32 << shift) as u64;
        let reciprocal = (((1u64 << 63) / root) >> (19 - (shift >> 1))) as i64;
        // Coefficients in units of 2^-30.
        let fourth =
            -673_324 + ((square * (-13_647_968 + ((square * (1_775_367 + ((square * 599_679) >> 28))) >> 28))) >> 28);
        let third = (w * (18_530_884 + ((square * (-3_783_504 + ((square * -1_429_170) >> 28))) >> 28))) >> 28;
        let second = -21_209_715 + ((square * (9_279_250 + ((square * 3_976_822) >> 28))) >> 28);
        let first = (w * (-29_826_162 + ((square * -14_913_081) >> 28))) >> 28;
        let mut correction = third + ((fourth * reciprocal) >> 28);
        correction = second + ((correction * reciprocal) >> 28);
        correction = first + ((correction * reciprocal) >> 28);
        correction = 357_913_941 + ((square * 178_956_971) >> 28) + ((correction * reciprocal) >> 28);
        let quantile = (mean_q32 >> 4) as i64 + ((root as i64 * w) >> (16 + (shift >> 1))) + (correction >> 2);
        (quantile.max(0) >> 28) as u32
    }
}
