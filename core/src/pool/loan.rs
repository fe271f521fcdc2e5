//! A place in use.

use super::state::Taken;
use super::{Pool, Source, Timeline};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A place of a pool, until it is dropped.
#[derive(Debug)]
pub struct Loan<S: Source> {
    pool: Arc<Pool<S>>,
    place: S::Place,
    bytes: u64,
    new: bool,
    /// The most recent user, for comparison without a lock.
    last: AtomicPtr<Timeline>,
    /// The place, with the queues that used it. Never empty.
    taken: Mutex<Taken>,
}

impl<S: Source> Loan<S> {
    pub(super) fn new(
        pool: Arc<Pool<S>>,
        mut taken: Taken,
        place: S::Place,
        bytes: u64,
        queue: &Arc<Timeline>,
    ) -> Loan<S> {
        taken.users.clear();
        taken.users.push((0, queue.clone()));
        let (new, last) = (taken.new, AtomicPtr::new(Arc::as_ptr(queue).cast_mut()));
        Loan { pool, place, bytes, new, last, taken: Mutex::new(taken) }
    }

    /// Returns the backend's handle.
    #[must_use]
    pub fn place(&self) -> &S::Place {
        &self.place
    }

    /// The bytes that were asked for.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether nobody had the place before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// Notes that work of a queue uses the place. To be called by whoever puts that work on the queue.
    #[inline]
    pub fn used_by(&self, queue: &Arc<Timeline>) {
        // Every user is kept alive, so no other timeline has its address.
        if !std::ptr::eq(self.last.load(Ordering::Acquire), Arc::as_ptr(queue)) {
            self.add_user(queue);
        }
    }

    #[cold]
    fn add_user(&self, queue: &Arc<Timeline>) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if !taken.users.iter().any(|(_, user)| Arc::ptr_eq(user, queue)) {
            taken.users.push((0, queue.clone()));
        }
        self.last.store(Arc::as_ptr(queue).cast_mut(), Ordering::Release);
    }
}

impl<S: Source> Drop for Loan<S> {
    fn drop(&mut self) {
        let mut taken = std::mem::take(self.taken.get_mut().unwrap_or_else(PoisonError::into_inner));
        // Whoever put work on a queue that uses the place did so before the last owner let go of it: that work is of
        // the present stretch, or of one before.
        for (stretch, user) in &mut taken.users {
            *stretch = user.present();
        }
        let mut state = self.pool.lock();
        state.end_lending(self.bytes);
        state.give_back(taken);
        state.release_surplus();
    }
}
