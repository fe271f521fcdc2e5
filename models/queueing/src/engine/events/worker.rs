//! A worker that synchronizes with others.

use super::partition::{Partition, Token};
use super::plan::Plan;
use super::servers::Log;
use imminent_common::barrier::{Barrier, Order};
use imminent_core::clock::Instant;
use std::time::Duration;

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
        window: u64,
    },
}

/// A worker that synchronizes with others. Where a method returns a time or a window, the next step concerns the least
/// value that any worker returned.
pub(super) struct Worker<'a> {
    me: usize,
    partition: Partition<'a>,
    plan: &'a Plan,
    barrier: &'a Barrier<Token>,
    /// Tokens to be sent, for one worker at a time.
    mail: Vec<Token>,
    /// Number of events that have been counted.
    counted: u64,
    /// Total time of waiting for others.
    waited: Duration,
}

impl<'a> Worker<'a> {
    pub(super) fn new(me: usize, partition: Partition<'a>, plan: &'a Plan, barrier: &'a Barrier<Token>) -> Self {
        Self { me, partition, plan, barrier, mail: Vec::new(), counted: 0, waited: Duration::ZERO }
    }

    /// Processes the tokens that are there at time 0, of all `tokens` by node.
    pub(super) fn begin(&mut self, tokens: &[u32]) {
        let first = self.partition.first;
        // Nothing else happens in tick 0, since every service takes at least one tick.
        let own = tokens.iter().skip(first as usize).take(self.partition.servers.len());
        for (node, &tokens) in (first..).zip(own) {
            (0..tokens).for_each(|_| self.partition.arrive(0, node));
        }
    }

    /// Processes all arrivals until none is left anywhere or an order ends the run. Calls `each_window` with the events
    /// of all workers, and the time that this one has waited.
    pub(super) fn run(&mut self, each_window: &mut dyn FnMut(u64, Duration)) -> End {
        let _attendance = self.barrier.attend();
        loop {
            let next = self.distribute_later_arrivals();
            each_window(self.count(), self.waited);
            let window = self.least(next);
            match self.barrier.order() {
                Order::Stop => return End::Stopped,
                _ if window == u64::MAX => return End::Done,
                Order::Dissolve => return End::Dissolved { window },
                Order::GoOn => {}
            }
            let mut until = self.process_window(window);
            loop {
                until = self.least(until);
                if until == u64::MAX || self.barrier.order() == Order::Stop {
                    break;
                }
                self.roll_back(until);
                // All stragglers must have been sent before anyone collects them.
                self.barrier.wait();
                until = self.continue_window();
            }
        }
    }

    /// Waits for the others; returns the least number `given` by any worker.
    fn least(&mut self, given: u64) -> u64 {
        let before = Instant::now();
        let least = self.barrier.least(self.me, given);
        self.waited += before.elapsed();
        least
    }

    /// Files the tokens that arrive in later windows, and sends those of other workers; returns the next window with an
    /// arrival.
    pub(super) fn distribute_later_arrivals(&mut self) -> u64 {
        let partition = &mut self.partition;
        let mut next = u64::MAX;
        let mut sent = std::mem::take(&mut partition.sent);
        sent.retain(|&(time, node)| {
            next = next.min(partition.year.window_of(time));
            let own = partition.owns(node);
            if own {
                partition.year.add(time, node);
            }
            !own
        });
        let next = partition.year.next().unwrap_or(u64::MAX).min(next);
        self.send(&mut sent);
        self.partition.sent = sent;
        next
    }

    /// Processes a window under the assumption that no stragglers come. Returns the time of the first token that this
    /// worker sends to another within the window.
    pub(super) fn process_window(&mut self, window: u64) -> u64 {
        self.barrier.collect(self.me, &mut self.mail);
        for (time, node) in self.mail.drain(..) {
            self.partition.year.add(time, node);
        }
        self.partition.begin_window(window);
        self.partition.advance(u64::MAX);
        self.partition.first_straggler()
    }

    /// Rolls the window back and processes it up to the time of the first straggler anywhere. Sends the stragglers that
    /// are known by then.
    pub(super) fn roll_back(&mut self, until: u64) {
        self.partition.roll_back();
        self.partition.advance(until);
        let mut stragglers = std::mem::take(&mut self.partition.stragglers);
        self.send(&mut stragglers);
        self.partition.stragglers = stragglers;
    }

    /// Processes the rest of the window, with the stragglers that came; returns the same as [`Worker::process_window`].
    pub(super) fn continue_window(&mut self) -> u64 {
        self.barrier.collect(self.me, &mut self.mail);
        self.mail.drain(..).for_each(|token| self.partition.receive(token));
        self.partition.make_checkpoint();
        self.partition.advance(u64::MAX);
        self.partition.first_straggler()
    }

    /// Sends tokens to the workers that own their nodes.
    fn send(&mut self, tokens: &mut Vec<Token>) {
        if tokens.is_empty() {
            return;
        }
        for thread in (0..self.plan.threads).filter(|thread| *thread != self.me) {
            self.mail.extend(tokens.iter().filter(|(_, node)| self.plan.thread_of(*node) == thread));
            self.barrier.send(thread, &mut self.mail);
        }
        tokens.clear();
    }

    /// Counts the events since the last call; returns those of all workers.
    pub(super) fn count(&mut self) -> u64 {
        let events = self.partition.log.events;
        self.barrier.count(events - std::mem::replace(&mut self.counted, events))
    }

    /// Returns the log of the stations.
    pub(super) fn into_log(self) -> Log {
        self.partition.log
    }
}
