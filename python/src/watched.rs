//! Work beside which Python handles signals and tells progress.
//!
//! Signals are handled by Python's main thread alone, which has to hold the lock of the interpreter for it. So the work
//! is done in a thread of its own, and the calling one looks after Python now and then.

use imminent::models::study::experiment::Progress;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two looks after signals and progress.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Stack of the thread that works, in bytes: as much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// State that the work shares with the thread that waits for it.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    is_to_end: AtomicBool,
    latest: Mutex<Option<Progress>>,
}

impl Watch {
    /// Notes progress. Breaks once the work is to end.
    pub(crate) fn note(&self, progress: Progress) -> ControlFlow<()> {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        if self.is_to_end() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_to_end(&self) -> bool {
        self.is_to_end.load(Ordering::Relaxed)
    }

    fn take(&self) -> Option<Progress> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Executes work without the lock of the interpreter. Returns what it returned, and the exception that ended it: of a
/// signal, such as `KeyboardInterrupt`, or of `told`, the function that is called with progress.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    told: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let watch = Watch::default();
    let look = || Python::attach(|py| look(py, told, &watch));
    py.detach(|| {
        thread::scope(|scope| {
            let (sent, ended) = mpsc::channel();
            let watch = &watch;
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let done = work(watch);
                // The receiver waits as long as this thread works.
                let _ = sent.send(());
                done
            })?;
            let mut trouble = None;
            while ended.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                if trouble.is_none() {
                    trouble = look().err();
                    watch.is_to_end.store(trouble.is_some(), Ordering::Relaxed);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            Ok((done, trouble))
        })
    })
}

/// Handles signals, and tells the progress since the last look.
fn look(py: Python<'_>, told: Option<&Py<PyAny>>, watch: &Watch) -> PyResult<()> {
    py.check_signals()?;
    match (told, watch.take()) {
        (Some(told), Some(Progress { done, all, now, .. })) => told.call1(py, (done, all, now)).map(drop),
        _ => Ok(()),
    }
}
