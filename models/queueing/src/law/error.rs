//! Why a law cannot be drawn from.

use imminent_common::number::Shown;
use imminent_common::time::{MAX_TICKS, Tick};
use thiserror::Error;

/// A law with a parameter that makes no sense, or with durations that are too long.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LawError {
    /// A parameter that must be a positive time.
    #[error("'{parameter}' of a law '{law}' is {}: give a finite number of time units above 0", Shown(*value))]
    NotPositive {
        /// Name of the law.
        law: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
    },
    /// A mean of less than a tick.
    #[error("the mean of a law '{law}' is {} time units, less than a tick of {}: count in another time unit", Shown(*units), Shown(*least))]
    TooShort {
        /// Name of the law.
        law: &'static str,
        /// Its mean, in time units.
        units: f64,
        /// The tick, in time units.
        least: f64,
    },
    /// A parameter outside the range in which quantiles can be found.
    #[error("'{parameter}' of a law '{law}' is {}: give {low} to {high}", Shown(*value))]
    OutOfRange {
        /// Name of the law.
        law: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// A uniform law whose ends are the wrong way round, or not times.
    #[error("'low' and 'high' of a law 'uniform' are {} and {}: give 0 <= low <= high, both finite", Shown(*low), Shown(*high))]
    Interval {
        /// The lower end given.
        low: f64,
        /// The upper end given.
        high: f64,
    },
    /// Probabilities that do not add up to one.
    #[error("the probabilities of a law 'hyper-exponential' add up to {}: make them add up to 1, each above 0", Shown(*sum))]
    Branches {
        /// Their sum.
        sum: f64,
    },
    /// An empirical law of nothing, or of too much.
    #[error("a law 'empirical' has {values} values: give 1 to {limit}")]
    Values {
        /// How many values were given.
        values: usize,
        /// The most possible.
        limit: usize,
    },
    /// A value of an empirical law that is no duration.
    #[error("value number {number} of a law 'empirical' is {}: give finite times that are not negative", Shown(*value))]
    Value {
        /// Its number, from 1.
        number: usize,
        /// What was given.
        value: f64,
    },
    /// Some draws would be too long to be added to a clock.
    #[error(
        "a law '{law}' with these parameters can last {units:e} time units, more than the {} supported: \
         make its mean or its spread smaller",
        Shown(*limit)
    )]
    TooLong {
        /// Name of the law.
        law: &'static str,
        /// Its greatest draw, in time units.
        units: f64,
        /// The longest time, in time units.
        limit: f64,
    },
}

impl LawError {
    pub(super) fn too_long(law: &'static str, units: f64, tick: Tick) -> Self {
        Self::TooLong { law, units, limit: tick.units(MAX_TICKS) }
    }
}
