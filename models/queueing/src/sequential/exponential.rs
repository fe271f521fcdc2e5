//! The oracle's own exponential variate: the same definition, computed in another way.
//!
//! Nothing here is shared with [`imminent_common::exponential`]. Each constant is computed from a power series over
//! exact fractions. Every intermediate is an `i128`, which cannot overflow or lose digits unnoticed.

use std::sync::OnceLock;

/// `2^32`, which is one in Q32.
const ONE: i128 = 1 << 32;

/// Returns the natural logarithm of `numerator / denominator` (at least 1, at most 2) in Q32, rounded to nearest.
fn ln_q32(numerator: i128, denominator: i128) -> i128 {
    // ln(y) = sum over n >= 1 of w^n / n with w = (y - 1) / y, which is at most one half.
    let scale: i128 = 1 << 80;
    let mut term = scale * (numerator - denominator) / numerator;
    let mut sum = 0;
    let mut n = 1;
    while term > 0 {
        sum += term / n;
        term = term * (numerator - denominator) / numerator;
        n += 1;
    }
    divide_rounded(sum, scale / ONE)
}

fn divide_rounded(dividend: i128, divisor: i128) -> i128 {
    (2 * dividend + divisor).div_euclid(2 * divisor)
}

/// Multiplies two Q32 numbers, rounding towards minus infinity.
fn multiply(a: i128, b: i128) -> i128 {
    (a * b).div_euclid(ONE)
}

struct Constants {
    ln_2: i128,
    ln_centre: Vec<i128>,
    reciprocal: Vec<i128>,
}

fn constants() -> &'static Constants {
    static CONSTANTS: OnceLock<Constants> = OnceLock::new();
    CONSTANTS.get_or_init(|| Constants {
        ln_2: ln_q32(2, 1),
        ln_centre: (0..32).map(|i| ln_q32(64 + 2 * i + 1, 64)).collect(),
        reciprocal: (0..32).map(|i| divide_rounded(ONE * 64, 64 + 2 * i + 1)).collect(),
    })
}

/// Returns the exponential variate of mean 1, in units of 2^-27, for one random word; see
/// [`imminent_common::exponential`].
pub(crate) fn variate(word: u32) -> i128 {
    let constants = constants();
    let mut mantissa = 2 * i128::from(word) + 1;
    let mut halvings = 1;
    while mantissa < ONE {
        mantissa *= 2;
        halvings += 1;
    }
    let fraction = mantissa - ONE;
    let segment = fraction.div_euclid(ONE / 32);
    let centre = segment * (ONE / 32) + ONE / 64;
    let index = usize::try_from(segment).unwrap_or(0);
    let t = multiply(fraction - centre, constants.reciprocal[index]);
    let square = multiply(t, t);
    let cube = multiply(square, t);
    let fourth = multiply(cube, t);
    let ln =
        constants.ln_centre[index] + t - square.div_euclid(2) + multiply(cube, (ONE - 1) / 3) - fourth.div_euclid(4);
    let q32 = halvings * constants.ln_2 - ln;
    (q32 + 16).div_euclid(32)
}

/// Returns the service time in ticks for one random word at a server of mean `mean` ticks.
pub(crate) fn service(word: u32, mean: u32) -> u64 {
    let ticks = divide_rounded(variate(word) * i128::from(mean), 1 << 27);
    u64::try_from(ticks.max(1)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_common::exponential::exponential;
    use imminent_common::streams::split_mix;

    /// Returns words at which the algorithm changes: powers of two, segment borders, and both ends, each with its
    /// neighbours.
    fn edge_words() -> impl Iterator<Item = u32> {
        let borders =
            (0..32).flat_map(|shift| (0..=64_u64).map(move |segment| (1_u64 << shift) + ((segment << shift) >> 6)));
        let around = borders.flat_map(|border| border.saturating_sub(3)..=border + 3);
        around.flat_map(|word| [word, word.wrapping_neg() & 0xFFFF_FFFF]).filter_map(|word| u32::try_from(word).ok())
    }

    #[test]
    fn the_fast_variate_is_the_same() {
        let random = (0..200_000_u64).map(|i| split_mix(11, i) as u32);
        for word in edge_words().chain(random).chain([0, u32::MAX]) {
            assert_eq!(i128::from(exponential(word)), variate(word), "word {word}");
        }
    }

    /// Covers the whole domain. Run after changes to the algorithm: `cargo test --release -- --ignored whole`.
    #[test]
    #[ignore = "long: visits all 2^32 words, run it in release"]
    fn the_fast_variate_is_the_same_over_the_whole_domain() {
        for word in 0..=u32::MAX {
            assert_eq!(i128::from(exponential(word)), variate(word), "word {word}");
        }
    }

    #[test]
    fn the_constants_are_the_nearest_to_the_real_ones() {
        let q32 = |value: f64| (value * 2_f64.powi(32)).round() as i128;
        let constants = constants();
        assert_eq!(constants.ln_2, 2_977_044_472);
        for i in 0..32 {
            let centre = 1.0 + (i as f64 + 0.5) / 32.0;
            assert_eq!(constants.ln_centre[i], q32(centre.ln()), "ln of centre {i}");
            assert_eq!(constants.reciprocal[i], q32(1.0 / centre), "reciprocal of centre {i}");
        }
    }

    #[test]
    fn variates_are_never_negative_near_one() {
        // There -ln(u) is half a unit of Q32, less than the errors of the terms whose difference it is.
        for word in u32::MAX - 100_000..=u32::MAX {
            let e = variate(word);
            assert!((0..=100_000).contains(&e), "word {word}: {e}");
        }
    }
}
