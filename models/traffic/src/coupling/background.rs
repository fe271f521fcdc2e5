//! The packets' view of fluids.

use super::batch::Batch;
use super::fluids::Fluids;
use crate::fluid::FluidError;
use crate::packet::{Background, Influence};
use imminent_core::clock::Instant;
use std::time::Duration;

/// The current batch of fluids, which packets wait for on demand.
#[derive(Debug)]
pub(super) struct Between<'c, F> {
    pub(super) fluids: &'c mut F,
    pub(super) batch: &'c mut Batch,
    /// For each link, the index of its queue among the shared ones, or [`ALONE`].
    pub(super) places: &'c [u32],
    /// Error that stopped the fluids. From then on packets meet no fluid.
    pub(super) failure: Option<FluidError>,
    pub(super) waiting: Duration,
}

/// Index of a queue that is not shared.
pub(super) const ALONE: u32 = u32::MAX;

impl<F: Fluids> Between<'_, F> {
    /// Waits until a step of the batch is available.
    pub(super) fn fetch(&mut self, step: u64) {
        let began = Instant::now();
        while !self.batch.has(step) && self.failure.is_none() {
            self.failure = self.fluids.fetch(self.batch.levels()).err();
            self.batch.add_up();
        }
        self.waiting += began.elapsed();
    }

    fn place(&self, link: u32) -> Option<usize> {
        self.places.get(link as usize).filter(|place| **place != ALONE).map(|place| *place as usize)
    }
}

impl<F: Fluids> Background for Between<'_, F> {
    fn shares(&self, link: u32) -> bool {
        self.place(link).is_some()
    }

    fn influence(&mut self, link: u32, time: u64) -> Influence {
        let Some(place) = self.place(link) else { return Influence::default() };
        let step = self.batch.step_at(time);
        if !self.batch.has(step) {
            self.fetch(step);
        }
        if self.failure.is_some() {
            return Influence::default();
        }
        self.batch.influence(place, time)
    }
}
