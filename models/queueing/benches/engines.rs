//! Events per second of the oracles, which are not written for speed, on the papers' torus.
//!
//! `cargo bench -p imminent-queueing --bench engines`; the engine by events and the calendar queue are in `by_events`.
//! One item is one event, that is one service. Setting up the nodes is part of the time, so the horizon is long enough
//! to make it small. Building the network is not.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot run must not pass for one that did")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use imminent_common::time::{TICKS_PER_UNIT, mean_service_ticks, ticks_from_units};
use imminent_queueing::{Network, Outcome, Scenario, Start, interval, sequential};

fn main() {
    divan::main();
}

/// Side of the torus, and a horizon in time units that gives a few million events.
const SIZES: [(u32, f64); 3] = [(64, 20_000.0), (256, 1_000.0), (1024, 100.0)];

fn measure(bencher: Bencher<'_, '_>, (side, horizon): (u32, f64), engine: impl Fn(&Scenario<'_>) -> Outcome) {
    let network = mean_service_ticks(10.0).ok().and_then(|mean| Network::torus(side, side, mean, 1).ok());
    let horizon = ticks_from_units(horizon).unwrap_or(TICKS_PER_UNIT);
    let Some(scenario) =
        network.as_ref().and_then(|network| Scenario::new(network, Start::Stationary, horizon, 1, 0).ok())
    else {
        panic!("the torus of side {side} cannot be set up");
    };
    let events = engine(&scenario).events();
    bencher.counter(ItemsCount::new(events)).bench_local(|| engine(black_box(&scenario)));
}

#[divan::bench(args = SIZES, sample_count = 5, sample_size = 1)]
fn oracle(bencher: Bencher<'_, '_>, (side, horizon): (u32, f64)) {
    measure(bencher, (side, horizon / 4.0), sequential::simulate);
}

#[divan::bench(args = SIZES, sample_count = 5, sample_size = 1)]
fn interval_reference(bencher: Bencher<'_, '_>, (side, horizon): (u32, f64)) {
    measure(bencher, (side, horizon / 4.0), |scenario| {
        interval::reference::simulate(scenario, TICKS_PER_UNIT).expect("a simple network").outcome
    });
}
