//! Ctrl-C: the first ends a study in good order, the second at once.

use crate::cli::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether the end was asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interrupt(());

impl Interrupt {
    pub(super) fn requested(self) -> bool {
        // It guards nothing but itself.
        REQUESTED.load(Ordering::Relaxed)
    }
}

/// From now on, Ctrl-C (and, where there are such signals, the end of the session or a request to terminate) asks for the end.
pub(super) fn watch() -> Result<Interrupt, Failure> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            // As a shell calls the end by this signal. What is finished is in the journal.
            std::process::exit(130);
        }
        eprintln!("\nending after what is under way; once more to end at once");
    })
    .map_err(|error| Failure::run(format!("Ctrl-C cannot be watched for: {error}")))?;
    Ok(Interrupt(()))
}
