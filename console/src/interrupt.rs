//! Ctrl-C: the first ends a command in order and keeps its findings, the second ends it at once.
//!
//! A driver that compiles a kernel, at the latest with its first launch, cannot be stopped and may take minutes. A run
//! that does not end in time is therefore ended by a thread that waits for it.

use super::name::program;
use super::print::{tell, tell_error};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

// The flags guard no other data.
static REQUESTED: AtomicBool = AtomicBool::new(false);
static RESULTS: AtomicBool = AtomicBool::new(false);
/// `true` once kernels may be compiled by a driver.
static DRIVER: AtomicBool = AtomicBool::new(false);

static RUN: Mutex<Run> = Mutex::new(Run { is_under_way: false, has_answered: false });
/// Signals that [`RUN`] has changed.
static CHANGED: Condvar = Condvar::new();

/// State of the run that [`watched`] executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    is_under_way: bool,
    /// `true` if the run knows of the request.
    has_answered: bool,
}

impl Run {
    /// Returns the longest time from the request to the end of the process; `None` if the run is waited for.
    const fn grace(self, has_results: bool) -> Option<Duration> {
        match (self.has_answered, has_results) {
            (false, false) => Some(Duration::from_secs(1)),
            (true, true) => None,
            _ => Some(Duration::from_secs(30)),
        }
    }
}

fn run() -> MutexGuard<'static, Run> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `true` once the end was requested after [`watch`] was called, and then counts as the run's answer.
pub fn requested() -> bool {
    answer();
    is_due()
}

/// Returns `true` once the end was requested. The caller may have to wait for the run's answer.
pub fn is_due() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Notes that kernels of this process may be compiled by a driver, for which a run may be late.
pub(crate) fn note_driver() {
    DRIVER.store(true, Ordering::Relaxed);
}

/// Notes that the run knows of the request, if there is one, and ends.
pub fn answer() {
    if is_due() {
        run().has_answered = true;
        CHANGED.notify_all();
    }
}

/// Notes that a part of the work has ended, whose results are to be kept.
pub fn note_results() {
    RESULTS.store(true, Ordering::Relaxed);
}

/// Exit status of a shell for Ctrl-C.
const STATUS: i32 = 130;

/// Says that a second request ends the process. A standard error that nobody reads holds it up for a moment only.
fn say_last() {
    let (said, is_said) = mpsc::channel();
    // Standard error has one writer at a time, so the line of the first request is complete.
    let speaker = std::thread::Builder::new().spawn(move || {
        tell_error(&format!("\n{}: interrupted twice, and ended at once", program()));
        let _ = said.send(());
    });
    if speaker.is_ok() {
        let _ = is_said.recv_timeout(Duration::from_millis(200));
    }
}

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
pub fn watch() {
    let set = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            say_last();
            end_at_once();
        }
        // Without a thread the run is waited for.
        let _ = std::thread::Builder::new().spawn(wait);
    });
    // The system may refuse the thread that waits for signals.
    if let Err(error) = set {
        tell(&format!("warning: Ctrl-C ends this run at once, without results: it cannot be watched for: {error}"));
    }
}

/// Executes a run. From the first Ctrl-C on, the run is waited for as long as its answer and its results are worth.
///
/// Results are written after it: the process is not ended while it writes.
pub fn watched<T>(execute: impl FnOnce() -> T) -> T {
    struct UnderWay;
    impl Drop for UnderWay {
        fn drop(&mut self) {
            run().is_under_way = false;
            CHANGED.notify_all();
        }
    }
    run().is_under_way = true;
    let _under_way = UnderWay;
    watch();
    execute()
}

/// Waits for the run after a request, and ends the process if the run takes too long.
fn wait() {
    let (began, mut run, mut is_told) = (Instant::now(), run(), false);
    loop {
        let has_results = RESULTS.load(Ordering::Relaxed);
        if !is_told && (!run.is_under_way || run.has_answered || has_results) {
            tell("\nending after what is under way; once more to end at once");
            is_told = true;
        }
        let Some(grace) = run.grace(has_results).filter(|_| run.is_under_way) else { return };
        let left = grace.saturating_sub(began.elapsed());
        if left.is_zero() {
            // The run cannot answer meanwhile, since this thread has the lock.
            tell_error(&late(grace, has_results, DRIVER.load(Ordering::Relaxed)));
            end_at_once();
        }
        run = CHANGED.wait_timeout(run, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}

/// Returns the last words of a process that is ended.
fn late(grace: Duration, has_results: bool, has_driver: bool) -> String {
    let what = if has_results { "and only the finished runs of a study are kept" } else { "before the first result" };
    let seconds = grace.as_secs();
    let program = program();
    let why = if has_driver { ", perhaps for a driver that compiles" } else { "" };
    format!("\n{program}: interrupted {what}: the run did not end within {seconds} s{why}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn drivers_are_suspected_only_where_there_are_any() {
        let said = |has_driver| late(Duration::from_secs(1), false, has_driver);
        assert!(said(false).ends_with("interrupted before the first result: the run did not end within 1 s"));
        assert!(said(true).ends_with("within 1 s, perhaps for a driver that compiles"));
    }

    #[test]
    fn results_and_answers_are_worth_a_wait() {
        let grace = |has_answered, has_results| {
            Run { is_under_way: true, has_answered }.grace(has_results).map(|grace| grace.as_secs())
        };
        assert_eq!([grace(false, false), grace(false, true), grace(true, false)], [Some(1), Some(30), Some(30)]);
        assert_eq!(grace(true, true), None);
    }
}
