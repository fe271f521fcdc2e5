//! Choice of what is gathered.

use crate::network::Network;
use imminent_common::time::{Tick, TimeError};
use thiserror::Error;

/// Choice of what is gathered of visits and numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// `true` if the times of all visits to stations are wanted.
    pub times: bool,
    /// Waiting times of which the shares of longer waits are wanted at each station, besides that of all that wait.
    pub beyond: Vec<Threshold>,
    /// `true` if quantiles of waiting and sojourn times are wanted at each station.
    pub quantiles: bool,
    /// `true` if each class at a station is wanted too.
    pub by_class: bool,
    /// `true` if times from source to exit are wanted.
    pub end_to_end: bool,
    /// `true` if the distributions of the number of tokens are wanted.
    pub numbers: bool,
    /// `true` if the load of each pool of servers is wanted.
    pub pools: bool,
}

/// Waiting time of which longer waits are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Time as it was given, in time units.
    pub units: f64,
    /// Nearest number of ticks.
    pub ticks: u64,
}

impl Threshold {
    /// Creates a threshold.
    ///
    /// # Errors
    /// [`TimeError`] if the time is negative, not finite or too long.
    pub fn new(units: f64, tick: Tick) -> Result<Self, TimeError> {
        Ok(Self { units, ticks: tick.ticks(units)? })
    }
}

/// Distributions are wanted at too many stations and classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{what} at {rows} stations and classes need too much memory: at most {} are possible; leave {remedy} out",
    Wanted::MAX_ROWS
)]
pub struct TooManyRows {
    /// Kind of distributions.
    pub what: &'static str,
    /// Number of stations, and of classes at stations if they are wanted.
    pub rows: usize,
    /// Options without which there are fewer.
    pub remedy: &'static str,
}

impl Wanted {
    /// Largest number of stations and classes with distributions.
    pub const MAX_ROWS: usize = 2_048;

    /// Returns the choice of the times of all visits alone.
    #[must_use]
    pub fn of_times() -> Self {
        Self { times: true, ..Self::default() }
    }

    /// Returns `true` if anything is wanted.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.times || self.end_to_end || self.numbers || self.pools || self.is_of_stations()
    }

    /// Returns `true` if times of visits are wanted at each station.
    #[must_use]
    pub fn is_of_stations(&self) -> bool {
        self.quantiles || !self.beyond.is_empty()
    }

    /// Returns `true` if this choice has everything of `other`.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let has = |mine: bool, asked: bool| mine || !asked;
        has(self.times, other.times)
            && has(self.end_to_end, other.end_to_end)
            && has(self.numbers, other.numbers)
            && has(self.pools, other.pools)
            && has(self.quantiles, other.quantiles)
            && (!other.is_of_stations() || (has(self.by_class, other.by_class) && self.beyond == other.beyond))
    }

    /// Returns the choice without distributions: the shares of waits, and mean times from source to exit.
    #[must_use]
    pub fn without_distributions(&self) -> Self {
        let Self { beyond, by_class, end_to_end, .. } = self.clone();
        Self { beyond, by_class, end_to_end, ..Self::default() }
    }

    /// Checks that a network is small enough.
    ///
    /// # Errors
    /// [`TooManyRows`] if distributions of more than [`MAX_ROWS`](Self::MAX_ROWS) rows are wanted.
    pub fn check(&self, network: &Network) -> Result<(), TooManyRows> {
        let (nodes, classes) = (network.len(), if self.by_class { 1 + network.classes() } else { 1 });
        let all = [
            (self.quantiles, "quantiles", nodes.saturating_mul(classes), "--quantiles or --by-class"),
            (self.numbers, "distributions of the number", nodes, "--distribution"),
        ];
        let too_many = all.into_iter().find(|(is_wanted, _, rows, _)| *is_wanted && *rows > Self::MAX_ROWS);
        too_many.map_or(Ok(()), |(_, what, rows, remedy)| Err(TooManyRows { what, rows, remedy }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn distributions_at_too_many_stations_are_refused() {
        let torus = Network::torus(64, 64, 1 << 20, 1).unwrap();
        let told = |wanted: Wanted| wanted.check(&torus).map_err(|error| error.what);
        assert_eq!(told(Wanted { quantiles: true, ..Wanted::default() }), Err("quantiles"));
        assert_eq!(told(Wanted { numbers: true, ..Wanted::default() }), Err("distributions of the number"));
        let beyond = vec![Threshold { units: 1.0, ticks: 1 << 20 }];
        assert_eq!(told(Wanted { beyond, end_to_end: true, times: true, ..Wanted::default() }), Ok(()));
    }

    #[test]
    fn a_choice_covers_those_with_less() {
        let beyond = vec![Threshold { units: 1.0, ticks: 1 << 20 }];
        let all = Wanted {
            times: true,
            beyond,
            quantiles: true,
            by_class: true,
            end_to_end: true,
            numbers: true,
            pools: true,
        };
        let none = Wanted { beyond: vec![], quantiles: false, ..all.clone() };
        assert!(all.covers(&all) && all.covers(&none) && all.covers(&Wanted::default()));
        assert!(!none.covers(&all) && !Wanted::of_times().covers(&none) && none.covers(&Wanted::of_times()));
        assert!(!Wanted::default().is_any() && Wanted::of_times().is_any() && !none.is_of_stations());
    }
}
