//! Sequential simulation, event by event: the oracle of the engine, without code of it, and the program of networks
//! with AODV.
//!
//! The engine computes neighbour tables when a node routes a packet, from the motion of the nodes and the times of
//! their beacons. This program executes every beacon and keeps the tables. Its geometry has 128 bits.

mod aodv;
mod draws;
mod events;
mod field;
mod gpsr;
mod node;
mod packet;
mod present;
mod protocol;
mod simulator;
mod walk;

pub use events::{Executed, Mode, PacketKind, Transmission};

use crate::Position;
use crate::count::{NodeCount, Statistics};
use crate::error::NetworkError;
use crate::network::{Network, Protocol};
use crate::start::{NodeStart, Start};
use crate::trace::Trace;
use aodv::Aodv;
use gpsr::Gpsr;
use simulator::{Simulation, Simulator};
use walk::Walk;

/// Begins a replication of a checked network.
fn begin(network: &Network, replication: u64) -> Box<dyn Simulation + '_> {
    let start = Start::new(network, replication);
    match network.protocol {
        Protocol::Gpsr => Box::new(Simulator::<Gpsr>::new(network, start)),
        Protocol::Aodv(_) => Box::new(Simulator::<Aodv>::new(network, start)),
    }
}

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
    let mut simulator = begin(network, replication);
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
    let mut simulator = begin(network, replication);
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
    let mut simulator = begin(network, replication);
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
    let mut simulator = begin(network, replication);
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

/// Sizes of the state of a network, in bytes.
pub(crate) struct Sizes {
    /// Node, with what it has in events and squares.
    pub(crate) node: u64,
    /// Neighbour in a table.
    pub(crate) neighbour: u64,
    /// Packet.
    pub(crate) packet: u64,
    /// Route to a destination.
    pub(crate) route: u64,
}

/// Returns the sizes of the state of a network.
pub(crate) fn sizes(network: &Network) -> Sizes {
    // A timer, a packet and an attempt wait, in a list with room for twice as many. Four squares with a few nodes.
    let beside = 6 * size_of::<simulator::Event>() + 4 * 40;
    let [node, neighbour, packet, route] = match network.protocol {
        Protocol::Gpsr => [size_of::<node::Node<Gpsr>>(), size_of::<gpsr::Entry>(), Simulator::<Gpsr>::PACKET, 0],
        Protocol::Aodv(_) => [size_of::<node::Node<Aodv>>(), 0, Simulator::<Aodv>::PACKET, aodv::ROUTE],
    };
    Sizes { node: (node + beside) as u64, neighbour: neighbour as u64, packet: packet as u64, route: route as u64 }
}

/// Number of events between two questions whether a simulation goes on.
const LOOK_INTERVAL: u64 = 1 << 12;

/// Returns the most memory that a replication of a network held, in bytes: what its lists had room for.
#[cfg(test)]
pub(crate) fn most_bytes(network: &Network) -> u64 {
    let mut simulator = begin(network, 0);
    let mut most = simulator.bytes();
    while simulator.advance(LOOK_INTERVAL, &mut |_| {}) {
        most = most.max(simulator.bytes());
    }
    most.max(simulator.bytes())
}

/// Simulates a network with AODV, and shows after each event the next hops of valid routes: a list for each node, of
/// destinations and next nodes.
#[cfg(test)]
pub(crate) fn watch_routes(network: &Network, mut look: impl FnMut(&[Vec<(u32, u32)>])) -> Statistics {
    let mut simulator = Simulator::<Aodv>::new(network, Start::new(network, 0));
    while simulator.advance(1, &mut |_| {}) {
        if let Some(time) = simulator.next_time() {
            look(&simulator.protocols().map(|aodv| aodv.next_hops(time).collect()).collect::<Vec<_>>());
        }
    }
    Box::new(simulator).results().0
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
    gpsr::path(places, neighbours, (from, to), planar, most_hops)
}
