//! Traffic equations: relative numbers of visits of a token to nodes.

use super::objection::Objection;
use crate::network::Network;
use thiserror::Error;

/// Largest number of nodes for which [`visit_ratios`] solves the equations, by a dense elimination.
pub const MAX_TRAFFIC_NODES: usize = 2048;

/// Reasons why theory has no result for a network.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TheoryError {
    /// Some nodes cannot be reached from some others.
    #[error("node '{to}' cannot be reached from node '{from}': the steady state depends on where the tokens start")]
    NotStronglyConnected {
        /// Label or number of a node.
        from: String,
        /// Label or number of a node that cannot be reached from it.
        to: String,
    },
    /// A closed network is not one of single exponential servers and one class.
    #[error(
        "this analysis takes only closed networks of one class and single exponential servers: use `closed_product_form` for others"
    )]
    NotSimple,
    /// Tokens come from a source and can never leave.
    #[error(
        "tokens of class '{class}' come to node '{label}' from a source and can never leave: there is no steady state"
    )]
    NeverLeaves {
        /// Label or number of a node.
        label: String,
        /// Name of the class.
        class: String,
    },
    /// A network is not known to have a product form, or the analysis does not cover it.
    #[error("the network has no product form: at node '{label}', {reason}")]
    NoProductForm {
        /// Label or number of a node.
        label: String,
        /// Violated condition.
        reason: Objection,
    },
    /// The network is offered more work than it can do.
    #[error(
        "node '{label}' is offered {load} times what its servers can do, so there is no steady state: add servers, or lower the load"
    )]
    Unstable {
        /// Label or number of a node.
        label: String,
        /// Offered load: work per time unit, divided by the number of servers.
        load: f64,
    },
    /// The dense elimination would take too long.
    #[error(
        "the network has {nodes} nodes, more than the {limit} for which the traffic equations are solved: simulate it instead"
    )]
    TooLarge {
        /// Number of nodes of the network.
        nodes: usize,
        /// Largest number of nodes.
        limit: usize,
    },
    /// The analysis would take too long.
    #[error("the analysis takes {steps} steps, more than the limit of {limit}: simulate the network instead")]
    TooManySteps {
        /// Number of steps: nodes times tokens for mean value analysis, routes times sweeps for traffic equations.
        steps: u64,
        /// Largest number of steps.
        limit: u64,
    },
}

/// Solves the traffic equations: relative numbers of visits of a token to the nodes, adding up to 1.
///
/// Uses the elimination of Grassmann, Taksar and Heyman, which has no subtractions and therefore no cancellation. It is
/// cubic in the number of nodes.
///
/// # Errors
/// [`TheoryError::NotStronglyConnected`] if the solution is not unique, [`TheoryError::TooLarge`] beyond
/// [`MAX_TRAFFIC_NODES`].
pub fn visit_ratios(network: &Network) -> Result<Vec<f64>, TheoryError> {
    if network.simple().is_none() {
        return Err(TheoryError::NotSimple);
    }
    let count = network.len();
    if count > MAX_TRAFFIC_NODES {
        return Err(TheoryError::TooLarge { nodes: count, limit: MAX_TRAFFIC_NODES });
    }
    check_connected(network)?;
    Ok(stationary(routing_matrix(network)))
}

/// Returns the stationary law of an irreducible Markov chain, by the elimination of Grassmann, Taksar and Heyman.
pub(super) fn stationary(mut routing: Vec<Vec<f64>>) -> Vec<f64> {
    let count = routing.len();
    // Removes the last node again and again, redirecting the paths through it.
    for last in (1..count).rev() {
        let (rest, gone) = routing.split_at_mut(last);
        let Some(gone) = gone.first() else { continue };
        let leaving: f64 = gone.iter().take(last).sum();
        for row in rest {
            let entering = row.get(last).copied().unwrap_or(0.0) / leaving;
            if let Some(entry) = row.get_mut(last) {
                *entry = entering;
            }
            for (value, onward) in row.iter_mut().zip(gone).take(last) {
                *value += entering * onward;
            }
        }
    }
    // Adds the nodes again: the inflow of each, from those before it.
    let mut visits = vec![1.0];
    for node in 1..count {
        let entering =
            visits.iter().zip(&routing).map(|(visits, row)| visits * row.get(node).copied().unwrap_or(0.0)).sum();
        visits.push(entering);
    }
    let sum: f64 = visits.iter().sum();
    visits.iter_mut().for_each(|visits| *visits /= sum);
    visits
}

/// Returns the targets of the routes of the only class.
fn targets(network: &Network, node: u32) -> &[u32] {
    network.simple().map_or(&[], |simple| simple.out_edges(node))
}

fn routing_matrix(network: &Network) -> Vec<Vec<f64>> {
    let row = |node| {
        let targets = targets(network, node);
        let mut row = vec![0.0; network.len()];
        for &to in targets {
            if let Some(entry) = row.get_mut(to as usize) {
                *entry += 1.0 / targets.len() as f64;
            }
        }
        row
    };
    (0..network.len() as u32).map(row).collect()
}

fn check_connected(network: &Network) -> Result<(), TheoryError> {
    if let Some(node) = unreached(network.len(), |node| targets(network, node)) {
        return Err(TheoryError::NotStronglyConnected { from: network.label(0), to: network.label(node) });
    }
    if let Some(node) = unreached(network.len(), |node| network.in_neighbours(node)) {
        return Err(TheoryError::NotStronglyConnected { from: network.label(node), to: network.label(0) });
    }
    Ok(())
}

/// Returns a node to which no path from node 0 leads.
fn unreached<'a>(count: usize, next: impl Fn(u32) -> &'a [u32]) -> Option<u32> {
    let mut seen = vec![false; count];
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        let Some(seen) = seen.get_mut(node as usize) else { continue };
        if !std::mem::replace(seen, true) {
            open.extend_from_slice(next(node));
        }
    }
    seen.iter().position(|seen| !seen).map(|node| node as u32)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::Node;

    fn network(count: usize, edges: &[(u32, u32)]) -> Network {
        Network::from_edges(vec![Node { label: None, mean_service: 1, tokens: 1 }; count], edges).unwrap()
    }

    #[test]
    fn on_an_undirected_graph_visits_go_by_degree() {
        let links = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)];
        let both: Vec<_> = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        let network = network(5, &both);
        for (node, visits) in (0..).zip(visit_ratios(&network).unwrap()) {
            let expected = targets(&network, node).len() as f64 / both.len() as f64;
            assert!((visits - expected).abs() < 1e-12, "node {node}");
        }
    }

    #[test]
    fn visits_solve_the_equations_on_a_directed_graph_with_loops() {
        let network = network(4, &[(0, 0), (0, 1), (0, 1), (1, 2), (1, 0), (2, 3), (3, 0), (3, 2), (3, 3)]);
        let visits = visit_ratios(&network).unwrap();
        let mut inflow = [0.0; 4];
        for node in 0..4_u32 {
            let targets = targets(&network, node);
            for &to in targets {
                inflow[to as usize] += visits[node as usize] / targets.len() as f64;
            }
        }
        for (visits, inflow) in visits.iter().zip(inflow) {
            assert!((visits - inflow).abs() < 1e-12);
        }
        assert!((visits.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_solved_is_said() {
        let trap = network(3, &[(0, 1), (1, 2), (2, 1)]);
        let error = visit_ratios(&trap).unwrap_err();
        assert!(error.to_string().contains("node '0' cannot be reached from node '1'"), "{error}");
        let large = Network::torus(64, 64, 1, 1).unwrap();
        assert!(matches!(visit_ratios(&large), Err(TheoryError::TooLarge { nodes: 4096, .. })));
    }
}
