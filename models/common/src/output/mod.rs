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
//! | [`sketch`] | distributions of times: log-linear buckets, quantiles within 0.8 %, exact extremes |
//! | [`quantiles`] | quantiles of a whole run with intervals over its parts |

pub mod batches;
pub mod paired;
pub mod precision;
pub mod quantiles;
#[cfg(test)]
mod series;
pub mod sketch;
pub mod warmup;

pub use batches::{batch_means, independence};
pub use paired::Comparison;
pub use precision::Precision;
pub use quantiles::{Quantile, Sections};
pub use sketch::Sketch;
pub use warmup::{Truncation, mser};
