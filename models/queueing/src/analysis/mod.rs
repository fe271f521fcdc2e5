//! From one or many runs of a network to estimates: what is looked at when, what is deleted, and what is averaged.
//!
//! A run is a sequence of *looks*: at certain times the engine says what every node has done so far ([`Watch`]). What lies between two
//! looks is a *cell*. Once the run is over, the cells of the warm-up are deleted and the rest is cut into batches
//! ([`Record::cut_after`]); each batch, or each replication where there are none, is a [`Sample`], and samples are what intervals are
//! made from. All this is integers until the last step, so that every exact engine has the same estimates, to the bit.
//!
//! | file | what to know |
//! | --- | --- |
//! | `plan` | what a user can ask for, and what is impossible |
//! | `watch` | when a run is looked at, and when it may end |
//! | `record` | what was seen, and how it is cut into samples |
//! | `sample` | from sums over a span of time to measures and estimates |
//! | `findings` | what all replications add up to |
//! | `gathering` | the same while they end, and where MSER-5 cuts them |
//! | `classes` | the same for each class of tokens |
//! | `warning` | what a reader of the results should know |

mod classes;
mod findings;
mod gathering;
mod plan;
mod record;
mod sample;
mod warning;
mod watch;

pub use classes::ClassFindings;
pub use findings::{Findings, Replication};
pub(crate) use gathering::Gathering;
pub use gathering::NotSettled;
pub use plan::{Ending, Plan, PlanError, WarmUp};
pub use record::{Cut, Look, Record};
pub use sample::{NodeSums, Sample};
pub use warning::Warning;
pub use watch::Watch;

#[cfg(test)]
mod class_tests;
#[cfg(test)]
mod tests;
