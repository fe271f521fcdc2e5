//! Variates of the device library.

use super::given::{reference, seeds, words};
use crate::case::{Cases, ensure};
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::random::draws::{self, Count, Drawn, Expected, Normal, Word};
use crate::operands::Operand;
use crate::run::{map, map_on};
use imminent_core::random::{normal_q28, poisson};
use rand_core::Rng;

/// Words and their normal quantiles, correctly rounded.
const NORMAL: &[(u32, i32)] = &[
    (0, -1_701_332_580),
    (1, -1_655_288_320),
    (2, -1_633_457_814),
    (1000, -1_352_874_735),
    (65_535, -1_119_260_709),
    (1_048_576, -936_062_346),
    (16_777_216, -714_056_421),
    (268_447_801, -411_806_074),
    (1_073_741_824, -181_056_964),
    (1_610_612_736, -85_534_103),
    (2_000_000_000, -23_134_022),
    (2_147_483_647, 0),
    (2_147_483_648, 0),
    (2_147_483_649, 0),
    (2_500_000_000, 55_622_193),
    (3_000_000_000, 139_604_707),
    (3_600_000_000, 264_958_539),
    (4_000_000_000, 398_818_250),
    (4_200_000_000, 540_085_374),
    (4_290_000_000, 817_863_505),
    (4_294_967_000, 1_414_230_752),
    (4_294_967_295, 1_701_332_580),
];

/// Words, means and the Poisson quantiles, away from the borders between two results.
const POISSON: &[(u32, u64, u32)] = &[
    (1000, 1, 0),
    (268_435_456, 1, 0),
    (2_147_483_648, 1, 0),
    (3_000_000_000, 1, 0),
    (4_294_900_000, 1, 0),
    (1000, 1_073_741_824, 0),
    (268_435_456, 1_073_741_824, 0),
    (2_147_483_648, 1_073_741_824, 0),
    (3_000_000_000, 1_073_741_824, 0),
    (4_294_900_000, 1_073_741_824, 4),
    (1000, 4_294_967_296, 0),
    (268_435_456, 4_294_967_296, 0),
    (2_147_483_648, 4_294_967_296, 1),
    (3_000_000_000, 4_294_967_296, 1),
    (4_294_900_000, 4_294_967_296, 7),
    (1000, 10_737_418_240, 0),
    (268_435_456, 10_737_418_240, 0),
    (2_147_483_648, 10_737_418_240, 2),
    (3_000_000_000, 10_737_418_240, 3),
    (4_294_900_000, 10_737_418_240, 11),
    (1000, 30_064_771_072, 0),
    (268_435_456, 30_064_771_072, 3),
    (2_147_483_648, 30_064_771_072, 7),
    (3_000_000_000, 30_064_771_072, 8),
    (4_294_900_000, 30_064_771_072, 20),
    (1000, 68_719_476_735, 1),
    (268_435_456, 68_719_476_735, 10),
    (2_147_483_648, 68_719_476_735, 16),
    (3_000_000_000, 68_719_476_735, 18),
    (4_294_900_000, 68_719_476_735, 35),
    (268_435_456, 68_719_476_736, 10),
    (2_147_483_648, 68_719_476_736, 16),
    (3_000_000_000, 68_719_476_736, 18),
    (268_435_456, 85_899_345_925, 13),
    (2_147_483_648, 85_899_345_925, 20),
    (3_000_000_000, 85_899_345_925, 22),
    (268_435_456, 214_748_364_800, 39),
    (2_147_483_648, 214_748_364_800, 50),
    (3_000_000_000, 214_748_364_800, 54),
    (268_435_456, 4_294_967_296_000, 952),
    (2_147_483_648, 4_294_967_296_000, 1000),
    (3_000_000_000, 4_294_967_296_000, 1016),
];

fn means(context: &Context<'_>) -> Vec<Expected> {
    let mut rng = context.random(205);
    let limits = [0, 1, 1 << 32, (16 << 32) - 1, 16 << 32, 17 << 32, 1000 << 32, (1 << 63) - 1];
    let mut rows: Vec<Expected> =
        u32::edges().into_iter().flat_map(|word| limits.map(|mean_q32| Expected { word, mean_q32 })).collect();
    rows.extend(
        (0..context.scaled(1 << 14, 1 << 19))
            .map(|_| Expected { word: rng.next_u32(), mean_q32: u64::random(&mut rng) >> 1 >> (rng.next_u32() % 32) }),
    );
    rows
}

pub(super) fn add(cases: &mut Cases) {
    map::<draws::normal, _, _>(cases, "`normal_q28` is the host's, bit by bit", Floats::Exact, words, |word| {
        Some(Normal { q28: normal_q28(word.word) })
    });
    cases.add("`normal_q28` is within 2^-26 of known quantiles", |context| {
        let words: Vec<Word> = NORMAL.iter().map(|&(word, _)| Word { word }).collect();
        let found: Vec<Normal> = map_on::<draws::normal, _, _>(context.device, &words)?;
        for ((word, exact), found) in NORMAL.iter().zip(&found) {
            ensure((found.q28 - exact).abs() <= 4, || format!("word {word}: expected {exact}, found {}", found.q28))?;
        }
        Ok(())
    });
    map::<draws::counted, _, _>(cases, "`poisson` is the host's, bit by bit", Floats::Exact, means, |row| {
        Some(Count { count: poisson(row.word, row.mean_q32) })
    });
    map::<draws::counted, _, _>(
        cases,
        "`poisson` has known quantiles",
        Floats::Exact,
        |_| POISSON.iter().map(|&(word, mean_q32, _)| Expected { word, mean_q32 }).collect(),
        |row| {
            let known = POISSON.iter().find(|(word, mean_q32, _)| (*word, *mean_q32) == (row.word, row.mean_q32));
            known.map(|&(.., count)| Count { count })
        },
    );
    map::<draws::variates, _, _>(
        cases,
        "a uniform integer takes two words, other variates one",
        Floats::Exact,
        seeds,
        |seed| {
            let mut rng = reference(seed);
            let word = rng.next_u64();
            let range = u128::from(seed.delta.wrapping_sub(seed.stream)) + 1;
            Some(Drawn {
                uniform: seed.stream.wrapping_add(((u128::from(word) * range) >> 64) as u64),
                hit: rng.next_u32() < seed.bound,
                normal: normal_q28(rng.next_u32()),
                count: poisson(rng.next_u32(), u64::from(seed.bound) << 6),
                next: rng.next_u32(),
            })
        },
    );
}
