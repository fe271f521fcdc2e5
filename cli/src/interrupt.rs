//! Ctrl-C: the first ends a command in order and keeps its findings, the second ends it at once.

use super::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Returns `true` once the end was requested after [`watch`] was called.
pub fn requested() -> bool {
    // The flag guards no other data.
    REQUESTED.load(Ordering::Relaxed)
}

/// Starts to watch for Ctrl-C and, if the system has such signals, the end of the session or a termination request.
pub fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            // Exit status of a shell for this signal. Files in place are complete, and the journal of a study has its
            // finished runs.
            std::process::exit(130);
        }
        eprintln!("\nending after what is under way; once more to end at once");
    })
    .map_err(|error| Failure::run(format!("Ctrl-C cannot be watched for: {error}")))
}
