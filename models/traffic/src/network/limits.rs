//! Limits of networks.

/// Largest number of nodes, links or flows: their numbers fit into 32 bits, with one spare value as a mark.
pub const MAX_COUNT: usize = (u32::MAX - 1) as usize;

/// Checks that a loss probability is in range.
pub(crate) fn is_share(loss: f64) -> bool {
    (0.0..1.0).contains(&loss)
}
