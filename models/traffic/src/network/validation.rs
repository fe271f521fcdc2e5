//! Network with which the paper validates its scheme: 12 nodes, 11 links, four flows.
//!
//! The paper gives the numbers (section 5.1), but not the wiring, which was in its figure 5. This reconstruction is a
//! parking lot: routers 2, 4, 7 and 9 in a chain; hosts 0 and 1 at 2, 3 and 5 at 4, 6 and 8 at 7, 10 and 11 at 9. Only
//! routers 4 and 7 and the link between them have the paper's numbers. A fluid simulation of it shows every feature
//! that the paper reports, but only in quality, not in figures.

use super::error::NetworkError;
use super::flow::{Flow, Flows, Kind};
use super::link::{Discipline, Link, Queue};
use super::{Builder, Network};
use crate::units::{NANOSECONDS, NEVER};

/// Both ends of each of the 11 links.
const LINKS: [(u32, u32); 11] =
    [(0, 2), (1, 2), (2, 4), (3, 4), (5, 4), (4, 7), (6, 7), (8, 7), (7, 9), (10, 9), (11, 9)];

/// Number of sessions of flow 2, some or all of which may be packets.
pub const SESSIONS_OF_FLOW_2: u32 = 20;

/// Creates the network: 12 nodes joined by 11 links of 100 Mb/s and 10 ms, with 22 RED queues of 5 MB.
///
/// # Errors
/// None: the result type matches that of other generators.
pub fn network() -> Result<Network, NetworkError> {
    let queue = Queue::of_bytes(5_000_000, Discipline::default());
    let mut builder = Builder::new();
    for node in 0..12 {
        builder.node(node.to_string());
    }
    for (from, to) in LINKS {
        builder.both_ways(Link { from, to, delay: NANOSECONDS / 100, bandwidth: 100_000_000, queue, loss: 0.0 });
    }
    builder.build()
}

/// Creates the four flows, with `packets` sessions of flow 2 as packets.
///
/// Flows 0 (from 0 to 3) and 1 (6 to 10) have 10 TCP sessions, flow 2 (1 to 11) has 20, flow 3 (5 to 8) has 40 from 30
/// s to 60 s.
///
/// # Errors
/// [`NetworkError::Generator`] for more packet sessions than flow 2 has sessions.
pub fn flows(packets: u32) -> Result<Flows, NetworkError> {
    let Some(fluid) = SESSIONS_OF_FLOW_2.checked_sub(packets) else {
        let problem = format!(
            "{packets} packet sessions in flow 2, which has {SESSIONS_OF_FLOW_2} sessions: give at most that many"
        );
        return Err(NetworkError::Generator { problem });
    };
    let tcp = |fluid, packets| Kind::Tcp { fluid, packets };
    let lasting = |from, to, kind| Flow { from, to, kind, start: 0, stop: NEVER };
    let mut flows = Flows::new();
    flows.add(lasting(0, 3, tcp(10, 0)));
    flows.add(lasting(6, 10, tcp(10, 0)));
    flows.add(lasting(1, 11, tcp(fluid, packets)));
    flows.add(Flow { from: 5, to: 8, kind: tcp(40, 0), start: 30 * NANOSECONDS, stop: 60 * NANOSECONDS });
    Ok(flows)
}

/// Creates the four flows with all sessions as packets.
///
/// # Errors
/// None: the result type matches that of [`flows`].
pub fn packet_flows() -> Result<Flows, NetworkError> {
    let mut flows = flows(0)?;
    for flow in flows.all_mut() {
        if let Kind::Tcp { fluid, packets } = flow.kind {
            flow.kind = Kind::Tcp { fluid: 0, packets: fluid + packets };
        }
    }
    Ok(flows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_tree_of_12_nodes_with_22_queues() {
        let network = network().unwrap();
        assert_eq!((network.nodes(), network.links().len()), (12, 22));
        let degrees: Vec<_> = (0..12).map(|node| network.out_links(node).len()).collect();
        assert_eq!(degrees, [1, 1, 3, 1, 4, 1, 1, 4, 1, 3, 1, 1]);
        assert!(network.links().iter().all(|link| (link.delay, link.bandwidth) == (10_000_000, 100_000_000)));
        assert_eq!(flows(20).unwrap().all()[2].kind, Kind::Tcp { fluid: 0, packets: 20 });
        assert!(flows(21).is_err());
        assert_eq!(flows(10).unwrap().check(&network), Ok(()));
        let sessions = |kind| if let Kind::Tcp { fluid: 0, packets } = kind { packets } else { 0 };
        let all: Vec<_> = packet_flows().unwrap().all().iter().map(|flow| sessions(flow.kind)).collect();
        assert_eq!(all, [10, 10, 20, 40]);
    }
}
