//! The campus network of the paper's performance experiments, with any number of campuses.
//!
//! The wiring follows the authors' simulator, PRIME (`BaseCampus.java`); the speeds are the paper's (section 5.2). A
//! campus has 18 routers, 12 LANs with a gateway and 42 hosts each, and 4 servers. That makes 538 nodes, 39 links among
//! routers, gateways and servers, and 504 in LANs.
//!
//! * Area 0, the backbone: three routers in a triangle, and two more (`r4`, `r5`), joined to each other and to one of
//!   the triangle each.
//! * Area 1, the server cluster: two routers with two servers each, joined to the third of the triangle.
//! * Area 2: seven routers and seven LANs, on two links to `r4`. Area 3: four routers and five LANs, on two links to
//!   `r5`.
//!
//! Links of areas 0 and 1 have 1 Gb/s and 10 ms, those of areas 2 and 3 100 Mb/s and 10 ms, LAN links 10 Mb/s and 1 ms.
//! The campuses form a ring of 1 Gb/s and 10 ms through the first router of their backbones, with chords from campus i
//! to campus i + n/2 for the even i below n/2.
//!
//! Each host receives ten flows of one TCP session, each from a random server of its own campus or, as often, of
//! another one.

use super::error::NetworkError;
use super::flow::{Flow, Flows, Kind};
use super::link::{Link, QueueRule};
use super::{Builder, MAX_COUNT, Network};
use crate::units::NEVER;
use imminent_common::streams::{StreamKey, below};
use rand_core::Rng as _;

/// Number of nodes of a campus.
pub const NODES: u32 = 18 + GATEWAYS + HOSTS + SERVERS;

/// Number of gateways of a campus, each with a LAN.
pub const GATEWAYS: u32 = 12;

/// Number of hosts of a LAN.
pub const HOSTS_OF_A_LAN: u32 = 42;

/// Number of hosts of a campus.
pub const HOSTS: u32 = GATEWAYS * HOSTS_OF_A_LAN;

/// Number of servers of a campus.
pub const SERVERS: u32 = 4;

/// Number of flows to each host.
pub const FLOWS_TO_A_HOST: u32 = 10;

/// Number of flows to the hosts of a campus.
pub const FLOWS: u32 = HOSTS * FLOWS_TO_A_HOST;

/// Number of the first server within its campus. Gateways and hosts come after the servers, LAN by LAN.
const FIRST_SERVER: u32 = 18;

const FIRST_GATEWAY: u32 = FIRST_SERVER + SERVERS;

/// Names of the 18 routers: area 0, `r4` and `r5`, areas 1, 2 and 3.
const ROUTERS: [&str; 18] = [
    "net0.r0", "net0.r1", "net0.r2", "r4", "r5", "net1.r0", "net1.r1", "net2.r0", "net2.r1", "net2.r2", "net2.r3",
    "net2.r4", "net2.r5", "net2.r6", "net3.r0", "net3.r1", "net3.r2", "net3.r3",
];

/// Links of 1 Gb/s: the backbone, and the cluster with its servers.
const FAST: [(u32, u32); 12] = [
    (0, 1),
    (1, 2),
    (2, 0),
    (0, 3),
    (1, 4),
    (2, 5),
    (3, 4),
    (5, 6),
    (FIRST_SERVER, 5),
    (FIRST_SERVER + 1, 5),
    (FIRST_SERVER + 2, 6),
    (FIRST_SERVER + 3, 6),
];

/// Links of 100 Mb/s between the routers of areas 2 and 3, and to the backbone.
const SLOW: [(u32, u32); 15] = [
    (3, 7),
    (3, 8),
    (4, 14),
    (4, 15),
    (7, 8),
    (7, 9),
    (8, 10),
    (9, 10),
    (9, 11),
    (10, 12),
    (12, 13),
    (14, 15),
    (15, 16),
    (16, 17),
    (15, 17),
];

/// Routers that the 12 gateways are joined to, by 100 Mb/s.
const OF_GATEWAYS: [u32; GATEWAYS as usize] = [9, 10, 11, 12, 13, 13, 13, 14, 14, 16, 17, 17];

/// Selector of the random stream that chooses the packet flows. Hosts use their numbers, which are smaller.
const PACKETS: u32 = u32::MAX;

/// Generator of a campus network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Campus {
    /// Number of campuses, at least 1.
    pub campuses: u32,
    /// Queues of all links.
    pub queues: QueueRule,
    /// Share of the flows that are packets, from 0 to 1.
    pub packet_share: f64,
    /// Seed for the choice of servers and of packet flows.
    pub seed: u64,
}

impl Campus {
    /// Returns a generator of fluid flows with RED queues of 5 MB.
    #[must_use]
    pub fn new(campuses: u32) -> Self {
        Self { campuses, queues: QueueRule::default(), packet_share: 0.0, seed: 1 }
    }

    /// Estimates the memory that the nodes, links, flows and routes of a number of campuses take while they are made,
    /// in bytes. Engines need more.
    ///
    /// Half of the flows stay in a campus, where a path has 9.6 links on average. The others cross an eighth of the
    /// ring, whose chords halve its longest ways.
    #[must_use]
    pub fn bytes(campuses: u64) -> u64 {
        // A label takes a string and a small allocation. Lists that grow have twice the room at most.
        let of_node = 24 + 32 + 24 + 4 * 4;
        let of_link = 2 * size_of::<Link>() as u64 + 4 * 4;
        // Two lists of flows, their pairs, and the order, starts and ends of their routes.
        let of_flow = 4 * size_of::<Flow>() as u64 + 8 + 4 * 4 + 8;
        // A link of a route in its piece, which grows, and in the list of all.
        let of_hop = 3 * 4;
        let hops = u64::from(FLOWS).saturating_mul(campuses.saturating_add(154)) / 16;
        let of_campus = u64::from(NODES) * of_node + 1090 * of_link + u64::from(FLOWS) * of_flow;
        campuses.saturating_mul(of_campus.saturating_add(hops.saturating_mul(of_hop)))
    }

    /// Creates the nodes and links.
    ///
    /// # Errors
    /// [`NetworkError::Generator`] for no or too many campuses; [`NetworkError`] for invalid queues.
    pub fn network(&self) -> Result<Network, NetworkError> {
        self.check()?;
        let mut builder = Builder::new();
        for campus in 0..self.campuses {
            self.add(&mut builder, campus);
        }
        let (campuses, router) = (self.campuses, |campus: u32| campus * NODES);
        // Two campuses are joined by one link, and one campus has no ring.
        let around = if campuses > 2 { campuses } else { campuses - 1 };
        for campus in 0..around {
            builder.both_ways(self.link(router(campus), router((campus + 1) % campuses), 1_000_000_000, 10));
        }
        for campus in (0..campuses / 2).step_by(2).filter(|_| campuses > 3) {
            builder.both_ways(self.link(router(campus), router(campus + campuses / 2), 1_000_000_000, 10));
        }
        builder.build()
    }

    /// Creates the flows to every host of every campus, in the order of the hosts.
    ///
    /// Host h of the whole network draws from [`StreamKey::node`] h. For each flow it draws whether the server is in
    /// another campus, that campus, and the server in it. The choice of packet flows has its own stream, so the same
    /// flows exist for any share.
    ///
    /// # Errors
    /// [`NetworkError::Generator`] as for [`network`](Self::network), and for a share that is not from 0 to 1.
    pub fn flows(&self) -> Result<Flows, NetworkError> {
        self.check()?;
        let key = StreamKey::new(self.seed, 0);
        let mut packets = key.choice(PACKETS).generator();
        let limit = (self.packet_share * (1_u64 << 32) as f64).round() as u64;
        let mut flows = Flows::new();
        for campus in 0..self.campuses {
            for host in hosts() {
                let to = campus * NODES + host;
                let mut rng = key.node(to).generator();
                for _ in 0..FLOWS_TO_A_HOST {
                    let away = below(&mut rng, 2) == 1 && self.campuses > 1;
                    let step = if away { 1 + below(&mut rng, u64::from(self.campuses) - 1) as u32 } else { 0 };
                    let server = FIRST_SERVER + below(&mut rng, u64::from(SERVERS)) as u32;
                    let from = (campus + step) % self.campuses * NODES + server;
                    let packets = u32::from(u64::from(packets.next_u32()) < limit);
                    let kind = Kind::Tcp { fluid: 1 - packets, packets };
                    flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
                }
            }
        }
        Ok(flows)
    }

    fn check(&self) -> Result<(), NetworkError> {
        let most = MAX_COUNT as u32 / FLOWS;
        let problem = if !(1..=most).contains(&self.campuses) {
            format!("{} campuses are not possible: give 1 to {most}", self.campuses)
        } else if !(0.0..=1.0).contains(&self.packet_share) {
            format!("a share of packets of {} is not possible: give 0 to 1", self.packet_share)
        } else {
            return Ok(());
        };
        Err(NetworkError::Generator { problem })
    }

    fn add(&self, builder: &mut Builder, campus: u32) {
        let first = campus * NODES;
        for router in ROUTERS {
            builder.node(format!("{campus}.{router}"));
        }
        for server in 0..SERVERS {
            builder.node(format!("{campus}.net1.h{}", server + 2));
        }
        for lan in 0..GATEWAYS {
            builder.node(format!("{campus}.lan{lan}.gateway"));
            for host in 0..HOSTS_OF_A_LAN {
                builder.node(format!("{campus}.lan{lan}.h{host}"));
            }
        }
        for (from, to) in FAST {
            builder.both_ways(self.link(first + from, first + to, 1_000_000_000, 10));
        }
        for (from, to) in SLOW {
            builder.both_ways(self.link(first + from, first + to, 100_000_000, 10));
        }
        for (lan, router) in (0..).zip(OF_GATEWAYS) {
            let gateway = first + gateway(lan);
            builder.both_ways(self.link(gateway, first + router, 100_000_000, 10));
            for host in 1..=HOSTS_OF_A_LAN {
                builder.both_ways(self.link(gateway + host, gateway, 10_000_000, 1));
            }
        }
    }

    fn link(&self, from: u32, to: u32, bandwidth: u64, milliseconds: u64) -> Link {
        let queue = self.queues.queue(bandwidth);
        Link { from, to, delay: milliseconds * 1_000_000, bandwidth, queue, loss: 0.0 }
    }
}

/// Returns the number of a gateway within its campus.
const fn gateway(lan: u32) -> u32 {
    FIRST_GATEWAY + lan * (1 + HOSTS_OF_A_LAN)
}

/// Returns the numbers of the hosts within their campus.
fn hosts() -> impl Iterator<Item = u32> {
    (0..GATEWAYS).flat_map(|lan| (1..=HOSTS_OF_A_LAN).map(move |host| gateway(lan) + host))
}

#[cfg(test)]
mod tests;
