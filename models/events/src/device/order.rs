//! Order of the rows of modules.

/// Order of the rows of modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The simulations one after another, each with its modules side by side.
    InSequence,
    /// Simulations with equally many modules are interleaved, module by module, because modules with the same number
    /// probably behave alike. Among these, simulations that begin with events of the same kinds are neighbours, because
    /// they may stay alike.
    Interleaved,
    /// Likewise, within groups of [`GROUP_ROWS`](imminent_core::backend::GROUP_ROWS), none of which has a part of a
    /// simulation. The rows behind the last simulation of a group belong to no module, and never have an event.
    InGroups {
        /// Number of groups over which simulations are spread before several share one.
        spread: usize,
    },
}

impl Order {
    pub(super) fn is_in_groups(self) -> bool {
        matches!(self, Order::InGroups { .. })
    }
}
