//! Open networks of product form.

use super::load::leaving;
use super::objection::{Objection, objection};
use super::{Load, TheoryError, mmc};
use crate::measures::Measures;
use crate::network::Network;

/// Computes the exact steady state of every node of an open network of product form, by Jackson's theorem. Each station
/// behaves as an M/M/c queue with the rate of the traffic equations, independently of the others. `None` for sources.
///
/// The theorem requires Poisson sources, that all tokens can leave, and stations that meet the conditions of
/// [`closed_product_form`](super::closed_product_form). Each token at a node then has a class with the probability of
/// that class among the arrivals, independently of other tokens. Mean waiting and mean sojourn are therefore equal for
/// all classes at a node. (Their laws depend on the discipline.)
///
/// # Errors
/// [`TheoryError::NoProductForm`] with the [`Objection`] if the theorem does not apply, [`TheoryError::Unstable`] if a
/// line grows without limit, and the errors of [`Load::of`].
pub fn jackson(network: &Network) -> Result<Vec<Option<Measures>>, TheoryError> {
    for node in 0..network.len() as u32 {
        if let Some(reason) = objection(network, node) {
            return Err(TheoryError::NoProductForm { label: network.label(node), reason });
        }
    }
    let load = Load::of(network)?;
    if let Some((node, class)) = stays(network) {
        let reason = Objection::Stays { class: network.class_name(class) };
        return Err(TheoryError::NoProductForm { label: network.label(node), reason });
    }
    (0..network.len() as u32)
        .map(|node| {
            let Some(station) = network.station(node) else { return Ok(None) };
            let mean = mean(network, node).unwrap_or(0.0);
            let rate = load.total_rate(node);
            if rate == 0.0 {
                return Err(TheoryError::NoProductForm { label: network.label(node), reason: Objection::NoSource });
            }
            let measures = mmc(rate, mean, station.servers);
            measures
                .map(Some)
                .ok_or_else(|| TheoryError::Unstable { label: network.label(node), load: load.offered(node) })
        })
        .collect()
}

/// Returns a node and class that tokens reach, but from which no path leads out.
fn stays(network: &Network) -> Option<(u32, u32)> {
    let leaves = leaving(network);
    let pairs =
        (0..network.len() as u32).flat_map(|node| (0..network.classes() as u32).map(move |class| (node, class)));
    pairs
        .zip(leaves)
        .find(|&((node, class), leaves)| !leaves && network.service(node, class).is_some())
        .map(|(pair, _)| pair)
}

pub(super) fn mean(network: &Network, node: u32) -> Option<f64> {
    let law = (0..network.classes() as u32).find_map(|class| network.service(node, class))?;
    Some(network.laws().get(law as usize)?.mean())
}
