//! Whose turn it is on a queue.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The operations of one queue, numbered from 1 in the order in which they take effect. An operation takes a number first and
/// has its turn when the one before has put its work on the queue; a program has its turn until it has ended.
#[derive(Debug, Default)]
pub(super) struct Line {
    state: Mutex<State>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct State {
    issued: u64,
    /// Operations whose turn is over.
    passed: u64,
    /// The thread that runs a program, whose progress function may use the queue.
    runner: Option<ThreadId>,
    /// Threads that wait for `passed` to move. Mostly there are none, and nobody has to be woken, which is a call of the system.
    waiting: u32,
}

/// A number in the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket {
    pub(super) number: u64,
    /// Whether it is for a part of the program that runs: its turn is the program's.
    nested: bool,
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Ticket {
        let mut state = self.lock();
        if state.runner.is_some() && state.runner == Some(thread::current().id()) {
            return Ticket { number: state.passed + 1, nested: true };
        }
        state.issued += 1;
        Ticket { number: state.issued, nested: false }
    }

    /// Waits for the ticket's turn.
    pub(super) fn enter(&self, ticket: Ticket) {
        if !ticket.nested {
            self.wait_until_passed(ticket.number - 1);
        }
    }

    /// Ends the ticket's turn.
    pub(super) fn leave(&self, ticket: Ticket) {
        if !ticket.nested {
            let mut state = self.lock();
            state.passed = ticket.number;
            state.runner = None;
            let waiting = state.waiting;
            drop(state);
            if waiting > 0 {
                self.moved.notify_all();
            }
        }
    }

    /// Lets the present thread use the queue while its program runs.
    pub(super) fn run_here(&self) {
        self.lock().runner = Some(thread::current().id());
    }

    /// How many operations have put their work on the queue.
    pub(super) fn passed(&self) -> u64 {
        self.lock().passed
    }

    /// How many there are.
    pub(super) fn issued(&self) -> u64 {
        self.lock().issued
    }

    /// Waits until an operation has put its work on the queue.
    pub(super) fn wait_until_passed(&self, number: u64) {
        let mut state = self.lock();
        while state.passed < number && (state.runner.is_none() || state.runner != Some(thread::current().id())) {
            state.waiting += 1;
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

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
