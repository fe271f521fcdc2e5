//! Waits in a browser, which suspend the stack of WebAssembly until a promise is kept.
#![allow(deprecated, reason = "`js-sys` marks by a deprecation that the suspension is experimental")]

use js_sys::futures::jspi_block_on_promise;
use js_sys::{Function, Promise};
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use wasm_bindgen::JsValue;

thread_local! {
    /// Functions that resume suspended stacks, by the number of the wait.
    static SUSPENDED: RefCell<HashMap<u64, Function>> = RefCell::default();
}

/// One suspension of a stack. A waker must be of all threads, which a function of JavaScript is not.
#[derive(Debug)]
struct Suspension {
    number: u64,
    is_over: AtomicBool,
}

impl Suspension {
    fn new() -> Suspension {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Suspension { number: NEXT.fetch_add(1, Ordering::Relaxed), is_over: AtomicBool::new(false) }
    }

    /// Suspends the stack until the waker is called.
    fn wait(&self) {
        if self.is_over.load(Ordering::Relaxed) {
            return;
        }
        let promise = Promise::new(&mut |resume, _| {
            SUSPENDED.with_borrow_mut(|suspended| suspended.insert(self.number, resume));
        });
        let _ = jspi_block_on_promise(&promise);
    }
}

impl Wake for Suspension {
    fn wake(self: Arc<Self>) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(resume) = SUSPENDED.with_borrow_mut(|suspended| suspended.remove(&self.number)) {
            let _ = resume.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Suspends the stack until a future is ready, and returns its value.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        let suspension = Arc::new(Suspension::new());
        let waker = Waker::from(suspension.clone());
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => suspension.wait(),
        }
    }
}

/// Answer of wgpu to a request, such as one to map a buffer.
#[derive(Debug)]
pub(crate) struct Answer<T>(Arc<Mutex<(Option<T>, Option<Waker>)>>);

impl<T> Default for Answer<T> {
    fn default() -> Self {
        Answer(Arc::new(Mutex::new((None, None))))
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Answer(self.0.clone())
    }
}

impl<T> Answer<T> {
    fn lock(&self) -> MutexGuard<'_, (Option<T>, Option<Waker>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the answer.
    pub(crate) fn store(&self, answer: T) {
        let waker = {
            let mut place = self.lock();
            place.0 = Some(answer);
            place.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Returns the answer once it has come.
    pub(crate) fn take(&self) -> Option<T> {
        block_on(poll_fn(|context| {
            let mut place = self.lock();
            match place.0.take() {
                Some(answer) => Poll::Ready(Some(answer)),
                None => {
                    place.1 = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        }))
    }
}

/// Waits for all work that was submitted: a browser numbers no submissions.
pub(crate) fn until_done(
    _device: &wgpu::Device,
    queue: &wgpu::Queue,
    _submission: &wgpu::SubmissionIndex,
) -> Result<wgpu::PollStatus, wgpu::PollError> {
    let done = Answer::default();
    let answer = done.clone();
    queue.on_submitted_work_done(move || answer.store(()));
    let _ = done.take();
    Ok(wgpu::PollStatus::QueueEmpty)
}
