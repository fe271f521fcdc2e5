//! Demands: how much one node wants to send to another.

use super::flow::{Flow, Flows, Kind};
use crate::units::NEVER;
use serde::{Deserialize, Serialize};

/// What one node wants to send to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demand {
    /// The node that sends.
    pub from: u32,
    /// The node that receives.
    pub to: u32,
    /// Bits per second.
    pub rate: u64,
}

/// What a demand becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Demands {
    /// UDP at the rate of the demand.
    Udp {
        /// Whether it is packets.
        packets: bool,
    },
    /// Sessions of TCP, as many as it takes at so many bits per second each; at least one.
    Tcp {
        /// Bits per second of a session, above 0.
        session: u64,
        /// Whether they are packets.
        packets: bool,
    },
}

impl Demands {
    /// The flow of a demand, from the beginning to the end.
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

    /// Adds the flows of demands; those of 0 have none.
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
