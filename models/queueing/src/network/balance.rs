//! Balance of the flow in a network of equally busy servers.

use super::Network;
use super::column::Column;
use super::lists::common_length;

impl Network {
    /// Returns `true` if the uniform law over all placements of the tokens is stationary; for [simple](Self::simple)
    /// networks.
    ///
    /// This holds exactly if the flow balances when every node is equally busy. At each node, the arrivals from nodes
    /// that send at the rates of their servers must equal the rate of its own server. It holds for a torus with equal
    /// means, and for few networks that were not designed for it. The comparison has a tolerance of one part in 10^9.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        self.unbalanced_node().is_none()
    }

    /// Returns the first node at which the flow of [`is_balanced`](Self::is_balanced) does not balance; the first node
    /// of a network that is not simple.
    pub(crate) fn unbalanced_node(&self) -> Option<u32> {
        let Some(simple) = self.simple() else { return Some(0) };
        if matches!(self.service, Column::All(_))
            && common_length(&self.routes.start).is_some()
            && common_length(&self.routes.start) == common_length(&self.in_start)
        {
            // Each node has `d` routes and `d` in-neighbours. The number of these pairs equals the number of routes, so
            // `d` routes lead to each node.
            return None;
        }
        let mut inflow = vec![0.0_f64; self.len()];
        for node in 0..self.len() as u32 {
            let targets = simple.out_edges(node);
            let share = 1.0 / (f64::from(simple.mean_service(node)) * targets.len() as f64);
            for &to in targets {
                if let Some(flow) = inflow.get_mut(to as usize) {
                    *flow += share;
                }
            }
        }
        (0..)
            .zip(&inflow)
            .find(|&(node, flow)| (flow * f64::from(simple.mean_service(node)) - 1.0).abs() > 1e-9)
            .map(|(node, _)| node)
    }
}
