//! Threads that work for calls of Python, and stay for later calls: to start one takes as long as a small simulation.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Stack of a worker, in bytes: as much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// Workers that wait for work. There are as many as calls were under way at the same time.
static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

type Work = Box<dyn FnOnce() + Send>;

/// Thread that does one piece of work after the other, until its handle is dropped.
#[derive(Debug)]
struct Worker {
    work: Sender<Work>,
}

impl Worker {
    /// Takes a worker that is idle, or starts one.
    fn take() -> io::Result<Self> {
        match IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            Some(worker) => Ok(worker),
            None => Self::start(),
        }
    }

    fn start() -> io::Result<Self> {
        let (work, given) = mpsc::channel::<Work>();
        let name = "imminent".to_owned();
        thread::Builder::new().name(name).stack_size(STACK).spawn(move || given.iter().for_each(|work| work()))?;
        Ok(Self { work })
    }
}

/// Work that a worker does.
#[derive(Debug)]
pub(crate) struct UnderWay<T> {
    worker: Worker,
    ended: Receiver<Result<T, Box<dyn Any + Send>>>,
}

/// Begins some work in a worker.
///
/// # Errors
/// The system refuses a thread.
pub(crate) fn begin<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<UnderWay<T>> {
    let worker = Worker::take()?;
    let (end, ended) = mpsc::channel();
    let work = move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        // Nobody waits any more: the result is of no use.
        let _ = end.send(done);
    };
    // A worker that is gone is found by `wait`.
    let _ = worker.work.send(Box::new(work));
    Ok(UnderWay { worker, ended })
}

impl<T> UnderWay<T> {
    /// Waits for the end of the work, and calls `look` each time that it has waited for so long. A panic of the work
    /// goes on here.
    ///
    /// # Errors
    /// The worker is gone.
    pub(crate) fn wait(self, between_looks: Duration, mut look: impl FnMut()) -> io::Result<T> {
        let done = loop {
            match self.ended.recv_timeout(between_looks) {
                Ok(done) => break done,
                Err(RecvTimeoutError::Timeout) => look(),
                Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("the thread that worked is gone")),
            }
        };
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.worker);
        Ok(done.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}
