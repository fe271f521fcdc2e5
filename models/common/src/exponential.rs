//! The exponential variate in integers: `-ln` of a uniform word, in fixed point.
//!
//! One 32-bit word `x` stands for `u = (2x + 1) / 2^33`, strictly between 0 and 1. The variate is `E`, an approximation
//! of `-ln(u)` in Q27 (units of 2^-27). Its *algorithm*, not its error bound, is the contract: every engine computes
//! the same bits.
//!
//! 1. `v = 2x + 1`, shifted left by `k` so that bit 32 is its highest; `f` is its low 32 bits. Then
//!    `-ln(u) = (k + 1) ln 2 - ln(1 + f / 2^32)`.
//! 2. The top five bits of `f` choose a segment `i` with centre `c = 1 + (i + 1/2) / 32`;
//!    `t = (f - (i + 1/2) 2^27) / c`, by a rounded reciprocal of `c`.
//! 3. `ln(1 + f / 2^32) = ln c + t - t^2/2 + t^3/3 - t^4/4`, each product shifted down arithmetically, in Q32.
//! 4. `E` is the Q32 difference rounded to Q27.
//!
//! The error against the true logarithm is below 2^-24 (measured over all 2^32 words: see the tests); it comes from the
//! last rounding, for the most part.
//!
//! This is the fast host version. The sequential oracle of queueing networks has its own, written independently.

/// `ln 2` in Q32, rounded.
const LN_2: i64 = 2_977_044_472;

/// One third in Q32, rounded down.
const THIRD: i64 = 0x5555_5555;

/// `ln c` in Q32 and `1 / c` in Q32 for the 32 segments, rounded.
const SEGMENTS: [(i64, i64); 32] = segments();

const fn segments() -> [(i64, i64); 32] {
    let mut table = [(0, 0); 32];
    let mut i = 0;
    while i < 32 {
        // The centre is (65 + 2i) / 64.
        let centre = 65 + 2 * i as u128;
        let reciprocal = ((64_u128 << 33) / centre + 1) >> 1;
        table[i] = (ln_of_centre(centre), reciprocal as i64);
        i += 1;
    }
    table
}

/// `ln(centre / 64)` in Q32, rounded: `2 artanh(z)` with `z = (centre - 64) / (centre + 64)`, summed in Q96.
const fn ln_of_centre(centre: u128) -> i64 {
    let (above, below) = (centre - 64, centre + 64);
    let mut power = (above << 96) / below;
    let mut sum = 0_u128;
    let mut odd = 1;
    while power > 0 {
        sum += power / odd;
        // Two divisions keep the product inside 128 bits.
        power = power * above / below;
        power = power * above / below;
        odd += 2;
    }
    ((sum + (1 << 62)) >> 63) as i64
}

/// Returns the exponential variate of mean 1 in Q27 for one random word.
#[inline]
#[must_use]
pub fn exponential(word: u32) -> u32 {
    let v = (u64::from(word) << 1) | 1;
    let k = v.leading_zeros() - 31;
    let f = ((v << k) & 0xFFFF_FFFF) as i64;
    let i = f >> 27;
    let (ln_centre, reciprocal) = SEGMENTS[(i & 31) as usize];
    let d = f - ((i << 27) + (1 << 26));
    let t = (d * reciprocal) >> 32;
    let t2 = (t * t) >> 32;
    let t3 = (t2 * t) >> 32;
    let t4 = (t3 * t) >> 32;
    let ln = ln_centre + t - (t2 >> 1) + ((t3 * THIRD) >> 32) - (t4 >> 2);
    let e = i64::from(k + 1) * LN_2 - ln;
    ((e + 16) >> 5) as u32
}

/// Returns the service time in ticks that a random word gives at a server of mean `mean` ticks: at least one tick.
#[inline]
#[must_use]
pub fn service_ticks(word: u32, mean: u32) -> u64 {
    // At most 2^31.6 * 2^32, so the product fits.
    let product = u64::from(exponential(word)) * u64::from(mean);
    ((product + (1 << 26)) >> 27).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words at which the algorithm changes: powers of two, segment borders, and both ends, each with its
    /// neighbours.
    fn edge_words() -> Vec<u32> {
        let mut words = vec![];
        for shift in 0..32 {
            for segment in 0..=64_u64 {
                let border = (1_u64 << shift) + ((segment << shift) >> 6);
                for around in border.saturating_sub(3)..=border + 3 {
                    words.extend(u32::try_from(around).ok());
                    words.extend(u32::try_from(around.wrapping_neg() & 0xFFFF_FFFF).ok());
                }
            }
        }
        words
    }

    fn error(word: u32) -> f64 {
        let u = (2.0 * f64::from(word) + 1.0) / 2_f64.powi(33);
        f64::from(exponential(word)) / 2_f64.powi(27) + u.ln()
    }

    #[test]
    fn the_error_is_below_two_to_the_minus_24() {
        let random = (0..1_000_000_u64).map(|i| crate::streams::split_mix(7, i) as u32);
        for word in edge_words().into_iter().chain(random).chain([0, u32::MAX]) {
            let error = error(word);
            assert!(error.abs() < 2_f64.powi(-24), "word {word}: error {error:e}");
        }
    }

    /// Covers the whole domain. Run after changes to the algorithm:
    /// `cargo test --release -- --ignored --nocapture whole`.
    #[test]
    #[ignore = "long: visits all 2^32 words, run it in release"]
    fn the_error_over_the_whole_domain_is_below_two_to_the_minus_24() {
        let mut worst = (0.0_f64, 0);
        let mut sum = 0.0;
        for word in 0..=u32::MAX {
            let error = error(word);
            sum += error;
            if error.abs() > worst.0.abs() {
                worst = (error, word);
            }
        }
        println!("largest error {:e} at word {}, mean error {:e}", worst.0, worst.1, sum / 2_f64.powi(32));
        assert!(worst.0.abs() < 2_f64.powi(-24));
    }

    #[test]
    fn known_values() {
        assert_eq!(exponential(u32::MAX), 0);
        // u = 2^-33: 33 ln 2.
        assert_eq!(exponential(0), (33.0 * std::f64::consts::LN_2 * 2_f64.powi(27)).round() as u32);
        assert_eq!(service_ticks(u32::MAX, 1 << 20), 1);
        assert_eq!(
            service_ticks(0, u32::MAX),
            ((u128::from(exponential(0)) * u128::from(u32::MAX) + (1 << 26)) >> 27) as u64
        );
    }
}
