//! Invitations to help: offered, taken or taken back.

use super::waiting::{lock, wait_until};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Looks for new work before a helper sleeps: waking it takes about as long.
const LOOKS: usize = 1 << 11;

/// What the threads of a team know of each other.
#[derive(Debug, Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// Told to helpers that sleep.
    offered: Condvar,
    /// Whether there is an invitation, for helpers that do not sleep yet.
    some: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    offers: VecDeque<Offer>,
    sleeping: usize,
    closed: bool,
}

/// Work to which so many more helpers may come.
#[derive(Debug)]
struct Offer {
    job: &'static Job<'static>,
    places: usize,
}

/// Work that a caller shares.
struct Job<'w> {
    work: &'w (dyn Fn() + Sync),
    /// Helpers that have begun and not ended.
    inside: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("inside", &self.inside).finish_non_exhaustive()
    }
}

/// Takes the invitation back when it is dropped, and waits for those who had come.
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
    /// Runs `work` here, and on up to so many helpers that come meanwhile.
    pub(super) fn together(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        let job = Job { work, inside: AtomicUsize::new(0), panic: Mutex::new(None) };
        // SAFETY: only the lifetimes change. The invitation below ends before `job` and `work` do, also when `work` panics here:
        // it takes the offer out of the list, so that no helper finds it any more, and waits until every helper that found
        // it has left, after which helpers do not touch it.
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

    /// What a helper does until the team is closed.
    pub(super) fn help(&self) {
        while let Some(job) = self.next() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(job.work)) {
                *lock(&job.panic) = Some(panic);
            }
            // The job may be gone from here on.
            job.inside.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits for an invitation and takes it; `None` when the team is closed.
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

    /// Lets the helpers go.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.offered.notify_all();
    }
}
