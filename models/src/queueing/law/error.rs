//! Why a law cannot be drawn from.

use crate::time::{MAX_TICKS, TimeError, units_from_ticks};
use thiserror::Error;

/// A law with a parameter that makes no sense, or with durations that are too long.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LawError {
    /// A parameter that must be a positive time.
    #[error("'{parameter}' of a law '{law}' is {value}: give a finite number of time units above 0")]
    NotPositive {
        /// Name of the law.
        law: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// What was given.
        value: f64,
    },
    /// The mean of an exponential law, which is a 32-bit number of ticks.
    #[error("'mean' of a law 'exponential': {0}")]
    Mean(TimeError),
    /// A parameter outside the range in which quantiles can be found.
    #[error("'{parameter}' of a law '{law}' is {value}: give {low} to {high}")]
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
    #[error("'low' and 'high' of a law 'uniform' are {low} and {high}: give 0 <= low <= high, both finite")]
    Interval {
        /// The lower end given.
        low: f64,
        /// The upper end given.
        high: f64,
    },
    /// Probabilities that do not add up to one.
    #[error("the probabilities of a law 'hyper-exponential' add up to {sum}: make them add up to 1, each above 0")]
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
    #[error("value number {number} of a law 'empirical' is {value}: give finite times that are not negative")]
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
        units_from_ticks(MAX_TICKS)
    )]
    TooLong {
        /// Name of the law.
        law: &'static str,
        /// Its greatest draw.
        units: f64,
    },
}
