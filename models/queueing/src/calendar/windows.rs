//! Pending arrivals, processed in order of time, one time window after the other.

use super::today::Today;
use super::year::{Traffic, Year};
use crate::scenario::Scenario;
use std::ops::ControlFlow;

/// Number of arrivals looked ahead at a time: enough to keep the memory busy, few enough to stay in the first-level
/// cache.
pub(crate) const LOOK_AHEAD: usize = 32;

/// Reactions to arrivals.
pub(crate) trait Arrivals {
    /// Reads the data that an arrival at `node` will need, and returns a value made from it. The memory latencies of
    /// several arrivals then overlap instead of adding up.
    fn look_ahead(&self, node: u32) -> u32;

    /// Processes the arrival of a token at `node`; returns its next arrival, if that must be processed as well.
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)>;

    /// Called at the end of every window; `Break` ends the run.
    fn window_ended(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Pending arrivals: those of the current window by day, all others by window.
pub(crate) struct Windows {
    year: Year,
    /// Number of the current window.
    current: u64,
    /// End of the current window, in ticks.
    end: u64,
    /// Arrivals in the current window that were made after it began.
    today: Today,
}

impl Windows {
    /// Creates an empty calendar with bucket sizes that suit a scenario.
    pub(crate) fn of(scenario: &Scenario<'_>) -> Self {
        let traffic = Traffic::of(scenario);
        Self { year: Year::new(traffic, traffic.window()), current: 0, end: 0, today: Today::default() }
    }

    /// Processes all arrivals in order of time, from `tokens` at each node at time 0 until none is left.
    pub(crate) fn run(&mut self, tokens: &[u32], arrivals: &mut impl Arrivals) -> ControlFlow<()> {
        // Nothing else happens in tick 0, since every service takes a tick or more.
        for (node, &tokens) in (0..).zip(tokens) {
            for _ in 0..tokens {
                self.process(arrivals, 0, node);
            }
        }
        let mut window = vec![];
        while let Some(number) = self.year.next() {
            self.year.open(number, &mut window);
            (self.current, self.end) = (number, self.year.end_of(number));
            for events in window.chunks(LOOK_AHEAD) {
                let mix = events.iter().fold(0, |mix, &event| mix ^ arrivals.look_ahead(event as u32));
                // The value is not used; `black_box` keeps the compiler from removing the reads.
                std::hint::black_box(mix);
                for &event in events {
                    while let Some(inserted) = self.today.pop_before(event) {
                        self.process_event(arrivals, inserted);
                    }
                    self.process_event(arrivals, event);
                }
            }
            while let Some(inserted) = self.today.pop_before(u64::MAX) {
                self.process_event(arrivals, inserted);
            }
            arrivals.window_ended()?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn process_event(&mut self, arrivals: &mut impl Arrivals, event: u64) {
        let (time, node) = self.year.decode(self.current, event);
        self.process(arrivals, time, node);
    }

    #[inline(always)]
    fn process(&mut self, arrivals: &mut impl Arrivals, time: u64, node: u32) {
        let Some((next, to)) = arrivals.arrive(node, time) else { return };
        if next < self.end {
            self.today.insert(self.year.encode(next, to));
        } else {
            self.year.add(next, to);
        }
    }
}
