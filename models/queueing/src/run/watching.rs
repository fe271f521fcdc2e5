//! Progress of a run, and its end on request, for engines with several threads.

use imminent_core::clock::Instant;
use imminent_study::experiment::Progress;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Time between two questions of an engine that are passed on, in ms.
const ASK_EVERY: u64 = 20;

/// Watch over a run.
pub struct Watcher<'w> {
    watch: Mutex<&'w mut (dyn FnMut(Progress) -> ControlFlow<()> + Send)>,
    all: u64,
    done: AtomicU64,
    has_results: AtomicBool,
    is_stopped: AtomicBool,
    began: Instant,
    /// Time of the latest question, in ms from the beginning.
    asked: AtomicU64,
}

impl<'w> Watcher<'w> {
    /// Creates a watch over `all` replications.
    pub fn new(watch: &'w mut (dyn FnMut(Progress) -> ControlFlow<()> + Send), all: u64) -> Self {
        Self {
            watch: Mutex::new(watch),
            all,
            done: AtomicU64::new(0),
            has_results: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            began: Instant::now(),
            asked: AtomicU64::new(0),
        }
    }

    /// Reports the number of replications that have ended.
    pub(super) fn done(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        if done > 0 {
            self.note_results();
        }
        self.say(String::new());
    }

    /// Notes that an interruption leaves results from now on.
    pub(super) fn note_results(&self) {
        self.has_results.store(true, Ordering::Relaxed);
    }

    /// Reports the present work.
    pub(super) fn say(&self, now: String) {
        let (done, has_results) = (self.done.load(Ordering::Relaxed), self.has_results.load(Ordering::Relaxed));
        // A watch that panicked has ended the process.
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        if watch(Progress { done, all: self.all, now, has_results }).is_break() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Returns `true` once the run is to end. Engines ask often, in any thread.
    pub(super) fn stops(&self) -> bool {
        let now = self.began.elapsed().as_millis() as u64;
        if self.asked.load(Ordering::Relaxed) + ASK_EVERY <= now {
            self.asked.store(now, Ordering::Relaxed);
            self.say(String::new());
        }
        self.is_stopped.load(Ordering::Relaxed)
    }
}
