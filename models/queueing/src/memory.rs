//! Estimates of the host memory of a run, before it begins.

use crate::analysis::{Look, Plan, Sample};

/// Bytes of a node of a large network that is only observed at the end: network, engine, outcome and findings.
/// Measured: 460 to 540 bytes on tori of 2^20 and 2^22 nodes.
const BYTES_OF_NODE: u64 = 500;

/// Further bytes of a node that is observed on the way, or that the general engine simulates. Measured: 690 bytes.
const BYTES_OF_OBSERVED: u64 = 700;

/// Bytes of a replication in the findings besides its observations.
const BYTES_OF_REPLICATION: u64 = 512;

/// Returns the approximate bytes of host memory that a run of a network with `nodes` nodes needs. With `observed`, it
/// is observed on the way or not simple.
#[must_use]
pub const fn of_nodes(nodes: u64, observed: bool) -> u64 {
    nodes.saturating_mul(if observed { BYTES_OF_NODE + BYTES_OF_OBSERVED } else { BYTES_OF_NODE })
}

/// Returns the approximate bytes that the findings of some replications need, each of `horizon` ticks.
#[must_use]
pub fn of_replications(plan: &Plan, horizon: u64, replications: u64) -> u64 {
    let looks = (plan.most_cells(horizon) + 1).saturating_mul(size_of::<Look>() as u64);
    let samples = u64::from(plan.batches.unwrap_or(1)).saturating_mul(size_of::<Sample>() as u64);
    replications.saturating_mul(looks.saturating_add(samples).saturating_add(BYTES_OF_REPLICATION))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_with_what_is_kept() {
        assert_eq!((of_nodes(10, false), of_nodes(10, true), of_nodes(u64::MAX, true)), (5_000, 12_000, u64::MAX));
        let batches = Plan { batches: Some(10_000), ..Plan::default() };
        let [some, many] = [1, 1_000_000].map(|replications| of_replications(&batches, 1 << 40, replications));
        assert!(some > 10_000 * 2 * 100 && many == 1_000_000 * some);
        assert!(of_replications(&Plan::default(), 1 << 40, 1_000_000) < 2_000_000_000);
    }
}
