//! Regions: several nodes with one capacity.

use super::Overflow;

/// Nodes that together have room for a limited number of tokens.
///
/// A token that comes from outside of the region finds room, or is lost; or it waits outside until a token leaves the
/// region, first come, first served. Tokens that wait outside are at none of the nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Nodes of the region.
    pub nodes: Vec<u32>,
    /// Largest number of tokens at the nodes together, at least 1.
    pub capacity: u32,
    /// Treatment of a token that finds no room: it is lost, or waits ([`Overflow::Block`]).
    pub overflow: Overflow,
}
