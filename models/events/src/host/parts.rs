//! Run of one simulation by several threads, each with a part of the modules.

use super::calendar::Calendar;
use super::look::{Look, Pace, Watch};
use super::run::RunSummary;
use super::simulation::{Bench, Simulation, Stop};
use crate::contract::Events;
use crate::event_types::Scheduled;
use imminent_common::barrier::{Barrier, Order};
use imminent_common::threads::at_once;
use imminent_core::fault::{self, NativeFault};

/// Number of events of each thread in a time window on average, below which one thread alone is faster.
const MIN_EVENTS_PER_THREAD: u64 = 4;

impl<E: Events> Simulation<E> {
    /// Runs the simulation until it is over or must stop. All threads execute the same time window, and exchange their
    /// messages behind it. If windows have few events, the calling thread continues alone.
    pub(super) fn run_in_parts(&mut self, threads: usize, look: &mut Look<'_>) -> RunSummary {
        let length = self.modules.len().div_ceil(threads.max(1)).max(1);
        let parts = self.modules.len().div_ceil(length);
        let pending = std::mem::take(&mut self.pending);
        let (barrier, rules, of_all) = (&Barrier::new(parts), &self.rules, pending.as_slice());
        let rows = self.modules.chunks_mut(length).zip(self.seats.chunks_mut(length));
        let worker = |(me, (modules, seats))| {
            let bench = Bench::new(rules, (me * length) as u32, modules, seats);
            Worker {
                me,
                length,
                barrier,
                bench,
                pending: of_all,
                end: rules.terms.end,
                lookahead: rules.terms.lookahead,
            }
        };
        let workers: Vec<_> = rows.enumerate().map(worker).collect();
        let own = |worker: Worker<'_, E>| worker.run(&mut |steps| look.at(steps));
        let Ok(ends) = at_once(workers, own, |worker| worker.run(&mut |_| false)) else {
            // The system refuses threads.
            self.pending = pending;
            let ran = self.run(&mut |steps| look.at(steps));
            look.add(ran.steps);
            return ran;
        };
        let mut ran = RunSummary { steps: 0, fault: None };
        for ended in ends {
            ran.steps = ended.steps;
            ran.fault = ran.fault.into_iter().chain(ended.fault).min_by_key(|fault| fault.row);
            self.handled += ended.handled;
            self.pending.extend(ended.pending);
            self.stop = self.stop.into_iter().chain(ended.stop).min_by_key(|(time, module, _)| (*time, *module));
        }
        if barrier.order() == Order::Dissolve && ran.fault.is_none() {
            let alone = self.run(&mut |steps| look.at(ran.steps + steps));
            ran = RunSummary { steps: ran.steps + alone.steps, fault: alone.fault };
        }
        look.add(ran.steps);
        ran
    }
}

/// A thread with a part of the modules.
struct Worker<'s, E: Events> {
    me: usize,
    /// Number of modules of each part but the last.
    length: usize,
    barrier: &'s Barrier<Scheduled<E>>,
    bench: Bench<'s, E>,
    /// Events of all modules, also of other workers.
    pending: &'s [Vec<Scheduled<E>>],
    end: u64,
    lookahead: u64,
}

/// Result of a worker.
struct Ended<E: Events> {
    pending: [Vec<Scheduled<E>>; 2],
    handled: u64,
    stop: Option<Stop>,
    steps: u64,
    fault: Option<NativeFault>,
}

impl<E: Events> Worker<'_, E> {
    fn run(self, watch: Watch<'_>) -> Ended<E> {
        let _attendance = self.barrier.attend();
        let (ended, fault) = fault::catch(|| self.windows(watch));
        Ended { fault, ..ended }
    }

    fn windows(mut self, watch: Watch<'_>) -> Ended<E> {
        let (barrier, me, end, length) = (self.barrier, self.me, self.end, self.length);
        let mut calendar = Calendar::new(self.lookahead);
        let (mut events, mut received, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let mut sent: Vec<Vec<Scheduled<E>>> = (0..barrier.threads()).map(|_| Vec::new()).collect();
        let mut file = |calendar: &mut Calendar<E>, event: Scheduled<E>| {
            if event.time < end { calendar.insert(event) } else { rest.push(event) }
        };
        let pending = self.pending.iter().flatten().filter(|event| event.to as usize / length == me);
        pending.for_each(|event| file(&mut calendar, *event));
        let (mut steps, mut pace) = (0, Pace::default());
        loop {
            let first = calendar.first();
            let window = barrier.least(me, first);
            if window == u64::MAX {
                break;
            }
            if first == window {
                let until = calendar.take(window, &mut events).min(end);
                self.bench.execute(&mut events, until, u64::MAX, |event| match event.to as usize / length {
                    part if part == me => file(&mut calendar, event),
                    part => sent[part].push(event),
                });
            } else {
                calendar.pass(window);
            }
            sent.iter_mut().enumerate().for_each(|(part, events)| barrier.send(part, events));
            steps += 1;
            let is_due = pace.is_due(self.bench.handled, steps);
            if is_due && (watch(steps) || fault::is_raised()) || self.bench.stop.is_some() {
                barrier.ask_to_stop();
            } else if is_due && me == 0 && steps > 1 && self.bench.handled / steps < MIN_EVENTS_PER_THREAD {
                barrier.ask_to_dissolve();
            }
            barrier.wait();
            barrier.collect(me, &mut received);
            received.drain(..).for_each(|event| file(&mut calendar, event));
            // No worker asks again before all have looked.
            if barrier.order() != Order::GoOn {
                break;
            }
        }
        let pending = [rest, calendar.into_events()];
        Ended { pending, handled: self.bench.handled, stop: self.bench.stop, steps, fault: None }
    }
}
