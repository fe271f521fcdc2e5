//! Extent of a run.

use serde::{Deserialize, Serialize};

/// Extent of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// Every case, with operands and sizes that take seconds.
    #[default]
    Quick,
    /// Every case, with many more random operands, larger tables and longer simulations.
    Full,
}
