//! Random numbers and fixed-point functions of the device library, against `rand_pcg`, the logarithm in `f64` and
//! values computed with 60 decimal digits.

mod fixed_point;
mod given;
mod variates;

use self::given::{reference, seeds, words};
use crate::case::{Cases, ensure, equal_slices};
use crate::compare::Floats;
use crate::kernels::random::draws::{self, Below, Jump, Scaling, Seed, Stream, Ticks, Variate, Wide};
use crate::operands::Operand;
use crate::run::{map, map_on};
use imminent_core::Table;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Computes `-ln u` of a word's midpoint, in `f64`.
fn minus_ln(word: u32) -> f64 {
    -((2.0 * f64::from(word) + 1.0) / 2.0_f64.powi(33)).ln()
}

fn below(word: u32, bound: u32) -> u32 {
    ((u64::from(word) * u64::from(bound)) >> 32) as u32
}

pub(super) fn add(cases: &mut Cases) {
    fixed_point::add(cases);
    variates::add(cases);
    cases.add("`Pcg32` draws the words of `rand_pcg`, from launch to launch", |context| {
        let seeds = seeds(context);
        let given = Table::from_rows(context.device, &seeds)?;
        let mut streams = Table::<Stream>::zeroed(context.device, seeds.len())?;
        context.queue().launch::<draws::seed>((&given, &mut streams))?;
        let mut generators: Vec<Pcg32> = seeds.iter().map(reference).collect();
        for launch in 0..3 {
            context.queue().launch::<draws::draw>((&mut streams,))?;
            let found: Vec<[u32; 16]> = streams.read()?.into_iter().map(|stream| stream.words).collect();
            let expected: Vec<[u32; 16]> =
                generators.iter_mut().map(|rng| std::array::from_fn(|_| rng.next_u32())).collect();
            equal_slices(&format!("words of launch {launch}"), &found, &expected)?;
        }
        Ok(())
    });
    map::<draws::draw_wide, _, _>(cases, "`next_u64` draws the low word first", Floats::Exact, seeds, |seed| {
        let mut rng = reference(seed);
        Some(Wide { first: rng.next_u64(), second: rng.next_u64(), then: rng.next_u32() })
    });
    cases.add("`advance` jumps as `rand_pcg` does", |context| {
        let seeds = seeds(context);
        let jumps: Vec<Jump> = map_on::<draws::jump, _, _>(context.device, &seeds)?;
        let found: Vec<u32> = jumps.iter().map(|jump| jump.next).collect();
        let expected: Vec<u32> = seeds
            .iter()
            .map(|seed| {
                let mut rng = reference(seed);
                rng.advance(seed.delta);
                rng.next_u32()
            })
            .collect();
        equal_slices("the word after the jump", &found, &expected)?;
        let increments: Vec<u64> = jumps.iter().map(|jump| jump.increment).collect();
        let odd: Vec<u64> = seeds.iter().map(|seed| seed.stream << 1 | 1).collect();
        equal_slices("the increment", &increments, &odd)
    });
    map::<draws::below, _, _>(cases, "`below` scales one word to the bound", Floats::Exact, seeds, |seed| {
        let mut rng = reference(seed);
        Some(Below { value: below(rng.next_u32(), seed.bound), next: rng.next_u32() })
    });
    map::<draws::exponential, _, _>(
        cases,
        "`exponential_q27` is the host's, bit by bit",
        Floats::Exact,
        words,
        |word| Some(Variate { q27: imminent_core::random::exponential_q27(word.word) }),
    );
    cases.add("`exponential_q27` is within 2^-24 of -ln u", |context| {
        let words = words(context);
        let found: Vec<Variate> = map_on::<draws::exponential, _, _>(context.device, &words)?;
        let mut worst = 0.0_f64;
        for (row, (word, variate)) in words.iter().zip(&found).enumerate() {
            let (value, exact) = (f64::from(variate.q27) / 2.0_f64.powi(27), minus_ln(word.word));
            let error = (value - exact).abs();
            worst = worst.max(error);
            ensure(error < 2.0_f64.powi(-24), || {
                format!(
                    "kernel `draws::exponential`, row {row} (word = {}): expected {exact}, found {value}",
                    word.word
                )
            })?;
        }
        context.note(format!("the largest error of {} words was 2^{:.2}", words.len(), worst.log2()));
        Ok(())
    });
    map::<draws::exponential_draw, _, _>(
        cases,
        "an exponential variate takes one word",
        Floats::Exact,
        seeds,
        |seed| {
            let mut rng = reference(seed);
            let value = imminent_core::random::exponential_q27(rng.next_u32());
            Some(Below { value, next: rng.next_u32() })
        },
    );
    map::<draws::scale, _, _>(
        cases,
        "`scaled_ticks` rounds to the nearest tick, at least one",
        Floats::Exact,
        |context| {
            let mut rng = context.random(203);
            let means = [0, 1, 2, 1000, 1 << 20, u64::from(u32::MAX)];
            let mut rows: Vec<Scaling> =
                u32::edges().into_iter().flat_map(|q27| means.map(|mean| Scaling { q27, mean })).collect();
            rows.extend((0..2000).map(|_| Scaling { q27: rng.next_u32(), mean: u64::from(u32::random(&mut rng)) }));
            rows
        },
        |row| {
            let exact = u128::from(row.q27) * u128::from(row.mean);
            Some(Ticks { ticks: (((exact + (1 << 26)) >> 27) as u64).max(1) })
        },
    );
    cases.add("a hundred thousand streams all differ", |context| {
        let count = 100_000;
        let seeds: Vec<Seed> = (0..count).map(|stream| Seed { state: 42, stream, delta: 0, bound: 0 }).collect();
        let found: Vec<Wide> = map_on::<draws::draw_wide, _, _>(context.device, &seeds)?;
        let mut firsts: Vec<u64> = found.iter().map(|row| row.first).collect();
        firsts.sort_unstable();
        firsts.dedup();
        ensure(firsts.len() as u64 == count, || format!("{count} streams gave only {} first words", firsts.len()))
    });
}
