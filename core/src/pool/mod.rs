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
mod source;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod timeline;

pub use classes::PoolLimits;
pub use loan::Loan;
pub use source::Source;
pub use statistics::PoolStatistics;
pub use timeline::Timeline;

use crate::error::{Error, Result};
use state::State;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
