//! Ctrl-C: the first ends a command in order and keeps its findings, the second ends it at once.

use super::Failure;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Returns `true` once the end was requested after [`watch`] was called.
pub fn requested() -> bool {
    // The flag guards no other data.
    REQUESTED.load(Ordering::Relaxed)
}

/// Exit status of a shell for Ctrl-C.
const STATUS: i32 = 130;
/// Time for libraries to end in order: a driver that compiles a kernel may hold up the end of the process.
const GRACE: Duration = Duration::from_secs(1);

/// Ends the process. Files in place are complete, and the journal of a study has its finished runs.
fn end_at_once() -> ! {
    std::thread::spawn(|| {
        std::thread::sleep(GRACE);
        kill();
    });
    std::process::exit(STATUS)
}

/// Ends the process without its libraries' consent.
fn kill() {
    #[cfg(unix)]
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    std::process::abort();
}

/// Starts to watch for Ctrl-C and, if the system has such signals, the end of the session or a termination request.
pub fn watch() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            end_at_once();
        }
        eprintln!("\nending after what is under way, which may be a driver that compiles; once more to end at once");
    })
    .map_err(|error| Failure::run(format!("Ctrl-C cannot be watched for: {error}")))
}
