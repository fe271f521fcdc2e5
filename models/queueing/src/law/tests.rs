#![allow(clippy::unwrap_used)]

mod phases;

use super::*;
use crate::kernels::{law, law_rows};
use imminent_common::streams::{StreamKey, split_mix};
use imminent_common::time::{MAX_TICKS, TICKS_PER_UNIT, units_from_ticks};
use imminent_core::RowsBuf;
use proptest::prelude::*;

/// Returns the words at which a table's segment or octave changes, their neighbours, and both ends.
fn edge_words() -> Vec<u32> {
    let mut words = vec![0, 1, u32::MAX - 1, u32::MAX, 1 << 31, (1 << 31) - 1];
    for shift in 0..31 {
        for segment in 0..64_u64 {
            let border = ((1_u64 << shift) + ((segment << shift) >> 6)) as u32;
            for around in border.saturating_sub(1)..=border + 1 {
                words.extend([around, !around]);
            }
        }
    }
    words
}

fn laws() -> Vec<Law> {
    vec![
        Law::Exponential { mean: 10.0 },
        Law::Deterministic { value: 2.5 },
        Law::Uniform { low: 1.0, high: 3.0 },
        Law::Uniform { low: 0.0, high: 0.0 },
        Law::Erlang { stages: 1, mean: 10.0 },
        Law::Erlang { stages: 4, mean: 10.0 },
        Law::Erlang { stages: 1000, mean: 0.01 },
        Law::HyperExponential { branches: vec![(0.3, 1.0), (0.7, 20.0)] },
        Law::HyperExponential { branches: vec![(0.999, 1.0), (0.001, 5000.0)] },
        Law::Gamma { shape: 0.1, mean: 10.0 },
        Law::Gamma { shape: 0.5, mean: 10.0 },
        Law::Gamma { shape: 2.5, mean: 10.0 },
        Law::LogNormal { mean: 10.0, cv: 0.1 },
        Law::LogNormal { mean: 10.0, cv: 3.0 },
        Law::Weibull { shape: 0.5, mean: 10.0 },
        Law::Weibull { shape: 1.0, mean: 10.0 },
        Law::Weibull { shape: 7.0, mean: 1000.0 },
        Law::Pareto { shape: 5.0, mean: 10.0 },
        Law::Triangular { low: 0.0, mode: 4.0, high: 5.0 },
        Law::Triangular { low: 2.0, mode: 2.0, high: 3.0 },
        Law::Normal { location: 10.0, deviation: 0.5 },
        Law::Normal { location: 1.0, deviation: 2.0 },
        Law::HypoExponential { means: vec![5.0, 0.01, 7.0] },
        Law::Coxian { means: vec![1.0, 20.0, 300.0], onward: vec![0.25, 0.1] },
        Law::PhaseType {
            initial: vec![0.5, 0.5, 0.0],
            generator: vec![vec![-2.0, 1.5, 0.5], vec![0.2, -0.3, 0.0], vec![4.0, 0.0, -5.0]],
        },
        Law::Empirical { values: vec![3.0, 1.0, 1.0, 0.0, 20.0] },
    ]
}

/// A phase-type law whose phases all lead to one another and to the end.
fn any_phases() -> impl Strategy<Value = Law> {
    let rate = || (-2.0..2.0_f64).prop_map(|power| 10_f64.powf(power));
    (1..6_usize).prop_flat_map(move |size| {
        let rows = prop::collection::vec(prop::collection::vec(rate(), size + 1), size);
        (prop::collection::vec(0.01..1.0_f64, size), rows).prop_map(|(weights, rows)| {
            let sum: f64 = weights.iter().sum();
            let row = |(phase, mut row): (usize, Vec<f64>)| {
                row[phase] = 0.0;
                row[phase] = -row.iter().sum::<f64>();
                row.pop();
                row
            };
            Law::PhaseType {
                initial: weights.iter().map(|weight| weight / sum).collect(),
                generator: rows.into_iter().enumerate().map(row).collect(),
            }
        })
    })
}

fn any_law() -> impl Strategy<Value = Law> {
    let mean = || (-3.0..3.0_f64).prop_map(|power| 10_f64.powf(power));
    let shape = || (-1.0..1.3_f64).prop_map(|power| 10_f64.powf(power));
    prop_oneof![
        mean().prop_map(|mean| Law::Exponential { mean }),
        mean().prop_map(|value| Law::Deterministic { value }),
        (0.0..10.0_f64, 0.0..10.0_f64).prop_map(|(low, span)| Law::Uniform { low, high: low + span }),
        (1..50_u32, mean()).prop_map(|(stages, mean)| Law::Erlang { stages, mean }),
        (mean(), mean(), 0.01..0.99_f64)
            .prop_map(|(a, b, p)| Law::HyperExponential { branches: vec![(p, a), (1.0 - p, b)] }),
        (shape(), mean()).prop_map(|(shape, mean)| Law::Gamma { shape, mean }),
        (mean(), 0.05..3.0_f64).prop_map(|(mean, cv)| Law::LogNormal { mean, cv }),
        ((-0.5..1.0_f64), mean()).prop_map(|(power, mean)| Law::Weibull { shape: 10_f64.powf(power), mean }),
        (2.0..20.0_f64, mean()).prop_map(|(shape, mean)| Law::Pareto { shape, mean }),
        (0.0..1.0_f64, 0.0..1.0_f64, 0.01..1.0_f64).prop_map(|(low, a, b)| Law::Triangular {
            low,
            mode: low + a,
            high: low + a + b
        }),
        (mean(), 0.01..2.0_f64).prop_map(|(location, cv)| Law::Normal { location, deviation: cv * location }),
        prop::collection::vec(mean(), 1..6).prop_map(|means| Law::HypoExponential { means }),
        prop::collection::vec((mean(), 0.1..1.0_f64), 1..6).prop_map(|phases| Law::Coxian {
            means: phases.iter().map(|(mean, _)| *mean).collect(),
            onward: phases.iter().skip(1).map(|(_, onward)| *onward).collect(),
        }),
        any_phases(),
        prop::collection::vec(0.0..100.0_f64, 1..20).prop_map(|values| Law::Empirical { values }),
    ]
}

/// Returns the greatest distance between the law's distribution function and that of draws for random words.
fn kolmogorov_smirnov(law: &Law, draws: u32, seed: u64) -> f64 {
    let (sampler, distribution) = (law.sampler().unwrap(), law.distribution());
    let cdf = |time: f64| distribution.tails(time).0;
    let mut rng = StreamKey::new(seed, 0).start().generator();
    let mut drawn: Vec<u64> = (0..draws).map(|_| sampler.draw(rng.next_u32())).collect();
    drawn.sort_unstable();
    let mut worst = 0.0_f64;
    for &ticks in &drawn {
        // A draw of n ticks stands for every time that rounds to it.
        let at = cdf((ticks as f64 + 0.5) / TICKS_PER_UNIT as f64);
        let before = if ticks == 1 { 0.0 } else { cdf((ticks as f64 - 0.5) / TICKS_PER_UNIT as f64) };
        let first = drawn.partition_point(|&other| other < ticks) as f64 / f64::from(draws);
        let last = drawn.partition_point(|&other| other <= ticks) as f64 / f64::from(draws);
        worst = worst.max((last - at).abs()).max((first - before).abs());
    }
    worst
}

#[test]
fn draws_follow_the_law() {
    for law in laws() {
        // The 99.99 % point of Kolmogorov's statistic is 2.23 over the root of the sample size; the seed is fixed.
        let draws = 20_000;
        let distance = kolmogorov_smirnov(&law, draws, 3);
        assert!(distance < 2.23 / f64::from(draws).sqrt(), "{law:?}: {distance}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn draws_follow_any_law(law in any_law(), seed in any::<u64>()) {
        // Fails by chance once in 10^7 cases: 2.9 is where Kolmogorov's statistic has that tail.
        let draws = 4_000;
        let distance = kolmogorov_smirnov(&law, draws, seed);
        prop_assert!(distance < 2.9 / f64::from(draws).sqrt(), "{:?}: {}", law, distance);
    }

    #[test]
    fn the_kernel_draws_what_the_host_draws(law in any_law(), words in prop::collection::vec(any::<u32>(), 64)) {
        agree(&[law], words.into_iter());
    }

    #[test]
    fn more_chance_never_means_less_time(law in any_law(), a in any::<u32>(), b in any::<u32>()) {
        let sampler = law.sampler().unwrap();
        let (low, high) = (sampler.draw(a.min(b)), sampler.draw(a.max(b)));
        match law {
            // The exponential quantile is -ln u, which falls; the empirical law has an order of its own.
            Law::Exponential { .. } => prop_assert!(low >= high),
            Law::Empirical { .. } => {}
            _ => prop_assert!(low <= high),
        }
    }
}

fn agree(laws: &[Law], words: impl Iterator<Item = u32>) {
    let samplers: Vec<Sampler> = laws.iter().map(|law| law.sampler().unwrap()).collect();
    let (rows, quantiles) = law_rows(&samplers).unwrap();
    let quantiles = RowsBuf::from(quantiles);
    for word in words {
        for ((sampler, row), written) in samplers.iter().zip(&rows).zip(laws) {
            assert_eq!(law::draw(row, &quantiles, word), sampler.draw(word), "{written:?}, word {word:#x}");
        }
    }
}

#[test]
fn the_kernel_agrees_at_the_edges() {
    let random = (0..20_000_u64).map(|i| split_mix(5, i) as u32);
    agree(&laws(), edge_words().into_iter().chain(random));
}

/// Returns the quantile of a law in ticks, by bisection of its distribution function: slow, and independent of the
/// tables.
fn bisected(law: &Law, u: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let law = law.distribution();
    while law.tails(high).1 > 1.0 - u {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let (below, above) = law.tails(middle);
        let reached = if u < 0.5 { below >= u } else { above <= 1.0 - u };
        if reached { high = middle } else { low = middle }
    }
    high * TICKS_PER_UNIT as f64
}

#[test]
fn quantiles_are_as_near_as_stated() {
    for law in laws() {
        let sampler = law.sampler().unwrap();
        if !matches!(sampler, Sampler::Quantiles(_)) {
            continue;
        }
        let spread = law.mean() * law.squared_variation().sqrt().max(1.0) * TICKS_PER_UNIT as f64;
        let random = (0..200_u64).map(|i| split_mix(9, i) as u32);
        let spaced = edge_words().into_iter().step_by(97);
        for word in random.chain(spaced) {
            let u = (2.0 * f64::from(word) + 1.0) / 2_f64.powi(33);
            let (drawn, exact) = (sampler.draw(word) as f64, bisected(&law, u).max(1.0));
            let error = (drawn - exact).abs();
            // A segment is 1/64 of an octave. A straight line across it errs by 1/32768 of the slope over the logarithm
            // of the probability; the slope of a heavy tail grows with the quantile.
            assert!(error <= 1.0 + spread / 16_384.0 + exact / 4096.0, "{law:?}, u {u}: {drawn} instead of {exact}");
        }
    }
}

#[test]
fn means_are_as_near_as_stated() {
    for law in laws() {
        let sampler = law.sampler().unwrap();
        let (drawn, exact) = (sampler.mean_ticks(), law.mean() * TICKS_PER_UNIT as f64);
        let error = drawn / exact.max(1.0) - 1.0;
        println!(
            "{:<60} cv {:>8.4}  error of the mean {error:+.2e}",
            format!("{law:?}"),
            law.squared_variation().sqrt()
        );
        let bound = if law.squared_variation() > 4.0 { 1e-4 } else { 2e-5 };
        assert!(error.abs() < bound || law.mean() == 0.0, "{law:?}: {error}");
    }
    // Worst laws allowed: the part beyond the last quantile is missing.
    let heavy = [Law::Weibull { shape: MIN_SHAPE, mean: 10.0 }, Law::LogNormal { mean: 10.0, cv: MAX_VARIATION }];
    let error = |law: &Law| law.sampler().unwrap().mean_ticks() / (10.0 * TICKS_PER_UNIT as f64) - 1.0;
    for law in heavy {
        let error = error(&law);
        println!("{:<60} error of the mean {error:+.2e}", format!("{law:?}"));
        assert!((-4e-3..0.0).contains(&error), "{law:?}: {error}");
    }
    for shape in [1.1, 1.25, 1.5, 2.0, 2.5] {
        // The mean of the part above the quantile of 1 - p has the share p^(1 - 1 / shape); what is drawn in its place
        // is the quantile of the nearest words.
        let missing = 2_f64.powf(-33.0 * (1.0 - 1.0 / shape));
        let error = error(&Law::Pareto { shape, mean: 10.0 });
        println!("pareto, shape {shape}: error of the mean {error:+.3e}, missing {missing:.3e}");
        assert!((error + missing).abs() < 0.5 * missing + 2e-5, "{shape}: {error} instead of {missing}");
    }
}

#[test]
fn the_mean_of_a_table_is_that_of_its_draws() {
    for law in [Law::Gamma { shape: 0.5, mean: 1.0 }, Law::Erlang { stages: 3, mean: 2.0 }] {
        let sampler = law.sampler().unwrap();
        // Every 4,099th word, from an arbitrary start: evenly spread.
        let words = (1234..=u32::MAX).step_by(4099);
        let (mut sum, mut count) = (0.0, 0.0);
        for word in words {
            sum += sampler.draw(word) as f64;
            count += 1.0;
        }
        assert!((sum / count / sampler.mean_ticks() - 1.0).abs() < 1e-4, "{law:?}");
    }
}

#[test]
fn moments_are_those_of_the_distribution() {
    for law in laws() {
        if law.mean() == 0.0 {
            continue;
        }
        // Integrals of the tail, of 1 - F for the mean and of 2 t (1 - F) for the second moment, over the logarithm of
        // the time.
        let (from, to) = ((law.mean() * 1e-12).ln(), (law.mean() * 1e8).ln());
        let steps = 100_000;
        let width = (to - from) / f64::from(steps);
        let (mut mean, mut second) = (0.0, 0.0);
        let distribution = law.distribution();
        for step in 0..steps {
            let time = (from + (f64::from(step) + 0.5) * width).exp();
            let above = distribution.tails(time).1;
            mean += above * time * width;
            second += 2.0 * time * time * above * width;
        }
        let variation = second / (mean * mean) - 1.0;
        assert!((mean / law.mean() - 1.0).abs() < 5e-3, "{law:?}: mean {mean}");
        assert!((variation - law.squared_variation()).abs() < 2e-2 * (1.0 + variation), "{law:?}: {variation}");
    }
}

#[test]
fn known_draws() {
    let unit = TICKS_PER_UNIT;
    let uniform = Law::Uniform { low: 1.0, high: 2.0 }.sampler().unwrap();
    assert_eq!((uniform.draw(0), uniform.draw(u32::MAX)), (unit, 2 * unit));
    let values = Law::Empirical { values: vec![4.0, 2.0] }.sampler().unwrap();
    assert_eq!((values.draw(0x7FFF_FFFF), values.draw(0x8000_0000)), (4 * unit, 2 * unit));
    assert_eq!(Law::Empirical { values: vec![0.0] }.sampler().unwrap().draw(7), 1);
    let exponential = Law::Exponential { mean: 10.0 }.sampler().unwrap();
    assert_eq!(exponential.draw(77), imminent_common::exponential::service_ticks(77, 10 << 20));
    // A mean of 2^32 ticks or more is drawn by quantiles.
    let long = Law::Exponential { mean: 5000.0 }.sampler().unwrap();
    assert!(matches!(long, Sampler::Quantiles(_)));
    let median = 5000.0 * std::f64::consts::LN_2 * unit as f64;
    assert!((long.draw(1 << 31) as f64 / median - 1.0).abs() < 1e-6);
    let widest = Law::Uniform { low: 0.0, high: units_from_ticks(MAX_TICKS) }.sampler().unwrap();
    assert_eq!((widest.draw(0), widest.draw(1 << 31)), (1, MAX_TICKS / 2));
    let Sampler::Quantiles(table) = Law::Weibull { shape: 2.0, mean: 1.0 }.sampler().unwrap() else { panic!() };
    // The median of both halves, by its formula.
    let median = (2.0 / std::f64::consts::PI.sqrt() * 2_f64.ln().sqrt() * unit as f64).round() as u64;
    assert_eq!((table.ticks()[2048], table.ticks()[4097]), (median, median));
    assert_eq!(table.ticks().len(), 4098);
}

#[test]
fn laws_that_make_no_sense_are_errors() {
    let cases = [
        (Law::Exponential { mean: -1.0 }, "'mean' of a law 'exponential' is -1: give a finite number"),
        (
            Law::Exponential { mean: 1e-9 },
            "the mean of a law 'exponential' is 1e-9 time units, less than a tick of 9.5367",
        ),
        (
            Law::Gamma { shape: 1.0, mean: 1e-9 },
            "the mean of a law 'gamma' is 1e-9 time units, less than a tick of 9.5367",
        ),
        (Law::Exponential { mean: 1e300 }, "a law 'exponential' with these parameters can last"),
        (Law::Deterministic { value: -1e300 }, "'value' of a law 'deterministic' is -1e300: give"),
        (Law::Deterministic { value: 0.0 }, "'value' of a law 'deterministic' is 0"),
        (Law::Deterministic { value: 1e20 }, "a law 'deterministic' with these parameters can last 1e20"),
        (Law::Uniform { low: 2.0, high: 1.0 }, "'low' and 'high' of a law 'uniform' are 2 and 1"),
        (Law::Uniform { low: f64::NAN, high: 1.0 }, "'low' and 'high' of a law 'uniform' are NaN and 1"),
        (Law::Erlang { stages: 0, mean: 1.0 }, "'stages' of a law 'erlang' is 0: give 1 to 1000000"),
        (Law::HyperExponential { branches: vec![(0.5, 1.0), (0.4, 2.0)] }, "the probabilities of a law 'hyper-expo"),
        (Law::HyperExponential { branches: vec![] }, "the probabilities of a law 'hyper-exponential' add up to"),
        (Law::HyperExponential { branches: vec![(1.0, 0.0)] }, "'mean' of a law 'hyper-exponential' is 0"),
        (Law::Gamma { shape: 0.0, mean: 1.0 }, "'shape' of a law 'gamma' is 0: give 0.1 to"),
        (Law::Gamma { shape: 1.0, mean: f64::INFINITY }, "'mean' of a law 'gamma' is inf"),
        (Law::LogNormal { mean: 1.0, cv: 0.0 }, "'cv' of a law 'log-normal' is 0"),
        (Law::Weibull { shape: f64::NAN, mean: 1.0 }, "'shape' of a law 'weibull' is NaN"),
        (Law::LogNormal { mean: 1e9, cv: 100.0 }, "a law 'log-normal' with these parameters can last"),
        (Law::Pareto { shape: 1.0, mean: f64::INFINITY }, "'shape' of a law 'pareto' is 1: give 1.1 to"),
        (Law::Pareto { shape: 2.0, mean: 0.0 }, "'mean' of a law 'pareto' is 0"),
        (
            Law::Triangular { low: 1.0, mode: 0.5, high: 2.0 },
            "'low', 'mode' and 'high' of a law 'triangular' are 1, 0.5",
        ),
        (Law::Triangular { low: 0.0, mode: 0.0, high: 0.0 }, "'high' of a law 'triangular' is 0"),
        (Law::Triangular { low: 0.0, mode: f64::NAN, high: 1.0 }, "'low', 'mode' and 'high' of a law 'triangular'"),
        (Law::Normal { location: -1.0, deviation: 1.0 }, "'location' of a law 'normal' is -1: give 0 to"),
        (Law::Normal { location: 1.0, deviation: 0.0 }, "'deviation' of a law 'normal' is 0"),
        (Law::HypoExponential { means: vec![] }, "a law 'hypo-exponential' has 0 phases: give 1 to 64"),
        (Law::HypoExponential { means: vec![1.0; 65] }, "a law 'hypo-exponential' has 65 phases"),
        (Law::HypoExponential { means: vec![1.0, -1.0] }, "entry 2 of 'means' of a law 'hypo-exponential' is -1"),
        (Law::HypoExponential { means: vec![1.0, 1e-9] }, "a law 'hypo-exponential' lasts 1.0e9 times as long as"),
        (
            Law::Coxian { means: vec![1.0, 2.0], onward: vec![] },
            "'onward' of a law 'coxian' has 0 entries in place of 1",
        ),
        (Law::Coxian { means: vec![1.0, 2.0], onward: vec![1.5] }, "entry 1 of 'onward' of a law 'coxian' is 1.5"),
        (
            Law::PhaseType { initial: vec![0.5], generator: vec![vec![-1.0]] },
            "the entries of 'initial' of a law 'phase-t",
        ),
        (
            Law::PhaseType { initial: vec![1.0], generator: vec![] },
            "'generator' of a law 'phase-type' has 0 entries in",
        ),
        (
            Law::PhaseType { initial: vec![1.0], generator: vec![vec![1.0]] },
            "row 1 of 'generator' of a law 'phase-type'",
        ),
        (
            Law::PhaseType { initial: vec![1.0, 0.0], generator: vec![vec![-1.0, 2.0], vec![0.0, -1.0]] },
            "row 1 of 'generator' of a law 'phase-type', which adds up to 1, is none of a sub-generator",
        ),
        (
            Law::PhaseType { initial: vec![1.0, 0.0], generator: vec![vec![-1.0, 1.0], vec![1.0, -1.0]] },
            "phase 1 of a law 'phase-type' never ends",
        ),
        (Law::Empirical { values: vec![] }, "a law 'empirical' has 0 values"),
        (Law::Empirical { values: vec![1.0, -2.0] }, "value number 2 of a law 'empirical' is -2"),
    ];
    for (law, expected) in cases {
        let error = law.sampler().map(drop).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}
