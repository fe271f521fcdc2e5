//! The kernels that the cases launch.
//!
//! Each operation has a kernel of its own, so that a failure names it and one that a device cannot compile takes no other along.
#![allow(unreachable_pub, missing_docs)]
// What a kernel does clumsily is what its case is about.
#![allow(clippy::manual_swap, clippy::mut_range_bound, clippy::needless_late_init, clippy::neg_cmp_op_on_partial_ord)]

pub mod algebra;
pub mod casts;
pub mod control;
pub mod faults;
pub mod floats;
pub mod groups;
pub mod histories;
pub mod integers;
pub mod long_loops;
pub mod memory;
pub mod primitives;
pub mod programs;
pub mod random;
pub mod reductions;
pub mod structures;
pub mod tables;
pub mod tallies;
