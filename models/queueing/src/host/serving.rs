//! Services under way.

use super::line::Job;
use super::token::Token;
use crate::trace::Visit;

/// Destination of a token whose service has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Onward {
    /// The outside.
    Out,
    /// A node, and the class that the token has there.
    To(u32, u32),
    /// All routes of the token.
    All,
}

impl Onward {
    /// Returns the node, if the token goes to one.
    pub(super) const fn node(self) -> Option<u32> {
        match self {
            Self::To(node, _) => Some(node),
            Self::Out | Self::All => None,
        }
    }
}

/// A token in a server.
#[derive(Debug, Clone)]
pub(super) struct Serving {
    pub(super) token: Token,
    /// Number among the tokens that entered the line.
    pub(super) entry: u64,
    /// The service, with the work that was left at `since`.
    pub(super) job: Job,
    /// First start of the service.
    pub(super) started: u64,
    /// Start of this part of the service.
    pub(super) resumed: u64,
    /// `true` if the token is one of a batch, whose first has the server.
    pub(super) rides: bool,
    /// `true` if the server has other tokens at the same time.
    pub(super) shares: bool,
    /// Work of the clock of its class at which the service is over, where servers are shared. The work that is left,
    /// its time and its speed are up to date there only after [`settle`](super::facility::Facility::settle).
    pub(super) mark: u128,
    /// Time of the last change of the speed.
    pub(super) since: u64,
    /// Work done in a tick, in 2^-32.
    pub(super) speed: u64,
    /// Kind of the server.
    pub(super) pool: usize,
    /// Number of the server among those that break down; 0 where none does.
    pub(super) server: u64,
    /// Number of the planned end, which tells it from those that were given up.
    pub(super) plan: u64,
    /// Time at which the service ended, if the token is still here.
    pub(super) ended: Option<u64>,
    /// `true` if the service has ended but the token could not leave.
    pub(super) blocked: bool,
    pub(super) onward: Onward,
}

impl Serving {
    /// Returns the work that is left at `now`.
    pub(super) fn left(&self, now: u64) -> u128 {
        self.job.left.saturating_sub(u128::from(now - self.since) * u128::from(self.speed))
    }

    /// Returns the time that the service took until `now`; work where servers are shared.
    pub(super) fn taken(&self, now: u64) -> u64 {
        let done = || (u128::from(self.job.length) << 32).saturating_sub(self.left(now)) >> 32;
        if self.shares { done() as u64 } else { self.job.served + (now - self.resumed) }
    }

    /// Returns the time at which the service ends at its present speed; `None` if it stands still.
    pub(super) fn ends(&self) -> Option<u64> {
        let ticks = self.job.left.div_ceil(u128::from(self.speed).max(1));
        let ends = u64::try_from(ticks).ok()?.checked_add(self.since)?;
        (self.speed > 0).then_some(ends)
    }

    /// Goes on at another speed.
    pub(super) fn set_speed(&mut self, now: u64, speed: u64) {
        self.job.left = self.left(now);
        (self.since, self.speed) = (now, speed);
    }

    /// Returns the visit to `node` that ends at `left`.
    pub(super) fn visit(&self, node: u32, left: u64) -> Visit {
        Visit {
            node,
            class: self.token.class,
            number: self.job.number,
            arrived: self.token.arrived,
            started: self.started,
            left,
            to: self.onward.node(),
            forked: self.onward == Onward::All,
            source: self.token.origin.source,
            entered: self.token.origin.entered,
        }
    }
}
