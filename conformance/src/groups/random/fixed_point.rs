//! Elementary functions in fixed point.

use crate::case::{Cases, Verdict, ensure};
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::fixed_point::elementary::{self, Argument, Values};
use crate::operands::Operand;
use crate::run::{map, map_on};
use imminent_core::fixed;
use rand_core::Rng;

/// Angles and their sines, correctly rounded.
const SINES: &[(u32, i32)] = &[
    (0, 0),
    (1, 2),
    (2, 3),
    (1000, 1571),
    (1_048_576, 1_647_099),
    (134_217_728, 209_476_638),
    (268_435_456, 410_903_207),
    (536_870_912, 759_250_125),
    (1_073_741_823, 1_073_741_824),
    (1_073_741_824, 1_073_741_824),
    (1_073_741_825, 1_073_741_824),
    (1_234_567_890, 1_044_160_440),
    (2_147_483_648, 0),
    (2_147_483_649, -2),
    (2_718_281_828, -795_983_393),
    (3_221_225_472, -1_073_741_824),
    (3_141_592_653, -1_066_463_978),
    (4_294_967_295, -2),
];

/// Numbers `f` and `ln(1 + f)`, correctly rounded.
const LOGARITHMS: &[(u32, i64)] = &[
    (0, 0),
    (1, 1),
    (65_536, 65_536),
    (134_217_728, 132_163_268),
    (1_073_741_824, 958_394_255),
    (2_147_483_648, 1_741_459_379),
    (3_221_225_472, 2_403_531_508),
    (4_294_967_295, 2_977_044_471),
];

/// Numbers and their exponentials, correctly rounded.
const EXPONENTIALS: &[(i64, u64)] = &[
    (-103_079_215_104, 0),
    (-94_489_280_512, 1),
    (-42_949_672_960, 194_991),
    (-4_294_967_296, 1_580_030_169),
    (-1_234_567_890, 3_221_988_464),
    (-1, 4_294_967_295),
    (0, 4_294_967_296),
    (1, 4_294_967_297),
    (1_048_576, 4_296_016_000),
    (2_147_483_648, 7_081_203_938),
    (4_294_967_296, 11_674_931_555),
    (12_884_902_665, 86_266_739_814),
    (42_949_672_960, 94_602_950_235_157),
    (85_899_346_019, 2_083_768_695_473_853_461),
    (94_489_280_512, 15_397_083_433_145_465_870),
    (95_265_423_098, 18_446_744_072_737_573_511),
    (95_265_423_099, 18_446_744_073_709_551_615),
];

/// Numbers `x` and `exp(-x)`, correctly rounded.
const NEGATIVE_EXPONENTIALS: &[(i64, u64)] = &[
    (0, 9_223_372_036_854_775_808),
    (1, 9_223_372_034_707_292_160),
    (65_536, 9_223_231_300_440_156_843),
    (2_147_483_648, 5_594_257_926_288_582_650),
    (4_294_967_296, 3_393_088_950_634_442_637),
    (12_884_901_888, 459_204_654_181_133_234),
    (64_424_521_785, 2_821_442_799_257),
    (68_719_476_736, 1_037_953_783_668),
    (171_798_691_840, 39),
    (184_683_593_729, 2),
];

fn arguments(context: &Context<'_>) -> Vec<Argument> {
    let mut rng = context.random(204);
    let words = u32::edges();
    let mut arguments: Vec<Argument> =
        i64::edges().into_iter().enumerate().map(|(i, x)| Argument { word: words[i % words.len()], x }).collect();
    arguments.extend(words.iter().map(|&word| Argument { word, x: i64::from(word) }));
    // Exponentials change between -24 and 24.
    arguments.extend((0..context.scaled(1 << 14, 1 << 19)).map(|i| Argument {
        word: rng.next_u32(),
        x: if i % 4 == 0 { i64::random(&mut rng) } else { i64::random(&mut rng) % (24 << 32) },
    }));
    arguments
}

/// Checks a function at known places, to an error in units of the result.
fn known<A: Copy + std::fmt::Debug, V: Copy + Into<i128>>(
    context: &Context<'_>,
    name: &str,
    places: &[(A, V)],
    argument: fn(A) -> Argument,
    value: fn(&Values) -> V,
    error: fn(V) -> i128,
) -> Verdict {
    let arguments: Vec<Argument> = places.iter().map(|(x, _)| argument(*x)).collect();
    let found: Vec<Values> = map_on::<elementary::evaluate, _, _>(context.device, &arguments)?;
    for ((x, exact), found) in places.iter().zip(&found) {
        let (exact_units, found): (i128, i128) = ((*exact).into(), value(found).into());
        ensure((found - exact_units).abs() <= error(*exact), || {
            format!("`{name}` of {x:?}: expected {exact_units}, found {found}")
        })?;
    }
    Ok(())
}

pub(super) fn add(cases: &mut Cases) {
    map::<elementary::evaluate, _, _>(
        cases,
        "fixed-point functions are the host's, bit by bit",
        Floats::Exact,
        arguments,
        |&Argument { word, x }| {
            Some(Values {
                sine: fixed::sine_q30(word),
                cosine: fixed::cosine_q30(word),
                ln: fixed::ln_1p_q32(word),
                exp: fixed::exp_q32(x),
                exp_negative: fixed::exp_negative_q63(x as u64),
                root: (x as u64).isqrt() as u32,
            })
        },
    );
    let word = |word| Argument { word, x: 0 };
    let number = |x| Argument { word: 0, x };
    cases.add("`sine_q30` and `cosine_q30` have known values", move |context| {
        known(context, "sine_q30", SINES, word, |values| values.sine, |_| 1)?;
        let shifted = |angle: u32| Argument { word: angle.wrapping_sub(1 << 30), x: 0 };
        known(context, "cosine_q30, a quarter turn before", SINES, shifted, |values| values.cosine, |_| 1)
    });
    cases.add("`ln_1p_q32` has known values", move |context| {
        known(context, "ln_1p_q32", LOGARITHMS, word, |values| values.ln, |_| 16)
    });
    cases.add("`exp_q32` and `exp_negative_q63` have known values", move |context| {
        known(context, "exp_q32", EXPONENTIALS, number, |values| values.exp, |exact| 1 + i128::from(exact >> 39))?;
        let error = |exact: u64| 1 + i128::from(exact >> 39);
        known(context, "exp_negative_q63", NEGATIVE_EXPONENTIALS, number, |values| values.exp_negative, error)
    });
}
