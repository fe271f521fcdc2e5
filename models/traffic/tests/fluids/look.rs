//! Comparison of fluids on a device with the sequential simulation.

use imminent_traffic::Traffic;
use imminent_traffic::fluid::{Engine, Sequential};

/// States of fluid flows and of the queues that they enter at a step, in the order of their numbers.
pub(crate) struct Look {
    /// Windows in packets.
    windows: Vec<f64>,
    /// Round-trip times in seconds.
    round_trips: Vec<f64>,
    /// Queue lengths as shares of the capacity.
    queues: Vec<f64>,
}

impl Look {
    pub(crate) fn at_engine(engine: &Engine, traffic: &Traffic) -> Self {
        let (flows, queues) = (engine.flows().unwrap(), engine.queues().unwrap());
        Self {
            windows: flows.iter().map(|flow| flow.window).collect(),
            round_trips: flows.iter().map(|flow| flow.round_trip).collect(),
            queues: queues.iter().map(|queue| queue.length / capacity(traffic, queue.link)).collect(),
        }
    }

    pub(crate) fn at_oracle(oracle: &Sequential, traffic: &Traffic) -> Self {
        let all = || 0..traffic.flows().all().len() as u32;
        let flows = || all().filter(|&flow| oracle.round_trip(flow).is_some());
        let mut links: Vec<_> = all().flat_map(|flow| traffic.routes().links(flow)).copied().collect();
        links.sort_unstable();
        links.dedup();
        Self {
            windows: flows().map(|flow| oracle.window(flow).unwrap_or(0.0)).collect(),
            round_trips: flows().map(|flow| oracle.round_trip(flow).unwrap()).collect(),
            queues: links.into_iter().map(|link| oracle.queue(link).unwrap() / capacity(traffic, link)).collect(),
        }
    }
}

fn capacity(traffic: &Traffic, link: u32) -> f64 {
    traffic.network().link(link).unwrap().queue.capacity as f64
}

/// Deviations from the sequential simulation.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Errors {
    /// Greatest relative difference of a window.
    pub(crate) window: f64,
    /// Greatest relative difference of a round-trip time.
    pub(crate) round_trip: f64,
    /// Greatest difference of a queue over its capacity.
    pub(crate) queue: f64,
}

impl Errors {
    /// Compares `found` with the reference at some steps: each value may lie anywhere between the reference values.
    pub(crate) fn see(&mut self, found: &Look, oracle: &[Look]) {
        let relative = |difference, expected| if difference == 0.0 { 0.0 } else { difference / expected };
        let window = greatest(found, oracle, |look| &look.windows, relative);
        let round_trip = greatest(found, oracle, |look| &look.round_trips, relative);
        let queue = greatest(found, oracle, |look| &look.queues, |difference, _| difference);
        self.window = self.window.max(window);
        self.round_trip = self.round_trip.max(round_trip);
        self.queue = self.queue.max(queue);
    }

    pub(crate) fn all_below(&self, bound: f64) -> bool {
        self.window < bound && self.round_trip < bound && self.queue < bound
    }

    /// Returns `true` if these deviations are at most twice the others plus `little`.
    pub(crate) fn within(&self, others: &Self, little: f64) -> bool {
        self.window <= 2.0 * others.window + little
            && self.round_trip <= 2.0 * others.round_trip + little
            && self.queue <= 2.0 * others.queue + little
    }
}

fn greatest(found: &Look, oracle: &[Look], of: fn(&Look) -> &Vec<f64>, error: impl Fn(f64, f64) -> f64) -> f64 {
    let mut greatest = 0.0_f64;
    assert!(oracle.iter().all(|look| of(look).len() == of(found).len()));
    for (place, &found) in of(found).iter().enumerate() {
        let expected = oracle.iter().map(|look| of(look)[place]);
        let (least, most) =
            expected.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        let expected = found.clamp(least, most);
        greatest = greatest.max(error((found - expected).abs(), expected));
    }
    greatest
}
