//! Offers of work to helper threads: made, taken, or withdrawn.

use super::waiting::{lock, wait_until};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Number of polls for new work before a helper sleeps: waking it takes about as long.
const LOOKS: usize = 1 << 11;

/// State that the threads of a team share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// Signalled to sleeping helpers.
    offered: Condvar,
    /// `true` if there is an offer, for helpers that do not sleep yet.
    some: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    offers: VecDeque<Offer>,
    sleeping: usize,
    closed: bool,
}

/// Work that a number of helpers may still join.
#[derive(Debug)]
struct Offer {
    job: &'static Job<'static>,
    places: usize,
}

/// Work that a caller shares.
struct Job<'w> {
    work: &'w (dyn Fn() + Sync),
    /// Number of helpers that have begun and not ended.
    inside: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("inside", &self.inside).finish_non_exhaustive()
    }
}

/// Withdraws the offer when dropped, and waits for the helpers that joined.
struct Invitation<'i> {
    shared: &'i Shared,
    job: &'i Job<'i>,
}

impl Drop for Invitation<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.offers.retain(|offer| !std::ptr::addr_eq(offer.job, self.job));
        self.shared.some.store(!state.offers.is_empty(), Ordering::Relaxed);
        drop(state);
        wait_until(|| self.job.inside.load(Ordering::Acquire) == 0);
    }
}

impl Shared {
    /// Runs `work` here, and on up to `helpers` helpers that join meanwhile.
    pub(super) fn together(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        let job = Job { work, inside: AtomicUsize::new(0), panic: Mutex::new(None) };
        // SAFETY: only the lifetimes change. The invitation below ends before `job` and `work` do, also if `work`
        // panics here. It takes the offer out of the list, so no helper finds it any more. It then waits until every
        // helper that found it has left, after which helpers do not touch it.
        let lasting = unsafe { std::mem::transmute::<&Job<'_>, &'static Job<'static>>(&job) };
        let invitation = Invitation { shared: self, job: &job };
        let mut state = lock(&self.state);
        state.offers.push_back(Offer { job: lasting, places: helpers });
        self.some.store(true, Ordering::Relaxed);
        let sleeping = state.sleeping.min(helpers);
        drop(state);
        (0..sleeping).for_each(|_| self.offered.notify_one());
        work();
        drop(invitation);
        let panic = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Runs a helper's loop until the team is closed.
    pub(super) fn help(&self) {
        while let Some(job) = self.next() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(job.work)) {
                *lock(&job.panic) = Some(panic);
            }
            // The job may no longer exist from here on.
            job.inside.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits for an offer and takes it; `None` when the team is closed.
    fn next(&self) -> Option<&'static Job<'static>> {
        for _ in 0..LOOKS {
            if self.some.load(Ordering::Relaxed) {
                break;
            }
            std::hint::spin_loop();
        }
        let mut state = lock(&self.state);
        loop {
            if let Some(offer) = state.offers.front_mut() {
                let job = offer.job;
                job.inside.fetch_add(1, Ordering::Relaxed);
                offer.places -= 1;
                if offer.places == 0 {
                    state.offers.pop_front();
                    self.some.store(!state.offers.is_empty(), Ordering::Relaxed);
                }
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state.sleeping += 1;
            state = self.offered.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.sleeping -= 1;
        }
    }

    /// Ends all helpers.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.offered.notify_all();
    }
}
