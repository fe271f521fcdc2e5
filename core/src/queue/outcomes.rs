//! Outcomes of operations: which call returns an error, and which memory it makes invalid.

use super::marks::check;
use super::state::{QueueState, lock};
use crate::error::{Error, Result};
use crate::memory::{Mark, Memory, Numbered};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl QueueState {
    /// Returns the deferred error, if there is one, otherwise the outcome, whose error is deferred in turn.
    fn or_deferred<T>(&self, outcome: Result<T>) -> Result<T> {
        let mut deferred = lock(&self.deferred);
        match (deferred.take(), outcome) {
            // The deferred error is of earlier work. No error is lost: the later one is returned by the next call.
            (Some(error), outcome) => {
                *deferred = outcome.err();
                Err(error)
            }
            (None, outcome) => outcome,
        }
    }

    /// Waits until all work is done. Returns its earliest error that no call has returned yet.
    pub(crate) fn finish(self: &Arc<Self>) -> Result<()> {
        let turn = self.begin(std::iter::empty())?;
        let settled = self.settle_waited(turn.number(), self.shared.backend.finish(&self.handle));
        drop(turn);
        self.reap();
        self.or_deferred(settled)
    }

    /// Waits for a mark. Returns the earliest error before it that no call has returned yet.
    pub(crate) fn finish_mark(&self, mark: &Mark) -> Result<()> {
        self.or_deferred(self.complete(mark))
    }

    /// Calls `wait`, which waits for the queue in order to use what `check` checks. A fault that leaves this valid
    /// belongs to other work: it is deferred, and `wait` is called again.
    pub(crate) fn using<T>(&self, check: impl Fn() -> Result<()>, mut wait: impl FnMut() -> Result<T>) -> Result<T> {
        // The loop ends: a backend tells each error once.
        loop {
            match wait() {
                Err(fault @ Error::Fault(_)) if check().is_ok() => self.defer(fault),
                Err(error) => return Err(error),
                Ok(value) => return self.undeferred(check()).map(|()| value),
            }
        }
    }

    /// Replaces the error of an invalid memory by its cause, if no call has returned that yet.
    pub(crate) fn undeferred(&self, checked: Result<()>) -> Result<()> {
        let Err(Error::Poisoned { cause, .. }) = &checked else { return checked };
        match lock(&self.deferred).take_if(|deferred| *deferred == **cause) {
            Some(cause) => Err(cause),
            None => checked,
        }
    }

    /// Waits for a launch that returns nothing. Returns its error.
    pub(crate) fn outcome_of(self: &Arc<Self>, number: u64, kernel: &str) -> Result<()> {
        let check = || match lock(&self.in_flight).failures.of(number) {
            Some(cause) => Err(Error::Poisoned { what: format!("result of kernel `{kernel}`"), cause }),
            None => Ok(()),
        };
        if self.finished() >= number {
            return self.undeferred(check());
        }
        let turn = self.begin(std::iter::empty())?;
        self.using(check, || self.settle_waited(turn.number(), self.shared.backend.finish(&self.handle)))
    }

    /// Settles a call that waited for the queue: earlier work of other queues must have succeeded, too.
    pub(crate) fn settle_waited<T>(&self, number: u64, outcome: Result<T>) -> Result<T> {
        let clock = lock(&self.clock).clone();
        let marks = self.marks_until(number);
        let earlier = marks.iter().try_for_each(|mark| mark.pending.complete());
        let outcome = outcome.and_then(|value| earlier.and_then(|()| check(&clock)).map(|()| value));
        self.settle(number, outcome)
    }

    /// Records the outcome of the operations up to a number. A fault makes invalid what its launch writes, and what
    /// work behind that writes: a device may have left it out. Any other error, and a fault of an unknown launch,
    /// poisons all memory that unfinished work may have written.
    pub(crate) fn settle<T>(&self, number: u64, mut outcome: Result<T>) -> Result<T> {
        let first = match &mut outcome {
            Err(Error::Fault(fault)) => fault.operation.take().unwrap_or(0),
            _ => 0,
        };
        let mut in_flight = lock(&self.in_flight);
        match &outcome {
            // Another call may hold an error of these operations and be about to make memory invalid. A backend tells
            // an error once, so success here proves nothing then. The entries stay for a later call.
            Ok(_) if self.waiting.load(Ordering::Acquire) > 1 => {}
            Ok(_) => {
                in_flight.written.retain(|_, (_, last)| *last > number);
                in_flight.settled = in_flight.settled.max(number);
            }
            Err(error) => {
                // Everything issued so far counts as failed, not only what came before `number`: kernels behind a fault
                // may have been skipped. Operations that were settled before keep their own outcome.
                let (written, issued) = (std::mem::take(&mut in_flight.written), self.line.issued());
                let cause = Arc::new(error.clone());
                let from = first.max(in_flight.settled + 1);
                in_flight.failures.add(from..=issued, &cause);
                in_flight.settled = in_flight.settled.max(issued);
                // The last reference to a memory may end below, and releasing memory takes other locks.
                drop(in_flight);
                let lost = written.into_values().filter(|(_, last)| *last >= first);
                lost.filter_map(|(memory, _)| memory.upgrade()).for_each(|memory| memory.poison(&cause));
            }
        }
        // "Finished" means that the outcome is known, be it a failure: nobody need wait for it again.
        self.finished.fetch_max(number, Ordering::AcqRel);
        lock(&self.marks).retain(|mark| mark.number > number);
        outcome
    }

    /// Forgets that unfinished work writes a memory: values of the host have replaced its contents since.
    pub(crate) fn overwritten(&self, memory: &Arc<Memory>) {
        lock(&self.in_flight).written.remove(&(Arc::as_ptr(memory) as usize));
    }

    /// Keeps a transfer without a submission until it is done.
    pub(crate) fn abandon(&self, mark: Arc<Mark>) {
        if mark.pending.is_done() {
            self.complete_unheard(&mark);
        } else {
            lock(&self.abandoned).push(mark);
        }
    }

    /// Takes back the memory of finished transfers without submissions.
    pub(crate) fn reap(&self) {
        let done: Vec<Arc<Mark>> = lock(&self.abandoned).extract_if(.., |mark| mark.pending.is_done()).collect();
        done.iter().for_each(|mark| self.complete_unheard(mark));
    }

    pub(super) fn complete_unheard(&self, mark: &Mark) {
        if let Err(error) = self.complete(mark) {
            self.defer(error);
        }
        if let Some(memory) = mark.pending.take_memory() {
            self.shared.staging.give_back(memory);
        }
    }

    /// Keeps an unreported error for the next call that waits for all work of the queue.
    pub(crate) fn defer(&self, error: Error) {
        lock(&self.deferred).get_or_insert(error);
    }
}
