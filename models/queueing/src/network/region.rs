//! Regions: several nodes with one capacity.

use super::Overflow;

/// Nodes that together have room for a limited number of tokens.
///
/// A token that comes from outside of the region finds room, or is lost; or it waits outside until a token leaves the
/// region. The first that has room then enters: tokens of a class without room let those of others pass. Tokens that
/// wait outside are at none of the nodes. A token counts for the class as which it entered until it leaves the region.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Region {
    /// Nodes of the region.
    pub nodes: Vec<u32>,
    /// Largest number of tokens at the nodes together, at least 1; [`Region::UNLIMITED`] for no limit.
    pub capacity: u32,
    /// Classes with the largest number of their tokens at the nodes, at least 1.
    pub classes: Vec<(u32, u32)>,
    /// Treatment of a token that finds no room: it is lost, or waits ([`Overflow::Block`]).
    pub overflow: Overflow,
}

impl Region {
    /// Capacity of a region that limits single classes alone.
    pub const UNLIMITED: u32 = u32::MAX;

    /// Returns the largest number of tokens of a class.
    #[must_use]
    pub fn of_class(&self, class: u32) -> u32 {
        let own = self.classes.iter().find(|(of, _)| *of == class).map_or(Self::UNLIMITED, |(_, limit)| *limit);
        own.min(self.capacity)
    }

    /// Returns the largest number of tokens of all of some classes.
    pub(super) fn room(&self, classes: u32) -> u32 {
        (0..classes).map(|class| self.of_class(class)).fold(0, u32::saturating_add).min(self.capacity)
    }
}
