//! Kernels that the cases launch.
//!
//! Operations of one type, and statements of one kind, share a kernel, from which a launch selects one. A device then
//! compiles only tens of kernels, and a failure still names the operation.
#![allow(unreachable_pub, missing_docs)]
// Unidiomatic code in a kernel is the subject of its case.
#![allow(
    clippy::manual_range_patterns,
    clippy::manual_swap,
    clippy::match_overlapping_arm,
    clippy::mut_range_bound,
    clippy::needless_late_init,
    clippy::needless_return,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::never_loop,
    clippy::reversed_empty_ranges,
    clippy::unnecessary_cast,
    clippy::unusual_byte_groupings,
    unreachable_code
)]

pub mod algebra;
pub mod bundles;
pub mod casts;
pub mod control;
pub mod faults;
pub mod fixed_point;
pub mod floats;
pub mod grids;
pub mod groups;
pub mod histories;
pub mod integers;
pub mod language;
pub mod lists;
pub mod long_loops;
pub mod memory;
pub mod messages;
pub mod packed;
pub mod primitives;
pub mod programs;
pub mod random;
pub mod ranges;
pub mod reductions;
pub mod structures;
pub mod tables;
pub mod tallies;
