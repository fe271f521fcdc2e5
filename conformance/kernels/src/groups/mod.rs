//! Kernels that run in groups, and kernels for subsets.

pub mod faults;
pub mod own_rows;
pub mod phases;
pub mod reductions;
pub mod scratch;
pub mod subsets;
pub mod tiles;
pub mod votes;
