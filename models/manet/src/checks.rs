//! Checks of the engine on every device: against the sequential program and stored digests.

use crate::trace::{Stay, Trace, Track};
use crate::{
    Aodv, Destinations, Engine, Exchange, Execution, Field, Flow, GaussMarkov, Manhattan, Mobility, Network, Planar,
    Protocol, RETRIES, Statistics, Visits, Waypoints, digest, sequential,
};
use imminent_study::check::{Check, Trial};
use imminent_study::laboratory::Fault;
use std::ops::ControlFlow;

/// Digests of the sequential program when the checks were added: changes of the model's definition must be intended.
const EXACT: &str = "4d94d05582cf20349b599ee5170dbc14";
const COARSE: &str = "76c7f9444e32c067833741c7c62cdae2";
const FEEDBACK: &str = "2dd9b1301358678ee8276e18cb14dd16";
const PATHS: &str = "3fdf3dfc8f24140f56d609d7e3c5c031";
const STAYS: &str = "ad6ce547947a2a5d5b5044a5e3c971f6";
const AODV: &str = "15e15977569c93e938dde2ae707c0679";

/// Returns all checks.
pub(crate) fn all() -> Vec<Check> {
    vec![
        Check::new(
            "ad hoc networks with exact times: two of different sizes are what the sequential program makes of them",
            |trial| simulating(trial, "ad hoc networks, exact", &[scenario(), crowd()], EXACT, Some(Visits::Grouped)),
        ),
        Check::new(
            "ad hoc network on a clock, with requests and a trace: it is what the sequential program makes of it",
            |trial| simulating(trial, "ad hoc network on a clock", &[coarse()?], COARSE, Some(Visits::Listed)),
        ),
        Check::new(
            "ad hoc network whose senders learn of failures: it is what the sequential program makes of it",
            |trial| simulating(trial, "ad hoc network with retries", &[leaving()], FEEDBACK, None),
        ),
        Check::new(
            "ad hoc networks of Gauss-Markov mobility, and of flows on streets: they are what the sequential program makes",
            |trial| {
                simulating(trial, "ad hoc networks on paths", &[strolling(), driving()], PATHS, Some(Visits::Apart))
            },
        ),
        Check::new(
            "ad hoc network whose nodes enter and leave: it is what the sequential program makes of it",
            |trial| simulating(trial, "ad hoc network with stays", &[passing()?], STAYS, None),
        ),
        Check::new(
            "ad hoc networks with AODV: threads of the host make of them what the sequential program makes, on any device",
            searching,
        ),
    ]
}

/// Scenario of Table 5-1.
fn scenario() -> Network {
    Network { end: 3_000_000, ..Network::scenario(50) }
}

/// Nodes that are all in range of one another: queues and neighbour tables grow, and queues overflow.
fn crowd() -> Network {
    let mut network = Network { end: 2_500_000, range: 900_000, ..Network::scenario(40) };
    network.medium.queue = 7;
    network.traffic.gap = 60_000;
    network
}

fn coarse() -> Result<Network, Fault> {
    let mut network = Network { end: 3_000_000, interval: 1_000, warm_up: 1_600_000, ..Network::scenario(30) };
    network.planar = Planar::RelativeNeighbourhood;
    network.traffic.exchange = Exchange::Requests { response_bytes: 300 };
    network.traffic.destinations = Destinations::Within(400_000);
    network.mobility = Mobility::Trace(sequential::trace(&network, 0)?);
    Ok(network)
}

/// Nodes so fast that links break often: packets are routed again, and lists of deletions grow.
fn leaving() -> Network {
    let mut network = Network { end: 3_500_000, range: 160_000, ..Network::scenario(40) };
    network.field = Field { width: 400_000, height: 300_000 };
    network.mobility = Mobility::Waypoints(Waypoints { speed: [40_000_000, 120_000_000], pause: [0, 100_000] });
    network.medium.retries = RETRIES;
    network.traffic.gap = 400_000;
    network
}

/// Nodes whose speeds and directions change gradually.
fn strolling() -> Network {
    let mut network = Network { end: 3_000_000, ..Network::scenario(40) };
    network.mobility = Mobility::GaussMarkov(GaussMarkov {
        mean: 20_000_000,
        deviation: 8_000_000,
        limits: [0, 50_000_000],
        turn: 1 << 28,
        memory: 3 << 30,
        interval: 700_000,
        margin: 60_000,
    });
    network.traffic.gap = 300_000;
    network
}

/// Nodes on streets, with flows that have rates, sizes and times of their own.
fn driving() -> Network {
    let mut network = Network { end: 3_000_000, ..Network::scenario(40) };
    network.mobility = Mobility::Manhattan(Manhattan {
        block: 90_000,
        turn: 1 << 31,
        speed: [10_000_000, 200_000_000],
        pause: [0, 200_000],
    });
    network.traffic.exchange = Exchange::Requests { response_bytes: 400 };
    let flow = |number: u32| Flow {
        gap: (!number.is_multiple_of(3)).then_some(60_000 + 20_000 * u64::from(number)),
        bytes: number.is_multiple_of(2).then_some(100 * (number + 1)),
        start: (number > 7).then_some(u64::from(number) * 100_000),
        stop: number.is_multiple_of(5).then_some(2_100_000),
        ..Flow::new(number % 11, 39 - number)
    };
    network.traffic.destinations = Destinations::Flows((0..16).map(flow).collect());
    network
}

/// Nodes of which each is there for a part of the time, so that links break and packets leave with their nodes.
fn passing() -> Result<Network, Fault> {
    let mut network = Network { end: 3_500_000, ..Network::scenario(40) };
    network.medium.retries = RETRIES;
    network.traffic.gap = 90_000;
    network.traffic.start = 0;
    network.traffic.destinations = Destinations::EachPacket;
    let trace = sequential::trace(&network, 0)?;
    let stayed = (0..).zip(trace.tracks()).map(|(number, track): (u64, &Track)| {
        let enter = number * 37_000 % 900_000;
        Track { stay: Stay { enter, leave: enter + 1_500_000 + number * 61_000 }, ..track.clone() }
    });
    network.mobility = Mobility::Trace(Trace::new(stayed.collect()));
    Ok(network)
}

/// Compares the statistics of replications of a network with AODV, whose links break, on threads of the host with those
/// of the sequential program.
fn searching(trial: &mut Trial<'_>) -> Result<(), Fault> {
    let network = Network { protocol: Protocol::Aodv(Aodv::default()), end: 6_000_000, ..leaving() };
    let of = |replication| sequential::statistics(&network, replication);
    let expected: Vec<Statistics> = (0..3).map(of).collect::<Result<_, _>>()?;
    let of_all = |all: &[Statistics]| digest(all.iter().flat_map(|of| &of.nodes));
    trial.equal("the sequential program's digest, and the stored one", &&of_all(&expected)[..32], &AODV)?;
    let mut engine = Engine::new(trial.device, &[(network, 0..3)])?;
    engine.run(|_| ControlFlow::Continue(()))?;
    let found = engine.statistics()?;
    trial.digest("ad hoc networks with AODV", of_all(&found));
    trial.equal("statistics of nodes, flows and delays", &found, &expected)
}

/// Compares the statistics of networks on a device with those of the sequential program. `visits` is how the
/// device visits nodes; `None` for what suits it.
fn simulating(
    trial: &mut Trial<'_>,
    name: &str,
    networks: &[Network],
    stored: &str,
    visits: Option<Visits>,
) -> Result<(), Fault> {
    let expected: Vec<Statistics> =
        networks.iter().map(|network| sequential::statistics(network, 0)).collect::<Result<_, _>>()?;
    let of_all = |all: &[Statistics]| digest(all.iter().flat_map(|of| &of.nodes));
    trial.equal("the sequential program's digest, and the stored one", &&of_all(&expected)[..32], &stored)?;
    let all: Vec<_> = networks.iter().map(|network| (network.clone(), 0..1)).collect();
    let mut engine = match visits {
        Some(visits) => Engine::visiting(visits, trial.device, &all)?,
        None => Engine::on(Execution::Device, trial.device, &all)?,
    };
    engine.run(|_| ControlFlow::Continue(()))?;
    let found = engine.statistics()?;
    trial.digest(name, of_all(&found));
    trial.equal("statistics of nodes, flows and delays", &found, &expected)
}
