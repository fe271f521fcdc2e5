//! Ctrl-C: the first ends a command in order and keeps its findings, the second ends it at once.

use super::print::{tell, tell_error};
use imminent_core::backend::compiling;
use std::sync::atomic::{AtomicBool, Ordering};

// The flags guard no other data.
static REQUESTED: AtomicBool = AtomicBool::new(false);
static RESULTS: AtomicBool = AtomicBool::new(false);

/// Returns `true` once the end was requested after [`watch`] was called.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Notes that a part of the work has ended, whose results are to be kept.
pub fn note_results() {
    RESULTS.store(true, Ordering::Relaxed);
}

/// Exit status of a shell for Ctrl-C.
const STATUS: i32 = 130;

/// Ends the process without its libraries' consent: a driver that compiles a kernel would hold up an end in order.
/// Files in place are complete, and the journal of a study has its finished runs.
fn end_at_once() -> ! {
    #[cfg(unix)]
    // SAFETY: the call ends the process, and runs no code of it.
    unsafe {
        libc::_exit(STATUS)
    }
    #[cfg(not(unix))]
    std::process::exit(STATUS)
}

/// Starts to watch for Ctrl-C and, if the system has such signals, the end of the session or a termination request.
///
/// A compiler cannot be stopped, and may take minutes. Before there are results to keep, the first request during a
/// compilation ends the process at once.
pub fn watch() {
    let set = ctrlc::set_handler(|| {
        let again = REQUESTED.swap(true, Ordering::Relaxed);
        if again || loses_nothing(compiling().is_some(), RESULTS.load(Ordering::Relaxed)) {
            if !again {
                tell_error("\nended while a kernel was compiled, before the first result");
            }
            end_at_once();
        }
        tell("\nending after what is under way, which may be a driver that compiles; once more to end at once");
    });
    // The system may refuse the thread that waits for signals.
    if let Err(error) = set {
        tell(&format!("warning: Ctrl-C ends this run at once, without results: it cannot be watched for: {error}"));
    }
}

/// Returns `true` if nothing is lost by an end at once, and much time by one in order.
const fn loses_nothing(compiles: bool, has_results: bool) -> bool {
    compiles && !has_results
}

#[cfg(test)]
mod tests {
    use super::loses_nothing;

    #[test]
    fn results_outlive_a_compilation() {
        assert!(loses_nothing(true, false) && !loses_nothing(true, true) && !loses_nothing(false, false));
    }
}
