//! Random words of a node.

use imminent_common::streams::{Seed, StreamKey};
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Purposes for which a node draws beside services and routes. The order numbers the streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Patience,
    Balking,
    Retry,
    Breakdowns,
    Batches,
    Resampling,
    Routes,
    Phases,
    Switching,
}

/// Number of purposes.
const PURPOSES: usize = 9;

/// Random numbers of a node, in the order in which the model draws them.
#[derive(Debug, Clone)]
pub(super) struct Streams {
    key: StreamKey,
    node: u32,
    services: Pcg32,
    seed: Seed,
    drawn: u64,
    choice: Pcg32,
    purposes: [Option<Box<Pcg32>>; PURPOSES],
}

impl Streams {
    pub(super) fn new(key: StreamKey, node: u32) -> Self {
        let seed = key.node(node);
        let (services, choice) = (seed.generator(), key.choice(node).generator());
        Self { key, node, services, seed, drawn: 0, choice, purposes: Default::default() }
    }

    /// Draws the next word for services and routes.
    pub(super) fn service(&mut self) -> u32 {
        self.drawn += 1;
        self.services.next_u32()
    }

    /// Returns the state of the generator for services and routes.
    pub(super) fn state(&self) -> u64 {
        self.seed.state_after(self.drawn)
    }

    /// Draws the word that chooses among waiting tokens.
    pub(super) fn choice(&mut self) -> u32 {
        self.choice.next_u32()
    }

    /// Draws the next word for a purpose.
    pub(super) fn word(&mut self, purpose: Purpose) -> u32 {
        let Self { key, node, purposes, .. } = self;
        let Some(stream) = purposes.get_mut(purpose as usize) else { return 0 };
        stream.get_or_insert_with(|| Box::new(key.purpose(purpose as u32, *node).generator())).next_u32()
    }

    /// Draws a number below `bound`, by one word.
    pub(super) fn below(&mut self, purpose: Purpose, bound: usize) -> usize {
        ((u64::from(self.word(purpose)) * bound as u64) >> 32) as usize
    }
}
