//! Places and turns of operations: what must come before an operation, on its queue and on others.

use super::line::Ticket;
use super::state::{QueueState, lock};
use crate::error::{Error, Result};
use crate::memory::{Mark, Memory, Numbered, Use};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

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

impl QueueState {
    /// Takes a place in the line for an operation that uses memories, and computes those with `true`. If it fails, or
    /// work before it fails, these become invalid.
    pub(crate) fn plan<'m>(
        self: &Arc<Self>,
        touched: impl Iterator<Item = (&'m Arc<Memory>, bool)> + Clone,
    ) -> Planned {
        // Memory counts as written from here on, not from the turn. A failure that is found in between makes it invalid
        // too: the device may leave out everything that was issued before the failure was reported.
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
    pub(super) fn used(self: &Arc<Self>, number: u64, mark: Option<Arc<Mark>>) -> Use {
        let queue: Weak<Self> = Arc::downgrade(self);
        Use { id: self.id, queue, number, mark }
    }

    /// Waits for the operation's turn, and makes the queue wait for everything that must come before it.
    pub(crate) fn enter(&self, mut planned: Planned) -> Result<Turn<'_>> {
        let Some(ticket) = planned.ticket.take() else { return Err(Error::invalid("operation", "it had its turn")) };
        let turn = self.turn(ticket);
        // Waits are put on the queue during the turn, behind earlier operations: one of those may be what the other
        // queue itself waits for.
        planned.needs.iter().try_for_each(|need| self.after(need))?;
        Ok(turn)
    }

    /// Waits for the turn of a ticket.
    pub(super) fn turn(&self, ticket: Ticket) -> Turn<'_> {
        self.line.enter(ticket);
        // From here until the turn ends this call may be told an error that it has not yet made memory invalid for.
        // No other call may meanwhile declare that memory safe (`settle`).
        self.waiting.fetch_add(1, Ordering::AcqRel);
        Turn { queue: self, ticket }
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

    fn after(&self, need: &Use) -> Result<()> {
        // A queue that is gone has waited for all its work.
        let Some(queue) = need.queue.upgrade() else { return Ok(()) };
        let known = lock(&self.clock).number(need.id).max(queue.finished());
        // Number 0 is the clearing of new memory. It is no operation, so no number tells that it is over, and only its
        // own mark does. A mark of the use itself is preferred: one that is set now covers all later work as well.
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
        // The clock learns of the mark only if the device waits for it: whoever waits for this queue then looks at
        // failures of the other one too.
        self.shared.backend.wait_for(&self.handle, mark.pending.as_ref())?;
        lock(&self.clock).after(self.id, queue, mark);
        Ok(())
    }
}
