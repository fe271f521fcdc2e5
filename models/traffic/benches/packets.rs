//! Benchmarks of the packet simulator (events per second) and of route finding (flows per second).
//!
//! Run with `cargo bench -p imminent-traffic --bench packets`. One item is one event: a packet that reaches the end of
//! a link, a datagram that is sent, or a timer. The time leaves out setting up. For routes, one item is one flow.

#![allow(clippy::expect_used, reason = "a benchmark that cannot run must not pass for one that did")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use imminent_traffic::network::{Builder, Campus, Discipline, Flow, Flows, Kind, Link, Queue, Routes, validation};
use imminent_traffic::packet::{Alone, Settings, Simulator, clock};
use imminent_traffic::units::{NANOSECONDS, NEVER};
use imminent_traffic::{Metric, Tcp, Traffic};
use std::fmt;

fn main() {
    divan::main();
}

/// Traffic to simulate, and the simulated time in milliseconds.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    traffic: fn() -> Traffic,
    milliseconds: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const CASES: [Case; 3] = [
    Case { name: "one link, Poisson", traffic: link, milliseconds: 10_000 },
    Case { name: "validation network, 80 sessions", traffic: validation_network, milliseconds: 5_000 },
    Case { name: "4 campuses, 20160 sessions", traffic: campuses, milliseconds: 1_000 },
];

/// A link of 100 Mb/s with a load of 80 %.
fn link() -> Traffic {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(1 << 30, Discipline::DropTail);
    builder.link(Link { from, to, delay: NANOSECONDS / 100, bandwidth: 100_000_000, queue, loss: 0.0 });
    builder.link(Link { from: to, to: from, delay: NANOSECONDS / 100, bandwidth: 100_000_000, queue, loss: 0.0 });
    let mut flows = Flows::new();
    flows.add(Flow { from, to, kind: Kind::Poisson { rate: 80_000_000 }, start: 0, stop: NEVER });
    Traffic::new(builder.build().expect("a network"), flows, Metric::Hops, Tcp::default()).expect("traffic")
}

/// The paper's validation network with all sessions as packets.
fn validation_network() -> Traffic {
    let mut flows = validation::flows(20).expect("flows");
    for flow in flows.all_mut() {
        if let Kind::Tcp { fluid, packets } = flow.kind {
            flow.kind = Kind::Tcp { fluid: 0, packets: fluid + packets };
        }
        (flow.start, flow.stop) = (0, NEVER);
    }
    Traffic::new(validation::network().expect("a network"), flows, Metric::Hops, Tcp::default()).expect("traffic")
}

fn campuses() -> Traffic {
    let campus = Campus { packet_share: 1.0, ..Campus::new(4) };
    let (network, flows) = (campus.network().expect("a network"), campus.flows().expect("flows"));
    Traffic::new(network, flows, Metric::Hops, Tcp::default()).expect("traffic")
}

#[divan::bench(args = CASES, sample_count = 10, sample_size = 1)]
fn packets(bencher: Bencher<'_, '_>, case: Case) {
    let simulator = Simulator::new(&(case.traffic)(), Settings::default()).expect("a simulator");
    let end = case.milliseconds * (clock::SECOND / 1000);
    let run = |mut simulator: Simulator| {
        simulator.run_until(end, &mut Alone);
        simulator
    };
    let events = run(simulator.clone()).events();
    bencher
        .counter(ItemsCount::new(events))
        .with_inputs(|| simulator.clone())
        .bench_local_values(|simulator| black_box(run(simulator)));
}

/// Campus networks of up to 269,000 nodes and 2.5 million flows.
#[divan::bench(args = [16, 100, 500], sample_count = 1, sample_size = 1)]
fn routes(bencher: Bencher<'_, '_>, campuses: u32) {
    let campus = Campus::new(campuses);
    let (network, flows) = (campus.network().expect("a network"), campus.flows().expect("flows"));
    let pairs: Vec<_> = flows.all().iter().map(|flow| (flow.from, flow.to)).collect();
    bencher
        .counter(ItemsCount::new(pairs.len()))
        .bench_local(|| Routes::find(black_box(&network), &pairs, Metric::Hops).expect("routes"));
}
