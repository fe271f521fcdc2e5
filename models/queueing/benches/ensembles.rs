//! Ensembles of small networks on the threads of a host, alternating in one process.
//!
//! `cargo bench -p imminent-queueing --bench ensembles [-- THREADS…] [--runs N]`. Simulates 10,000 replications of a
//! torus of 4 x 4, as `docs/measure/queueing OUT ensemble` does, with the engine of simple networks and with that of
//! general networks. Prints millions of services per second.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot run must not pass for one that did")]

mod turns;

use clap::Parser as _;
use imminent_common::time::{mean_service_ticks, ticks_from_units};
use imminent_core::Device;
use imminent_queueing::analysis::{Plan, Watch};
use imminent_queueing::engine::{Schedule, Simulation, Watching, watched};
use imminent_queueing::{Ended, Network, Scenario, Start};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use turns::{Arguments, Times, by_turns, rate, ratio, row};

const REPLICATIONS: u64 = 10_000;
/// Horizon of a replication, in time units.
const HORIZON: f64 = 1_000.0;

/// Function that simulates scenarios on a device; it returns their outcomes and the time of the simulation alone.
type Engine = fn(&Device, &[Scenario<'_>]) -> (Vec<Ended>, Duration);

fn main() {
    let arguments = Arguments::parse();
    let threads: Vec<usize> = [1].into_iter().chain(arguments.threads()).collect();
    let torus = Network::torus(4, 4, mean_service_ticks(10.0).expect("a mean"), 1).expect("a torus");
    let horizon = ticks_from_units(HORIZON).expect("a horizon");
    let scenario = |replication| Scenario::new(&torus, Start::Stationary, horizon, 1, replication);
    let scenarios: Vec<Scenario<'_>> = (0..REPLICATIONS).map(scenario).collect::<Result<_, _>>().expect("scenarios");
    let engines: [Engine; 2] = [simple, general];
    let columns = engines.map(|engine| Column::measure(engine, &scenarios, &threads, arguments.runs));
    turns::head(&["engine of simple networks", "engine of general networks"].map(str::to_owned));
    for (place, threads) in threads.iter().enumerate() {
        let name = format!("{threads} thread{}", if *threads == 1 { "" } else { "s" });
        row(&format!("{name}, simulation alone"), &columns, |column| {
            rate(column.events, &column.times[place].simulation)
        });
        row(&format!("{name}, set-up included"), &columns, |column| rate(column.events, &column.times[place].all));
        if place > 0 {
            row("beside one thread, simulation alone", &columns, |column| {
                ratio(&column.times[0].simulation, &column.times[place].simulation)
            });
            row("beside one thread, set-up included", &columns, |column| {
                ratio(&column.times[0].all, &column.times[place].all)
            });
        }
    }
}

fn simple(device: &Device, scenarios: &[Scenario<'_>]) -> (Vec<Ended>, Duration) {
    let plan = Plan::default();
    let watches = scenarios.iter().map(|scenario| Watch::new(&plan, scenario.horizon(), scenario.network()));
    let mut watches: Vec<Watch<'_>> = watches.collect();
    let go_on = &mut |_| ControlFlow::Continue(());
    let ran = watched(device, scenarios, &mut watches, Watching::default(), go_on).expect("it runs on the host");
    let wall = ran.iter().flatten().map(|timed| timed.spent.simulation).sum();
    (ran.into_iter().flatten().map(|timed| timed.ended).collect(), wall)
}

fn general(device: &Device, scenarios: &[Scenario<'_>]) -> (Vec<Ended>, Duration) {
    let mut simulation = Simulation::new(device, scenarios, Schedule::Events).expect("a simulation");
    simulation.run_to(u64::MAX, &mut |_| ControlFlow::Continue(())).expect("it runs on the host");
    let wall = simulation.wall();
    (simulation.observe().expect("outcomes").into_iter().map(Ended::from).collect(), wall)
}

/// Results of all runs of one engine, by numbers of threads.
struct Column {
    events: u64,
    times: Vec<Times>,
}

impl Column {
    fn measure(engine: Engine, scenarios: &[Scenario<'_>], threads: &[usize], rounds: u32) -> Self {
        let devices: Vec<Device> = threads.iter().map(|&threads| turns::device(threads)).collect();
        let (expected, _) = engine(&devices[0], scenarios);
        let times = by_turns(devices.len(), rounds, |number| {
            let began = Instant::now();
            let (outcomes, simulation) = engine(&devices[number], scenarios);
            let all = began.elapsed();
            assert!(outcomes == expected, "the outcome depends on the number of threads");
            (all, simulation)
        });
        Self { events: expected.iter().map(|ended| ended.events).sum(), times }
    }
}
