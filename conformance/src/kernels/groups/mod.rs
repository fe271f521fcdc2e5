//! Kernels that run in groups, and kernels for subsets.

pub(crate) mod faults;
pub(crate) mod own_rows;
pub(crate) mod phases;
pub(crate) mod reductions;
pub(crate) mod scratch;
pub(crate) mod subsets;
pub(crate) mod tiles;
pub(crate) mod votes;
