//! Open networks of product form.

use super::load::leaving;
use super::objection::{Objection, is_symmetric, objection};
use super::{Load, TheoryError, mmc};
use crate::measures::Measures;
use crate::network::{Network, Station};

/// Computes the exact steady state of every node of an open network of product form, by Jackson's theorem. Each station
/// behaves as an M/M/c queue with the rate of the traffic equations, independently of the others. `None` for sources. A
/// delay has the mean number of its services, and no utilization; where servers are shared or taken by arrivals, M/M/c
/// has the mean service of all classes, and there is no waiting time.
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
            let rate = load.total_rate(node);
            let mean = work(network, &load, node) / rate;
            if rate == 0.0 {
                return Err(TheoryError::NoProductForm { label: network.label(node), reason: Objection::NoSource });
            }
            if station.servers == Station::INFINITE {
                return Ok(Some(delay(rate, mean)));
            }
            let measures = mmc(rate, mean, station.servers);
            let waits = !is_symmetric(station);
            measures
                .map(|of| Some(Measures { waiting: of.waiting.filter(|_| waits), ..of }))
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

/// Returns the work that comes to a node per time unit, of all classes.
fn work(network: &Network, load: &Load, node: u32) -> f64 {
    let law = |class| network.laws().get(network.service(node, class)? as usize);
    let of_class = |class| Some(load.arrival_rate(node, class) * law(class)?.mean());
    (0..network.classes() as u32).filter_map(of_class).sum()
}

/// Returns the measures of a delay, where nobody waits.
fn delay(rate: f64, mean: f64) -> Measures {
    Measures {
        utilization: 0.0,
        throughput: rate,
        queue_length: 0.0,
        number_in_system: rate * mean,
        waiting: None,
        sojourn: Some(mean),
        waiting_by_little: None,
        sojourn_by_little: Some(mean),
    }
}
