//! Random words of a node.

use imminent_common::streams::Seed;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Random numbers of a node, in the order in which the model draws them.
#[derive(Clone)]
pub(crate) struct Draws {
    rng: Pcg32,
    seed: Seed,
    drawn: u64,
}

impl Draws {
    pub(crate) fn new(seed: Seed) -> Self {
        Self { rng: seed.generator(), seed, drawn: 0 }
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.drawn += 1;
        self.rng.next_u32()
    }

    pub(crate) fn state(&self) -> u64 {
        self.seed.state_after(self.drawn)
    }
}
