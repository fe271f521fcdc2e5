//! Behaviour of nodes beyond servers, a line and routes by chance.
//!
//! A [`Behaviour`] is given in time units; [`Builder::build`](super::Builder::build) checks it and compiles it to a
//! [`Conduct`] in ticks. Only the [engine of the host](crate::host) carries such behaviour out.

mod check;
mod conduct;
mod replay;
mod replay_check;

pub use check::BehaviourError;
pub(crate) use conduct::{BulkInTicks, Conduct, PollingInTicks, Pool, Timetable, UNIT};
pub(crate) use replay::RowInTicks;
pub use replay::{Replay, Replayed};

use crate::law::Law;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Rest of a service that was interrupted: what it needs when it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Interrupted {
    /// The time that was left.
    #[default]
    Resume,
    /// The whole time once more, the same as before.
    Restart,
    /// A whole time that is drawn anew.
    Resample,
}

/// Number of servers on duty, from some time on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shifts {
    /// Times, in time units from the start of the run, and the number of servers from then on; times rise. Before the
    /// first time there are none.
    pub changes: Vec<(f64, u32)>,
    /// Time after which the shifts begin again; `None` if they do not.
    pub period: Option<f64>,
    /// `true` if a server that goes off duty leaves its token to others; it finishes its service otherwise.
    pub interrupts: bool,
}

/// Breakdowns of servers, each of which works and is repaired in turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Breakdowns {
    /// Law of the time that a server works until it breaks down; it passes whether the server is busy or not.
    pub up: Law,
    /// Law of the time until it works again.
    pub down: Law,
}

/// Patience of waiting tokens: one whose service has not begun by its end leaves the line.
#[derive(Debug, Clone, PartialEq)]
pub struct Impatience {
    /// Class that is impatient; `None` for every class without a patience of its own.
    pub class: Option<u32>,
    /// Law of the time that a token is ready to wait.
    pub patience: Law,
    /// Node to which it goes; `None` leaves the network.
    pub to: Option<u32>,
}

/// Servers that differ from others of their station in what they can do.
#[derive(Debug, Clone, PartialEq)]
pub struct Servers {
    /// Number of servers, at least 1.
    pub servers: u32,
    /// Classes that they serve; all if the list is empty.
    pub classes: Vec<u32>,
    /// Speed of their service; 1 serves by the law.
    pub speed: f64,
    /// Servers on duty; `None` if all are all the time.
    pub shifts: Option<Shifts>,
}

/// Number of parts of a forked token that a node waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// All of them.
    All,
    /// The first so many, at least 1; the others vanish when they come.
    First(u32),
}

/// Service of several tokens at once, which takes the time of one: that of the first token of the batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bulk {
    /// Least number of tokens of a batch, at least 1.
    pub least: u32,
    /// Largest number of tokens of a batch.
    pub most: u32,
    /// Time, in time units, after which a token need not wait for a full batch; `None` for no end.
    pub wait: Option<f64>,
}

/// Rule by which a server that goes from queue to queue leaves one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visits {
    /// Once nobody waits there.
    Exhaustive,
    /// Once all are served that waited there at its coming.
    Gated,
    /// After so many services, at least 1, or when nobody waits there.
    Limited(u32),
}

/// A server that goes from queue to queue: each class of tokens has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Polling {
    /// Classes in the order of visits, which begins again after the last.
    pub order: Vec<u32>,
    /// Rule by which it leaves a queue.
    pub visits: Visits,
    /// Laws of the times in which it comes to the queue of a class; `None` for every class without a law of its own.
    /// With any law it never rests; it stays where it was when nobody waits if the list is empty.
    pub switch: Vec<(Option<u32>, Law)>,
}

/// Markovian arrival process, by the rates of its transitions from phase to phase, per time unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Markovian {
    /// Rates of transitions without an arrival, row by row. The diagonal makes each row add up to 0 with that of the
    /// other matrix.
    pub without: Vec<Vec<f64>>,
    /// Rates of transitions with an arrival.
    pub with: Vec<Vec<f64>>,
}

/// Arrivals of a source that are more than times between single tokens.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Arrivals {
    /// Times, in time units from the start of the run, and the factor of the source's rate from then on; times rise.
    /// Before the first time the factor is 0, and it is 1 all the time if the list is empty.
    pub rates: Vec<(f64, f64)>,
    /// Time after which the rates begin again; `None` if they do not.
    pub period: Option<f64>,
    /// Sizes of batches and their probabilities; single tokens if the list is empty.
    pub batch: Vec<(u32, f64)>,
    /// Markovian arrival process in place of the law.
    pub markovian: Option<Markovian>,
    /// Number of emissions after which the source is silent; `None` for no end.
    pub limit: Option<u64>,
    /// Arrivals of a table in place of the law; its own law gives the mean rate for estimates alone.
    pub replay: Option<Arc<Replay>>,
}

/// Behaviour of a node beyond servers, a line and routes by chance. The default is an ordinary node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Behaviour {
    /// Rest of interrupted services.
    pub interrupted: Interrupted,
    /// Speed of all servers together with 1, 2, ... tokens at the station; the last holds for more. They share it
    /// equally. Speed 1 serves one token by its law. Empty if each server has speed 1.
    pub speeds: Vec<f64>,
    /// Weights of classes in processor sharing, at least 1; classes without one have 1.
    pub weights: Vec<(u32, u32)>,
    /// Servers on duty; `None` if all are all the time.
    pub shifts: Option<Shifts>,
    /// Breakdowns of servers; `None` if they never break down.
    pub breakdowns: Option<Breakdowns>,
    /// Patience of waiting tokens.
    pub impatience: Vec<Impatience>,
    /// Probability that an arriving token joins where 0, 1, ... tokens are; the last holds for more. Empty if all do.
    pub balking: Vec<f64>,
    /// Law of the time after which a token that found no room tries again; `None` if it is lost or blocks.
    pub retry: Option<Law>,
    /// Servers that differ; empty if all are alike. They replace the number of servers of the station.
    pub pools: Vec<Servers>,
    /// Service of several tokens at once; `None` if a server serves one.
    pub bulk: Option<Bulk>,
    /// A server that goes from queue to queue; `None` if there is one line.
    pub polling: Option<Polling>,
    /// Numbers of [resources](super::Resource) that a token takes before its service starts.
    pub seize: Vec<u32>,
    /// Numbers of resources that a token gives back when its service is over.
    pub release: Vec<u32>,
    /// Parts of forked tokens that are joined here; `None` if the node joins none.
    pub join: Option<Join>,
    /// Arrivals of a source.
    pub arrivals: Arrivals,
}

impl Behaviour {
    /// Returns what makes this node more than an ordinary one, in words; `None` for an ordinary one.
    #[must_use]
    pub fn beyond(&self) -> Option<&'static str> {
        let arrivals = &self.arrivals;
        let has = [
            (self.interrupted != Interrupted::Resume, "interrupted services that begin again"),
            (!self.speeds.is_empty(), "speeds that depend on the number of tokens"),
            (!self.weights.is_empty(), "weights of classes"),
            (self.shifts.is_some(), "shifts"),
            (self.breakdowns.is_some(), "breakdowns"),
            (!self.impatience.is_empty(), "impatient tokens"),
            (!self.balking.is_empty(), "tokens that balk"),
            (self.retry.is_some(), "tokens that try again"),
            (!self.pools.is_empty(), "servers that differ"),
            (self.bulk.is_some(), "service in batches"),
            (self.polling.is_some(), "a server that goes from queue to queue"),
            (!self.seize.is_empty() || !self.release.is_empty(), "resources that tokens hold"),
            (self.join.is_some(), "joins"),
            (!arrivals.rates.is_empty(), "rates by time"),
            (!arrivals.batch.is_empty(), "batches of arrivals"),
            (arrivals.markovian.is_some(), "a Markovian arrival process"),
            (arrivals.limit.is_some(), "a limited number of arrivals"),
            (arrivals.replay.is_some(), "arrivals of a table"),
        ];
        has.into_iter().find(|(has, _)| *has).map(|(_, what)| what)
    }

    /// Returns the nodes to which impatient tokens of a class go.
    pub(super) fn leads_to(&self, class: u32) -> Vec<u32> {
        let has_own = self.impatience.iter().any(|of| of.class == Some(class));
        let applies = |of: &&Impatience| if has_own { of.class == Some(class) } else { of.class.is_none() };
        self.impatience.iter().filter(applies).filter_map(|of| of.to).collect()
    }

    /// Returns the laws of durations, for the choice of a tick.
    pub(super) fn laws(&self) -> impl Iterator<Item = &Law> {
        let patience = self.impatience.iter().map(|impatience| &impatience.patience);
        let breakdowns = self.breakdowns.iter().flat_map(|breakdowns| [&breakdowns.up, &breakdowns.down]);
        let switch = self.polling.iter().flat_map(|polling| polling.switch.iter().map(|(_, law)| law));
        patience.chain(breakdowns).chain(&self.retry).chain(switch)
    }
}
