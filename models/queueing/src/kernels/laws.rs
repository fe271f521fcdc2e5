//! Drawing durations from laws on a device.

use crate::law::Sampler;
use law::{CONSTANT, EMPIRICAL, EXPONENTIAL, LawRow, QUANTILES, Quantile, UNIFORM};

/// Laws as rows, and durations for random words.
///
/// The algorithm is that of [`law`](crate::law), bit for bit.
#[imminent_core::kernels]
pub mod law {
    use imminent_core::random::{exponential_q27, scaled_ticks};

    /// Kind of a constant law: always `low`.
    pub const CONSTANT: u32 = 0;
    /// Kind of an exponential law, with mean `low`.
    pub const EXPONENTIAL: u32 = 1;
    /// Kind of a uniform law: `range` different durations from `low` on.
    pub const UNIFORM: u32 = 2;
    /// Kind of an empirical law: one of the `range` entries from `first` on.
    pub const EMPIRICAL: u32 = 3;
    /// Kind of a law drawn by the quantile table that begins at `first`.
    pub const QUANTILES: u32 = 4;

    /// Number of entries of one half of a quantile table.
    const HALF: u32 = 2049;

    /// A law: its kind, and its parameters in ticks.
    #[derive(Row)]
    pub struct LawRow {
        /// Kind of the law: one of the constants of this module.
        pub kind: u32,
        /// Index of the law's first entry in the table of quantiles.
        pub first: u32,
        /// Time parameter, in ticks, as the kind defines it.
        pub low: u64,
        /// Number of different durations.
        pub range: u64,
    }

    /// Quantile of a law, or a value of an empirical one.
    #[derive(Row)]
    pub struct Quantile {
        /// Duration, in ticks.
        pub ticks: u64,
    }

    /// Returns the duration from a quantile table.
    fn interpolated(first: u32, quantiles: &Rows<Quantile>, word: u32) -> u64 {
        // 2 word + 1 in the lower half, 2^33 less that in the upper one.
        let upper = word >> 31 == 1;
        let mut w = (word << 1) | 1;
        let mut half = first;
        if upper {
            w = w.wrapping_neg();
            half += HALF;
        }
        let shift = w.leading_zeros();
        let place = (w << shift) & 0x7fff_ffff;
        let entry = half + (31 - shift) * 64 + (place >> 25);
        let rest = (place & 0x01ff_ffff) as u64;
        let near = quantiles.get(entry).ticks;
        let far = quantiles.get(entry + 1).ticks;
        let distance = near.abs_diff(far);
        let part = (distance >> 25) * rest + (((distance & 0x01ff_ffff) * rest + 0x0100_0000) >> 25);
        if upper { near - part } else { near + part }
    }

    /// Returns the duration in ticks, at least 1, that a law gives for a random word.
    pub fn draw(law: &LawRow, quantiles: &Rows<Quantile>, word: u32) -> u64 {
        let ticks = match law.kind {
            EXPONENTIAL => scaled_ticks(exponential_q27(word), law.low),
            UNIFORM => {
                let x = word as u64;
                law.low + (law.range >> 32) * x + (((law.range & 0xffff_ffff) * x) >> 32)
            }
            EMPIRICAL => quantiles.get(law.first + mul_high(word, law.range as u32)).ticks,
            QUANTILES => interpolated(law.first, quantiles, word),
            _ => law.low,
        };
        ticks.max(1)
    }
}

/// Converts samplers to the rows of two tables; `None` if the number of entries exceeds a 32-bit index.
#[must_use]
pub fn law_rows(samplers: &[Sampler]) -> Option<(Vec<LawRow>, Vec<Quantile>)> {
    let mut quantiles = Vec::new();
    let mut rows = Vec::with_capacity(samplers.len());
    for sampler in samplers {
        let first = u32::try_from(quantiles.len()).ok()?;
        let row = LawRow { kind: CONSTANT, first, low: 0, range: 0 };
        let mut list = |ticks: &[u64]| quantiles.extend(ticks.iter().map(|&ticks| Quantile { ticks }));
        rows.push(match sampler {
            Sampler::Constant(ticks) => LawRow { low: *ticks, ..row },
            Sampler::Exponential(mean) => LawRow { kind: EXPONENTIAL, low: u64::from(*mean), ..row },
            Sampler::Uniform { low, span } => LawRow { kind: UNIFORM, low: *low, range: span + 1, ..row },
            Sampler::Empirical(values) => {
                list(values);
                LawRow { kind: EMPIRICAL, range: values.len() as u64, ..row }
            }
            Sampler::Quantiles(table) => {
                list(table.ticks());
                LawRow { kind: QUANTILES, ..row }
            }
        });
    }
    u32::try_from(quantiles.len()).ok()?;
    Some((rows, quantiles))
}
