//! Waiting lines.

use super::token::Token;
use crate::network::Discipline;
use std::collections::{BTreeMap, VecDeque};

/// Place of a token in a line: the least is served first.
pub(super) type Rank = (u64, u64);

/// A service that was drawn before it starts, or that was interrupted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    /// Number of the service among those of the node.
    pub(super) number: u64,
    /// Length of the service at speed 1, in ticks.
    pub(super) length: u64,
    /// Work that is left, in 2^-32 ticks at speed 1.
    pub(super) left: u128,
    /// Random word for the route of the token.
    pub(super) word: u32,
    /// Time at which the service started first; `None` if it has not.
    pub(super) started: Option<u64>,
    /// Time in servers before the service was interrupted.
    pub(super) served: u64,
}

impl Job {
    /// Returns the work that was done, in ticks at speed 1.
    pub(super) fn done(&self) -> u64 {
        ((u128::from(self.length) << 32).saturating_sub(self.left) >> 32) as u64
    }
}

/// A token that waits for a server.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    pub(super) token: Token,
    /// Number among the tokens that entered the line.
    pub(super) entry: u64,
    /// Service of the token, if it is known.
    pub(super) job: Option<Job>,
}

/// A line.
#[derive(Debug, Clone)]
pub(super) enum Line {
    /// Tokens by rank.
    Ordered(BTreeMap<Rank, Waiting>),
    /// Tokens of which any may be next.
    Mixed(VecDeque<Waiting>),
}

impl Line {
    pub(super) fn of(discipline: Discipline) -> Self {
        match discipline {
            Discipline::Random => Self::Mixed(VecDeque::new()),
            _ => Self::Ordered(BTreeMap::new()),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Ordered(line) => line.len(),
            Self::Mixed(line) => line.len(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn push(&mut self, rank: Rank, waiting: Waiting) {
        match self {
            Self::Ordered(line) => _ = line.insert(rank, waiting),
            Self::Mixed(line) => line.push_back(waiting),
        }
    }

    /// Returns the first token and its rank; none of a line where any may be next.
    pub(super) fn first(&self) -> Option<(Rank, &Waiting)> {
        match self {
            Self::Ordered(line) => line.first_key_value().map(|(rank, waiting)| (*rank, waiting)),
            Self::Mixed(_) => None,
        }
    }

    /// Removes the first token that is one of `wanted`; where any may be next, `choose` gives a number below the one of
    /// those wanted.
    pub(super) fn take(
        &mut self,
        wanted: impl Fn(&Token) -> bool,
        choose: impl FnOnce(usize) -> usize,
    ) -> Option<Waiting> {
        match self {
            Self::Ordered(line) => {
                let rank = *line.iter().find(|(_, waiting)| wanted(&waiting.token))?.0;
                line.remove(&rank)
            }
            Self::Mixed(line) => {
                let places = || line.iter().enumerate().filter(|(_, waiting)| wanted(&waiting.token));
                let number = places().count();
                if number == 0 {
                    return None;
                }
                let place = places().nth(choose(number))?.0;
                line.swap_remove_back(place)
            }
        }
    }

    /// Returns the number of entry of the first token whose rank begins with `first`.
    pub(super) fn first_of(&self, first: u32) -> Option<u64> {
        let Self::Ordered(line) = self else { return None };
        let first = u64::from(first);
        line.range((first, 0)..(first + 1, 0)).next().map(|(_, waiting)| waiting.entry)
    }

    /// Removes the first token whose rank begins with `first`.
    pub(super) fn take_first_of(&mut self, first: u32) -> Option<Waiting> {
        let Self::Ordered(line) = self else { return None };
        let first = u64::from(first);
        let rank = *line.range((first, 0)..(first + 1, 0)).next()?.0;
        line.remove(&rank)
    }

    /// Removes the token with the given number of entry and rank, if its service has not begun.
    pub(super) fn give_up(&mut self, rank: Rank, entry: u64) -> Option<Waiting> {
        let has_not_begun = |waiting: &Waiting| waiting.job.is_none_or(|job| job.started.is_none());
        match self {
            Self::Ordered(line) => {
                line.get(&rank).filter(|waiting| waiting.entry == entry && has_not_begun(waiting))?;
                line.remove(&rank)
            }
            Self::Mixed(line) => {
                let place = line.iter().position(|waiting| waiting.entry == entry && has_not_begun(waiting))?;
                // The others keep their places.
                line.remove(place)
            }
        }
    }

    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = &Waiting> + '_> {
        match self {
            Self::Ordered(line) => Box::new(line.values()),
            Self::Mixed(line) => Box::new(line.iter()),
        }
    }
}
