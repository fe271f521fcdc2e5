//! Submitted work that can be waited for or awaited.

use super::Queue;
use crate::backend::Outcome;
use crate::error::{Error, Result};
use crate::memory::{Mark, Memory, Numbered, Plain, Staging};
use std::fmt::Debug;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Work in progress: a transfer, a program, or everything that was on a queue. [`Submission::wait`] blocks, `.await`
/// does not; either gives the outcome, once.
///
/// Dropping a submission does not stop the work. The memory of a transfer is kept until the device is done with it, and
/// an error is returned by the next call that waits for all work of the queue.
#[must_use = "the outcome, errors included, is had by waiting"]
#[derive(Debug)]
pub struct Submission<T> {
    queue: Queue,
    /// Taken with the outcome.
    work: Option<Arc<dyn Work<T>>>,
    watched: Option<Arc<Mutex<Waker>>>,
}

/// Work that a submission waits for.
trait Work<T>: Debug + Send + Sync {
    fn is_done(&self) -> bool;
    fn wait(&self);
    /// Waits, and returns the outcome. Called once.
    fn take(&self, queue: &Queue) -> Result<T>;
    /// Abandons the work: its outcome will not be requested.
    fn abandon(&self, queue: &Queue);
}

impl<T: 'static> Submission<T> {
    fn new(queue: Queue, work: Arc<dyn Work<T>>) -> Self {
        Submission { queue, work: Some(work), watched: None }
    }

    /// Returns the queue of the work.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// Returns `true` if the work is done, successfully or not. Does not wait.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.work.as_ref().is_none_or(|work| work.is_done())
    }

    /// Waits until the work is done.
    ///
    /// # Errors
    /// Errors of the work and of earlier work; [`Error::Invalid`] if the outcome was awaited before.
    pub fn wait(mut self) -> Result<T> {
        match self.work.take() {
            Some(work) => work.take(&self.queue),
            None => Err(taken()),
        }
    }

    /// Calls `f` with the outcome when the work is done, on a thread of the queue. Returns at once.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the outcome was awaited before, or the system starts no thread; [`Error::NoThreads`].
    pub fn then(mut self, f: impl FnOnce(Result<T>) + Send + 'static) -> Result<()> {
        let Some(work) = self.work.take() else { return Err(taken()) };
        let queue = self.queue.clone();
        self.queue.state().workers().watch(Box::new(move || f(work.take(&queue))))
    }
}

fn taken() -> Error {
    Error::invalid("submission", "its outcome was taken already: it is given once")
}

impl<T: 'static> Future for Submission<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        let this = &mut *self;
        let Some(work) = &this.work else { return Poll::Ready(Err(taken())) };
        if work.is_done() {
            let outcome = work.take(&this.queue);
            this.work = None;
            return Poll::Ready(outcome);
        }
        if let Some(waker) = &this.watched {
            waker.lock().unwrap_or_else(PoisonError::into_inner).clone_from(cx.waker());
            return match &this.work {
                // The work may have finished, and called the old waker, just before.
                Some(work) if work.is_done() => {
                    cx.waker().wake_by_ref();
                    Poll::Pending
                }
                _ => Poll::Pending,
            };
        }
        let waker = Arc::new(Mutex::new(cx.waker().clone()));
        let (watched, called) = (work.clone(), waker.clone());
        let watching = this.queue.state().workers().watch(Box::new(move || {
            watched.wait();
            called.lock().unwrap_or_else(PoisonError::into_inner).wake_by_ref();
        }));
        if let Err(error) = watching {
            return Poll::Ready(Err(error));
        }
        this.watched = Some(waker);
        Poll::Pending
    }
}

impl<T> Drop for Submission<T> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            work.abandon(&self.queue);
        }
    }
}

/// Everything on a queue up to a mark.
#[derive(Debug)]
struct Everything(Arc<Mark>);

impl Work<()> for Everything {
    fn is_done(&self) -> bool {
        self.0.pending.is_done()
    }

    fn wait(&self) {
        self.0.pending.wait();
    }

    fn take(&self, queue: &Queue) -> Result<()> {
        queue.state().finish_mark(&self.0)
    }

    fn abandon(&self, queue: &Queue) {
        queue.state().abandon(self.0.clone());
    }
}

/// A transfer of some rows of a column.
#[derive(Debug)]
struct Transfer<T: Plain> {
    mark: Arc<Mark>,
    /// Memory that is read or written.
    memory: Arc<Memory>,
    length: usize,
    of: std::marker::PhantomData<fn() -> T>,
}

impl<T: Plain> Work<Staging<T>> for Transfer<T> {
    fn is_done(&self) -> bool {
        self.mark.pending.is_done()
    }

    fn wait(&self) {
        self.mark.pending.wait();
    }

    fn take(&self, queue: &Queue) -> Result<Staging<T>> {
        let outcome = queue.state().using(|| self.memory.check(), || queue.state().complete(&self.mark));
        let staging = Staging::again(self.mark.pending.take_memory(), self.length, queue.device().shared());
        outcome.map(|()| staging)
    }

    fn abandon(&self, queue: &Queue) {
        queue.state().abandon(self.mark.clone());
    }
}

/// A program that a thread of the queue runs.
#[derive(Debug, Default)]
struct Run {
    state: Mutex<RunState>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct RunState {
    outcome: Option<Result<Outcome>>,
    abandoned: bool,
}

impl Run {
    fn lock(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn until_ended(&self) -> MutexGuard<'_, RunState> {
        let state = self.lock();
        self.ended.wait_while(state, |state| state.outcome.is_none()).unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, outcome: Result<Outcome>, queue: &Queue) {
        let mut state = self.lock();
        if let (true, Err(error)) = (state.abandoned, &outcome) {
            queue.state().defer(error.clone());
        }
        state.outcome = Some(outcome);
        drop(state);
        self.ended.notify_all();
    }
}

impl Work<Outcome> for Run {
    fn is_done(&self) -> bool {
        self.lock().outcome.is_some()
    }

    fn wait(&self) {
        drop(self.until_ended());
    }

    fn take(&self, _queue: &Queue) -> Result<Outcome> {
        // The outcome stays for other observers.
        self.until_ended().outcome.clone().unwrap_or_else(|| Err(taken()))
    }

    fn abandon(&self, queue: &Queue) {
        let mut state = self.lock();
        state.abandoned = true;
        if let Some(Err(error)) = &state.outcome {
            queue.state().defer(error.clone());
        }
    }
}

impl<T: Plain> Submission<Staging<T>> {
    pub(crate) fn of_transfer(queue: Queue, mark: Arc<Mark>, memory: Arc<Memory>, length: usize) -> Self {
        Submission::new(queue, Arc::new(Transfer { mark, memory, length, of: std::marker::PhantomData }))
    }
}

impl Submission<Outcome> {
    pub(crate) fn of_program(queue: Queue, run: impl FnOnce() -> Result<Outcome> + Send + 'static) -> Result<Self> {
        let work = Arc::new(Run::default());
        let (end, of_queue) = (work.clone(), queue.clone());
        queue.state().workers().run(Box::new(move || {
            let panicked = |_| Err(Error::invalid("program", "its progress function panicked"));
            let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(panicked);
            end.end(outcome, &of_queue);
        }))?;
        Ok(Submission::new(queue, work))
    }
}

impl Queue {
    /// Makes the device begin with the work on the queue. Returns a submission that can be waited for or awaited.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn flush(&self) -> Result<Submission<()>> {
        Ok(Submission::new(self.clone(), Arc::new(Everything(self.state().mark()?))))
    }
}
