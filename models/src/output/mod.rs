//! Output analysis: from the numbers that a simulation leaves to statements about the system it stands for.
//!
//! Nothing here knows a model. A model gives series of observations, one value for each replication, or counts; this module
//! says what may be concluded from them.
//!
//! | module | what to know |
//! | --- | --- |
//! | [`crate::estimate`] | independent values: the mean and Student's interval |
//! | [`warmup`] | how much of a series' beginning to delete: MSER |
//! | [`batches`] | one long series: batch means, and a test of whether the batches are long enough |
//! | [`precision`] | when to stop: a relative error with a stated confidence |
//! | [`paired`] | two configurations on common random numbers |
//! | [`histogram`] | log-linear histograms of times, and their quantiles |

pub mod batches;
pub mod histogram;
pub mod paired;
pub mod precision;
#[cfg(test)]
mod series;
pub mod warmup;

pub use batches::{batch_means, independence};
pub use histogram::Histogram;
pub use paired::Comparison;
pub use precision::Precision;
pub use warmup::{Truncation, mser};
