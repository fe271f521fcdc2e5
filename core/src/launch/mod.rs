//! Launches over memory: their arguments, and the cache of those that repeat.
//!
//! A launch is known here by its kernel and by the memory that it uses, without the types of the rows.

mod argument;
mod bound;
mod kept;
mod recent;

pub(crate) use argument::{Bound, Role};
pub(crate) use bound::{BoundLaunch, Fitted};
pub(crate) use kept::{Kept, Key};
pub(crate) use recent::Recent;
