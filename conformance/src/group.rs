//! Groups of cases.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A group of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Group {
    /// Tables, columns, tallies: allocation, transfer, growth.
    Memory,
    /// Operations of the kernel language at their edge values.
    Kernels,
    /// Kernels that run in groups, tiles, and launches over subsets.
    Groups,
    /// Histories, by which rows read each other's earlier steps: windows, wrap-around, growth, clocks.
    Histories,
    /// Random numbers of the device library.
    RandomNumbers,
    /// Reductions, scans, selections, sorts and moves of columns.
    Primitives,
    /// Recorded programs and their loops.
    Programs,
    /// Faults, poisoning and recovery.
    Faults,
    /// Several queues, transfers concurrent with the host, programs that were started asynchronously.
    Queues,
    /// Whole models, by the digests of their final states.
    Models,
}

impl Group {
    /// Every group, in the order in which the suite runs them.
    pub const ALL: [Group; 10] = [
        Group::Memory,
        Group::Kernels,
        Group::Groups,
        Group::Histories,
        Group::RandomNumbers,
        Group::Primitives,
        Group::Programs,
        Group::Faults,
        Group::Queues,
        Group::Models,
    ];

    /// Returns the name for display and for filters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Group::Memory => "memory",
            Group::Kernels => "kernels",
            Group::Groups => "groups",
            Group::Histories => "histories",
            Group::RandomNumbers => "random numbers",
            Group::Primitives => "primitives",
            Group::Programs => "programs",
            Group::Faults => "faults",
            Group::Queues => "queues",
            Group::Models => "models",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
