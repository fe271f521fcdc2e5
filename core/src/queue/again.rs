//! Cached launches: the only operations that a queue starts by itself.

use super::state::{QueueState, lock};
use super::turns::Turn;
use crate::error::Result;
use crate::launch::{Kept, Key};
use crate::memory::Keeper;
use std::sync::Arc;

impl QueueState {
    /// Takes a cached launch with this key. Its arguments may differ.
    pub(crate) fn take_recent(&self, key: Key<'_>) -> Option<Box<Kept>> {
        lock(&self.recent).take(key)
    }

    /// Puts back a cached launch that did not match.
    pub(crate) fn put_back_other(&self, kept: Box<Kept>) {
        lock(&self.recent).put_back_other(kept);
    }

    /// Caches a launch that may repeat.
    pub(crate) fn keep(&self, kept: Box<Kept>) {
        lock(&self.recent).keep(kept);
    }

    /// Puts a cached launch on the queue again, whose memories the caller holds. Returns the number of the operation.
    pub(crate) fn launch_again(self: &Arc<Self>, mut kept: Box<Kept>) -> Result<u64> {
        let turn = self.begin_again(&kept)?;
        let (shared, number) = (&self.shared, turn.number());
        let launch = |kept: &mut Kept| kept.launch(shared.backend.as_ref(), &self.handle, number);
        // Buffers are looked up during the turn: a program before this operation may have swapped tables.
        match kept.follow(shared.moved()).and_then(|()| launch(&mut kept)) {
            Ok(()) => lock(&self.recent).put_back(kept),
            // What was prepared may be the reason, so the launch is bound anew next time.
            error => self.settle(number, error)?,
        }
        Ok(number)
    }

    fn begin_again(self: &Arc<Self>, kept: &Kept) -> Result<Turn<'_>> {
        if self.shared.has_several_queues() {
            let held = kept.held()?;
            return self.begin(held.iter().map(|(memory, written)| (memory, *written)));
        }
        // With one queue there is nothing to wait for, so no memory need be held. A launch that repeats comes this way
        // at every step, and takes no reference to its memories.
        let ticket = self.line.take();
        let mut in_flight = lock(&self.in_flight);
        for (memory, _) in kept.used().filter(|(_, written)| *written) {
            in_flight.insert(memory.as_ptr() as usize, ticket.number, || memory.clone());
        }
        drop(in_flight);
        Ok(self.turn(ticket))
    }
}

impl Keeper for QueueState {
    fn forget(&self, address: usize) {
        let forgotten = lock(&self.recent).forget(address);
        drop(forgotten);
    }
}
