//! Statistics of nodes.

use crate::kernels::node;
use imminent_common::output::Sketch;

/// Statistics of one node. Packets count that were created from the end of the warm-up on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCount {
    /// Packets that the node created: data, requests and responses.
    pub created: [u64; 3],
    /// Packets that were delivered to the node, by kind.
    pub delivered: [u64; 3],
    /// Sum of their delays, by kind, in µs. The delay of a response is the time since its request was created.
    pub delay: [u64; 3],
    /// Sum of their hops, by kind.
    pub hops: [u64; 3],
    /// Packets that were lost at the node, by [`Loss`].
    pub lost: [u64; 7],
    /// Transmissions that the node began, of all packets.
    pub sent: u64,
    /// Airtime of these transmissions, in µs.
    pub airtime: u64,
    /// Attempts that found the medium busy.
    pub busy: u64,
    /// Transmissions of packets of the routing protocol that the node began: route requests, replies and errors.
    pub control: [u64; 3],
    /// Bytes of these transmissions, headers of IP and UDP included.
    pub control_bytes: u64,
}

/// Statistics of one flow. Packets count that were created from the end of the warm-up on. The first element is that of
/// data or requests, the second that of responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlowCount {
    /// Node that sends data or requests.
    pub from: u32,
    /// Their destination, if all have the same.
    pub to: Option<u32>,
    /// Packets that were created.
    pub created: [u64; 2],
    /// Packets that were delivered.
    pub delivered: [u64; 2],
    /// Sum of their delays in µs. The delay of a response is the time since its request was created.
    pub delay: [u64; 2],
    /// Sum of their hops.
    pub hops: [u64; 2],
}

impl FlowCount {
    /// Returns the share of data or requests that were delivered, if there were any.
    #[must_use]
    pub fn delivery_ratio(&self) -> Option<f64> {
        (self.created[0] > 0).then(|| self.delivered[0] as f64 / self.created[0] as f64)
    }

    /// Returns the mean delay in s of delivered packets: of data or requests (0), or of responses (1).
    #[must_use]
    pub fn mean_delay(&self, kind: usize) -> Option<f64> {
        (self.delivered[kind] > 0).then(|| self.delay[kind] as f64 / 1e6 / self.delivered[kind] as f64)
    }

    /// Returns the mean number of hops of delivered data or requests.
    #[must_use]
    pub fn mean_hops(&self) -> Option<f64> {
        (self.delivered[0] > 0).then(|| self.hops[0] as f64 / self.delivered[0] as f64)
    }

    /// Adds the statistics of the same flow in another simulation.
    pub fn add(&mut self, other: &FlowCount) {
        (self.from, self.to) = (other.from, other.to);
        let add =
            |into: &mut [u64; 2], from: [u64; 2]| into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        add(&mut self.created, other.created);
        add(&mut self.delivered, other.delivered);
        add(&mut self.delay, other.delay);
        add(&mut self.hops, other.hops);
    }
}

/// Statistics of one simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Statistics of the nodes, by their numbers.
    pub nodes: Vec<NodeCount>,
    /// Statistics of the flows: those that are listed in their order, otherwise by sender.
    pub flows: Vec<FlowCount>,
    /// Distribution of the delays of delivered packets of all kinds, in µs.
    pub delays: Sketch,
}

/// Cause of the loss of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Loss {
    /// The node had no neighbour that could take the packet.
    NoNeighbour = node::LOST_NO_NEIGHBOUR,
    /// The packet went around a face of the planar graph: its destination cannot be reached.
    Unreachable = node::LOST_UNREACHABLE,
    /// The packet had made as many hops as its TTL allows.
    Hops = node::LOST_HOPS,
    /// The next node was out of range at the end of the transmission, of the last one if the packet was routed again.
    Link = node::LOST_LINK,
    /// The queue of the node was full.
    Queue = node::LOST_QUEUE,
    /// The node left the simulation with the packet.
    Left = node::LOST_LEFT,
    /// No route to the destination was found, in time or at all. Devices have no protocol that searches for routes.
    NoRoute = node::LOST_LEFT + 1,
}

impl Loss {
    /// All causes.
    pub const ALL: [Loss; 7] =
        [Loss::NoNeighbour, Loss::Unreachable, Loss::Hops, Loss::Link, Loss::Queue, Loss::Left, Loss::NoRoute];

    /// Name of the cause.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Loss::NoNeighbour => "no neighbour",
            Loss::Unreachable => "unreachable",
            Loss::Hops => "too many hops",
            Loss::Link => "link broken",
            Loss::Queue => "queue full",
            Loss::Left => "node left",
            Loss::NoRoute => "no route",
        }
    }
}

impl From<node::Count> for NodeCount {
    fn from(count: node::Count) -> Self {
        let mut lost = [0; 7];
        lost.iter_mut().zip(count.lost).for_each(|(into, from)| *into = from.into());
        NodeCount {
            created: count.created.map(u64::from),
            delivered: count.delivered.map(u64::from),
            delay: count.delay,
            hops: count.hops.map(u64::from),
            lost,
            sent: count.sent.into(),
            airtime: count.airtime,
            busy: count.busy.into(),
            ..NodeCount::default()
        }
    }
}

/// Digest of the statistics of nodes, which are added one after the other: equal digests mean equal statistics.
#[derive(Clone, Debug, Default)]
pub struct Digest(blake3::Hasher);

impl Digest {
    /// Adds the statistics of nodes.
    pub fn add<'a>(&mut self, counts: impl IntoIterator<Item = &'a NodeCount>) {
        for count in counts {
            let NodeCount { created, delivered, delay, hops, lost, sent, airtime, busy, control, control_bytes } =
                count;
            let [lost @ .., left, no_route] = lost;
            // Networks whose nodes stay have the digests that they had before nodes could leave, and those with GPSR
            // the digests from before there was another protocol.
            let left = if *left > 0 { std::slice::from_ref(left) } else { &[] };
            let [requests, replies, errors] = *control;
            let routing = [*no_route, requests, replies, errors, *control_bytes];
            let routing = if routing == [0; 5] { &[][..] } else { &routing };
            let words = [&created[..], delivered, delay, hops, lost, &[*sent, *airtime, *busy], left, routing];
            for word in words.into_iter().flatten() {
                self.0.update(&word.to_le_bytes());
            }
        }
    }

    /// Returns the digest as a text.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// Returns the [`Digest`] of the statistics of all nodes.
#[must_use]
pub fn digest<'a>(counts: impl IntoIterator<Item = &'a NodeCount>) -> String {
    let mut digest = Digest::default();
    digest.add(counts);
    digest.text()
}
