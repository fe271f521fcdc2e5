//! Flows between nodes: kind of traffic, start and end.

use super::error::FlowError;
use super::session::OwnTcp;
use super::{MAX_COUNT, Network};
use crate::units::{FASTEST, LONGEST, NANOSECONDS, NEVER};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Flow from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// Number of the sending node.
    pub from: u32,
    /// Number of the receiving node.
    pub to: u32,
    /// Kind of traffic.
    pub kind: Kind,
    /// Time at which the flow begins, in nanoseconds.
    pub start: u64,
    /// Time at which the flow ends, in nanoseconds; [`NEVER`] for a flow without end.
    pub stop: u64,
}

/// Kind of traffic of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// TCP sessions with an unlimited amount of data.
    Tcp {
        /// Number of sessions in the fluid, which are all alike.
        fluid: u32,
        /// Number of sessions that are simulated packet by packet.
        packets: u32,
    },
    /// UDP at a constant rate.
    Udp {
        /// Rate in bits per second.
        rate: u64,
        /// `true` if the flow is simulated packet by packet.
        packets: bool,
    },
    /// UDP packets at the times of a Poisson process, simulated packet by packet.
    Poisson {
        /// Mean rate in bits per second.
        rate: u64,
    },
    /// UDP that alternates between on and off periods of exponential length, simulated packet by packet.
    OnOff {
        /// Rate in bits per second during on periods.
        rate: u64,
        /// Mean length of an on period, in nanoseconds.
        on: u64,
        /// Mean length of an off period, in nanoseconds.
        off: u64,
    },
    /// Requests with responses over TCP, simulated packet by packet. The source of the flow is the server. After each
    /// response the client waits for an exponentially distributed think time.
    Requests {
        /// Number of clients at the flow's destination. Each has one request at a time.
        clients: u32,
        /// Size of a request, in bytes.
        request: u32,
        /// Size of a response, in bytes.
        answer: u32,
        /// Mean think time of a client, in nanoseconds.
        think: u64,
    },
}

/// Fluid part of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fluid {
    /// Number of TCP sessions.
    Tcp(u32),
    /// Rate of UDP in bits per second.
    Udp(u64),
}

impl Kind {
    /// Returns the fluid part; `None` if the whole flow is packets.
    #[must_use]
    pub const fn fluid(self) -> Option<Fluid> {
        match self {
            Self::Tcp { fluid, .. } if fluid > 0 => Some(Fluid::Tcp(fluid)),
            Self::Udp { rate, packets: false } => Some(Fluid::Udp(rate)),
            _ => None,
        }
    }

    /// Returns `true` if some of the flow is packets.
    #[must_use]
    pub const fn has_packets(self) -> bool {
        !matches!(self, Self::Tcp { packets: 0, .. } | Self::Udp { packets: false, .. })
    }

    /// Returns `true` if the sessions of the flow are TCP connections.
    #[must_use]
    pub const fn is_tcp(self) -> bool {
        matches!(self, Self::Tcp { .. } | Self::Requests { .. })
    }

    /// Returns the error of an invalid kind, with its remedy.
    fn problem(self) -> Option<String> {
        let rate = |rate: u64| {
            (!(1..=FASTEST).contains(&rate))
                .then(|| format!("a rate of {rate} bit/s is not possible: give 1 to {FASTEST}"))
        };
        let span = |span: u64, what: &str| {
            let seconds = LONGEST / NANOSECONDS;
            (span > LONGEST).then(|| format!("a mean time {what} beyond {seconds} s is not possible: give less"))
        };
        match self {
            Self::Tcp { fluid, packets } => match fluid.checked_add(packets) {
                Some(0) => Some("it has no sessions: give at least one".to_owned()),
                None => Some(format!("it has {fluid} and {packets} sessions: give at most {} together", u32::MAX)),
                _ => None,
            },
            Self::Udp { rate: bits, .. } | Self::Poisson { rate: bits } => rate(bits),
            Self::OnOff { rate: bits, on, off } => match on {
                0 => Some("it is never on: give a mean time above 0".to_owned()),
                _ => rate(bits).or_else(|| span(on, "on")).or_else(|| span(off, "off")),
            },
            Self::Requests { clients, request, answer, think } => match (clients, request, answer) {
                (0, ..) => Some("it has no clients: give at least one".to_owned()),
                (_, 0, _) | (_, _, 0) => Some("a request and an answer have at least one byte: give more".to_owned()),
                _ => span(think, "of thinking"),
            },
        }
    }
}

impl Kind {
    /// Returns the parameter of TCP that flows of this kind cannot have, with the error and its remedy.
    fn problem_with(self, own: OwnTcp) -> Option<(&'static str, String)> {
        let first = own.first_given()?;
        match self {
            Self::Tcp { fluid: 0, .. } => None,
            Self::Tcp { fluid, .. } => {
                let problem =
                    format!("{fluid} of its sessions are fluids, which have no such parameter: make all packets");
                Some((first, problem))
            }
            Self::Requests { .. } => {
                own.bytes.map(|_| ("bytes", "requests have sizes of their own: remove it".to_owned()))
            }
            _ => Some((first, "only sessions of TCP have such a parameter: remove it".to_owned())),
        }
    }
}

/// Flows of a network, by number; some have names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flows {
    flows: Vec<Flow>,
    labels: BTreeMap<u32, String>,
    tcp: BTreeMap<u32, OwnTcp>,
}

impl Flows {
    /// Creates an empty list of flows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a flow and returns its number.
    pub fn add(&mut self, flow: Flow) -> u32 {
        self.flows.push(flow);
        (self.flows.len() - 1) as u32
    }

    /// Adds a flow with a name and returns its number.
    pub fn add_named(&mut self, label: impl Into<String>, flow: Flow) -> u32 {
        let number = self.add(flow);
        self.labels.insert(number, label.into());
        number
    }

    /// Gives the packet sessions of a flow parameters of TCP of their own.
    pub fn set_tcp(&mut self, flow: u32, own: OwnTcp) {
        self.tcp.insert(flow, own);
    }

    /// Returns the parameters of TCP that the packet sessions of a flow have of their own.
    #[must_use]
    pub fn tcp(&self, flow: u32) -> OwnTcp {
        self.tcp.get(&flow).copied().unwrap_or_default()
    }

    /// Returns the flows by number.
    #[must_use]
    pub fn all(&self) -> &[Flow] {
        &self.flows
    }

    /// Returns the flows for modification.
    pub fn all_mut(&mut self) -> &mut [Flow] {
        &mut self.flows
    }

    /// Returns the name of a flow, or its number if it has none.
    #[must_use]
    pub fn label(&self, flow: u32) -> String {
        self.labels.get(&flow).cloned().unwrap_or_else(|| flow.to_string())
    }

    /// Checks that every flow is valid in a network.
    ///
    /// # Errors
    /// [`FlowError`] for ends that are missing from the network or equal, for a flow that does not stop after its
    /// start, and for rates or sessions out of range.
    pub fn check(&self, network: &Network) -> Result<(), FlowError> {
        if self.flows.len() > MAX_COUNT {
            return Err(FlowError::TooMany { count: self.flows.len() as u64 });
        }
        for (number, flow) in self.flows.iter().enumerate() {
            let label = || self.label(number as u32);
            for (end, node) in [("source", flow.from), ("destination", flow.to)] {
                if node as usize >= network.nodes() {
                    return Err(FlowError::UnknownNode { flow: label(), end, node: node.to_string() });
                }
            }
            if flow.from == flow.to {
                return Err(FlowError::SameEnds { flow: label(), node: network.label(flow.from).to_owned() });
            }
            if flow.stop <= flow.start || flow.start > LONGEST || (flow.stop > LONGEST && flow.stop != NEVER) {
                return Err(FlowError::Times { flow: label(), start: flow.start, stop: flow.stop });
            }
            if let Some(problem) = flow.kind.problem() {
                return Err(FlowError::Kind { flow: label(), problem });
            }
            let own = self.tcp.get(&(number as u32));
            if let Some((parameter, problem)) =
                own.and_then(|own| flow.kind.problem_with(*own).or_else(|| own.problem()))
            {
                return Err(FlowError::Tcp { flow: label(), parameter, problem });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::validation;

    const FLOW: Flow = Flow { from: 0, to: 3, kind: Kind::Tcp { fluid: 1, packets: 0 }, start: 0, stop: NEVER };

    fn error(flow: Flow) -> String {
        let mut flows = Flows::new();
        flows.add(FLOW);
        flows.add_named("video", flow);
        flows.check(&validation::network().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn fluids_and_packets_are_told_apart() {
        let tcp = |fluid, packets| Kind::Tcp { fluid, packets };
        assert_eq!((tcp(3, 0).fluid(), tcp(3, 0).has_packets()), (Some(Fluid::Tcp(3)), false));
        assert_eq!((tcp(2, 1).fluid(), tcp(2, 1).has_packets()), (Some(Fluid::Tcp(2)), true));
        assert_eq!((tcp(0, 1).fluid(), tcp(0, 1).has_packets()), (None, true));
        let udp = |packets| Kind::Udp { rate: 7, packets };
        assert_eq!((udp(false).fluid(), udp(false).has_packets()), (Some(Fluid::Udp(7)), false));
        assert_eq!((udp(true).fluid(), udp(true).has_packets()), (None, true));
        let on_off = Kind::OnOff { rate: 7, on: 1, off: 1 };
        assert_eq!((on_off.fluid(), on_off.has_packets()), (None, true));
    }

    #[test]
    fn what_cannot_be_is_told_by_the_name_of_the_flow() {
        let requests = |clients, answer, think| Kind::Requests { clients, request: 1, answer, think };
        let cases = [
            (Flow { from: 99, ..FLOW }, "flow video has the source '99', which is no node of the network"),
            (Flow { to: 12, ..FLOW }, "flow video has the destination '12'"),
            (Flow { to: 0, ..FLOW }, "flow video goes from '0' to itself"),
            (Flow { start: 5, stop: 5, ..FLOW }, "flow video starts at 0.000000005 s and stops at 0.000000005 s"),
            (Flow { kind: Kind::Tcp { fluid: 0, packets: 0 }, ..FLOW }, "flow video: it has no sessions"),
            (
                Flow { kind: Kind::Tcp { fluid: u32::MAX, packets: 1 }, ..FLOW },
                "flow video: it has 4294967295 and 1 sessions",
            ),
            (
                Flow { kind: Kind::Udp { rate: 0, packets: false }, ..FLOW },
                "flow video: a rate of 0 bit/s is not possible",
            ),
            (Flow { kind: Kind::OnOff { rate: 1, on: 0, off: 1 }, ..FLOW }, "flow video: it is never on"),
            (Flow { kind: Kind::OnOff { rate: 1, on: 1, off: NEVER }, ..FLOW }, "flow video: a mean time off beyond"),
            (Flow { kind: requests(0, 1, 1), ..FLOW }, "flow video: it has no clients"),
            (Flow { kind: requests(1, 0, 1), ..FLOW }, "flow video: a request and an answer have at least one byte"),
            (Flow { kind: requests(1, 1, NEVER), ..FLOW }, "flow video: a mean time of thinking beyond"),
        ];
        for (flow, expected) in cases {
            let error = error(flow);
            assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
        }
    }
}
