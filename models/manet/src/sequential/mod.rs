//! Sequential simulation, event by event: the oracle of the engine, without code of it.
//!
//! The engine computes neighbour tables when a node routes a packet, from the motion of the nodes and the times of
//! their beacons. This program executes every beacon and keeps the tables. Its geometry has 128 bits.

mod events;
mod field;
mod node;
mod routing;
mod simulator;
mod walk;

pub use events::{Executed, Transmission};

use crate::Position;
use crate::count::{NodeCount, Statistics};
use crate::error::NetworkError;
use crate::network::Network;
use crate::start::{NodeStart, Start};
use crate::trace::Trace;
use walk::Walk;

/// Simulates one replication of a network. Returns the statistics of its nodes.
///
/// # Errors
/// Errors in the network.
pub fn simulate(network: &Network, replication: u64) -> Result<Vec<NodeCount>, NetworkError> {
    simulate_with(network, replication, |_| {}).map(|(counts, _)| counts)
}

/// Simulates one replication of a network, and shows every transmission when it has ended. Returns the statistics of
/// the nodes and the number of events.
///
/// # Errors
/// Errors in the network.
pub fn simulate_with(
    network: &Network,
    replication: u64,
    mut show: impl FnMut(Transmission),
) -> Result<(Vec<NodeCount>, Executed), NetworkError> {
    network.check()?;
    let mut simulator = simulator::Simulator::new(network, Start::new(network, replication));
    while simulator.advance(u64::MAX, &mut show) {}
    let (statistics, executed) = simulator.results();
    Ok((statistics.nodes, executed))
}

/// Simulates one replication of a network. Returns the statistics of its nodes and flows, and the delays.
///
/// # Errors
/// Errors in the network.
pub fn statistics(network: &Network, replication: u64) -> Result<Statistics, NetworkError> {
    network.check()?;
    let mut simulator = simulator::Simulator::new(network, Start::new(network, replication));
    while simulator.advance(u64::MAX, &mut |_| {}) {}
    Ok(simulator.results().0)
}

/// Simulates one replication of a checked network as long as `goes_on` returns `true`, which gets the number of events
/// since its last call.
pub(crate) fn simulate_while(
    network: &Network,
    replication: u64,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Option<Statistics> {
    let mut simulator = simulator::Simulator::new(network, Start::new(network, replication));
    let mut before = 0;
    while simulator.advance(LOOK_INTERVAL, &mut |_| {}) {
        before += LOOK_INTERVAL;
        if !goes_on(LOOK_INTERVAL) {
            return None;
        }
    }
    let (statistics, executed) = simulator.results();
    // What has ended is a result, whatever the answer is.
    goes_on(executed.all() - before);
    Some(statistics)
}

/// Returns the transmissions of a replication of a checked network that begin after the warm-up, at most `most`, in the
/// order of their ends: as long as `goes_on` returns `true`.
pub(crate) fn transmissions(
    network: &Network,
    replication: u64,
    most: usize,
    mut goes_on: impl FnMut() -> bool,
) -> Option<Vec<Transmission>> {
    let mut simulator = simulator::Simulator::new(network, Start::new(network, replication));
    let mut found = vec![];
    let counts = |transmission: &Transmission| transmission.begin >= network.warm_up;
    while found.len() < most
        && simulator.advance(LOOK_INTERVAL, &mut |transmission| found.extend(Some(transmission).filter(counts)))
    {
        if !goes_on() {
            return None;
        }
    }
    found.truncate(most);
    Some(found)
}

/// Sizes in bytes: of a node, a neighbour in its table, a packet, and what a node has in events and squares.
pub(crate) const SIZES: [u64; 4] = [
    size_of::<node::Node>() as u64,
    size_of::<node::Entry>() as u64,
    size_of::<node::Packet>() as u64,
    // A beacon, a packet and an attempt wait, in a list with room for twice as many. Four squares with a few nodes.
    6 * size_of::<simulator::Event>() as u64 + 4 * 40,
];

/// Number of events between two questions whether a simulation goes on.
const LOOK_INTERVAL: u64 = 1 << 12;

/// Returns the most memory that a replication of a network held, in bytes: what its lists had room for.
#[cfg(test)]
pub(crate) fn most_bytes(network: &Network) -> u64 {
    let mut simulator = simulator::Simulator::new(network, Start::new(network, 0));
    let mut most = simulator.bytes();
    while simulator.advance(LOOK_INTERVAL, &mut |_| {}) {
        most = most.max(simulator.bytes());
    }
    most.max(simulator.bytes())
}

/// Returns the motion of a network's nodes until its end. A network that moves by this trace gives the same results.
///
/// # Errors
/// Errors in the network.
pub fn trace(network: &Network, replication: u64) -> Result<Trace, NetworkError> {
    network.check()?;
    let start = Start::new(network, replication);
    let tracks = start.nodes.iter().enumerate();
    Ok(Trace::new(tracks.map(|(number, node)| Walk::new(node).track(network.end, network, number)).collect()))
}

/// Returns the positions of a network's nodes, for each node at some ascending times in µs.
///
/// # Errors
/// Errors in the network.
pub fn places(network: &Network, replication: u64, times: &[u64]) -> Result<Vec<Vec<Position>>, NetworkError> {
    network.check()?;
    let start = Start::new(network, replication);
    let of = |(number, node): (usize, &NodeStart)| {
        let mut walk = Walk::new(node);
        let at = |time: &u64| {
            let (x, y) = walk.at(*time, network, number);
            Position { x: x as i32, y: y as i32 }
        };
        times.iter().map(at).collect()
    };
    Ok(start.nodes.iter().enumerate().map(of).collect())
}

/// Returns the next hop of a packet on a graph that does not change, from a node to a neighbour, until it arrives or is
/// lost: the nodes that it visits. `neighbours` lists the positions that each node knows.
#[must_use]
pub fn path(
    places: &[Position],
    neighbours: &[Vec<u32>],
    (from, to): (u32, u32),
    planar: crate::Planar,
    most_hops: usize,
) -> Vec<u32> {
    routing::path(places, neighbours, (from, to), planar, most_hops)
}
