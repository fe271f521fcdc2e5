//! Scenarios.

use crate::aodv::{self, Aodv};
use crate::error::NetworkError;
use crate::field::{Field, MAX_SIDE};
use crate::kernels::geometry::Position;
use crate::kernels::gpsr::MAX_NODES;
use crate::mobility::{Mobility, Waypoints};
use crate::trace::Stay;
use crate::traffic::{Arrivals, Destinations, Exchange, Traffic};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Longest time: 2^50 µs, 35 years. Sums of times stay below 2^63.
const MAX_TIME: u64 = 1 << 50;

/// Usual number of times that a node routes a packet again: that of 802.11's short retry limit.
pub const RETRIES: u32 = 7;

/// Mobile ad hoc network. The default is the first scenario of the dissertation's Table 5-1, for 100 s, with senders
/// that learn of failures.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Number of nodes, from 2 to 2^30.
    pub nodes: u32,
    /// Field that the nodes stay in.
    pub field: Field,
    /// Positions at the start.
    pub placement: Placement,
    /// Motion of the nodes.
    pub mobility: Mobility,
    /// Transmission range in mm.
    pub range: u32,
    /// Beacons that tell neighbours the position of a node.
    pub beacons: Beacons,
    /// Routing protocol.
    pub protocol: Protocol,
    /// Planar graph of perimeter mode.
    pub planar: Planar,
    /// Medium access, queues and limits of packets.
    pub medium: Medium,
    /// Packets that nodes create.
    pub traffic: Traffic,
    /// Clock interval in µs: 0 or 1 for exact times, otherwise events are executed at its multiples (the paper's time
    /// interval).
    pub interval: u64,
    /// Time from which packets count in statistics, in µs.
    pub warm_up: u64,
    /// End of the simulation in µs: events are before it.
    pub end: u64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Positions at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// Uniformly distributed over the field.
    Uniform,
    /// One position for each node.
    At(Vec<Position>),
}

/// Routing protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Greedy perimeter stateless routing (Karp and Kung 2000).
    Gpsr,
    /// Ad hoc on-demand distance vector routing (RFC 3561). Threads of the host alone simulate it.
    Aodv(Aodv),
}

/// Beacons of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beacons {
    /// Least and greatest time between two beacons in µs.
    pub interval: [u32; 2],
    /// Age at which a neighbour is forgotten, in µs.
    pub timeout: u64,
}

/// Planar graph of perimeter mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Planar {
    /// Gabriel graph: no node in the disk whose diameter is an edge.
    Gabriel,
    /// Relative neighbourhood graph: no node nearer to both ends of an edge than they are to one another.
    RelativeNeighbourhood,
}

/// Medium access, queues and limits of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Medium {
    /// Transmission rate in bit/s.
    pub bit_rate: u64,
    /// Least and greatest backoff in µs; a backoff takes at least 1 µs.
    pub backoff: [u32; 2],
    /// Greatest number of packets that wait at a node.
    pub queue: u32,
    /// Greatest number of hops of a packet, its TTL.
    pub hops: u32,
    /// Greatest number of times that a node routes a packet again because the next node was out of range at the end of
    /// the transmission. Each time it deletes that neighbour from its table. With 0 senders do not learn of failures.
    pub retries: u32,
}

impl Default for Network {
    fn default() -> Self {
        let paper = Network::scenario(50);
        Network { medium: Medium { retries: RETRIES, ..paper.medium }, ..paper }
    }
}

impl Network {
    /// Returns a scenario of Table 5-1 for 50, 200, 800 or 3,200 nodes, or one of as many nodes at the same density.
    ///
    /// The printed regions give 18,000 m² a node, where the table says 9,000. A field is 2.5 times as wide as high. The
    /// packets of a node get fewer by half where nodes get four times as many: 0.8 a second with 50 nodes. Senders do
    /// not learn of failures: `medium.retries` is 0.
    #[must_use]
    pub fn scenario(nodes: u32) -> Self {
        // 50 nodes: 1,500 m by 600 m. Lengths grow with the square root of the nodes, as do gaps.
        let scale = (f64::from(nodes) / 50.0).sqrt();
        let side = |metres: f64| ((metres * 1000.0 * scale).round() as u32).clamp(1, MAX_SIDE);
        Network {
            nodes,
            field: Field { width: side(1500.0), height: side(600.0) },
            placement: Placement::Uniform,
            mobility: Mobility::Waypoints(Waypoints { speed: [0, 20_000_000], pause: [0, 20_000_000] }),
            range: 250_000,
            beacons: Beacons { interval: [500_000, 1_500_000], timeout: 4_500_000 },
            protocol: Protocol::Gpsr,
            planar: Planar::Gabriel,
            medium: Medium { bit_rate: 1_000_000, backoff: [1, 20_000], queue: 50, hops: 128, retries: 0 },
            traffic: Traffic {
                senders: nodes,
                bytes: 1024,
                exchange: Exchange::Data,
                gap: (1_250_000.0 * scale).round() as u64,
                arrivals: Arrivals::Constant,
                destinations: Destinations::Fixed,
                start: 1_500_000,
            },
            interval: 1,
            warm_up: 0,
            end: 100_000_000,
            seed: 1,
        }
    }

    /// Returns the time that a packet is on the air, in µs, rounded up.
    #[must_use]
    pub fn airtime(&self, bytes: u32) -> u64 {
        (u64::from(bytes) * 8_000_000).div_ceil(self.medium.bit_rate.max(1))
    }

    /// Least airtime of all packets, in µs: the lookahead of the exact engine.
    #[must_use]
    pub fn lookahead(&self) -> u64 {
        let least = self.traffic.sizes()[0];
        self.airtime(match self.protocol {
            Protocol::Gpsr => least,
            Protocol::Aodv(_) => least.min(aodv::LEAST_BYTES),
        })
    }

    /// Returns `true` if a device can simulate the routing protocol. Otherwise threads of the host do.
    #[must_use]
    pub fn is_for_devices(&self) -> bool {
        self.protocol == Protocol::Gpsr
    }

    /// Greatest speed of a node in µm/s.
    #[must_use]
    pub fn greatest_speed(&self) -> u32 {
        self.mobility.greatest_speed()
    }

    /// Returns the time that a node spends in the simulation.
    #[must_use]
    pub fn stay(&self, node: u32) -> Stay {
        self.mobility.stay(node)
    }

    /// Returns the name of a node in the file with its movements, if that is not its number.
    #[must_use]
    pub fn name(&self, node: u32) -> Option<&Arc<str>> {
        match &self.mobility {
            Mobility::Trace(trace) => trace.name(node),
            _ => None,
        }
    }

    /// Returns `true` if nodes enter or leave during the simulation.
    #[must_use]
    pub fn has_stays(&self) -> bool {
        let is_short = |stay: Stay| stay.enter > 0 || stay.leave < self.end;
        matches!(&self.mobility, Mobility::Trace(trace) if trace.tracks().iter().any(|track| is_short(track.stay)))
    }

    /// Checks the scenario.
    ///
    /// # Errors
    /// The first value that is out of its limits.
    pub fn check(&self) -> Result<(), NetworkError> {
        let within = |name: &'static str, value: u64, least: u64, most: u64| match (least..=most).contains(&value) {
            true => Ok(()),
            false => Err(NetworkError::OutOfRange { name, value, least, most }),
        };
        let ordered = |name: &'static str, [least, most]: [u64; 2]| match least <= most {
            true => Ok(()),
            false => Err(NetworkError::Reversed { name, least, most }),
        };
        let nodes = u64::from(self.nodes);
        within("nodes", nodes, 2, u64::from(MAX_NODES))?;
        within("field width (mm)", self.field.width.into(), 1, MAX_SIDE.into())?;
        within("field height (mm)", self.field.height.into(), 1, MAX_SIDE.into())?;
        within("range (mm)", self.range.into(), 1, MAX_SIDE.into())?;
        ordered("beacon interval (µs)", self.beacons.interval.map(u64::from))?;
        within("least beacon interval (µs)", self.beacons.interval[0].into(), 1, u64::from(u32::MAX) / 2)?;
        within("greatest beacon interval (µs)", self.beacons.interval[1].into(), 1, u64::from(u32::MAX) / 2)?;
        within("neighbour timeout (µs)", self.beacons.timeout, 1, 1 << 28)?;
        within("bit rate (bit/s)", self.medium.bit_rate, 1, u64::MAX)?;
        ordered("backoff (µs)", self.medium.backoff.map(u64::from))?;
        within("least backoff (µs)", self.medium.backoff[0].into(), 1, u64::from(u32::MAX) / 2)?;
        within("greatest backoff (µs)", self.medium.backoff[1].into(), 1, u64::from(u32::MAX) / 2)?;
        within("queue (packets)", self.medium.queue.into(), 1, 1 << 20)?;
        within("TTL (hops)", self.medium.hops.into(), 1, 1 << 20)?;
        within("retries", self.medium.retries.into(), 0, 1 << 20)?;
        if let Protocol::Aodv(aodv) = &self.protocol {
            within("retries with AODV", self.medium.retries.into(), 1, 1 << 20)?;
            aodv.check()?;
        }
        self.traffic.check(self.nodes, MAX_TIME)?;
        within("airtime (µs)", self.airtime(self.traffic.sizes()[1]), 1, MAX_TIME)?;
        within("clock interval (µs)", self.interval, 0, self.lookahead())?;
        within("warm-up (µs)", self.warm_up, 0, MAX_TIME)?;
        within("end (µs)", self.end, 1, MAX_TIME)?;
        self.check_motion()
    }

    fn check_motion(&self) -> Result<(), NetworkError> {
        let given = match (&self.mobility, &self.placement) {
            (Mobility::Trace(trace), _) => trace.nodes(),
            (_, Placement::At(places)) => places.len(),
            (_, Placement::Uniform) => self.nodes as usize,
        };
        if given != self.nodes as usize {
            return Err(NetworkError::Nodes { given, nodes: self.nodes });
        }
        self.mobility.check(self.field, MAX_TIME)?;
        let (false, Placement::At(places)) = (matches!(self.mobility, Mobility::Trace(_)), &self.placement) else {
            return Ok(());
        };
        if let Some(node) = places.iter().position(|place| !self.field.contains(*place)) {
            return Err(NetworkError::Outside { node, place: places[node], field: self.field });
        }
        let Mobility::Manhattan(motion) = &self.mobility else { return Ok(()) };
        match places.iter().position(|place| !motion.has(self.field, *place)) {
            Some(node) => Err(NetworkError::OffStreet { node, place: places[node], block: motion.block }),
            None => Ok(()),
        }
    }
}
