//! When the process began, for what is told of a run's time.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

static BEGAN: OnceLock<Instant> = OnceLock::new();

/// Notes that the process begins: the first thing that it does.
pub fn start() {
    BEGAN.get_or_init(Instant::now);
}

/// Wall time since the process began.
pub(crate) fn elapsed() -> Duration {
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// Result of a piece of work, and its wall time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let done = work();
    (done, began.elapsed())
}
