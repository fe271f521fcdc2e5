//! Events per second of the general engine on the host, compared with the oracle, and of ensembles on one and two
//! threads.
//!
//! `cargo bench -p imminent-queueing --bench general`. One item is one service or emission. Set-up is part of the time.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot run must not pass for one that did")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use imminent_common::time::TICKS_PER_UNIT;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_queueing::engine::{Schedule, Simulation};
use imminent_queueing::network::Discipline;
use imminent_queueing::{Builder, Law, Network, Outcome, Scenario, Start, Station, sequential};
use std::fmt;
use std::ops::ControlFlow;

fn main() {
    divan::main();
}

/// Network of a case, and its horizon in time units.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    network: fn() -> Network,
    horizon: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const CASES: [Case; 3] = [
    Case { name: "torus 64 x 64", network: torus, horizon: 500 },
    Case { name: "32 lines of 32 servers behind sources", network: lines, horizon: 1_000 },
    Case { name: "hospital: servers, priorities, loss", network: hospital, horizon: 50_000 },
];

fn torus() -> Network {
    Network::torus(64, 64, 10 << 20, 1).expect("a torus")
}

/// The papers' open network.
fn lines() -> Network {
    let mut network = Builder::new();
    let token = network.class("token");
    let sources: Vec<u32> =
        (0..32).map(|line| network.source(format!("{line}"), token, Law::Exponential { mean: 20.0 })).collect();
    for line in 0..32 {
        let servers: Vec<u32> = (0..32)
            .map(|place| {
                let node = network.station(format!("{line}.{place}"), Station::default());
                network.serve_all(node, Law::Exponential { mean: 10.0 });
                node
            })
            .collect();
        for &source in &sources {
            network.edge(source, servers[0]);
        }
        for pair in servers.windows(2) {
            network.edge(pair[0], pair[1]);
        }
        network.exit(servers[31]);
    }
    network.build().expect("lines")
}

fn hospital() -> Network {
    let mut network = Builder::new();
    let [ill, urgent] = ["ill", "urgent"].map(|name| network.class(name));
    let door = network.source("door", ill, Law::Exponential { mean: 4.0 });
    let ambulance = network.source("ambulance", urgent, Law::Exponential { mean: 20.0 });
    let doctors = Station { servers: 4, discipline: Discipline::Priority, capacity: Some(40), ..Station::default() };
    let doctors = network.station("doctors", doctors);
    let beds = network.station("beds", Station { servers: 30, capacity: Some(30), ..Station::default() });
    network.serve(doctors, ill, Law::LogNormal { mean: 10.0, cv: 0.8 });
    network.serve(doctors, urgent, Law::Erlang { stages: 2, mean: 18.0 }).priority(doctors, ill, 1);
    network.serve_all(beds, Law::Gamma { shape: 2.0, mean: 100.0 });
    network.edge(door, doctors).edge(ambulance, doctors).edge(doctors, beds).exit(doctors).exit(beds);
    network.build().expect("a hospital")
}

fn device() -> Device {
    CpuBackend::open(&Options::default()).and_then(Device::open).expect("the host is a device")
}

fn scenarios(network: &Network, horizon: u64, count: u64) -> Vec<Scenario<'_>> {
    let scenario = |replication| Scenario::new(network, Start::One, horizon * TICKS_PER_UNIT, 1, replication);
    (0..count).map(scenario).collect::<Result<_, _>>().expect("scenarios")
}

fn by_events(device: &Device, scenarios: &[Scenario<'_>], threads: usize) -> Vec<Outcome> {
    let simulation = Simulation::new(device, scenarios, Schedule::Events).expect("a simulation");
    let mut simulation = simulation.with_threads(threads);
    simulation.run_to(u64::MAX, &mut |_| ControlFlow::Continue(())).expect("it runs");
    simulation.observe().expect("outcomes")
}

fn events(outcomes: &[Outcome]) -> u64 {
    outcomes.iter().map(Outcome::events).sum()
}

#[divan::bench(args = CASES, sample_count = 5, sample_size = 1)]
fn oracle(bencher: Bencher<'_, '_>, case: &Case) {
    let network = (case.network)();
    let scenarios = scenarios(&network, case.horizon, 1);
    let count = events(&[sequential::simulate(&scenarios[0])]);
    bencher.counter(ItemsCount::new(count)).bench_local(|| sequential::simulate(black_box(&scenarios[0])));
}

#[divan::bench(args = CASES, sample_count = 7, sample_size = 1)]
fn general_by_events(bencher: Bencher<'_, '_>, case: &Case) {
    let (network, device) = ((case.network)(), device());
    let scenarios = scenarios(&network, case.horizon, 1);
    let count = events(&by_events(&device, &scenarios, 1));
    bencher.counter(ItemsCount::new(count)).bench_local(|| by_events(&device, black_box(&scenarios), 1));
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn ensemble_of_16_tori_on_threads(bencher: Bencher<'_, '_>, threads: usize) {
    let (network, device) = (Network::torus(16, 16, 10 << 20, 1).expect("a torus"), device());
    let scenarios = scenarios(&network, 500, 16);
    let count = events(&by_events(&device, &scenarios, 1));
    bencher.counter(ItemsCount::new(count)).bench_local(|| by_events(&device, black_box(&scenarios), threads));
}
