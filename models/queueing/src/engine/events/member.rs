//! A thread of a crew among the others.

use super::crew::Plan;
use super::desks::{Log, begin};
use super::meeting::{Meeting, Order, Token};
use super::worker::Worker;
use crate::network::Simple;
use crate::scenario::Scenario;
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// No arrival is left.
    Done,
    /// Somebody asked to stop.
    Stopped,
    /// Before this month the threads went apart.
    Dissolved {
        /// The month that is next.
        month: u64,
    },
}

/// A worker that meets others. Where a step gives a time or a month, the least that any member gives is what the next step is about.
pub(super) struct Member<'a> {
    me: usize,
    worker: Worker<'a>,
    plan: &'a Plan,
    meeting: &'a Meeting,
    /// Tokens for one thread at a time.
    mail: Vec<Token>,
    /// Events that have been counted.
    counted: u64,
    /// How long it has waited for others.
    waited: Duration,
}

impl<'a> Member<'a> {
    pub(super) fn new(me: usize, worker: Worker<'a>, plan: &'a Plan, meeting: &'a Meeting) -> Self {
        Self { me, worker, plan, meeting, mail: Vec::new(), counted: 0, waited: Duration::ZERO }
    }

    /// Makes the stations what they are at time 0, and deals with the tokens that are there.
    pub(super) fn begin(&mut self, scenario: &Scenario<'_>, network: Simple<'_>) {
        let first = self.worker.first;
        begin(self.worker.desks, first, scenario, network);
        // Nothing else happens in tick 0, since every service takes a tick or more.
        let own = scenario.tokens().iter().skip(first as usize).take(self.worker.desks.len());
        for (node, &tokens) in (first..).zip(own) {
            (0..tokens).for_each(|_| self.worker.arrive(0, node));
        }
    }

    /// Deals with all arrivals until none is left anywhere or somebody gives another order. `each_month` is told the events of all threads, and how long this one has
    /// waited.
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

    /// Waits for the others; gives the least that any told.
    fn least(&mut self, told: u64) -> u64 {
        let before = Instant::now();
        let least = self.meeting.least(self.me, told);
        self.waited += before.elapsed();
        least
    }

    /// Files the tokens that arrive in later months, and sends those of other threads; gives the next month in which one arrives.
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

    /// Takes a month, as if nobody sent anything within it; gives when the first token comes that this thread sends to another within it.
    pub(super) fn take(&mut self, month: u64) -> u64 {
        self.meeting.collect(self.me, &mut self.mail);
        for (time, node) in self.mail.drain(..) {
            self.worker.year.add(time, node);
        }
        self.worker.open(month);
        self.worker.advance(u64::MAX);
        self.worker.first_intruder()
    }

    /// Goes back, takes the month up to the time at which the first intruder comes anywhere, and sends the intruders off that are known by then.
    pub(super) fn give_way(&mut self, until: u64) {
        self.worker.undo();
        self.worker.advance(until);
        let mut intruders = std::mem::take(&mut self.worker.intruders);
        self.post(&mut intruders);
        self.worker.intruders = intruders;
    }

    /// Takes the rest of the month, with the intruders that came; gives what [`Member::take`] does.
    pub(super) fn go_on(&mut self) -> u64 {
        self.meeting.collect(self.me, &mut self.mail);
        self.mail.drain(..).for_each(|token| self.worker.take_in(token));
        self.worker.keep();
        self.worker.advance(u64::MAX);
        self.worker.first_intruder()
    }

    /// Sends tokens to the threads that have their nodes.
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

    /// Counts the events since the last time; gives those of all threads.
    pub(super) fn count(&mut self) -> u64 {
        let events = self.worker.log.events;
        self.meeting.count(events - std::mem::replace(&mut self.counted, events))
    }

    /// What was kept beside the stations.
    pub(super) fn into_log(self) -> Log {
        self.worker.log
    }
}
