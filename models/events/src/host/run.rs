//! Run of one simulation by one thread.

use super::calendar::Calendar;
use super::look::{Pace, Watch};
use super::simulation::{Bench, Simulation};
use crate::contract::Events;
use imminent_core::fault::{self, NativeFault};

/// Number of events of a module that sends none after which another module has its turn.
const TURN: u64 = 1 << 14;

/// Summary of a stretch of a run.
#[derive(Debug)]
pub(super) struct RunSummary {
    /// Number of time windows.
    pub(super) steps: u64,
    /// First fault of a handler.
    pub(super) fault: Option<NativeFault>,
}

impl<E: Events> Simulation<E> {
    /// Runs the simulation until it is over or must stop.
    pub(super) fn run(&mut self, watch: Watch<'_>) -> RunSummary {
        let run = || if self.sends() { self.windows(watch) } else { self.turns(watch) };
        let (steps, fault) = fault::catch(run);
        RunSummary { steps, fault }
    }

    /// Executes time window after time window. Returns their number.
    fn windows(&mut self, watch: Watch<'_>) -> u64 {
        let end = self.rules.terms.end;
        let mut calendar = Calendar::new(self.rules.terms.lookahead);
        let mut rest = Vec::new();
        let mut bench = Bench::new(&self.rules, 0, &mut self.modules, &mut self.seats);
        for event in self.pending.drain(..).flatten() {
            if event.time < end { calendar.insert(event) } else { rest.push(event) }
        }
        let (mut events, mut steps, mut pace) = (Vec::new(), 0, Pace::default());
        while calendar.first() < u64::MAX && bench.stop.is_none() {
            let until = calendar.take(calendar.first(), &mut events).min(end);
            bench.execute(&mut events, until, u64::MAX, |event| {
                if event.time < end { calendar.insert(event) } else { rest.push(event) }
            });
            steps += 1;
            if pace.is_due(bench.handled, steps) && (watch(steps) || fault::is_raised()) {
                break;
            }
        }
        (self.handled, self.stop) = (self.handled + bench.handled, bench.stop);
        self.pending = vec![rest, calendar.into_events()];
        steps
    }

    /// Executes modules that do not depend on one another, each for a number of events at a time. Returns the number of
    /// turns.
    fn turns(&mut self, watch: Watch<'_>) -> u64 {
        let end = self.rules.terms.end;
        let mut bench = Bench::new(&self.rules, 0, &mut self.modules, &mut self.seats);
        let (mut events, mut rest): (Vec<_>, Vec<_>) =
            self.pending.drain(..).flatten().partition(|event| event.time < end);
        let (mut later, mut steps, mut pace) = (Vec::new(), 0, Pace::default());
        while !events.is_empty() {
            bench.execute(
                &mut events,
                end,
                TURN,
                |event| {
                    if event.time < end { later.push(event) } else { rest.push(event) }
                },
            );
            std::mem::swap(&mut events, &mut later);
            if let Some((time, module, _)) = bench.stop {
                // Earlier trouble may come at another module.
                rest.extend(events.extract_if(.., |event| (event.time, event.to) >= (time, module)));
            }
            steps += 1;
            if pace.is_due(bench.handled, steps) && (watch(steps) || fault::is_raised()) {
                break;
            }
        }
        (self.handled, self.stop) = (self.handled + bench.handled, bench.stop);
        self.pending = vec![rest, events];
        steps
    }
}
