//! The clustered engine on open networks: sources, classes, disciplines and finite lines, against its sequential
//! reference.

use super::verdicts::{broken, same};
use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use imminent_common::time::units_from_ticks;
use imminent_queueing::engine::clustered;
use imminent_queueing::network::{Discipline, Onward, Routing};
use imminent_queueing::{Builder, Law, Network, NetworkError, Scenario, Start, Station, interval, sequential};
use std::ops::ControlFlow;

/// Name, network, and horizon in ticks.
type Run = (&'static str, fn() -> Result<Network, NetworkError>, u64);

const RUNS: [Run; 3] = [
    ("lines of servers behind sources", lines, 200 << 20),
    ("classes, disciplines and finite lines, ties in every tick", ties, 300),
    ("a source that emits many tokens in an interval", flood, 2500),
];

pub(super) fn add(cases: &mut Cases) {
    for run in RUNS {
        let name = format!("{}, open: the clustered engine is its sequential reference, bit by bit", run.0);
        cases.add(name, move |context| clustering(context, run));
    }
}

fn fixed(ticks: u64) -> Law {
    Law::Deterministic { value: units_from_ticks(ticks) }
}

/// Builds a small version of the papers' open network.
fn lines() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    for line in 0..4 {
        let mut before = network.source(format!("{line}"), 0, Law::Exponential { mean: 20.0 });
        for place in 0..5 {
            let node = network.station(format!("{line}.{place}"), Station::default());
            network.serve_all(node, Law::Exponential { mean: 10.0 }).edge(before, node);
            before = node;
        }
        network.exit(before);
    }
    network.build()
}

/// Builds two sources and a ring of stations, one of each discipline; full stations lose tokens.
fn ties() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let [plain, urgent] = ["plain", "urgent"].map(|name| network.class(name));
    let sources =
        [(plain, 5), (urgent, 4)].map(|(class, ticks)| network.source(format!("{class}"), class, fixed(ticks)));
    let disciplines = [Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority];
    let stations = disciplines.map(|discipline| {
        network.station(format!("{discipline:?}"), Station { discipline, capacity: Some(4), ..Station::default() })
    });
    for (place, node) in stations.into_iter().enumerate() {
        network.serve(node, plain, fixed(2 + place as u64)).serve(node, urgent, fixed(3));
        network.tokens(node, plain, 1).tokens(node, urgent, 1).priority(node, plain, 1);
        let next = stations.get((place + 1) % stations.len()).copied().unwrap_or(node);
        if place % 2 == 0 {
            network.routing(node, Routing::RoundRobin).edge(node, next).exit(node);
        } else {
            network.route(node, plain, Onward::to(next).with(0.75)).route(node, plain, Onward::out().with(0.25));
            network.route(node, urgent, Onward::to(next).becoming(plain)).route(node, urgent, Onward::out());
        }
        sources.iter().for_each(|&source| {
            network.edge(source, node);
        });
    }
    network.build()
}

/// Builds a source that is faster than any interval, and a line that grows.
fn flood() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: units_from_ticks(5) });
    let station = network.station("station", Station::default());
    network.serve_all(station, Law::Uniform { low: units_from_ticks(10), high: units_from_ticks(40) });
    network.edge(source, station).exit(station);
    network.build()
}

fn clustering(context: &Context<'_>, (name, network, horizon): Run) -> Verdict {
    let network = network().or_else(broken)?;
    let scenario = Scenario::new(&network, Start::One, horizon, 3, 0).or_else(broken)?;
    for ticks in [0, 1, horizon / 977 + 1, horizon / 40 + 1] {
        let expected = interval::reference::simulate(&scenario, ticks).or_else(broken)?;
        let found = clustered(context.device, &scenario, ticks, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
        if ticks > 1 {
            context.digest(format!("{name}, open, interval {ticks}"), found.outcome.digest().to_string());
        } else {
            same("nothing clustered", &found.outcome, &sequential::simulate(&scenario))?;
        }
        same(&format!("interval of {ticks} ticks"), &found.outcome, &expected.outcome)?;
        equal(&format!("steps with an interval of {ticks} ticks"), &found.steps, &expected.steps)?;
    }
    Ok(())
}
