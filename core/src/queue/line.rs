//! Turns of the operations of a queue.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The operations of one queue, numbered from 1 in the order in which they take effect. An operation takes a number
/// first. Its turn comes when the one before has put its work on the queue; a program's turn lasts until it has ended.
///
/// Usually there is no waiting, and an operation costs two atomic additions.
#[derive(Debug, Default)]
pub(super) struct Line {
    issued: AtomicU64,
    /// Number of operations whose turn is over.
    passed: AtomicU64,
    /// Thread that runs a program, whose progress function may use the queue; 0 for none. Only that thread compares
    /// itself with it.
    runner: AtomicU64,
    /// Number of threads that wait for `passed` to change. Waking them is a system call.
    waiting: AtomicU32,
    sleep: Mutex<()>,
    moved: Condvar,
}

/// A number in the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) number: u64,
    /// `true` if the ticket belongs to a part of the running program: its turn is the program's.
    nested: bool,
}

/// Returns a number unique to the present thread, from 1.
fn this_thread() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static NUMBER: u64 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|number| *number)
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if the present thread runs the program whose turn it is.
    fn runs_here(&self) -> bool {
        let runner = self.runner.load(Ordering::Acquire);
        runner != 0 && runner == this_thread()
    }

    #[inline]
    pub(super) fn take(&self) -> Ticket {
        if self.runs_here() {
            return Ticket { number: self.passed() + 1, nested: true };
        }
        Ticket { number: self.issued.fetch_add(1, Ordering::AcqRel) + 1, nested: false }
    }

    /// Waits for the ticket's turn.
    #[inline]
    pub(super) fn enter(&self, ticket: Ticket) {
        if !ticket.nested {
            self.wait_until_passed(ticket.number - 1);
        }
    }

    /// Ends the ticket's turn.
    #[inline]
    pub(super) fn leave(&self, ticket: Ticket) {
        if !ticket.nested {
            self.runner.store(0, Ordering::Release);
            // A waiting thread announces itself before it reads `passed`, which is set before this reads: one of the
            // two sees the other.
            self.passed.store(ticket.number, Ordering::SeqCst);
            if self.waiting.load(Ordering::SeqCst) > 0 {
                drop(self.lock());
                self.moved.notify_all();
            }
        }
    }

    /// Lets the present thread use the queue while its program runs.
    pub(super) fn run_here(&self) {
        self.runner.store(this_thread(), Ordering::Release);
    }

    /// Returns the number of operations that have put their work on the queue.
    #[inline]
    pub(super) fn passed(&self) -> u64 {
        self.passed.load(Ordering::SeqCst)
    }

    /// Returns the number of operations issued.
    pub(super) fn issued(&self) -> u64 {
        self.issued.load(Ordering::Acquire)
    }

    /// Waits until an operation has put its work on the queue.
    #[inline]
    pub(super) fn wait_until_passed(&self, number: u64) {
        if self.passed() < number {
            self.sleep_until_passed(number);
        }
    }

    #[cold]
    fn sleep_until_passed(&self, number: u64) {
        let mut sleep = self.lock();
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while self.passed() < number && !self.runs_here() {
            sleep = self.moved.wait(sleep).unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    #[test]
    fn turns_come_in_the_order_of_the_numbers() {
        let (line, order) = (Arc::new(Line::default()), Arc::new(Mutex::new(Vec::new())));
        let tickets: Vec<Ticket> = (0..8).map(|_| line.take()).collect();
        thread::scope(|scope| {
            for ticket in tickets.into_iter().rev() {
                let (line, order) = (line.clone(), order.clone());
                scope.spawn(move || {
                    line.enter(ticket);
                    order.lock().unwrap().push(ticket.number);
                    line.leave(ticket);
                });
            }
        });
        assert_eq!(*order.lock().unwrap(), (1..=8).collect::<Vec<_>>());
        assert_eq!((line.passed(), line.issued()), (8, 8));
    }

    #[test]
    fn the_thread_of_a_program_may_use_its_queue() {
        let line = Line::default();
        let program = line.take();
        line.enter(program);
        line.run_here();
        let inside = line.take();
        line.enter(inside);
        line.leave(inside);
        assert_eq!((inside.number, line.passed()), (1, 0));
        line.leave(program);
        assert_eq!(line.passed(), 1);
    }
}
