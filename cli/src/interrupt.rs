//! Ctrl-C: the first ends a command in good order, with what it has found, the second at once.

use super::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Returns true once the end was asked for, since it is [watched](watch) for.
pub fn requested() -> bool {
    // It guards nothing but itself.
    REQUESTED.load(Ordering::Relaxed)
}

/// From now on, Ctrl-C (and, where there are such signals, the end of the session or a request to terminate) asks for the end.
pub fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            // As a shell calls the end by this signal. What is in place is whole, and finished runs of a study are in its journal.
            std::process::exit(130);
        }
        eprintln!("\nending after what is under way; once more to end at once");
    })
    .map_err(|error| Failure::run(format!("Ctrl-C cannot be watched for: {error}")))
}
