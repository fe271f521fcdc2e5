//! Distribution of the delays of delivered packets.

use crate::network::Network;
use imminent_common::output::Sketch;
use imminent_common::output::sketch::{bounds, bucket};

/// Returns the number of buckets that hold all delays of a network: none is longer than the simulation.
pub(crate) fn buckets(network: &Network) -> usize {
    bucket(network.end) + 1
}

/// Returns the sketch of delays in µs that were counted by bucket. The extremes are bounds of buckets.
pub(crate) fn sketch<T: Copy + Into<u64>>(counts: &[T]) -> Sketch {
    let counts: Vec<u64> = counts.iter().map(|count| (*count).into()).collect();
    let filled = |count: &u64| *count > 0;
    match (counts.iter().position(filled), counts.iter().rposition(filled)) {
        (Some(first), Some(last)) => Sketch::from_counts(&counts, (bounds(first).0, bounds(last).1)),
        _ => Sketch::default(),
    }
}
