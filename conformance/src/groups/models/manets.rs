//! Mobile ad hoc networks: the engine on the device, against the sequential program and stored digests.

use super::verdicts::broken;
use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use imminent_manet::{
    Destinations, Engine, Exchange, Execution, Mobility, Network, NodeCount, Planar, digest, sequential,
};
use std::ops::ControlFlow;

/// Digests of the sequential program when the cases were added: changes of the model's definition must be intended.
const EXACT: &str = "4d94d05582cf20349b599ee5170dbc14";
const COARSE: &str = "76c7f9444e32c067833741c7c62cdae2";

pub(super) fn add(cases: &mut Cases) {
    cases.add(
        "ad hoc networks with exact times: two of different sizes are what the sequential program makes of them",
        |context| simulating(context, "ad hoc networks, exact", &[scenario(), crowd()], EXACT),
    );
    cases.add(
        "ad hoc network on a clock, with requests and a trace: it is what the sequential program makes of it",
        |context| simulating(context, "ad hoc network on a clock", &[coarse()?], COARSE),
    );
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

fn coarse() -> Result<Network, crate::case::Stop> {
    let mut network = Network { end: 3_000_000, interval: 1_000, warm_up: 1_600_000, ..Network::scenario(30) };
    network.planar = Planar::RelativeNeighbourhood;
    network.traffic.exchange = Exchange::Requests { response_bytes: 300 };
    network.traffic.destinations = Destinations::Within(400_000);
    network.mobility = Mobility::Trace(sequential::trace(&network, 0).or_else(broken)?);
    Ok(network)
}

fn simulating(context: &Context<'_>, name: &'static str, networks: &[Network], stored: &str) -> Verdict {
    let expected: Result<Vec<Vec<NodeCount>>, _> =
        networks.iter().map(|network| sequential::simulate(network, 0)).collect();
    let expected = expected.or_else(broken)?;
    let of_all = |counts: &[Vec<NodeCount>]| digest(counts.iter().flatten());
    equal("the sequential program's digest, and the stored one", &&of_all(&expected)[..32], &stored)?;
    let all: Vec<_> = networks.iter().map(|network| (network.clone(), 0..1)).collect();
    let mut engine = Engine::on(Execution::Device, context.device, &all).or_else(broken)?;
    engine.run(|_| ControlFlow::Continue(())).or_else(broken)?;
    let found = engine.counts().or_else(broken)?;
    context.digest(name, of_all(&found));
    equal("statistics of the nodes", &found, &expected)
}
