//! A worker that synchronizes with others.

use super::crew::Plan;
use super::desks::{Log, begin};
use super::meeting::{Meeting, Order, Token};
use super::worker::Worker;
use crate::network::Simple;
use crate::scenario::Scenario;
use std::time::{Duration, Instant};

/// Reason for the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// No arrival is left.
    Done,
    /// The progress function asked to stop.
    Stopped,
    /// The worker threads ended before this window.
    Dissolved {
        /// Number of the next window.
        month: u64,
    },
}

/// A worker that synchronizes with others. Where a method returns a time or a window, the next step concerns the least
/// value that any worker returned.
pub(super) struct Member<'a> {
    me: usize,
    worker: Worker<'a>,
    plan: &'a Plan,
    meeting: &'a Meeting,
    /// Tokens to be sent, for one worker at a time.
    mail: Vec<Token>,
    /// Number of events that have been counted.
    counted: u64,
    /// Total time of waiting for others.
    waited: Duration,
}

impl<'a> Member<'a> {
    pub(super) fn new(me: usize, worker: Worker<'a>, plan: &'a Plan, meeting: &'a Meeting) -> Self {
        Self { me, worker, plan, meeting, mail: Vec::new(), counted: 0, waited: Duration::ZERO }
    }

    /// Sets the stations to their state at time 0, and processes the tokens that are there.
    pub(super) fn begin(&mut self, scenario: &Scenario<'_>, network: Simple<'_>) {
        let first = self.worker.first;
        begin(self.worker.desks, first, scenario, network);
        // Nothing else happens in tick 0, since every service takes at least one tick.
        let own = scenario.tokens().iter().skip(first as usize).take(self.worker.desks.len());
        for (node, &tokens) in (first..).zip(own) {
            (0..tokens).for_each(|_| self.worker.arrive(0, node));
        }
    }

    /// Processes all arrivals until none is left anywhere or an order ends the run. Calls `each_month` with the events
    /// of all workers, and the time that this one has waited.
    pub(super) fn run(&mut self, each_month: &mut dyn FnMut(u64, Duration)) -> End {
        let _attendance = self.meeting.attend();
        loop {
            let next = self.hand_over();
            each_month(self.count(), self.waited);
            let month = self.least(next);
            match self.meeting.order() {
                Order::Stop => return End::Stopped,
                _ if month == u64::MAX => return End::Done,
                Order::Dissolve => return End::Dissolved { month },
                Order::GoOn => {}
            }
            let mut until = self.take(month);
            loop {
                until = self.least(until);
                if until == u64::MAX || self.meeting.order() == Order::Stop {
                    break;
                }
                self.give_way(until);
                self.meeting.wait();
                until = self.go_on();
            }
        }
    }

    /// Waits for the others; returns the least number `told` by any worker.
    fn least(&mut self, told: u64) -> u64 {
        let before = Instant::now();
        let least = self.meeting.least(self.me, told);
        self.waited += before.elapsed();
        least
    }

    /// Files the tokens that arrive in later windows, and sends those of other workers; returns the next window with an
    /// arrival.
    pub(super) fn hand_over(&mut self) -> u64 {
        let worker = &mut self.worker;
        let mut next = u64::MAX;
        let mut sent = std::mem::take(&mut worker.sent);
        sent.retain(|&(time, node)| {
            next = next.min(worker.year.month_of(time));
            let own = worker.owns(node);
            if own {
                worker.year.add(time, node);
            }
            !own
        });
        let next = worker.year.next().unwrap_or(u64::MAX).min(next);
        self.post(&mut sent);
        self.worker.sent = sent;
        next
    }

    /// Processes a window under the assumption that no stragglers come. Returns the time of the first token that this
    /// worker sends to another within the window.
    pub(super) fn take(&mut self, month: u64) -> u64 {
        self.meeting.collect(self.me, &mut self.mail);
        for (time, node) in self.mail.drain(..) {
            self.worker.year.add(time, node);
        }
        self.worker.open(month);
        self.worker.advance(u64::MAX);
        self.worker.first_intruder()
    }

    /// Rolls the window back and processes it up to the time of the first straggler anywhere. Sends the stragglers that
    /// are known by then.
    pub(super) fn give_way(&mut self, until: u64) {
        self.worker.undo();
        self.worker.advance(until);
        let mut intruders = std::mem::take(&mut self.worker.intruders);
        self.post(&mut intruders);
        self.worker.intruders = intruders;
    }

    /// Processes the rest of the window, with the stragglers that came; returns the same as [`Member::take`].
    pub(super) fn go_on(&mut self) -> u64 {
        self.meeting.collect(self.me, &mut self.mail);
        self.mail.drain(..).for_each(|token| self.worker.take_in(token));
        self.worker.keep();
        self.worker.advance(u64::MAX);
        self.worker.first_intruder()
    }

    /// Sends tokens to the workers that own their nodes.
    fn post(&mut self, tokens: &mut Vec<Token>) {
        if tokens.is_empty() {
            return;
        }
        for thread in (0..self.plan.threads()).filter(|thread| *thread != self.me) {
            self.mail.extend(tokens.iter().filter(|(_, node)| self.plan.thread_of(*node) == thread));
            self.meeting.send(thread, &mut self.mail);
        }
        tokens.clear();
    }

    /// Counts the events since the last call; returns those of all workers.
    pub(super) fn count(&mut self) -> u64 {
        let events = self.worker.log.events;
        self.meeting.count(events - std::mem::replace(&mut self.counted, events))
    }

    /// Returns the log of the stations.
    pub(super) fn into_log(self) -> Log {
        self.worker.log
    }
}
