//! Demands between pairs of nodes.

use super::flow::{Flow, Flows, Kind};
use crate::units::NEVER;
use serde::{Deserialize, Serialize};

/// Traffic demand from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demand {
    /// Number of the sending node.
    pub from: u32,
    /// Number of the receiving node.
    pub to: u32,
    /// Rate in bits per second.
    pub rate: u64,
}

/// Kind of flow that a demand becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demands {
    /// UDP at the rate of the demand.
    Udp {
        /// `true` if the flow is simulated as packets.
        packets: bool,
    },
    /// TCP sessions, as many as the rate needs at `session` bits per second each; at least one.
    Tcp {
        /// Bits per second of a session, above 0.
        session: u64,
        /// `true` if the sessions are simulated as packets.
        packets: bool,
    },
}

impl Demands {
    /// Returns the flow of a demand, from the beginning to the end of the simulation.
    #[must_use]
    pub fn flow(self, demand: Demand) -> Flow {
        let Demand { from, to, rate } = demand;
        let kind = match self {
            Self::Udp { packets } => Kind::Udp { rate, packets },
            Self::Tcp { session, packets } => {
                let sessions = u32::try_from((rate + session / 2) / session.max(1)).unwrap_or(u32::MAX).max(1);
                if packets {
                    Kind::Tcp { fluid: 0, packets: sessions }
                } else {
                    Kind::Tcp { fluid: sessions, packets: 0 }
                }
            }
        };
        Flow { from, to, kind, start: 0, stop: NEVER }
    }

    /// Adds the flows of demands; demands of 0 are skipped.
    pub fn add_to(self, flows: &mut Flows, demands: &[Demand]) {
        for &demand in demands.iter().filter(|demand| demand.rate > 0) {
            flows.add(self.flow(demand));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_become_flows() {
        let demand = Demand { from: 1, to: 2, rate: 24_000_000 };
        let kind = |demands: Demands| demands.flow(demand).kind;
        assert_eq!(kind(Demands::Udp { packets: true }), Kind::Udp { rate: 24_000_000, packets: true });
        assert_eq!(kind(Demands::Tcp { session: 10_000_000, packets: false }), Kind::Tcp { fluid: 2, packets: 0 });
        assert_eq!(kind(Demands::Tcp { session: 1 << 40, packets: true }), Kind::Tcp { fluid: 0, packets: 1 });
        let mut flows = Flows::new();
        Demands::Udp { packets: false }.add_to(&mut flows, &[demand, Demand { rate: 0, ..demand }]);
        assert_eq!(flows.all().len(), 1);
    }
}
