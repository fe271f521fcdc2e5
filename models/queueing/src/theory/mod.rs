//! Steady state of networks by queueing theory.
//!
//! Closed networks are analysed in two independent ways. The [closed form](symmetric) is for networks of identical
//! nodes, such as the torus, and [mean value analysis](mean_value_analysis) for any other. Simulations are tested
//! against both.

mod chains;
mod closed;
mod jackson;
mod known;
mod load;
mod objection;
mod station;
mod traffic;

pub use closed::closed_product_form;
pub use jackson::jackson;
pub use known::known;
pub use load::Load;
pub use objection::Objection;
pub use station::{Lossy, Stream, erlang_b, erlang_c, mg1, mmc, mmck, priority_mg1};
pub use traffic::{MAX_TRAFFIC_NODES, TheoryError, visit_ratios};

use crate::measures::Measures;
use crate::network::Network;

/// Computes the product form of `nodes` equally loaded nodes that share `tokens` tokens, with mean service `mean` time
/// units.
///
/// All placements of the tokens are equally likely. A given node has a token in `tokens / (nodes + tokens - 1)` of
/// them, which is its utilization. By the arrival theorem a token finds the mean number of a network with `tokens - 1`
/// tokens, so its sojourn is `mean * (nodes + tokens - 1) / nodes`. Without tokens everything is zero, and there is no
/// sojourn.
#[must_use]
pub fn symmetric(nodes: u64, tokens: u64, mean: f64) -> Measures {
    let (nodes, tokens) = (nodes as f64, tokens as f64);
    let any = tokens > 0.0;
    let utilization = if any { tokens / (nodes + tokens - 1.0) } else { 0.0 };
    let number_in_system = tokens / nodes;
    let sojourn = mean * (nodes + tokens - 1.0) / nodes;
    Measures {
        utilization,
        throughput: utilization / mean,
        queue_length: number_in_system - utilization,
        number_in_system,
        waiting: any.then_some(sojourn - mean),
        sojourn: any.then_some(sojourn),
        waiting_by_little: any.then_some(sojourn - mean),
        sojourn_by_little: any.then_some(sojourn),
    }
}

/// Largest number of steps, nodes times tokens, of [`mean_value_analysis`]: 2^34, about half a minute.
pub const MAX_ANALYSIS_STEPS: u64 = 1 << 34;

/// Computes the exact steady state of every node of a closed network, by mean value analysis (Reiser and Lavenberg).
///
/// Tokens are added one by one: an arriving token finds the network with one token less. This takes `tokens * nodes`
/// steps after the visit ratios have been found.
///
/// # Errors
/// [`TheoryError`] if the network is not strongly connected, is too large to solve for the visit ratios, or takes more
/// than [`MAX_ANALYSIS_STEPS`].
pub fn mean_value_analysis(network: &Network) -> Result<Vec<Measures>, TheoryError> {
    let steps = network.len() as u64 * network.total_tokens();
    if steps > MAX_ANALYSIS_STEPS {
        return Err(TheoryError::TooManySteps { steps, limit: MAX_ANALYSIS_STEPS });
    }
    let visits = visit_ratios(network)?;
    let per_unit = network.tick().per_unit();
    let means: Vec<f64> = (0..network.len() as u32).map(|node| network.mean_ticks(node) / per_unit).collect();
    let mut number = vec![0.0; means.len()];
    let mut sojourn = means.clone();
    let mut cycles = 0.0;
    for tokens in 1..=network.total_tokens() {
        for ((sojourn, mean), number) in sojourn.iter_mut().zip(&means).zip(&number) {
            *sojourn = mean * (1.0 + number);
        }
        let cycle: f64 = visits.iter().zip(&sojourn).map(|(visits, sojourn)| visits * sojourn).sum();
        cycles = tokens as f64 / cycle;
        for ((number, visits), sojourn) in number.iter_mut().zip(&visits).zip(&sojourn) {
            *number = cycles * visits * sojourn;
        }
    }
    let any = network.total_tokens() > 0;
    let of_node = |(((&visits, &mean), &number), &sojourn): (((&f64, &f64), &f64), &f64)| {
        let throughput = cycles * visits;
        let utilization = throughput * mean;
        Measures {
            utilization,
            throughput,
            queue_length: number - utilization,
            number_in_system: number,
            waiting: any.then_some(sojourn - mean),
            sojourn: any.then_some(sojourn),
            waiting_by_little: any.then_some(sojourn - mean),
            sojourn_by_little: any.then_some(sojourn),
        }
    };
    Ok(visits.iter().zip(&means).zip(&number).zip(&sojourn).map(of_node).collect())
}

#[cfg(test)]
mod open_tests;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::network::Node;
    use imminent_common::time::TICKS_PER_UNIT;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * (1.0 + a.abs())
    }

    #[test]
    fn the_papers_torus_has_the_values_of_the_closed_form() {
        let measures = symmetric(1024, 1024, 10.0);
        assert!((measures.utilization - 0.50024).abs() < 5e-6);
        assert!((measures.sojourn.unwrap() - 19.9902).abs() < 5e-5);
    }

    #[test]
    fn both_ways_agree_on_a_torus() {
        for (width, height, tokens) in [(1, 1, 3), (3, 1, 2), (4, 5, 1), (2, 3, 7), (2, 2, 0)] {
            let torus = Network::torus(width, height, 10 * TICKS_PER_UNIT as u32, tokens).unwrap();
            let expected = symmetric(torus.len() as u64, torus.total_tokens(), 10.0);
            for node in mean_value_analysis(&torus).unwrap() {
                for ((name, a), (_, b)) in node.named().into_iter().zip(expected.named()) {
                    assert_eq!(a.is_some(), b.is_some());
                    assert!(close(a.unwrap_or(0.0), b.unwrap_or(0.0)), "{name}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn an_endless_analysis_is_refused() {
        let torus = Network::torus(64, 2, 1, 1 << 21).unwrap();
        assert!(matches!(mean_value_analysis(&torus), Err(TheoryError::TooManySteps { .. })));
    }

    #[test]
    fn two_unlike_servers_have_the_values_found_by_hand() {
        // Two tokens on a ring of two nodes, services 1 and 2: the states (2,0), (1,1), (0,2) weigh 1, 2, 4.
        let node = |mean, tokens| Node { label: None, mean_service: mean * TICKS_PER_UNIT as u32, tokens };
        let ring = Network::from_edges(vec![node(1, 2), node(2, 0)], &[(0, 1), (1, 0)]).unwrap();
        let nodes = mean_value_analysis(&ring).unwrap();
        assert!(close(nodes[0].utilization, 3.0 / 7.0));
        assert!(close(nodes[1].utilization, 6.0 / 7.0));
        assert!(close(nodes[0].number_in_system, 4.0 / 7.0));
        assert!(close(nodes[0].throughput, nodes[1].throughput));
    }
}
