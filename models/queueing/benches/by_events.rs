//! The exact engine by events compared with the calendar-queue simulator, on the papers' torus, alternating in one
//! process.
//!
//! `cargo bench -p imminent-queueing --bench by_events [-- THREADS…] [--runs N]`. All runs simulate the same scenario,
//! one after the other, and their outcomes must be equal. Ratios are medians over rounds of the times of two runs.
//! Prints the table of docs/results.md, "Speed on the CPU": millions of services per second, set-up included unless
//! stated otherwise. The engine uses fewer threads than allowed if the network is too small for them.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot run must not pass for one that did")]

mod turns;

use clap::Parser as _;
use imminent_common::time::{mean_service_ticks, ticks_from_units};
use imminent_core::Device;
use imminent_queueing::engine::{Schedule, exact};
use imminent_queueing::{Network, Scenario, Start, calendar};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use turns::{Arguments, Times, by_turns, rate, ratio, row};

/// Sides of the tori, and horizons in time units that give a few million services.
const SIZES: [(u32, f64); 3] = [(64, 20_000.0), (256, 1_000.0), (1024, 100.0)];

fn main() {
    let arguments = Arguments::parse();
    let threads = arguments.threads();
    let columns = SIZES.map(|(side, horizon)| Column::measure(side, horizon, &threads, arguments.runs));
    turns::head(&SIZES.map(|(side, _)| format!("{side}²")));
    row("calendar-queue simulator, one core", &columns, |column| rate(column.events, &column.calendar.all));
    row("exact, CPU backend, by events, one thread", &columns, |column| rate(column.events, &column.alone.all));
    row("ratio (mark 1.0)", &columns, |column| ratio(&column.calendar.all, &column.alone.all));
    row("simulation alone, one thread", &columns, |column| rate(column.events, &column.alone.simulation));
    for (crew, threads) in threads.iter().enumerate() {
        let mark = if *threads == 2 { " (mark 1.8)" } else { "" };
        row(&format!("simulation alone, {threads} threads"), &columns, |column| {
            rate(column.events, &column.crews[crew].simulation)
        });
        row(&format!("beside one thread{mark}"), &columns, |column| {
            ratio(&column.alone.simulation, &column.crews[crew].simulation)
        });
        row("beside one thread, set-up included", &columns, |column| ratio(&column.alone.all, &column.crews[crew].all));
    }
}

/// Results of all runs of one size.
struct Column {
    events: u64,
    calendar: Times,
    alone: Times,
    crews: Vec<Times>,
}

impl Column {
    fn measure(side: u32, horizon: f64, threads: &[usize], rounds: u32) -> Self {
        let mean = mean_service_ticks(10.0).expect("a mean");
        let torus = Network::torus(side, side, mean, 1).expect("a torus");
        let horizon = ticks_from_units(horizon).expect("a horizon");
        let scenario = Scenario::new(&torus, Start::Stationary, horizon, 1, 0).expect("a scenario");
        let devices: Vec<Device> = [1].iter().chain(threads).map(|&threads| turns::device(threads)).collect();
        let expected = calendar::simulate(&scenario);
        // The calendar queue has number 0, and does not report its set-up separately.
        let run = |engine: usize| -> (Duration, Duration) {
            let began = Instant::now();
            let (outcome, all, simulation) = match engine.checked_sub(1) {
                None => {
                    let outcome = calendar::simulate(&scenario);
                    (outcome, began.elapsed(), began.elapsed())
                }
                Some(device) => {
                    let go_on = &mut |_| ControlFlow::Continue(());
                    let ran = exact(&devices[device], &scenario, Schedule::Events, go_on).expect("it runs on the host");
                    (ran.outcome, began.elapsed(), ran.spent.simulation)
                }
            };
            assert!(outcome == expected, "the engines do not agree");
            (all, simulation)
        };
        let mut times = by_turns(1 + devices.len(), rounds, run).into_iter();
        let mut next = || times.next().expect("times of every engine");
        let (calendar, alone) = (next(), next());
        Self { events: expected.events(), calendar, alone, crews: times.collect() }
    }
}
