//! Work beside which Python handles signals and tells progress.
//!
//! Signals are handled by Python's main thread alone, which has to hold the lock of the interpreter for it. So the work
//! is done by a [worker], and the calling thread looks after Python now and then.

use crate::typed::Told;
use crate::worker;
use imminent::models::study::experiment::Progress;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks after signals and progress.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

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
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    told: Option<&Told>,
    work: impl FnOnce(&Watch) -> T + Send + 'static,
) -> PyResult<(T, Option<PyErr>)> {
    let watch = Arc::new(Watch::default());
    let under_way = {
        let watch = watch.clone();
        worker::begin(move || work(&watch))?
    };
    let mut trouble = None;
    let done = py.detach(|| {
        under_way.wait(BETWEEN_LOOKS, || {
            if trouble.is_none() {
                trouble = Python::attach(|py| look(py, told, &watch)).err();
                watch.is_to_end.store(trouble.is_some(), Ordering::Relaxed);
            }
        })
    })?;
    Ok((done, trouble))
}

/// Handles signals, and tells the progress since the last look.
fn look(py: Python<'_>, told: Option<&Told>, watch: &Watch) -> PyResult<()> {
    py.check_signals()?;
    match (told, watch.take()) {
        (Some(told), Some(Progress { done, all, now, .. })) => told.0.call1(py, (done, all, now)).map(drop),
        _ => Ok(()),
    }
}
