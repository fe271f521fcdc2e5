//! State of a queue.

use super::failures::Failures;
use super::line::{Line, Ticket};
use super::worker::Workers;
use crate::backend::{Pending, QueueHandle};
use crate::error::{Error, Result};
use crate::launch::{Kept, Key, Recent};
use crate::memory::{ByAddress, Clock, Keeper, Mark, Memory, Numbered, Shared, Use};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A queue: its handle, its line, and the known state of its work.
///
/// Operations of several queues that use the same memory are ordered here. Before an operation is put on its queue, the
/// queue is made to wait for marks of the queues that used its memory before. None of this happens while a device has
/// only one queue.
#[derive(Debug)]
pub(crate) struct QueueState {
    id: u64,
    pub(crate) handle: QueueHandle,
    pub(crate) shared: Arc<Shared>,
    line: Line,
    clock: Mutex<Clock>,
    marks: Mutex<VecDeque<Arc<Mark>>>,
    in_flight: Mutex<InFlight>,
    /// Last operation whose outcome is known.
    finished: AtomicU64,
    /// Number of calls that may hold an error and have not poisoned anything yet.
    waiting: AtomicUsize,
    /// Transfers whose submissions were dropped.
    abandoned: Mutex<Vec<Arc<Mark>>>,
    /// Earliest error that no call has returned yet: of work whose submission was dropped, or a fault that a call found
    /// which uses none of its memory.
    deferred: Mutex<Option<Error>>,
    workers: Workers,
    recent: Mutex<Recent>,
}

/// Memory written by unfinished work, each with the last operation that writes it.
#[derive(Debug, Default)]
struct InFlight {
    written: ByAddress<(Weak<Memory>, u64)>,
    /// Operations up to here have ended, and those that failed are in `failures`.
    settled: u64,
    failures: Failures,
    /// Size at which entries of dropped memories are removed: a program that never waits makes and drops results.
    most: usize,
}

/// Smallest number of memories in flight at which dropped ones are searched for.
const LEAST_LOOKED_AT: usize = 64;

impl InFlight {
    fn insert(&mut self, address: usize, number: u64, memory: impl FnOnce() -> Weak<Memory>) {
        if let Some((_, last)) = self.written.get_mut(&address) {
            // Its `Weak` keeps the address reserved.
            *last = number;
            return;
        }
        if self.written.len() >= self.most.max(LEAST_LOOKED_AT) {
            self.written.retain(|_, (memory, _)| memory.strong_count() > 0);
            self.most = 2 * self.written.len();
        }
        self.written.insert(address, (memory(), number));
    }
}

/// Largest number of marks kept; a later one then serves instead.
const MOST_MARKS: usize = 64;

/// An operation that has its place in the line, but not yet its turn.
#[derive(Debug)]
pub(crate) struct Planned {
    queue: Arc<QueueState>,
    /// Taken at the operation's turn.
    ticket: Option<Ticket>,
    needs: Vec<Use>,
}

impl Drop for Planned {
    fn drop(&mut self) {
        // The turn must pass, or no later one would come.
        if let Some(ticket) = self.ticket.take() {
            self.queue.line.enter(ticket);
            self.queue.line.leave(ticket);
        }
    }
}

/// An operation during its turn, until this is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'q> {
    queue: &'q QueueState,
    ticket: Ticket,
}

impl Turn<'_> {
    pub(crate) fn number(&self) -> u64 {
        self.ticket.number
    }

    /// Lets the present thread use the queue during this turn.
    pub(crate) fn run_here(&self) {
        self.queue.line.run_here();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.queue.waiting.fetch_sub(1, Ordering::AcqRel);
        self.queue.line.leave(self.ticket);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl QueueState {
    pub(crate) fn new(shared: &Arc<Shared>) -> Result<Arc<QueueState>> {
        Ok(Self::with(shared, shared.backend.queue()?))
    }

    pub(crate) fn with(shared: &Arc<Shared>, handle: QueueHandle) -> Arc<QueueState> {
        let queue = Arc::new(QueueState {
            id: shared.next_queue(),
            handle,
            shared: shared.clone(),
            line: Line::default(),
            clock: Mutex::default(),
            marks: Mutex::default(),
            in_flight: Mutex::default(),
            finished: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            abandoned: Mutex::default(),
            deferred: Mutex::default(),
            workers: Workers::default(),
            recent: Mutex::default(),
        });
        let keeper: Weak<Self> = Arc::downgrade(&queue);
        shared.keeps(keeper);
        queue
    }

    pub(crate) fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Takes a place in the line for an operation that uses memories, and computes those with `true`. If it fails, or
    /// work before it fails, these become invalid.
    pub(crate) fn plan<'m>(
        self: &Arc<Self>,
        touched: impl Iterator<Item = (&'m Arc<Memory>, bool)> + Clone,
    ) -> Planned {
        let planned = self.place(touched.clone());
        let mut written = touched.filter(|(_, writes)| *writes).peekable();
        if let (Some(ticket), true) = (planned.ticket, written.peek().is_some()) {
            let mut in_flight = lock(&self.in_flight);
            for (memory, _) in written {
                in_flight.insert(Arc::as_ptr(memory) as usize, ticket.number, || Arc::downgrade(memory));
            }
        }
        planned
    }

    /// Takes a place in the line for an operation that uses memories, and writes those with `true`.
    fn place<'m>(self: &Arc<Self>, touched: impl Iterator<Item = (&'m Arc<Memory>, bool)> + Clone) -> Planned {
        let mut needs = Vec::new();
        // With several queues, places and uses are recorded atomically: otherwise an operation could wait for a later
        // one.
        let ledger = self.shared.ledger();
        let ticket = self.line.take();
        if ledger.is_some() {
            for (memory, writes) in touched {
                let used = self.used(ticket.number, None);
                memory.uses().add(used, writes, &mut needs);
            }
        }
        drop(ledger);
        Planned { queue: self.clone(), ticket: Some(ticket), needs }
    }

    /// Returns a use of memory by an operation of the queue.
    fn used(self: &Arc<Self>, number: u64, mark: Option<Arc<Mark>>) -> Use {
        let queue: Weak<Self> = Arc::downgrade(self);
        Use { id: self.id, queue, number, mark }
    }

    /// Waits for the operation's turn, and makes the queue wait for everything that must come before it.
    pub(crate) fn enter(&self, mut planned: Planned) -> Result<Turn<'_>> {
        let Some(ticket) = planned.ticket.take() else { return Err(Error::invalid("operation", "it had its turn")) };
        self.line.enter(ticket);
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let turn = Turn { queue: self, ticket };
        planned.needs.iter().try_for_each(|need| self.after(need))?;
        Ok(turn)
    }

    /// Plans an operation and waits for its turn.
    pub(crate) fn begin<'m>(
        self: &Arc<Self>,
        touched: impl Iterator<Item = (&'m Arc<Memory>, bool)> + Clone,
    ) -> Result<Turn<'_>> {
        self.enter(self.plan(touched))
    }

    /// Plans an operation that fills memories with values of the host, and waits for its turn. These memories stay
    /// valid whatever fails.
    pub(crate) fn begin_filling<'m>(
        self: &Arc<Self>,
        touched: impl Iterator<Item = (&'m Arc<Memory>, bool)> + Clone,
    ) -> Result<Turn<'_>> {
        self.enter(self.place(touched))
    }

    /// Takes a cached launch with this key. Its arguments may differ.
    pub(crate) fn take_recent(&self, key: Key<'_>) -> Option<Box<Kept>> {
        lock(&self.recent).take(key)
    }

    /// Puts back a cached launch that did not match.
    pub(crate) fn put_back_other(&self, kept: Box<Kept>) {
        lock(&self.recent).put_back_other(kept);
    }

    /// Caches a launch that may repeat.
    pub(crate) fn keep(&self, kept: Box<Kept>) {
        lock(&self.recent).keep(kept);
    }

    /// Puts a cached launch on the queue again, whose memories the caller holds. Returns the number of the operation.
    pub(crate) fn launch_again(self: &Arc<Self>, mut kept: Box<Kept>) -> Result<u64> {
        let turn = self.begin_again(&kept)?;
        let (shared, number) = (&self.shared, turn.number());
        let launch = |kept: &mut Kept| kept.launch(shared.backend.as_ref(), &self.handle, number);
        match kept.follow(shared.moved()).and_then(|()| launch(&mut kept)) {
            Ok(()) => lock(&self.recent).put_back(kept),
            error => self.settle(number, error)?,
        }
        Ok(number)
    }

    fn begin_again(self: &Arc<Self>, kept: &Kept) -> Result<Turn<'_>> {
        if self.shared.has_several_queues() {
            let held = kept.held()?;
            return self.begin(held.iter().map(|(memory, written)| (memory, *written)));
        }
        let ticket = self.line.take();
        let mut in_flight = lock(&self.in_flight);
        for (memory, _) in kept.used().filter(|(_, written)| *written) {
            in_flight.insert(memory.as_ptr() as usize, ticket.number, || memory.clone());
        }
        drop(in_flight);
        self.line.enter(ticket);
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Ok(Turn { queue: self, ticket })
    }

    fn after(&self, need: &Use) -> Result<()> {
        let Some(queue) = need.queue.upgrade() else { return Ok(()) };
        let known = lock(&self.clock).number(need.id).max(queue.finished());
        let mark = match &need.mark {
            Some(mark) if need.number > 0 || !mark.pending.is_done() => mark.clone(),
            Some(_) => return Ok(()),
            None if known >= need.number => return Ok(()),
            None => queue.mark_after(need.number)?,
        };
        if need.number > 0 && known >= need.number {
            return Ok(());
        }
        self.wait_for(&queue, &mark)
    }

    /// Makes later work wait for a mark of another queue.
    pub(crate) fn wait_for(&self, queue: &Arc<dyn Numbered>, mark: &Mark) -> Result<()> {
        self.shared.backend.wait_for(&self.handle, mark.pending.as_ref())?;
        lock(&self.clock).after(self.id, queue, mark);
        Ok(())
    }

    /// Marks the end of everything that has a place in the line.
    pub(crate) fn mark(&self) -> Result<Arc<Mark>> {
        self.mark_after(self.line.issued())
    }

    /// Marks the end of the present operation, given the backend's object to wait on.
    pub(crate) fn note(&self, number: u64, pending: Arc<dyn Pending>) -> Arc<Mark> {
        let mark = Arc::new(Mark { number, pending, clock: lock(&self.clock).clone() });
        let mut marks = lock(&self.marks);
        marks.push_back(mark.clone());
        let oldest = if marks.len() > MOST_MARKS { marks.pop_front() } else { None };
        drop(marks);
        if let Some(oldest) = oldest.filter(|mark| mark.pending.is_done()) {
            self.complete_unheard(&oldest);
        }
        mark
    }

    /// Records that new memory was cleared by work put on the queue just now, beside its operations.
    pub(crate) fn allocated(self: &Arc<Self>, memory: &Memory) -> Result<()> {
        if self.shared.ledger().is_none() {
            return Ok(());
        }
        let pending = self.shared.backend.signal(&self.handle)?;
        // A device that waits at a signal has told the mark of an earlier fault: a later wait looks at it.
        self.note(self.line.passed(), pending.clone());
        let mark = Some(Arc::new(Mark { number: 0, pending, clock: Clock::default() }));
        let used = self.used(0, mark);
        memory.uses().add(used, true, &mut Vec::new());
        Ok(())
    }

    /// Sets the mark of a use that was recorded when the operation was planned.
    pub(crate) fn mark_use(&self, memory: &Memory, mark: &Arc<Mark>) {
        memory.uses().mark(self.id, mark);
    }

    fn marks_until(&self, number: u64) -> Vec<Arc<Mark>> {
        lock(&self.marks).iter().filter(|mark| mark.number <= number).cloned().collect()
    }

    /// Returns the deferred error, if there is one, otherwise the outcome, whose error is deferred in turn.
    fn or_deferred<T>(&self, outcome: Result<T>) -> Result<T> {
        let mut deferred = lock(&self.deferred);
        match (deferred.take(), outcome) {
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
            // Another call may have an error that is to poison these.
            Ok(_) if self.waiting.load(Ordering::Acquire) > 1 => {}
            Ok(_) => {
                in_flight.written.retain(|_, (_, last)| *last > number);
                in_flight.settled = in_flight.settled.max(number);
            }
            Err(error) => {
                let (written, issued) = (std::mem::take(&mut in_flight.written), self.line.issued());
                let cause = Arc::new(error.clone());
                let from = first.max(in_flight.settled + 1);
                in_flight.failures.add(from..=issued, &cause);
                in_flight.settled = in_flight.settled.max(issued);
                drop(in_flight);
                let lost = written.into_values().filter(|(_, last)| *last >= first);
                lost.filter_map(|(memory, _)| memory.upgrade()).for_each(|memory| memory.poison(&cause));
            }
        }
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

    fn complete_unheard(&self, mark: &Mark) {
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

impl Numbered for QueueState {
    fn id(&self) -> u64 {
        self.id
    }

    fn finished(&self) -> u64 {
        self.finished.load(Ordering::Acquire)
    }

    fn mark_after(&self, number: u64) -> Result<Arc<Mark>> {
        self.line.wait_until_passed(number);
        if let Some(mark) = lock(&self.marks).iter().find(|mark| mark.number >= number) {
            return Ok(mark.clone());
        }
        let passed = self.line.passed();
        let pending = self.shared.backend.signal(&self.handle)?;
        Ok(self.note(passed, pending))
    }

    fn complete(&self, mark: &Mark) -> Result<()> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        // An error of earlier work may have been reported to an earlier mark.
        let marks = self.marks_until(mark.number);
        let outcome = marks.iter().try_for_each(|mark| mark.pending.complete());
        let outcome = outcome.and(mark.pending.complete()).and_then(|()| check(&mark.clock));
        let settled = self.settle(mark.number, outcome);
        self.waiting.fetch_sub(1, Ordering::AcqRel);
        settled
    }
}

impl Keeper for QueueState {
    fn forget(&self, address: usize) {
        let forgotten = lock(&self.recent).forget(address);
        drop(forgotten);
    }
}

/// Checks that work of other queues succeeded.
fn check(clock: &Clock) -> Result<()> {
    for known in clock.iter() {
        if let Some(queue) = known.queue.upgrade()
            && queue.finished() < known.number
        {
            let mark = queue.mark_after(known.number)?;
            queue.complete(&mark)?;
        }
    }
    Ok(())
}

impl Drop for QueueState {
    fn drop(&mut self) {
        // Unfinished work may use memory that is dropped next. If it fails, the memory that it was to write must become
        // invalid.
        let outcome = self.shared.backend.finish(&self.handle);
        let _ = self.settle(u64::MAX, outcome);
        self.reap();
    }
}
