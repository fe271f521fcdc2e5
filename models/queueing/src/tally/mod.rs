//! Tallies of single visits and of numbers of tokens that a run makes while it goes on, beside the sums of its nodes.
//!
//! A [`Tally`] covers a span of one replication, such as a batch. It holds counts and integer times, so it does not
//! depend on the order of events. A [`RunTally`] combines the tallies of all samples, and has their intervals. Engines
//! that go event by event gather while they run; the runs of others are [replayed](fn@crate::trace::replay).
//!
//! | file | contents |
//! | --- | --- |
//! | `wanted` | what a user can ask for |
//! | `visits` | times of visits to each station: shares that wait, and quantiles |
//! | `passages` | times from source to exit |
//! | `numbers` | time with each number of tokens, at each station and in the whole network |
//! | `pools` | load of each pool of servers |
//! | `population` | number of tokens in the whole network, for engines |
//! | `run` | sums over the samples of a run |
//! | `span` | counts of one span |

mod numbers;
mod passages;
mod pools;
mod population;
mod run;
mod span;
mod visits;
mod wanted;

pub use numbers::{Census, Distribution, NumberShare, Numbers, TimeByNumber, Tokens};
pub use passages::Passage;
pub use pools::{PoolLoad, PoolTimes};
pub(crate) use population::Population;
pub use run::RunTally;
pub use span::{Tally, Waits};
pub use visits::{Beyond, TimesAtNode, WaitCounts};
pub use wanted::{Threshold, TooManyRows, Wanted};

#[cfg(test)]
mod tests;
