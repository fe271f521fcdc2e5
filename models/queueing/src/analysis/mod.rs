//! From runs of a network to estimates: observations, deletion of the warm-up, and averages.
//!
//! A run is observed at certain times, its *looks*. At a look the engine reports each node's statistics so far
//! ([`Watch`]). The time between two looks is a *cell*. After the run, the cells of the warm-up are deleted and the
//! rest is cut into batches ([`Record::cut_after`]). Each batch, or each replication without batches, is a [`Sample`];
//! confidence intervals are made from samples. All this is integers until the last step, so every exact engine has the
//! same estimates, to the bit.
//!
//! | file | contents |
//! | --- | --- |
//! | `plan` | what a user can ask for, and the limits |
//! | `watch` | times of observations, and the end of a run |
//! | `record` | observations of a replication, and their cut into samples |
//! | `sample` | from sums over a span of time to measures and estimates |
//! | `findings` | combined results of all replications |
//! | `gathering` | collection of results while replications end, and cuts by MSER-5 |
//! | `mser` | MSER-5: the warm-up from a series of observations |
//! | `periods` | results by period of a run |
//! | `classes` | combined results by class of tokens |
//! | `warning` | warnings about the reliability of results |

mod classes;
mod findings;
mod gathering;
mod mser;
mod periods;
mod plan;
mod record;
mod sample;
mod warning;
mod watch;

pub use classes::ClassFindings;
pub use findings::{Findings, Replication};
pub(crate) use gathering::Gathering;
pub use mser::NotSettled;
pub(crate) use mser::half_of;
pub use periods::{Period, PeriodAtNode, PeriodOfClass, Periods};
pub use plan::{Ending, Plan, PlanError, WarmUp};
pub use record::{Cut, Look, Record};
pub use sample::{NodeSums, Sample};
pub use warning::Warning;
pub use watch::Watch;

#[cfg(test)]
mod class_tests;
#[cfg(test)]
mod tests;
