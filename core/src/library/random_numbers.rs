//! Random numbers: PCG32 streams and variates in integers.

/// Random numbers for kernels: [`Pcg32`](random::Pcg32) streams, uniform and exponential variates, all in integers, so
/// every backend draws the same.
#[crate::kernels]
pub mod random {
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

        /// Draws an exponential variate of mean 1 in fixed point with 27 fraction bits, from one word: see
        /// [`exponential_q27`].
        pub fn exponential_q27(&mut self) -> u32 {
            exponential_q27(self.next_u32())
        }
    }

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
        let fraction = (odd << shift) as u32;
        let offset = (fraction & 0x07ff_ffff) as i64 - 0x0400_0000;
        let t = (offset * INVERSE_CENTRE[(fraction >> 27) as usize] as i64) >> 32;
        let t2 = (t * t) >> 32;
        let t3 = (t2 * t) >> 32;
        let t4 = (t3 * t) >> 32;
        let ln = LN_CENTRE[(fraction >> 27) as usize] as i64 + t - (t2 >> 1) + ((t3 * 0x5555_5555) >> 32) - (t4 >> 2);
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
}
