//! Entry points: the function that a launch starts, which calls the kernel's body for its rows.
//!
//! | file | contents |
//! | --- | --- |
//! | `words` | the trait by which the walker asks a dialect for the words of entry points |
//! | `slots` | the names of results |
//! | `faults`, `groups`, `tree` | the report of faults, the rows of a workgroup, the reduction of their results |
//! | `rows`, `grouped`, `levels` | the entry points of kernels that run row by row or in groups, and of higher levels of a reduction |

mod faults;
pub(crate) mod grouped;
mod groups;
pub(crate) mod levels;
pub(crate) mod rows;
mod slots;
mod tree;
mod words;

pub(crate) use slots::slots;
pub(crate) use words::{Entry, Interface, Warp};
