//! A pool of device memory: reusable places of a few sizes, small ones packed into larger allocations.
//!
//! A backend supplies the access to the driver's memory ([`Allocator`]). The pool decides on allocation, sharing,
//! keeping and release, and counts ([`PoolStatistics`]). It allocates nothing from the driver if an idle place
//! suffices.
//!
//! A released place may still be used by work that was put on queues before. So each loan records the queues that used
//! it ([`Loan::used_by`]). Its place goes to a new owner in two cases only: the owner's queue, which works in order, is
//! the only recorded one, or the work of all others is over ([`Timeline`]). A place keeps its old contents.
//!
//! Allocations without places in use are kept while they are less than a quarter of the memory in use, or small;
//! [`Pool::trim`] gives all of them back. A driver keeps an allocation until earlier work on queues is done, so giving
//! back needs no wait.

mod classes;
mod loan;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod timeline;

pub use classes::PoolLimits;
pub use loan::Loan;
pub use source::Allocator;
pub use timeline::Timeline;

use imminent_core::backend::PoolStatistics;
use imminent_core::{Error, Result};
use state::State;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Returns an error of the source, restated for the number of bytes that was requested from the pool.
fn asked_for(bytes: u64, error: Error) -> Error {
    match error {
        Error::OutOfMemory { backend, device, what, limit, holders, .. } => {
            Error::OutOfMemory { backend, device, what, requested: bytes, limit, holders }
        }
        other => other,
    }
}

/// Pool of the memory of one device.
#[derive(Debug)]
pub struct Pool<S: Allocator> {
    limits: PoolLimits,
    state: Mutex<State<S>>,
}

impl<S: Allocator> Pool<S> {
    /// Creates an empty pool.
    #[must_use]
    pub fn new(limits: PoolLimits) -> Arc<Pool<S>> {
        Arc::new(Pool { limits, state: Mutex::new(State::default()) })
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a place of at least `bytes` bytes for an owner whose queue clears or fills it first. `what` is for error
    /// texts.
    ///
    /// # Errors
    /// Errors of the source. If the source has no room although no idle memory is left, [`Error::OutOfMemory`].
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
        if self.limits.store.is_some() {
            // Parts of memory that is there already cost less than more memory.
            state.trim(&self.limits, 0);
        }
        let class = self.limits.class(bytes);
        let busy = if self.limits.shares(class) { state.busy_of(class) } else { 0 };
        let places = self.limits.places(class, busy);
        let slab = match source.allocate(what, class.saturating_mul(u64::from(places)), &self.limits) {
            Ok(slab) => return Ok(state.add(slab, class, places)),
            Err(Error::OutOfMemory { .. }) => {
                state.trim(&self.limits, 0);
                source.allocate(what, class, &self.limits).map_err(|error| asked_for(bytes, error))?
            }
            Err(error) => return Err(error),
        };
        Ok(state.add(slab, class, 1))
    }

    /// Gives back every allocation without places in use. Of parts of a [store](PoolLimits::store), those stay whose
    /// last work is not over.
    pub fn trim(&self) {
        self.lock().trim(&self.limits, 0);
    }

    /// Returns statistics of the pool's memory and its use.
    #[must_use]
    pub fn statistics(&self) -> PoolStatistics {
        self.lock().statistics()
    }
}
