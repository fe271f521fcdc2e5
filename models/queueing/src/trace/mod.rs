//! Single visits of tokens to nodes, and the choice of those that are kept.
//!
//! All exact engines carry out the same services at the same times, so a trace does not depend on the engine. It is
//! made after the run by the oracle ([`sequential::traced`](crate::sequential::traced)). [`fn@replay`] compares digests
//! to make sure that it belongs to the run.

mod classes;
mod replay;
mod reports;
mod times;
mod visit;

pub use replay::{ReplayError, replay, replay_until};
pub use reports::{TimeReport, TimesReport};
pub use times::{RunTimes, Times};
pub use visit::{Sampling, SamplingError, Visit};

#[cfg(test)]
mod tests;
