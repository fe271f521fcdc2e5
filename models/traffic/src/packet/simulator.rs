//! The packet simulator.

use super::agenda::Agenda;
use super::connection::Connection;
use super::counts::FlowCounts;
use super::paths::{Paths, Ways};
use super::port::{Backlog, Port, QueueCounts};
use super::source::Source;
use super::tcp::TcpRules;
use super::wire::Wire;
use crate::Traffic;
use crate::network::{Flow, Network};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

mod build;
mod events;

/// Parameters of the packet simulation. Times are in picoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Parameters of TCP of flows that have none of their own.
    pub tcp: TcpRules,
    /// Interval after the start of a flow in which its TCP sessions start at random times; equal sessions would
    /// otherwise run in step. The default is 0.1 s.
    pub stagger: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, tcp: TcpRules::default(), stagger: super::clock::SECOND / 10 }
    }
}

/// Packet simulation of a network.
///
/// Determinism: exact. The same traffic, settings and influences give the same bits on every machine.
///
/// ```
/// use imminent_traffic::network::validation;
/// use imminent_traffic::packet::{Alone, Settings, Simulator, clock::SECOND};
/// use imminent_traffic::{Metric, Tcp, Traffic};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Twelve nodes and four flows of TCP sessions, by which the paper validates its scheme.
/// let (network, flows) = (validation::network()?, validation::packet_flows()?);
/// let traffic = Traffic::new(network, flows, Metric::Hops, Tcp::default())?;
/// let mut simulator = Simulator::new(&traffic, Settings::default())?;
/// simulator.run_until(SECOND, &mut Alone); // no fluids
/// let report = simulator.report();
/// assert_eq!(report.until, 1.0); // seconds
/// assert!(report.flows[0].goodput > 1e6); // bits per second
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Simulator {
    pub(super) settings: Settings,
    /// Standard size of a packet, in bytes.
    packet: u32,
    pub(super) now: u64,
    /// Time at which counting began.
    pub(super) since: u64,
    pub(super) events: u64,
    /// Keys for the random drops of queues, and for the losses of links.
    drops: u64,
    losses: u64,
    /// Key for the hashes by which flows have queues.
    hashes: u64,
    agenda: Agenda,
    pub(super) network: Network,
    pub(super) ports: Vec<Port>,
    wires: Vec<Wire>,
    pub(super) paths: Arc<Paths>,
    /// Current paths of each flow. With ECMP, those of each session of each flow.
    current: Vec<Ways>,
    /// Flows with packets, and their statistics.
    pub(super) flows: Vec<Flow>,
    pub(super) labels: Vec<String>,
    /// Parameters of TCP of these flows.
    tcp: Vec<TcpRules>,
    pub(super) counts: Vec<FlowCounts>,
    pub(super) connections: Vec<Connection>,
    sources: Vec<Source>,
}

impl Simulator {
    /// Time up to which events have been processed, in picoseconds.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Number of events so far: arrivals at the end of a link, emissions, timers.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Checks that the packets belong to the network and flows of some traffic.
    #[must_use]
    pub(crate) fn is_of(&self, traffic: &Traffic) -> bool {
        let of_packets = (0..).zip(traffic.flows().all()).filter(|(_, flow)| flow.kind.has_packets());
        self.network == *traffic.network() && of_packets.map(|(number, _)| number).eq(self.paths.flows.iter().copied())
    }

    /// Returns the parameters of the simulation.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the bytes in the queue of a link that are still to be sent. For a shared queue they reach up to the last
    /// packet, including the fluid ahead of it.
    #[must_use]
    pub fn backlog(&self, link: u32) -> u64 {
        self.ports.get(link as usize).map_or(0, |port| port.bytes(self.now))
    }

    /// Returns the statistics of a link's queue since counting began.
    #[must_use]
    pub fn queue_counts(&self, link: u32) -> QueueCounts {
        self.ports.get(link as usize).map_or_else(QueueCounts::default, |port| {
            let mut port = port.clone();
            port.count_work(self.now);
            port.counts
        })
    }

    /// Returns the statistics of a flow's packets since counting began; `None` for a flow without packets.
    #[must_use]
    pub fn flow_counts(&self, flow: u32) -> Option<&FlowCounts> {
        self.counts.get(self.paths.flows.binary_search(&flow).ok()?)
    }

    /// Returns the congestion windows of a flow's sessions, in packets.
    #[must_use]
    pub fn windows(&self, flow: u32) -> Vec<u32> {
        self.sessions(flow).iter().map(|connection| connection.sender.window()).collect()
    }

    /// Returns the smoothed round-trip times of a flow's sessions (RFC 6298), in picoseconds; `None` for a session that
    /// has not timed a packet.
    #[must_use]
    pub fn round_trips(&self, flow: u32) -> Vec<Option<u64>> {
        self.sessions(flow).iter().map(|connection| connection.sender.round_trip()).collect()
    }

    fn sessions(&self, flow: u32) -> &[Connection] {
        let Ok(index) = self.paths.flows.binary_search(&flow) else { return &[] };
        // Connections are created flow by flow.
        let first = self.connections.partition_point(|connection| (connection.flow as usize) < index);
        let later = &self.connections[first..];
        &later[..later.partition_point(|connection| connection.flow as usize == index)]
    }

    /// Number of TCP connections and sources of datagrams.
    #[must_use]
    pub fn sources(&self) -> u64 {
        (self.connections.len() + self.sources.len()) as u64
    }

    /// Number of packets in queues and on links now, including acknowledgements.
    #[must_use]
    pub fn in_flight(&self) -> u64 {
        let waiting = |port: &Port| port.waiting() as u64;
        self.wires.iter().map(|wire| wire.len() as u64).sum::<u64>() + self.ports.iter().map(waiting).sum::<u64>()
    }

    /// Returns and resets the packets that entered the shared queue of a link since the last call. `drained` is the
    /// number of bytes that could leave since the last arrival. What waits is the p that the fluid side adds to its q.
    #[must_use]
    pub fn take_backlog(&mut self, link: u32, drained: u64) -> Backlog {
        self.ports.get_mut(link as usize).map_or_else(Backlog::default, |port| port.take_backlog(drained))
    }

    /// Returns the links on the paths of packets, in ascending order.
    #[must_use]
    pub fn links(&self) -> Vec<u32> {
        let mut links = self.paths.links.clone();
        links.sort_unstable();
        links.dedup();
        links
    }

    /// Resets all counters at the end of a warm-up.
    pub fn forget(&mut self) {
        let now = self.now;
        self.since = now;
        self.ports.iter_mut().for_each(|port| port.forget(now));
        self.counts.iter_mut().for_each(|counts| *counts = FlowCounts::default());
    }
}
