//! Order of the operations of a queue, and the memory that a failure of them makes invalid.
//!
//! An operation is known by the memory that it reads and writes. Cached launches are the only ones that are put on the
//! queue here.

mod again;
mod failures;
mod in_flight;
mod line;
mod marks;
mod outcomes;
mod state;
mod turns;
mod worker;

pub(crate) use state::QueueState;
pub(crate) use turns::Planned;
