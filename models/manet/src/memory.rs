//! Memory of simulations, estimated from their sizes before they are created.

use crate::count::{FlowCount, NodeCount};
use crate::delays::buckets;
use crate::network::{Network, Protocol};
use crate::sequential;
use crate::start::NodeStart;
use crate::traffic::{Destinations, Exchange};
use imminent_common::free_memory;
use imminent_core::Device;

/// Largest [weight](weight) of the replications that a device simulates at once.
pub(crate) const MOST_WEIGHT: u64 = 1 << 20;

/// Largest number of legs of paths on a device: 1.5 GiB there, and three times as much while they are made.
pub(crate) const MOST_LEGS: u64 = 1 << 26;

/// Memory of a node in tables of a device with short queues and small neighbour tables, in bytes.
const ROWS: u64 = 1_800;

/// Size of a packet on a device, in bytes.
const PACKET: u64 = size_of::<crate::kernels::gpsr::Packet>() as u64;

/// Size of a neighbour on a device, in bytes.
const NEIGHBOUR: u64 = size_of::<crate::kernels::gpsr::Neighbour>() as u64;

/// Size of a leg of a path on a device, in bytes.
const LEG: u64 = size_of::<crate::kernels::motion::Order>() as u64;

/// Size of a flow at the start, on a device, and in its statistics, in bytes.
const FLOW: u64 = (size_of::<crate::FlowStart>() + size_of::<crate::kernels::node::Flow>() + 64) as u64;

/// Memory of a node that enters and leaves, in bytes: three rows of histories of lists, as they are made, and copied.
const CHANGES: u64 = 6 * size_of::<crate::kernels::presence::Since>() as u64 + 64;

/// Largest ratio of the density of nodes around one of them to the mean density. Waypoints gather nodes in the middle
/// of the field, to 2.25 times the mean.
const CROWD: f64 = 4.0;

/// Estimates the memory of the host that replications of a network take on a device, or without one; `is_apart` if
/// threads of the host execute them.
pub(crate) fn bytes(device: Option<&Device>, is_apart: bool, network: &Network, replications: u64) -> u64 {
    let nodes = u64::from(network.nodes);
    let flows = u64::from(network.traffic.flows()).saturating_mul(size_of::<FlowCount>() as u64);
    let results = nodes.saturating_mul(size_of::<NodeCount>() as u64).saturating_add(delays(network));
    let results = results.saturating_add(flows).saturating_mul(replications);
    let (of_one, together) = match device {
        None => (on_thread(network), 1),
        // Only as many threads begin as there is memory for.
        Some(_) if is_apart => (on_thread(network), 1),
        // Rows are gathered on the host before they are copied.
        Some(device) if device.capabilities().native_rows => {
            (start(network).saturating_add(in_tables(network)), replications)
        }
        Some(_) => (start(network), replications),
    };
    of_one.saturating_mul(together).saturating_add(results)
}

/// Number of legs that all nodes of a replication have on a device, at most.
pub(crate) fn legs(network: &Network) -> u64 {
    network.mobility.legs(network.field, network.end).saturating_mul(network.nodes.into())
}

/// Returns the weight of a replication among those that are simulated at once: its number of nodes, or more on a device
/// if they have many legs.
pub(crate) fn weight(is_apart: bool, network: &Network) -> u64 {
    let legs = if is_apart { 0 } else { legs(network) };
    u64::from(network.nodes).max(legs.div_ceil(MOST_LEGS / MOST_WEIGHT))
}

/// Memory that the allocator may take for a thread beside that of its simulation, in bytes: the C library of Linux
/// reserves areas of 64 MiB at addresses that are multiples of it.
const BESIDE: u64 = 1 << 27;

/// Returns the number of threads for simulations of networks: at most `threads`, and as many as the available memory
/// suffices for.
pub(crate) fn affordable<'n>(threads: usize, networks: impl Iterator<Item = &'n Network>) -> usize {
    let largest = networks.map(on_thread).max().unwrap_or(0);
    let room = free_memory::free().map_or(u64::MAX, |free| free / largest.saturating_add(BESIDE));
    threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

/// Returns the number of neighbours that a node may have.
fn neighbours(network: &Network) -> u64 {
    let (range, nodes) = (f64::from(network.range), f64::from(network.nodes));
    let area = f64::from(network.field.width) * f64::from(network.field.height);
    let near = nodes * std::f64::consts::PI * range * range / area * CROWD;
    // Of few nodes all may be near.
    (near.max(16.0) as u64).min(u64::from(network.nodes))
}

/// Returns the greatest number of packets in all queues of a network.
fn packets(network: &Network) -> u64 {
    let traffic = &network.traffic;
    let of =
        |start: u64, stop: u64, gap: u64| (stop.min(network.end).saturating_sub(start) / gap.max(1)).saturating_add(1);
    let created = match traffic.listed() {
        None => of(traffic.start, u64::MAX, traffic.gap).saturating_mul(traffic.senders.into()),
        Some(flows) => flows.iter().fold(0, |sum: u64, flow| {
            let (start, stop) = (flow.start.unwrap_or(traffic.start), flow.stop.unwrap_or(u64::MAX));
            sum.saturating_add(of(start, stop, flow.gap.unwrap_or(traffic.gap)))
        }),
    };
    let kinds = if network.traffic.exchange == Exchange::Data { 1 } else { 2 };
    let room = u64::from(network.nodes) * u64::from(network.medium.queue);
    created.saturating_mul(kinds).min(room)
}

/// Memory of the distribution of a replication's delays, whose buckets are counted, and copied as a sketch.
fn delays(network: &Network) -> u64 {
    2 * 8 * buckets(network) as u64
}

/// Memory of a replication that a thread executes event by event.
fn on_thread(network: &Network) -> u64 {
    let sizes = sequential::sizes(network);
    let nodes = u64::from(network.nodes);
    // Lists have room for twice what they hold.
    let of_node = size_of::<NodeStart>() as u64 + sizes.node + 2 * sizes.neighbour * neighbours(network);
    let (packets, routes) = match network.protocol {
        Protocol::Gpsr => (packets(network), 0),
        // Requests, replies and errors wait beside the packets of the traffic.
        Protocol::Aodv(aodv) => (
            nodes * (u64::from(network.medium.queue) + u64::from(aodv.buffer)),
            sizes.route.saturating_mul(known(network)),
        ),
    };
    nodes
        .saturating_mul(of_node.saturating_add(routes))
        .saturating_add((2 * sizes.packet).saturating_mul(packets))
        .saturating_add(flows(network))
}

/// Returns the number of nodes of which a node may have a route: ends of flows, and neighbours.
fn known(network: &Network) -> u64 {
    let ends = match network.traffic.destinations {
        Destinations::EachPacket => network.nodes.into(),
        _ => 2 * u64::from(network.traffic.flows()),
    };
    (ends + neighbours(network)).min(network.nodes.into())
}

/// Memory of a replication's start. Legs of paths are gathered in a list with room for twice as many, and copied.
fn start(network: &Network) -> u64 {
    let legs = network.mobility.legs(network.field, network.end).saturating_mul(3 * LEG);
    u64::from(network.nodes)
        .saturating_mul((size_of::<NodeStart>() as u64 + ROWS / 2).saturating_add(legs))
        .saturating_add(flows(network))
        .saturating_add(if network.has_stays() { u64::from(network.nodes).saturating_mul(CHANGES) } else { 0 })
}

/// Memory of the flows of a replication, at the start and in tables.
fn flows(network: &Network) -> u64 {
    2 * FLOW * u64::from(network.traffic.flows())
}

/// Memory of a replication in tables, whose rows are as long as the longest queue and the largest neighbour table.
fn in_tables(network: &Network) -> u64 {
    let queue = u64::from(network.medium.queue).min(packets(network)) + 1;
    let long = PACKET * queue.next_power_of_two() + NEIGHBOUR * neighbours(network).next_power_of_two();
    u64::from(network.nodes).saturating_mul(ROWS + long)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lists of a simulation are measured, and the estimate is more, by a known factor at most.
    #[test]
    fn a_simulation_takes_no_more_than_its_estimate() {
        let mut saturated = Network { end: 3_000_000, range: 900_000, ..Network::scenario(50) };
        saturated.traffic.gap = 10_000;
        let idle = Network { end: 20_000_000, ..Network::scenario(300) };
        let idle = Network { traffic: crate::Traffic { senders: 0, ..idle.traffic.clone() }, ..idle };
        let usual = Network { end: 8_000_000, ..Network::scenario(200) };
        let searching = Network { protocol: Protocol::Aodv(crate::Aodv::default()), ..Network::default() };
        let searching = Network { end: 20_000_000, ..searching };
        for network in [saturated, idle, usual, searching] {
            let (held, estimate) = (sequential::most_bytes(&network), bytes(None, false, &network, 1));
            assert!((held..8 * held).contains(&estimate), "{held} of {estimate} bytes: {network:?}");
        }
    }

    /// Replications that are simulated at once have no more legs than a device holds.
    #[test]
    fn long_paths_weigh_more_than_their_nodes() {
        let motion = crate::GaussMarkov {
            mean: 1,
            deviation: 1,
            limits: [0, 2],
            turn: 0,
            memory: 0,
            interval: 1_000_000,
            margin: 0,
        };
        let mut network = Network { end: 1_000_000_000, ..Network::scenario(50) };
        assert_eq!(weight(false, &network), 50);
        network.mobility = crate::Mobility::GaussMarkov(motion);
        let together = MOST_WEIGHT / weight(false, &network);
        assert_eq!((legs(&network), weight(true, &network)), (50 * 1001, 50));
        assert!(together * legs(&network) <= MOST_LEGS && together > 1000, "{together}");
        network.end = 1 << 50;
        assert!(weight(false, &network) > MOST_WEIGHT);
    }

    #[test]
    fn replications_and_nodes_add_up_without_overflow() {
        let network = Network::scenario(50);
        let results = bytes(None, false, &network, 11) - bytes(None, false, &network, 1);
        let of_node = (size_of::<NodeCount>() + size_of::<FlowCount>()) as u64;
        assert_eq!(results, 10 * (50 * of_node + delays(&network)));
        let most = Network::scenario(crate::kernels::gpsr::MAX_NODES);
        assert!(bytes(None, false, &most, 1) > 1 << 38);
        assert_eq!(bytes(None, false, &most, u64::MAX), u64::MAX);
    }
}
