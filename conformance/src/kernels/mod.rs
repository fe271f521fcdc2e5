//! The kernels that the cases launch.
//!
//! Each operation has a kernel of its own, so that a failure names it and one that a device cannot compile takes no other along.
#![allow(unreachable_pub, missing_docs)]
// What a kernel does clumsily is what its case is about.
#![allow(clippy::manual_swap, clippy::mut_range_bound, clippy::needless_late_init, clippy::neg_cmp_op_on_partial_ord)]

pub(crate) mod algebra;
pub(crate) mod casts;
pub(crate) mod control;
pub(crate) mod faults;
pub(crate) mod floats;
pub(crate) mod groups;
pub(crate) mod histories;
pub(crate) mod integers;
pub(crate) mod long_loops;
pub(crate) mod memory;
pub(crate) mod primitives;
pub(crate) mod programs;
pub(crate) mod random;
pub(crate) mod reductions;
pub(crate) mod structures;
pub(crate) mod tables;
pub(crate) mod tallies;
