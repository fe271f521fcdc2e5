//! Traffic matrices: how much is sent from each node to each other.

use super::flow::{Flow, Flows, Kind};
use super::{FlowError, Network};
use crate::traffic::units::{FASTEST, NEVER};
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

/// The gravity model: `total` bits per second spread over all pairs of different nodes in proportion to the product of their masses.
///
/// The mass of a node is the bandwidth of the links that leave it, so that large places send and receive more. Rates are whole, so the sum is within half a bit per
/// second and pair of the total.
///
/// # Errors
/// [`FlowError::Kind`] for a total that is 0 or beyond what can be counted, and for a network in which no two nodes have links.
pub fn gravity(network: &Network, total: f64) -> Result<Vec<Demand>, FlowError> {
    let wrong = |problem: String| Err(FlowError::Kind { flow: "of the gravity model".to_owned(), problem });
    if !(total >= 1.0 && total <= FASTEST as f64 * 1e6) {
        return wrong(format!("a total of {total} bit/s is not possible: give 1 to {}", FASTEST as f64 * 1e6));
    }
    let bandwidth = |link: &u32| network.link(*link).map_or(0, |link| link.bandwidth);
    let mass = |node| network.out_links(node).iter().map(|link| bandwidth(link) as f64).sum::<f64>();
    let masses: Vec<f64> = (0..network.nodes() as u32).map(mass).collect();
    let (sum, squares) = masses.iter().fold((0.0, 0.0), |(sum, squares), mass| (sum + mass, squares + mass * mass));
    let products = sum * sum - squares;
    let heavy = masses.iter().filter(|mass| **mass > 0.0).count();
    if heavy < 2 {
        return wrong("it needs two nodes with links that leave them: add links".to_owned());
    }
    if heavy > 20_000 {
        return wrong(format!("{heavy} nodes are too many for a demand between each two: 20000 are possible"));
    }
    let mut demands = vec![];
    for (from, sent) in (0..).zip(&masses).filter(|(_, mass)| **mass > 0.0) {
        for (to, received) in (0..).zip(&masses).filter(|(to, mass)| **mass > 0.0 && *to != from) {
            let rate = (total * sent * received / products).round() as u64;
            demands.push(Demand { from, to, rate });
        }
    }
    Ok(demands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::network::validation;

    #[test]
    fn gravity_spreads_the_total_by_the_product_of_masses() {
        let network = validation::network().unwrap();
        let demands = gravity(&network, 1e9).unwrap();
        assert_eq!(demands.len(), 12 * 11);
        let rate = |from, to| demands.iter().find(|demand| (demand.from, demand.to) == (from, to)).unwrap().rate;
        // Nodes 4 and 7 have four links, 0 and 1 have one.
        let ratio = rate(4, 7) as f64 / rate(0, 1) as f64;
        assert!((ratio - 16.0).abs() < 1e-4, "{ratio}");
        assert_eq!(rate(4, 0), rate(0, 4));
        let total: u64 = demands.iter().map(|demand| demand.rate).sum();
        assert!(total.abs_diff(1_000_000_000) <= 66);
    }

    #[test]
    fn totals_and_networks_that_make_no_demands_are_told() {
        let network = validation::network().unwrap();
        for total in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(gravity(&network, total).unwrap_err().to_string().contains("is not possible: give 1 to"));
        }
        let mut lonely = crate::traffic::network::Builder::new();
        lonely.node("a");
        lonely.node("b");
        let error = gravity(&lonely.build().unwrap(), 1.0).unwrap_err().to_string();
        assert_eq!(error, "flow of the gravity model: it needs two nodes with links that leave them: add links");
    }

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
