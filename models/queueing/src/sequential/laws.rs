//! The oracle's own drawing from laws: the algorithm of [`law`](crate::law), computed in another way.

use super::exponential;
use crate::law::Sampler;

/// Returns the duration in ticks for one random word.
pub(super) fn draw(sampler: &Sampler, word: u32) -> u64 {
    let x = i128::from(word);
    let ticks = match sampler {
        Sampler::Constant(ticks) => i128::from(*ticks),
        Sampler::Exponential(mean) => i128::from(exponential::service(word, *mean)),
        Sampler::Uniform { low, span } => i128::from(*low) + shifted(x * (i128::from(*span) + 1), 32),
        Sampler::Empirical(values) => entry(values, shifted(x * values.len() as i128, 32)),
        Sampler::Quantiles(table) => interpolated(table.ticks(), x),
    };
    u64::try_from(ticks.max(1)).unwrap_or(1)
}

fn shifted(value: i128, bits: u32) -> i128 {
    value.div_euclid(1 << bits)
}

fn entry(values: &[u64], index: i128) -> i128 {
    usize::try_from(index).ok().and_then(|index| values.get(index)).map_or(1, |&value| i128::from(value))
}

/// Interpolates in a table of 2,049 quantiles that rise to the median and 2,049 that fall to it.
fn interpolated(table: &[u64], x: i128) -> i128 {
    let v = 2 * x + 1;
    let (w, half) = if v < 1 << 32 { (v, 0) } else { ((1 << 33) - v, 2049) };
    // The octave: 2^octave <= w < 2^(octave + 1).
    let mut octave = 0;
    while (2_i128 << octave) <= w {
        octave += 1;
    }
    // Place in the octave, in units of 2^-31 of it; a segment has 2^25 of them.
    let place = ((w - (1 << octave)) << 31) >> octave;
    let (segment, rest) = (place.div_euclid(1 << 25), place.rem_euclid(1 << 25));
    let index = half + 64 * i128::from(octave) + segment;
    let (near, far) = (entry(table, index), entry(table, index + 1));
    let part = shifted((far - near).abs() * rest + (1 << 24), 25);
    if far < near { near - part } else { near + part }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_agrees_with_the_samplers(word: u32, law in 0_usize..9) {
            let laws = [
                Law::Exponential { mean: 3.0 },
                Law::Deterministic { value: 2.5 },
                Law::Uniform { low: 0.0, high: 7.0 },
                Law::Erlang { stages: 3, mean: 2.0 },
                Law::HyperExponential { branches: vec![(0.9, 1.0), (0.1, 30.0)] },
                Law::Gamma { shape: 0.4, mean: 5.0 },
                Law::LogNormal { mean: 10.0, cv: 1.5 },
                Law::Weibull { shape: 0.8, mean: 1e-5 },
                Law::Empirical { values: vec![1.0, 0.0, 3.0] },
            ];
            let sampler = laws[law].sampler().unwrap();
            for word in [word, word >> 24, !(word >> 24)] {
                prop_assert_eq!(draw(&sampler, word), sampler.draw(word), "{:?}", laws[law]);
            }
        }
    }
}
