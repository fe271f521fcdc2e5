//! One crowded node among many: memory is proportional to the number of tokens, not to the longest line.

use super::verdicts::{broken, same};
use crate::case::{Cases, SkipReason, Stop, Verdict, ensure, equal};
use crate::context::Context;
use imminent_queueing::engine::{Schedule, Simulation};
use imminent_queueing::{Network, Node, Scenario, Start, sequential};
use std::ops::ControlFlow;

/// Length of a quick service, in ticks.
const QUICK: u32 = 1 << 14;
/// Number of in-neighbours of each node.
const NEIGHBOURS: u64 = 2;

pub(super) fn add(cases: &mut Cases) {
    cases.add("a crowd at one of many nodes takes memory by its tokens, and is simulated to the bit", crowded);
    cases.add("a line that was short grows alone", growing);
}

/// Builds a ring with chords; all services are quick except those of the first node.
fn network(nodes: usize, crowd: u32) -> Result<Network, Stop> {
    let node = |number| Node {
        label: None,
        mean_service: if number == 0 { QUICK << 8 } else { QUICK },
        tokens: if number == 0 { crowd } else { 1 },
    };
    let count = nodes as u32;
    let edges: Vec<(u32, u32)> =
        (0..count).flat_map(|from| [1, 17].map(|step| (from, (from + step) % count))).collect();
    Network::from_edges((0..nodes).map(node).collect(), &edges).or_else(broken)
}

/// Simulates a network in steps on any device; returns the bytes of its state at the start and at the end.
fn simulated(context: &Context<'_>, network: &Network, horizon: u64) -> Result<(u64, u64), Stop> {
    let scenario = Scenario::new(network, Start::One, horizon, 7, 0).or_else(broken)?;
    let before = context.device.memory().current;
    let mut simulation =
        Simulation::new(context.device, std::slice::from_ref(&scenario), Schedule::Tiles).or_else(broken)?;
    let start = context.device.memory().current - before;
    simulation.run_to(u64::MAX, &mut |_| ControlFlow::Continue(())).or_else(broken)?;
    let end = context.device.memory().current - before;
    for found in simulation.observe().or_else(broken)? {
        same("the network", &found, &sequential::simulate(&scenario))?;
    }
    Ok((start, end))
}

fn crowded(context: &Context<'_>) -> Verdict {
    let nodes = context.scaled(600, 100_000);
    // The whole crowd enters in one launch, at one node.
    if nodes > 10_000 && !context.capabilities().long_loops {
        return Err(Stop::Skip(SkipReason::CutsLongLoops));
    }
    let crowd = nodes as u64;
    let horizon = 20 * u64::from(QUICK);
    let (alone, _) = simulated(context, &network(nodes, 1)?, horizon)?;
    let (with_crowd, at_the_end) = simulated(context, &network(nodes, crowd as u32)?, horizon)?;
    let each = |bytes: u64| bytes as f64 / nodes as f64;
    context.note(format!(
        "{nodes} nodes with a token and {NEIGHBOURS} in-neighbours each take {:.0} bytes a node; {crowd} more tokens at one of them {:.0} bytes \
         a token; at the end all take {:.0} bytes a node",
        each(alone),
        each(with_crowd - alone),
        each(at_the_end),
    ));
    // Room for twice the tokens, with 24 bytes among the expected and 24 among the waiting.
    let growth = with_crowd - alone;
    ensure(growth <= 2 * 48 * crowd + 1000, || format!("{crowd} more tokens take {growth} bytes"))?;
    // Lines that filled up have doubled their room, and the others have slightly more; the number of tokens is
    // unchanged.
    ensure(at_the_end <= 3 * with_crowd, || format!("{with_crowd} bytes became {at_the_end}"))
}

fn growing(context: &Context<'_>) -> Verdict {
    // All tokens come to the first node in the end.
    let count = context.scaled(100, 300) as u32;
    let node = |number| Node { label: None, mean_service: if number == 0 { QUICK << 12 } else { QUICK }, tokens: 1 };
    let edges: Vec<(u32, u32)> = (1..count).flat_map(|from| [(from, from / 2), (from / 2, from)]).collect();
    let network = Network::from_edges((0..count).map(node).collect(), &edges).or_else(broken)?;
    let (start, end) = simulated(context, &network, 5 * u64::from(count) * u64::from(QUICK))?;
    equal("whether the state grew", &(end > start), &true)?;
    // If all lines were as long as the longest, these few tokens would take 48 bytes times the square of their number.
    ensure(end - start < 40 * 48 * u64::from(count), || format!("{count} tokens: {start} bytes became {end}"))
}
