//! Outcomes of submissions: by waiting, awaiting and callbacks. Errors are reported once and never lost.

use crate::case::{Cases, Verdict, ensure, equal, equal_slices, fail, refused};
use crate::context::Context;
use crate::kernels::memory::rows::{self, Small, SmallColumns as _};
use imminent_core::{Error, Result, Submission, Table};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::task::{Context as Task, Poll, Wake};
use std::thread::{self, Thread};
use std::time::Duration;

/// Waker that unparks a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Awaits a submission, and polls it once more.
fn awaited<T: 'static>(mut submission: Submission<T>) -> std::result::Result<(Result<T>, Result<T>), String> {
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut task = Task::from_waker(&waker);
    loop {
        if let Poll::Ready(outcome) = Pin::new(&mut submission).poll(&mut task) {
            return match Pin::new(&mut submission).poll(&mut task) {
                Poll::Ready(again) => Ok((outcome, again)),
                Poll::Pending => Err("a submission that was ready is pending when it is polled again".to_owned()),
            };
        }
        // If the waker were not called, this would wait for ever.
        let begun = imminent_core::clock::Instant::now();
        thread::park_timeout(Duration::from_secs(60));
        if begun.elapsed() >= Duration::from_secs(60) {
            return Err("nobody was woken in a minute".to_owned());
        }
    }
}

/// Creates a table whose last row is out of the other's range.
fn faulty(context: &Context<'_>) -> Result<(Table<Small>, Table<Small>)> {
    Ok((Table::zeroed(context.device, 5000)?, Table::zeroed(context.device, 4999)?))
}

fn is_fault(what: &str, result: Result<impl Sized>) -> Verdict {
    refused(what, result, "the fault of row 4999", |error| error.fault().is_some_and(|fault| fault.row == 4999))
}

fn is_poisoned(what: &str, result: Result<impl Sized>) -> Verdict {
    refused(what, result, "`Error::Poisoned`", |error| matches!(error, Error::Poisoned { .. }))
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("submissions can be awaited, once", |context| {
        let queue = context.queue();
        let mut table = Table::<Small>::zeroed(context.device, 100_000)?;
        queue.launch::<rows::add_id>((&mut table,))?;
        let download = table.value().download(&queue, 0..100_000, context.device.staging(100_000)?)?;
        let (outcome, again) = awaited(download).or_else(fail)?;
        equal_slices("what was awaited", &outcome?, &(0..100_000).collect::<Vec<_>>())?;
        refused("awaiting a second time", again, "`Error::Invalid`", |error| matches!(error, Error::Invalid { .. }))?;
        let (outcome, _) = awaited(queue.flush()?).or_else(fail)?;
        Ok(outcome?)
    });
    cases.add("a function is told when a submission is done", |context| {
        let queue = context.queue();
        let mut table = Table::<Small>::zeroed(context.device, 1000)?;
        queue.launch::<rows::add_id>((&mut table,))?;
        let (sender, receiver) = channel();
        let download = table.value().download(&queue, 0..1000, context.device.staging(1000)?)?;
        download.then(move |outcome| {
            let _ = sender.send(outcome.map(|staging| staging.to_vec()));
        })?;
        match receiver.recv_timeout(Duration::from_secs(60)) {
            Ok(outcome) => equal_slices("what the function was told", &outcome?, &(0..1000).collect::<Vec<_>>()),
            Err(_) => fail("the function was not called in a minute"),
        }
    });
    cases.add("a download after a fault gives the fault, and the data is not to be had", |context| {
        let queue = context.queue();
        let (mut to, from) = faulty(context)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        let download = to.value().download(&queue, 0..10, context.device.staging(10)?)?;
        is_fault("the download", download.wait())?;
        queue.wait()?;
        is_poisoned("a download of poisoned rows", to.value().download(&queue, 0..10, context.device.staging(10)?))?;
        is_poisoned(
            "an upload to a part of poisoned rows",
            to.value().upload(&queue, 0..10, context.device.staging(10)?),
        )?;
        to.clear()?;
        equal_slices("the table after it was cleared", &to.value().read()?, &[0; 5000])
    });
    cases.add("of two submissions behind a fault one gives it, the other does not give data", |context| {
        let queue = context.queue();
        let (mut to, from) = faulty(context)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        let first = to.value().download(&queue, 0..10, context.device.staging(10)?)?;
        let second = to.value().download(&queue, 0..10, context.device.staging(10)?)?;
        is_fault("the second, waited for first", second.wait())?;
        ensure(first.wait().is_err(), || "the first gave data that a failed kernel wrote".to_owned())?;
        Ok(queue.wait()?)
    });
    cases.add("a fault of work whose submission was dropped is told by the next call that waits", |context| {
        let queue = context.queue();
        let (mut to, from) = faulty(context)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        drop(queue.flush()?);
        // The device may already have noticed, and refuse.
        drop(to.value().download(&queue, 0..10, context.device.staging(10)?));
        is_fault("waiting", queue.wait())?;
        queue.wait()?;
        is_poisoned("reading what the kernel wrote", to.read())
    });
    cases.add("a fault on one queue is not hidden by reading on another", |context| {
        let queue = context.device.new_queue()?;
        let (mut to, from) = faulty(context)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        is_fault("a read on the device's own queue", to.read())?;
        queue.wait()?;
        context.queue().wait()?;
        // Data derived from failed work on another queue is poisoned as well.
        let (mut to, from) = faulty(context)?;
        let mut derived = Table::<Small>::zeroed(context.device, 5000)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        context.queue().launch::<rows::take>((&mut derived, &to))?;
        is_fault("a read of what was derived", derived.read())?;
        is_poisoned("another read of it", derived.read())?;
        queue.wait()?;
        Ok(context.queue().wait()?)
    });
    cases.add("a queue that is dropped with failed work leaves its tables poisoned", |context| {
        let queue = context.device.new_queue()?;
        let (mut to, from) = faulty(context)?;
        queue.launch::<rows::take>((&mut to, &from))?;
        drop(queue);
        is_poisoned("reading what the kernel wrote", to.read())?;
        equal("rows of the other table", &from.read()?.len(), &4999)
    });
}
