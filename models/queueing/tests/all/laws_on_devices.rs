//! Laws drawn by a kernel that is launched, against the host's draws.

use crate::device::host;
use drawing::{Draw, draw_all};
use imminent_common::streams::split_mix;
use imminent_core::Table;
use imminent_queueing::Law;
use imminent_queueing::kernels::law_rows;

/// A kernel that draws durations.
#[imminent_core::kernels]
pub mod drawing {
    use imminent_queueing::kernels::law::{LawRow, Quantile, draw};

    /// A single draw.
    #[derive(Row)]
    pub struct Draw {
        /// Number of the law.
        pub law: u32,
        /// Random word.
        pub word: u32,
        /// Duration drawn, in ticks.
        pub ticks: u64,
    }

    /// Draws a duration for every row.
    #[kernel]
    pub fn draw_all(me: &mut Draw, laws: &Rows<LawRow>, quantiles: &Rows<Quantile>) {
        let law = laws.get(me.law);
        me.ticks = draw(law, quantiles, me.word);
    }
}

#[test]
fn a_launched_kernel_draws_what_the_host_draws() {
    let device = host();
    let laws = [
        Law::Exponential { mean: 10.0 },
        Law::Deterministic { value: 2.5 },
        Law::Uniform { low: 1.0, high: 4_000_000.0 },
        Law::Erlang { stages: 4, mean: 10.0 },
        Law::HyperExponential { branches: vec![(0.3, 1.0), (0.7, 20.0)] },
        Law::Gamma { shape: 0.5, mean: 10.0 },
        Law::LogNormal { mean: 1e6, cv: 3.0 },
        Law::Weibull { shape: 0.5, mean: 10.0 },
        Law::Pareto { shape: 1.5, mean: 10.0 },
        Law::Triangular { low: 1.0, mode: 2.0, high: 5.0 },
        Law::Normal { location: 5.0, deviation: 3.0 },
        Law::HypoExponential { means: vec![1.0, 5.0] },
        Law::Coxian { means: vec![1.0, 5.0], onward: vec![0.5] },
        Law::PhaseType { initial: vec![0.5, 0.5], generator: vec![vec![-2.0, 1.0], vec![0.5, -1.0]] },
        Law::Empirical { values: vec![3.0, 1.0, 0.0] },
    ];
    let samplers: Vec<_> = laws.iter().map(|law| law.sampler().unwrap()).collect();
    let (rows, quantiles) = law_rows(&samplers).unwrap();
    let random = (0..5_000_u64).map(|number| split_mix(1, number) as u32);
    let powers = (0..32).flat_map(|shift| [1_u32 << shift, (1 << shift) - 1, !(1 << shift)]);
    let words: Vec<u32> = random.chain(powers).chain([0, u32::MAX]).collect();
    let draws: Vec<Draw> =
        (0..laws.len() as u32).flat_map(|law| words.iter().map(move |&word| Draw { law, word, ticks: 0 })).collect();
    let (laws, quantiles) = (Table::from_rows(&device, &rows).unwrap(), Table::from_rows(&device, &quantiles).unwrap());
    let mut table = Table::from_rows(&device, &draws).unwrap();
    device.queue().launch::<draw_all>((&mut table, &laws, &quantiles)).unwrap();
    for row in table.read().unwrap() {
        assert_eq!(row.ticks, samplers[row.law as usize].draw(row.word), "law {}, word {:#x}", row.law, row.word);
    }
}
