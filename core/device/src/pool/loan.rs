//! A place in use.

use super::state::Taken;
use super::{Allocator, Pool, Timeline};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A place of a pool, until it is dropped.
#[derive(Debug)]
pub struct Loan<S: Allocator> {
    pool: Arc<Pool<S>>,
    place: S::Block,
    bytes: u64,
    new: bool,
    /// The most recent user, for comparison without a lock.
    last: AtomicPtr<Timeline>,
    /// The place, with the queues that used it. There is always at least one.
    taken: Mutex<Taken>,
}

impl<S: Allocator> Loan<S> {
    pub(super) fn new(
        pool: Arc<Pool<S>>,
        mut taken: Taken,
        place: S::Block,
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
    pub fn place(&self) -> &S::Block {
        &self.place
    }

    /// Returns the number of bytes that were requested.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns `true` if the place was never used before.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.new
    }

    /// Records that work of a queue uses the place. Must be called by the code that puts that work on the queue.
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

impl<S: Allocator> Drop for Loan<S> {
    fn drop(&mut self) {
        let mut taken = std::mem::take(self.taken.get_mut().unwrap_or_else(PoisonError::into_inner));
        // All work that uses the place was put on its queue before the last owner released it. It therefore belongs to
        // the present stretch, or to an earlier one.
        for (stretch, user) in &mut taken.users {
            *stretch = user.present();
        }
        let mut state = self.pool.lock();
        state.end_lending(self.bytes);
        state.give_back(taken);
        state.release_surplus(&self.pool.limits);
    }
}
