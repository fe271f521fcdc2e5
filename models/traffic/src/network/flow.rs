//! Flows: who sends to whom, what, and when.

use super::error::FlowError;
use super::{MOST, Network};
use crate::units::{FASTEST, LONGEST, NANOSECONDS, NEVER};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one node sends to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// The node that sends.
    pub from: u32,
    /// The node that receives.
    pub to: u32,
    /// What is sent.
    pub kind: Kind,
    /// When the flow begins, in nanoseconds.
    pub start: u64,
    /// When it ends, in nanoseconds; [`NEVER`] for a flow that lasts.
    pub stop: u64,
}

/// What a flow sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Sessions of TCP that always have something to send.
    Tcp {
        /// Sessions that are a fluid, all alike.
        fluid: u32,
        /// Sessions that are simulated packet by packet.
        packets: u32,
    },
    /// UDP at a constant rate.
    Udp {
        /// Bits per second.
        rate: u64,
        /// Whether it is simulated packet by packet.
        packets: bool,
    },
    /// UDP packets at exponential times, packet by packet: a Poisson process.
    Poisson {
        /// Bits per second on average.
        rate: u64,
    },
    /// UDP that is on and off in turn, for exponential times, packet by packet.
    OnOff {
        /// Bits per second while it is on.
        rate: u64,
        /// Mean time that it is on, in nanoseconds.
        on: u64,
        /// Mean time that it is off, in nanoseconds.
        off: u64,
    },
    /// Requests that are answered over TCP, packet by packet: the flow's source is the server. After each answer the client thinks for an exponential time.
    Requests {
        /// Clients at the flow's destination, each of which has one request at a time.
        clients: u32,
        /// Bytes of a request.
        request: u32,
        /// Bytes of an answer.
        answer: u32,
        /// Mean time that a client thinks, in nanoseconds.
        think: u64,
    },
}

/// What the fluid part of a flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fluid {
    /// So many sessions of TCP.
    Tcp(u32),
    /// So many bits per second.
    Udp(u64),
}

impl Kind {
    /// The part that is a fluid; `None` where all is packets.
    #[must_use]
    pub const fn fluid(self) -> Option<Fluid> {
        match self {
            Self::Tcp { fluid, .. } if fluid > 0 => Some(Fluid::Tcp(fluid)),
            Self::Udp { rate, packets: false } => Some(Fluid::Udp(rate)),
            _ => None,
        }
    }

    /// Whether some of it is packets.
    #[must_use]
    pub const fn has_packets(self) -> bool {
        !matches!(self, Self::Tcp { packets: 0, .. } | Self::Udp { packets: false, .. })
    }

    /// What is wrong with it, and what to do.
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

/// The flows of a network, by number; some have names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Flows {
    flows: Vec<Flow>,
    labels: BTreeMap<u32, String>,
}

impl Flows {
    /// No flows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a flow, and gives its number.
    pub fn add(&mut self, flow: Flow) -> u32 {
        self.flows.push(flow);
        (self.flows.len() - 1) as u32
    }

    /// Adds a flow with a name, and gives its number.
    pub fn add_named(&mut self, label: impl Into<String>, flow: Flow) -> u32 {
        let number = self.add(flow);
        self.labels.insert(number, label.into());
        number
    }

    /// The flows, by number.
    #[must_use]
    pub fn all(&self) -> &[Flow] {
        &self.flows
    }

    /// The flows, to be changed.
    pub fn all_mut(&mut self) -> &mut [Flow] {
        &mut self.flows
    }

    /// What a flow is called: its name, or its number.
    #[must_use]
    pub fn label(&self, flow: u32) -> String {
        self.labels.get(&flow).cloned().unwrap_or_else(|| flow.to_string())
    }

    /// Whether every flow can be, in a network.
    ///
    /// # Errors
    /// [`FlowError`] for ends that are no nodes or the same node, times that do not follow each other, and rates or sessions that cannot be.
    pub fn check(&self, network: &Network) -> Result<(), FlowError> {
        if self.flows.len() > MOST {
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
