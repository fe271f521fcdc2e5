//! General networks: every feature of stations, sources, laws and routes, alone and with others, observed during the
//! run.

use super::verdicts::{broken, same};
use crate::case::{Cases, Stop, Verdict, equal, equal_slices};
use crate::context::Context;
use imminent_common::time::units_from_ticks;
use imminent_queueing::engine::{Schedule, Simulation};
use imminent_queueing::network::{Discipline, Onward, Routing};
use imminent_queueing::outcome::NodeStatistics;
use imminent_queueing::trace::{Times, Visit};
use imminent_queueing::{Builder, Law, Network, NetworkError, Scenario, Start, Station, sequential};
use std::ops::ControlFlow;

/// One network, a horizon in ticks and a seed.
#[derive(Clone, Copy)]
struct Run {
    name: &'static str,
    network: fn() -> Result<Network, NetworkError>,
    horizon: u64,
    seed: u64,
    /// Digest of the sequential oracle when the run was added. `None` if the host's floating-point functions make the
    /// laws, since their last tick may differ between hosts.
    digest: Option<&'static str>,
}

const RUNS: [Run; 5] = [
    Run {
        name: "classes, disciplines and finite lines, ties in every tick",
        network: ties,
        horizon: 300,
        seed: 1,
        digest: Some("c183b46e48c2b8bdb4b07cd62a89f410"),
    },
    Run {
        name: "lines of servers behind sources",
        network: lines,
        horizon: 300 << 20,
        seed: 2,
        digest: Some("1565bb6a97846907c0b7c0305028d084"),
    },
    Run {
        name: "a line that grows without end",
        network: flood,
        horizon: 2500,
        seed: 3,
        digest: Some("f4e0eb32531dc6d8e112a28e8117cf02"),
    },
    Run {
        name: "many servers, some of them free",
        network: many_servers,
        horizon: 4000,
        seed: 4,
        digest: Some("9ad49f72e6c274e2d753f98a1e24562b"),
    },
    Run { name: "laws by quantiles", network: quantiles, horizon: 400 << 20, seed: 5, digest: None },
];

pub(super) fn add(cases: &mut Cases) {
    for run in RUNS {
        cases
            .add(format!("{}: the general engine is the sequential simulator, bit by bit", run.name), move |context| {
                alone(context, &run)
            });
    }
    cases.add("an ensemble of networks: each is what it is alone", together);
}

/// Returns a law of a constant number of ticks.
fn fixed(ticks: u64) -> Law {
    Law::Deterministic { value: units_from_ticks(ticks) }
}

/// Builds two sources and a closed crowd over four stations, one of each discipline, with many ties.
fn ties() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let [plain, urgent] = ["plain", "urgent"].map(|name| network.class(name));
    let first = network.source("first", plain, fixed(3));
    let disciplines = [Discipline::Fifo, Discipline::Lifo, Discipline::Random, Discipline::Priority];
    let stations = disciplines.map(|discipline| {
        let station = Station { servers: 2, discipline, capacity: Some(5), ..Station::default() };
        network.station(format!("{discipline:?}"), station)
    });
    let second = network.source("second", urgent, fixed(2));
    for (place, node) in stations.into_iter().enumerate() {
        network.serve(node, plain, fixed(2 + place as u64)).serve(node, urgent, fixed(3));
        network.tokens(node, plain, 2).tokens(node, urgent, 1).priority(node, plain, 1);
        let next = stations.get((place + 1) % stations.len()).copied().unwrap_or(node);
        if place % 2 == 0 {
            network.routing(node, Routing::RoundRobin).edge(node, next).edge(node, node).exit(node);
        } else {
            network.route(node, plain, Onward::to(next).with(0.75)).route(node, plain, Onward::out().with(0.25));
            network.route(node, urgent, Onward::to(next).becoming(plain)).route(node, urgent, Onward::to(node));
        }
    }
    for node in stations {
        network.edge(first, node).edge(second, node);
    }
    network.build()
}

/// Builds a small version of the papers' open network: lines of servers in tandem, tokens from each source to any line.
fn lines() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let token = network.class("token");
    let (count, length) = (4, 5);
    let sources: Vec<u32> =
        (0..count).map(|line| network.source(format!("{line}"), token, Law::Exponential { mean: 20.0 })).collect();
    for line in 0..count {
        let mut before = None;
        for place in 0..length {
            let node = network.station(format!("{line}.{place}"), Station::default());
            network.serve_all(node, Law::Exponential { mean: 10.0 });
            match before {
                Some(before) => {
                    network.edge(before, node);
                }
                None => sources.iter().for_each(|&source| {
                    network.edge(source, node);
                }),
            }
            before = Some(node);
        }
        if let Some(last) = before {
            network.exit(last);
        }
    }
    network.build()
}

fn flood() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let token = network.class("token");
    let source = network.source("source", token, Law::Exponential { mean: units_from_ticks(5) });
    let station = network.station("station", Station { servers: 2, ..Station::default() });
    let random = network.station("random", Station { discipline: Discipline::Random, ..Station::default() });
    network.serve_all(station, Law::Uniform { low: units_from_ticks(10), high: units_from_ticks(40) });
    network.serve_all(random, Law::Empirical { values: [30, 20, 0, 50].map(units_from_ticks).to_vec() });
    network.edge(source, station).edge(station, random).exit(random);
    network.build()
}

fn many_servers() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let token = network.class("token");
    let many = network.station("many", Station { servers: 20, capacity: Some(25), ..Station::default() });
    let back = network.station("back", Station { discipline: Discipline::Lifo, ..Station::default() });
    network.serve_all(many, Law::Exponential { mean: units_from_ticks(300) }).serve_all(back, fixed(3));
    network.tokens(many, token, 22).tokens(back, token, 8).edge(many, back).edge(back, many);
    network.build()
}

fn quantiles() -> Result<Network, NetworkError> {
    let mut network = Builder::new();
    let token = network.class("token");
    let source = network.source("source", token, Law::Weibull { shape: 0.7, mean: 6.0 });
    let laws = [
        Law::LogNormal { mean: 8.0, cv: 2.0 },
        Law::Erlang { stages: 3, mean: 5.0 },
        Law::Gamma { shape: 0.5, mean: 5.0 },
        Law::HyperExponential { branches: vec![(0.8, 2.0), (0.2, 15.0)] },
    ];
    let mut before = source;
    for (place, law) in laws.into_iter().enumerate() {
        let node = network.station(format!("{place}"), Station { servers: 2, ..Station::default() });
        network.serve_all(node, law).edge(before, node);
        before = node;
    }
    network.exit(before);
    network.build()
}

fn scenario<'n>(run: &Run, network: &'n Network, horizon: u64) -> Result<Scenario<'n>, Stop> {
    Scenario::new(network, Start::One, horizon, run.seed, 0).or_else(broken)
}

fn schedules(context: &Context<'_>) -> impl Iterator<Item = Schedule> {
    let native = context.capabilities().native_rows;
    [Schedule::Tiles, Schedule::Events].into_iter().filter(move |schedule| native || *schedule != Schedule::Events)
}

fn alone(context: &Context<'_>, run: &Run) -> Verdict {
    let network = (run.network)().or_else(broken)?;
    let whole = scenario(run, &network, run.horizon)?;
    let expected = sequential::simulate(&whole);
    let digest = expected.digest().to_string();
    if let Some(stored) = run.digest {
        equal("the oracle's digest, and the stored one", &digest.as_str(), &stored)?;
        context.digest(run.name, digest.clone());
    }
    let half = scenario(run, &network, run.horizon / 2)?;
    let classes_at_half = classes(&half)?;
    let (half, times_at_half) = (sequential::simulate(&half), visit_times(&half)?);
    let (times_at_end, classes_at_end) = (visit_times(&whole)?, classes(&whole)?);
    for schedule in schedules(context) {
        let simulation = Simulation::new(context.device, std::slice::from_ref(&whole), schedule).or_else(broken)?;
        let mut simulation = simulation.with_times().or_else(broken)?.with_classes().or_else(broken)?;
        let mut times_so_far = Times::default();
        let at_half = (run.horizon / 2, &half, &times_at_half, &classes_at_half);
        for (time, expected, times, classes) in [at_half, (u64::MAX, &expected, &times_at_end, &classes_at_end)] {
            simulation.run_to(time, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
            let found = simulation.by_class().or_else(broken)?.unwrap_or_default();
            equal_slices("what was done for each class", found.first().map_or(&[], Vec::as_slice), classes)?;
            simulation.take_visit_times().iter().flatten().for_each(|times| times_so_far += times);
            equal("times of visits", &&times_so_far, &times)?;
            for found in simulation.observe().or_else(broken)? {
                same(&format!("schedule {schedule:?} at {}", expected.horizon), &found, expected)?;
            }
        }
    }
    Ok(())
}

/// Returns the times of the visits to stations, as the oracle reports them one by one.
fn visit_times(scenario: &Scenario<'_>) -> Result<Times, Stop> {
    let mut times = Times::default();
    let mut visited = |visit: Visit| {
        if scenario.network().station(visit.node).is_some() {
            times.add(&visit);
        }
    };
    sequential::traced(scenario, &mut visited).or_else(broken)?;
    Ok(times)
}

/// Returns the statistics by node and class, as the oracle counts them token by token.
fn classes(scenario: &Scenario<'_>) -> Result<Vec<NodeStatistics>, Stop> {
    let mut classes = vec![];
    sequential::by_class(scenario, &[scenario.horizon()], &mut |_, by_class| classes = by_class).or_else(broken)?;
    Ok(classes)
}

fn together(context: &Context<'_>) -> Verdict {
    let networks: Vec<(Run, Network)> = RUNS
        .into_iter()
        .filter(|run| run.digest.is_some())
        .cycle()
        .take(9)
        .map(|run| Ok((run, (run.network)().or_else(broken)?)))
        .collect::<Result<_, Stop>>()?;
    // One network that is larger than a group, among small ones.
    let torus = Network::torus(17, 17, 10 << 20, 1).or_else(broken)?;
    let mut scenarios = vec![];
    for (place, (run, network)) in networks.iter().enumerate() {
        let run = Run { seed: run.seed + place as u64, ..*run };
        scenarios.push(scenario(&run, network, run.horizon)?);
    }
    scenarios.insert(4, Scenario::new(&torus, Start::One, 60 << 20, 1, 0).or_else(broken)?);
    for schedule in schedules(context) {
        let simulation = Simulation::new(context.device, &scenarios, schedule).or_else(broken)?;
        let mut simulation = simulation.with_times().or_else(broken)?.with_classes().or_else(broken)?;
        simulation.run_to(u64::MAX, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
        for (place, (found, scenario)) in simulation.observe().or_else(broken)?.iter().zip(&scenarios).enumerate() {
            same(&format!("schedule {schedule:?}, network {place}"), found, &sequential::simulate(scenario))?;
        }
        let times = simulation.take_visit_times().unwrap_or_default();
        let expected = scenarios.iter().map(visit_times).collect::<Result<Vec<_>, _>>()?;
        let found = simulation.by_class().or_else(broken)?.unwrap_or_default();
        equal("networks whose classes were counted", &found.len(), &scenarios.len())?;
        for (found, scenario) in found.iter().zip(&scenarios) {
            equal_slices("what was done for each class", found, &classes(scenario)?)?;
        }
        equal_slices("times of the visits of each network", &times, &expected)?;
    }
    Ok(())
}
