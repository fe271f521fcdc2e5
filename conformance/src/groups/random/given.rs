//! Seeds and words that the cases draw from.

use crate::context::Context;
use crate::kernels::random::draws::{Seed, Word};
use crate::operands::Operand;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// Returns seeds and streams: all combinations of edge values, jumps of every length, and random ones.
pub(super) fn seeds(context: &Context<'_>) -> Vec<Seed> {
    let mut rng = context.random(201);
    let edges = u64::edges();
    let mut seeds = Vec::new();
    for (number, state) in edges.iter().enumerate() {
        for (other, stream) in edges.iter().enumerate() {
            let bounds = u32::edges();
            seeds.push(Seed {
                state: *state,
                stream: *stream,
                delta: edges[(number * 7 + other) % edges.len()],
                bound: bounds[(number + other * 5) % bounds.len()],
            });
        }
    }
    seeds.extend((0..context.scaled(500, 50_000)).map(|_| Seed {
        state: rng.next_u64(),
        stream: rng.next_u64(),
        delta: u64::random(&mut rng),
        bound: u32::random(&mut rng),
    }));
    seeds
}

/// Returns the generator of a seed.
pub(super) fn reference(seed: &Seed) -> Pcg32 {
    Pcg32::new(seed.state, seed.stream)
}

/// Returns random words, both ends of their range, and borders of segments.
pub(super) fn words(context: &Context<'_>) -> Vec<Word> {
    let mut rng = context.random(202);
    let mut words: Vec<u32> = u32::edges();
    // Both ends, where `-ln u` is steepest and flattest, and both sides of every segment of every octave.
    words.extend((0..256).flat_map(|i| [i, u32::MAX - i]));
    for octave in 5..32 {
        words.extend(
            (0..32).map(|i| (1_u32 << octave) | (i << (octave - 5))).flat_map(|edge| [edge, edge.wrapping_sub(1)]),
        );
    }
    words.extend((0..context.scaled(1 << 16, 1 << 21)).map(|_| rng.next_u32()));
    words.into_iter().map(|word| Word { word }).collect()
}
