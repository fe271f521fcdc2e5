//! Packets that nodes create.

use crate::error::NetworkError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest packet in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Largest number of listed flows.
const MAX_FLOWS: u64 = 1 << 24;

/// Packets that nodes create.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// Number of nodes that send, those with the lowest numbers.
    pub senders: u32,
    /// Size of packets in bytes.
    pub bytes: u32,
    /// Data or requests.
    pub exchange: Exchange,
    /// Mean time between two packets of a node, in µs.
    pub gap: u64,
    /// Distribution of that time.
    pub arrivals: Arrivals,
    /// Destinations of packets.
    pub destinations: Destinations,
    /// Time from which nodes send, in µs. The first packet of a node follows within one gap.
    pub start: u64,
}

/// Kind of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Packets that nobody answers.
    Data,
    /// Requests, which their destinations answer.
    Requests {
        /// Size of responses in bytes.
        response_bytes: u32,
    },
}

/// Distribution of the time between two packets of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// All equal: constant bit rate.
    Constant,
    /// Exponential.
    Poisson,
}

/// Destinations of packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destinations {
    /// One for each sender, uniformly distributed over the other nodes. If nodes enter and leave, over those that are
    /// there when the flow begins to send, or the first one that enters then.
    Fixed,
    /// Another one for each packet, uniformly distributed over the other nodes that are there. A node that is alone
    /// creates none.
    EachPacket,
    /// One for each sender, uniformly distributed over the nodes that start within this distance, in mm. Senders
    /// without such a node send nothing.
    Within(u32),
    /// Flows from senders to their destinations. A node may send several.
    Flows(Vec<Flow>),
}

/// Flow of packets from one node to another. What it does not say is that of the [`Traffic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Sender.
    pub from: u32,
    /// Destination.
    pub to: u32,
    /// Mean time between two packets in µs.
    pub gap: Option<u64>,
    /// Size of packets in bytes.
    pub bytes: Option<u32>,
    /// Time from which the node sends, in µs.
    pub start: Option<u64>,
    /// Time from which it sends no more, in µs; to the end without it.
    pub stop: Option<u64>,
}

impl Flow {
    /// Creates a flow that says nothing else.
    #[must_use]
    pub const fn new(from: u32, to: u32) -> Self {
        Flow { from, to, gap: None, bytes: None, start: None, stop: None }
    }

    fn check(&self, traffic: &Traffic, nodes: u32, longest: u64) -> Result<(), NetworkError> {
        if self.from >= nodes || self.to >= nodes || self.from == self.to {
            return Err(NetworkError::Pair { from: self.from, to: self.to, nodes });
        }
        let (start, stop) = (self.start.unwrap_or(traffic.start), self.stop.unwrap_or(longest));
        if start >= stop {
            return Err(NetworkError::Reversed { name: "flow's time (µs)", least: start, most: stop });
        }
        for (name, value, most) in [
            ("flow's packet size (bytes)", self.bytes.unwrap_or(1).into(), MAX_BYTES),
            ("flow's time between packets (µs)", self.gap.unwrap_or(1), u32::MAX.into()),
            ("flow's end (µs)", stop, longest),
        ] {
            check(name, value, 1, most)?;
        }
        Ok(())
    }
}

impl Destinations {
    /// Returns flows that are alike, from senders to their destinations.
    pub fn pairs(pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Destinations::Flows(pairs.into_iter().map(|(from, to)| Flow::new(from, to)).collect())
    }
}

impl Traffic {
    /// Returns the flows, if they are listed.
    #[must_use]
    pub fn listed(&self) -> Option<&[Flow]> {
        match &self.destinations {
            Destinations::Flows(flows) => Some(flows),
            _ => None,
        }
    }

    /// Number of flows: those that are listed, otherwise one for each sender.
    #[must_use]
    pub fn flows(&self) -> u32 {
        self.listed().map_or(self.senders, |flows| flows.len() as u32)
    }

    /// Time from which any node sends, in µs.
    #[must_use]
    pub fn first_start(&self) -> u64 {
        let of = |flow: &Flow| flow.start.unwrap_or(self.start);
        self.listed().and_then(|flows| flows.iter().map(of).min()).unwrap_or(self.start)
    }

    /// Returns the sizes of the smallest and of the largest packets, in bytes.
    #[must_use]
    pub fn sizes(&self) -> [u32; 2] {
        let responses = match self.exchange {
            Exchange::Data => None,
            Exchange::Requests { response_bytes } => Some(response_bytes),
        };
        let of = |flow: &Flow| flow.bytes.unwrap_or(self.bytes);
        let flows = self.listed().filter(|flows| !flows.is_empty());
        let [least, most] = flows.map_or([self.bytes; 2], |flows| {
            flows.iter().map(of).fold([u32::MAX, 0], |[least, most], bytes| [least.min(bytes), most.max(bytes)])
        });
        [least.min(responses.unwrap_or(least)), most.max(responses.unwrap_or(most))]
    }

    /// Checks the traffic of as many nodes. `longest` is the longest time in µs.
    pub(crate) fn check(&self, nodes: u32, longest: u64) -> Result<(), NetworkError> {
        check("packet size (bytes)", self.bytes.into(), 1, MAX_BYTES)?;
        if let Exchange::Requests { response_bytes } = self.exchange {
            check("response size (bytes)", response_bytes.into(), 1, MAX_BYTES)?;
        }
        check("time between packets (µs)", self.gap, 1, u32::MAX.into())?;
        check("start of traffic (µs)", self.start, 0, longest)?;
        if self.senders > nodes {
            return Err(NetworkError::Senders { senders: self.senders, nodes });
        }
        let flows = self.listed().unwrap_or_default();
        check("flows", flows.len() as u64, 0, MAX_FLOWS)?;
        flows.iter().try_for_each(|flow| flow.check(self, nodes, longest))
    }
}

/// Checks that a value is within its limits.
fn check(name: &'static str, value: u64, least: u64, most: u64) -> Result<(), NetworkError> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(NetworkError::OutOfRange { name, value, least, most }),
    }
}
