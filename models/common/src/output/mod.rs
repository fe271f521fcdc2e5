//! Output analysis: from the results of simulations to statements about the simulated system.
//!
//! This module is independent of models. A model provides series of observations, one value for each replication, or
//! counts. The functions here compute the conclusions that they support.
//!
//! | module | contents |
//! | --- | --- |
//! | [`crate::estimate`] | independent values: the mean and Student's interval |
//! | [`warmup`] | length of the warm-up to delete from a series: MSER |
//! | [`batches`] | one long series: batch means, and a test that the batches are long enough |
//! | [`precision`] | stopping rule: a relative error with a stated confidence |
//! | [`paired`] | two configurations on common random numbers |
//! | [`selection`] | the cheapest of several alternatives that meets limits, with a stated probability |
//! | [`sketch`] | distributions of times: log-linear buckets, quantiles within 0.8 %, exact extremes |
//! | [`quantiles`] | quantiles of a whole run with intervals over its parts |

pub mod batches;
pub mod paired;
pub mod precision;
pub mod quantiles;
pub mod selection;
#[cfg(test)]
mod series;
pub mod sketch;
pub mod warmup;

pub use batches::{batch_means, independence};
pub use paired::Comparison;
pub use precision::Precision;
pub use quantiles::{Quantile, Sections};
pub use selection::Selection;
pub use sketch::Sketch;
pub use warmup::{Truncation, mser};
