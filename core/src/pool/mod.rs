//! A pool of device memory: places of a few sizes, used again, small ones side by side in larger allocations.
//!
//! A backend supplies what takes memory from the driver ([`Source`]); the pool decides what is taken, shared, kept and given back,
//! and counts ([`PoolStatistics`]). It takes nothing from the driver that an idle place would do for.
//!
//! A place that was released may still be used by work that was put on queues before. So each loan knows the queues that
//! used it ([`Loan::used_by`]), and its place goes to a new owner only where the owner's queue is the only one of them, whose
//! work is done in order, or where the work of all others is over ([`Timeline`]). It holds whatever was left there.
//!
//! Allocations of which no place is in use are kept as long as they are less than a quarter of what is in use, or small;
//! [`Pool::trim`] gives all of them back. A driver keeps an allocation until work that was put on queues before is done, so giving back needs no
//! wait.

mod classes;
mod loan;
mod state;
#[cfg(test)]
mod tests;
mod timeline;

pub use classes::PoolLimits;
pub use loan::Loan;
pub use timeline::Timeline;

use crate::error::{Error, Result};
use serde::Serialize;
use state::State;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a pool has its memory from.
pub trait Source {
    /// An allocation of the driver's. Dropping it gives it back when work that was put on queues before is done.
    type Slab: Debug + Send + Sync;
    /// What an owner is given: a handle to part of an allocation, or to all of it.
    type Place: Clone + Debug + Send + Sync;

    /// An allocation of so many bytes, with any contents. `what` is for messages.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] where the device has no room; others of the driver.
    fn allocate(&self, what: &str, bytes: u64) -> Result<Self::Slab>;

    /// The part of an allocation from byte `offset` on. Called once for each place, before its first use; parts do not overlap.
    ///
    /// # Errors
    /// Those of the driver.
    fn place(&self, slab: &Self::Slab, offset: u64, bytes: u64) -> Result<Self::Place>;
}

/// What a pool holds and how well it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PoolStatistics {
    /// Bytes that the pool has taken from the driver.
    pub held: u64,
    /// The most that it held at a time.
    pub held_peak: u64,
    /// Bytes of it in use, as asked for.
    pub used: u64,
    /// The most that was in use at a time.
    pub used_peak: u64,
}

impl PoolStatistics {
    /// The share of the held bytes that is not in use, from 0 to 1: what idle places and rounding up cost.
    #[must_use]
    pub fn fragmentation(&self) -> f64 {
        share_not_in(self.used, self.held)
    }

    /// The same of the peaks: what the pool cost when memory was needed most.
    #[must_use]
    pub fn peak_fragmentation(&self) -> f64 {
        share_not_in(self.used_peak, self.held_peak)
    }
}

fn share_not_in(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 1.0 - part.min(whole) as f64 / whole as f64 }
}

/// An error of the source, with what the pool was asked for instead of what it asked for.
fn asked_for(bytes: u64, error: Error) -> Error {
    match error {
        Error::OutOfMemory { backend, device, what, limit, holders, .. } => {
            Error::OutOfMemory { backend, device, what, requested: bytes, limit, holders }
        }
        other => other,
    }
}

/// The memory of one device.
#[derive(Debug)]
pub struct Pool<S: Source> {
    limits: PoolLimits,
    state: Mutex<State<S>>,
}

impl<S: Source> Pool<S> {
    /// An empty pool.
    #[must_use]
    pub fn new(limits: PoolLimits) -> Arc<Pool<S>> {
        Arc::new(Pool { limits, state: Mutex::new(State::default()) })
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place of at least so many bytes for an owner whose queue clears or fills it first. `what` is for messages.
    ///
    /// # Errors
    /// Those of the source; when it has no room although nothing idle is kept any more, [`Error::OutOfMemory`].
    pub fn take(self: &Arc<Self>, source: &S, queue: &Arc<Timeline>, what: &str, bytes: u64) -> Result<Loan<S>> {
        let mut state = self.lock();
        let taken = match state.take_idle(&self.limits, queue, bytes) {
            Some(taken) => taken,
            None => self.take_new(&mut state, source, what, bytes)?,
        };
        match state.place(source, &taken) {
            Ok(place) => {
                state.lend(bytes);
                Ok(Loan::new(self.clone(), taken, place, bytes, queue))
            }
            Err(error) => {
                state.give_back(taken);
                Err(error)
            }
        }
    }

    fn take_new(&self, state: &mut State<S>, source: &S, what: &str, bytes: u64) -> Result<state::Taken> {
        let class = self.limits.class(bytes);
        let busy = if self.limits.shares(class) { state.busy_of(class) } else { 0 };
        let places = self.limits.places(class, busy);
        let slab = match source.allocate(what, class.saturating_mul(u64::from(places))) {
            Ok(slab) => return Ok(state.add(slab, class, places)),
            Err(Error::OutOfMemory { .. }) => {
                state.trim(0);
                source.allocate(what, class).map_err(|error| asked_for(bytes, error))?
            }
            Err(error) => return Err(error),
        };
        Ok(state.add(slab, class, 1))
    }

    /// Gives back every allocation of which no place is in use.
    pub fn trim(&self) {
        self.lock().trim(0);
    }

    /// What the pool holds, and how much of it is in use.
    #[must_use]
    pub fn statistics(&self) -> PoolStatistics {
        self.lock().statistics()
    }
}
