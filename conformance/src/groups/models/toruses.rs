//! Toruses and a network of unequal nodes: the exact and the clustered engine, against their sequential references.

use super::verdicts::{broken, same};
use crate::case::{Cases, Stop, Verdict, equal};
use crate::context::Context;
use imminent_queueing::analysis::{Plan, Watch};
use imminent_queueing::engine::{Schedule, Watching, clustered, exact, watched};
use imminent_queueing::experiment::Timed;
use imminent_queueing::{Ended, Network, Node, Scenario, Start, Statistics as _, interval, sequential};
use std::ops::ControlFlow;

/// One run: a network, a start, a horizon in ticks and a seed.
struct Run {
    name: &'static str,
    network: fn() -> Result<Network, Stop>,
    start: Start,
    horizon: u64,
    seed: u64,
    /// Digest of the sequential oracle when the run was added: changes of the model's definition must be intended.
    digest: &'static str,
    /// `true` if the run takes long.
    full: bool,
}

/// Mean service time of the toruses, in ticks.
const MEAN: u32 = 10 << 20;

const RUNS: [Run; 7] = [
    Run {
        name: "torus 4x4, 3 tokens each, ties in every tick",
        network: ties,
        start: Start::One,
        horizon: 400,
        seed: 3,
        digest: "c8abc6b0671843925dc91e4754529baf",
        full: false,
    },
    Run {
        name: "torus 8x8",
        network: || torus(8, 8, 1),
        start: Start::One,
        horizon: 400 << 20,
        seed: 1,
        digest: "f46575443eacd6b4fc99bd222d05bf2b",
        full: false,
    },
    Run {
        name: "torus 8x8, stationary start",
        network: || torus(8, 8, 2),
        start: Start::Stationary,
        horizon: 300 << 20,
        seed: 2,
        digest: "ff41a2e18a3393e21cf6694604520dd2",
        full: false,
    },
    Run {
        name: "torus 17x5",
        network: || torus(17, 5, 1),
        start: Start::One,
        horizon: 200 << 20,
        seed: 1,
        digest: "22146d2ee40ac6cfb7e937d56cd305d0",
        full: false,
    },
    Run {
        name: "network of unequal nodes",
        network: unequal,
        start: Start::One,
        horizon: 5000 << 20,
        seed: 1,
        digest: "08027c5e4e9de36ed4fb0ae5e7779f8d",
        full: false,
    },
    Run {
        name: "torus 64x64",
        network: || torus(64, 64, 1),
        start: Start::One,
        horizon: 200 << 20,
        seed: 1,
        digest: "86db5ea51e7811b2267bdaa2afaa287a",
        full: true,
    },
    Run {
        name: "torus 256x256",
        network: || torus(256, 256, 1),
        start: Start::One,
        horizon: 40 << 20,
        seed: 1,
        digest: "e71212017ac290e8e4f8bbf14d89cd2d",
        full: true,
    },
];

fn torus(width: u32, height: u32, tokens: u32) -> Result<Network, Stop> {
    Network::torus(width, height, MEAN, tokens).or_else(broken)
}

fn ties() -> Result<Network, Stop> {
    Network::torus(4, 4, 1, 3).or_else(broken)
}

/// Builds a slow node where all tokens wait, self-loops, repeated edges, and nodes without a token.
fn unequal() -> Result<Network, Stop> {
    let node = |mean_service, tokens| Node { label: None, mean_service, tokens };
    let nodes = vec![node(40 << 20, 30), node(1 << 20, 0), node(3 << 20, 1), node(7, 0), node(1, 2)];
    let edges = [(0, 1), (0, 2), (0, 3), (1, 0), (2, 2), (2, 2), (2, 0), (3, 4), (3, 0), (4, 0), (4, 4)];
    Network::from_edges(nodes, &edges).or_else(broken)
}

pub(super) fn add(cases: &mut Cases) {
    for run in RUNS {
        cases.add(format!("{}: the exact engine is the sequential simulator, bit by bit", run.name), move |context| {
            exactly(context, &run)
        });
    }
    for run in RUNS.iter().filter(|run| !run.full) {
        let name = format!("{}: the clustered engine is its sequential reference, bit by bit", run.name);
        cases.add(name, move |context| clustering(context, run));
    }
}

fn scenario<'n>(run: &Run, network: &'n Network) -> Result<Scenario<'n>, Stop> {
    Scenario::new(network, run.start, run.horizon, run.seed, 0).or_else(broken)
}

fn exactly(context: &Context<'_>, run: &Run) -> Verdict {
    if run.full {
        context.needs_full_mode()?;
    }
    let network = (run.network)()?;
    let scenario = scenario(run, &network)?;
    let expected = sequential::simulate(&scenario).without_most_waiting();
    equal("the oracle's digest, and the stored one", &expected.digest().to_string().as_str(), &run.digest)?;
    let native = context.capabilities().native_rows;
    for schedule in
        [Schedule::Tiles, Schedule::Events].into_iter().filter(|schedule| native || *schedule != Schedule::Events)
    {
        let found = exact(context.device, &scenario, schedule, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
        if schedule == Schedule::Tiles {
            context.digest(run.name, found.outcome.digest().to_string());
        }
        same(&format!("schedule {schedule:?}"), &found.outcome, &expected)?;
    }
    kept(context, &scenario, &Ended::from(expected))
}

/// Compares what a run keeps: its digest and sums are computed on the device, where the states of the nodes stay.
fn kept(context: &Context<'_>, scenario: &Scenario<'_>, expected: &Ended) -> Verdict {
    let (plan, how) = (Plan::default(), Watching { schedule: Schedule::Tiles, times: false });
    let mut watches = [Watch::new(&plan, scenario.horizon(), scenario.network())];
    let mut go_on = |_| ControlFlow::Continue(());
    let found =
        watched(context.device, std::slice::from_ref(scenario), &mut watches, how, &mut go_on).or_else(broken)?;
    let Some(Timed { ended, .. }) = found.into_iter().flatten().next() else { return broken("no replication ended") };
    equal("what a run keeps: the digest", &ended.digest.to_string(), &expected.digest.to_string())?;
    equal("what a run keeps: the number of events", &ended.events, &expected.events)?;
    let (nodes, expected) = (ended.nodes.read().or_else(broken)?, expected.nodes.read().or_else(broken)?);
    for (node, (found, expected)) in nodes.iter().zip(expected.iter()).enumerate() {
        equal(&format!("what a run keeps of node {node}"), &found, &expected)?;
    }
    let sum = expected.iter().reduce(|mut sum, node| {
        sum += node;
        sum
    });
    equal("what a run keeps: the sum over all nodes", &ended.nodes.totals(), &sum)?;
    equal("what a run keeps: the number of nodes", &nodes.nodes(), &expected.nodes())
}

fn clustering(context: &Context<'_>, run: &Run) -> Verdict {
    let network = (run.network)()?;
    let scenario = scenario(run, &network)?;
    for ticks in [0, 1, run.horizon / 977 + 1, run.horizon / 40 + 1] {
        let expected = interval::reference::simulate(&scenario, ticks).or_else(broken)?;
        let found = clustered(context.device, &scenario, ticks, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
        if ticks > 1 {
            context.digest(format!("{}, interval {ticks}", run.name), found.outcome.digest().to_string());
        }
        same(&format!("interval of {ticks} ticks"), &found.outcome, &expected.outcome.without_most_waiting())?;
        equal(&format!("steps with an interval of {ticks} ticks"), &found.steps, &expected.steps)?;
    }
    Ok(())
}
