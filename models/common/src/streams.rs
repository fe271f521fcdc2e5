//! Random streams of nodes: one PCG32 stream per node and replication.
//!
//! A stream is `rand_pcg::Pcg32::new(state, stream)`, word for word. The stream selector is the node's number.
//! SplitMix64 mixes the initial state from the user's seed, the replication and the node, because PCG32 streams that
//! differ only in the selector remain correlated.

/// Golden-ratio increment of SplitMix64.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Selector of the stream that draws the starting positions; nodes use their numbers, which are smaller.
pub const START_STREAM: u64 = 1 << 32;

/// Selector of the stream by which node 0 chooses among waiting tokens; those of the other nodes follow.
pub const FIRST_CHOICE_STREAM: u64 = 1 << 33;

/// Selector of the stream for purpose 0 of node 0: each purpose has 2^33 selectors, of which nodes use their numbers.
pub const FIRST_PURPOSE_STREAM: u64 = 3 << 33;

/// Multiplier of the 64-bit linear congruential generator inside PCG32.
pub const PCG_MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Returns number `index` (from 0) of the SplitMix64 sequence started at `seed`.
#[must_use]
pub const fn split_mix(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(GOLDEN.wrapping_mul(index.wrapping_add(1)));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Arguments of `Pcg32::new` for one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed {
    /// Initial state.
    pub state: u64,
    /// Stream selector.
    pub stream: u64,
}

/// Key of one replication, from which the seeds of all its streams are derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StreamKey(u64);

impl StreamKey {
    /// Creates the key of replication `replication` (from 0) under the user's `seed`.
    ///
    /// The seed is mixed before the replication is added, so neighbouring seeds share no replication.
    #[must_use]
    pub const fn new(seed: u64, replication: u64) -> Self {
        Self(split_mix(split_mix(seed, 0), replication))
    }

    /// Returns the key as a number, for kernels.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the seed of node `node`.
    #[must_use]
    pub const fn node(self, node: u32) -> Seed {
        self.stream(node as u64)
    }

    /// Returns the seed of the stream by which node `node` chooses among waiting tokens.
    #[must_use]
    pub const fn choice(self, node: u32) -> Seed {
        self.stream(FIRST_CHOICE_STREAM + node as u64)
    }

    /// Returns the seed of the stream by which node `node` draws for a further purpose, such as its tokens' patience.
    #[must_use]
    pub const fn purpose(self, purpose: u32, node: u32) -> Seed {
        self.stream(FIRST_PURPOSE_STREAM + ((purpose as u64) << 33) + node as u64)
    }

    /// Returns the seed of the stream that draws the starting positions.
    #[must_use]
    pub const fn start(self) -> Seed {
        self.stream(START_STREAM)
    }

    const fn stream(self, stream: u64) -> Seed {
        Seed { state: split_mix(self.0, stream), stream }
    }
}

impl Seed {
    /// Creates the generator.
    #[must_use]
    pub fn generator(self) -> rand_pcg::Pcg32 {
        rand_pcg::Pcg32::new(self.state, self.stream)
    }

    /// Returns the odd increment of the generator's recurrence.
    #[must_use]
    pub const fn increment(self) -> u64 {
        (self.stream << 1) | 1
    }

    /// Returns the generator's internal state before its first draw, as `Pcg32::new` sets it.
    #[must_use]
    pub const fn initial_state(self) -> u64 {
        let increment = self.increment();
        self.state.wrapping_add(increment).wrapping_mul(PCG_MULTIPLIER).wrapping_add(increment)
    }

    /// Returns the generator's internal state after `draws` 32-bit draws, in time logarithmic in `draws`.
    ///
    /// The step is an affine map, so its powers come from repeated squaring.
    #[must_use]
    pub const fn state_after(self, draws: u64) -> u64 {
        let (mut multiplier, mut offset) = (PCG_MULTIPLIER, self.increment());
        let mut state = self.initial_state();
        let mut left = draws;
        while left > 0 {
            if left & 1 == 1 {
                state = state.wrapping_mul(multiplier).wrapping_add(offset);
            }
            offset = offset.wrapping_mul(multiplier.wrapping_add(1));
            multiplier = multiplier.wrapping_mul(multiplier);
            left >>= 1;
        }
        state
    }
}

/// Draws an integer below `bound`, each equally likely; returns 0 for a bound of 0 without drawing.
///
/// Draws two words (high first) until they fall below the largest multiple of `bound`, which takes fewer than two
/// attempts on average.
pub fn below(rng: &mut rand_pcg::Pcg32, bound: u64) -> u64 {
    use rand_core::Rng as _;
    if bound == 0 {
        return 0;
    }
    let excess = (u64::MAX % bound + 1) % bound;
    let last = u64::MAX - excess;
    loop {
        let high = u64::from(rng.next_u32());
        let word = (high << 32) | u64::from(rng.next_u32());
        if word <= last {
            return word % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::Rng as _;
    use std::collections::HashSet;

    /// Computes PCG32's output function from its definition, to inspect a state.
    fn output(state: u64) -> u32 {
        let xorshifted = (((state >> 18) ^ state) >> 27) as u32;
        xorshifted.rotate_right((state >> 59) as u32)
    }

    #[test]
    fn split_mix_gives_the_published_sequence() {
        // First outputs of the reference implementation for seed 1234567.
        let expected = [6457827717110365317_u64, 3203168211198807973, 9817491932198370423];
        for (index, value) in expected.into_iter().enumerate() {
            assert_eq!(split_mix(1_234_567, index as u64), value);
        }
    }

    #[test]
    fn the_state_follows_the_generator() {
        let seed = StreamKey::new(42, 3).node(17);
        let mut rng = seed.generator();
        for draws in 0..100 {
            assert_eq!(output(seed.state_after(draws)), rng.next_u32(), "after {draws}");
        }
    }

    #[test]
    fn streams_of_seeds_replications_and_nodes_differ() {
        let mut states = HashSet::new();
        for seed in 0..8 {
            for replication in 0..8 {
                for node in 0..64 {
                    let key = StreamKey::new(seed, replication);
                    assert!(states.insert(key.node(node).state));
                    assert!(states.insert(key.choice(node).state));
                }
            }
        }
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut rng = StreamKey::new(1, 0).start().generator();
        let mut seen = [0_u32; 7];
        for _ in 0..7_000 {
            seen[below(&mut rng, 7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!(below(&mut rng, 1), 0);
        assert_eq!(below(&mut rng, 0), 0);
    }
}
