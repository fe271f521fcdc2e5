//! Wall time of the process.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

static BEGAN: OnceLock<Instant> = OnceLock::new();

/// Records the start of the process. Call it first.
pub fn start() {
    BEGAN.get_or_init(Instant::now);
}

/// Returns the wall time since the start of the process.
pub fn elapsed() -> Duration {
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// Returns the result of some work, and its wall time.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let done = work();
    (done, began.elapsed())
}
