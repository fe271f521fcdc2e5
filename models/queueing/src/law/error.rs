//! Errors in laws and in their descriptions.

use imminent_common::input::InputError;
use imminent_common::number::Shown;
use imminent_common::time::{MAX_TICKS, Tick};
use thiserror::Error;

/// A law with an invalid parameter, or with durations that are too long.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LawError {
    /// A parameter that must be a positive time.
    #[error("'{parameter}' of a law '{law}' is {}: give a finite number of time units above 0", Shown(*value))]
    NotPositive {
        /// Name of the law.
        law: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// Value given.
        value: f64,
    },
    /// A mean is shorter than a tick.
    #[error("the mean of a law '{law}' is {} time units, less than a tick of {}: count in another time unit", Shown(*units), Shown(*least))]
    TooShort {
        /// Name of the law.
        law: &'static str,
        /// Mean of the law, in time units.
        units: f64,
        /// Length of a tick, in time units.
        least: f64,
    },
    /// A parameter is outside the range in which quantiles can be computed.
    #[error("'{parameter}' of a law '{law}' is {}: give {low} to {high}", Shown(*value))]
    OutOfRange {
        /// Name of the law.
        law: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
        /// Value given.
        value: f64,
        /// Smallest value allowed.
        low: f64,
        /// Greatest value allowed.
        high: f64,
    },
    /// The ends of a uniform law are in the wrong order, or are not times.
    #[error("'low' and 'high' of a law 'uniform' are {} and {}: give 0 <= low <= high, both finite", Shown(*low), Shown(*high))]
    Interval {
        /// Lower end given.
        low: f64,
        /// Upper end given.
        high: f64,
    },
    /// The probabilities of branches do not add up to one.
    #[error("the probabilities of a law 'hyper-exponential' add up to {}: make them add up to 1, each above 0", Shown(*sum))]
    Branches {
        /// Sum of the probabilities.
        sum: f64,
    },
    /// The ends and the mode of a triangular law are in the wrong order, or are not times.
    #[error(
        "'low', 'mode' and 'high' of a law 'triangular' are {}, {} and {}: give 0 <= low <= mode <= high, all finite",
        Shown(*low), Shown(*mode), Shown(*high)
    )]
    Triangle {
        /// Shortest duration given.
        low: f64,
        /// Likeliest duration given.
        mode: f64,
        /// Longest duration given.
        high: f64,
    },
    /// A law of phases has none, or too many.
    #[error("a law '{law}' has {phases} phases: give 1 to {limit}")]
    Phases {
        /// Name of the law.
        law: &'static str,
        /// Number of phases given.
        phases: usize,
        /// Largest number of phases allowed.
        limit: usize,
    },
    /// A list does not match the number of phases.
    #[error("'{list}' of a law '{law}' has {given} entries in place of {expected}: make it fit the number of phases")]
    Length {
        /// Name of the law.
        law: &'static str,
        /// Name of the list.
        list: &'static str,
        /// Number of entries given.
        given: usize,
        /// Number of entries needed.
        expected: usize,
    },
    /// An entry of a list has no meaning.
    #[error("entry {number} of '{list}' of a law '{law}' is {}: give {rule}", Shown(*value))]
    Entry {
        /// Name of the law.
        law: &'static str,
        /// Name of the list.
        list: &'static str,
        /// Number of the entry, from 1.
        number: usize,
        /// Value given.
        value: f64,
        /// Values allowed.
        rule: &'static str,
    },
    /// The probabilities of a list do not add up to one.
    #[error("the entries of '{list}' of a law '{law}' add up to {}: make them add up to 1", Shown(*sum))]
    Sum {
        /// Name of the law.
        law: &'static str,
        /// Name of the list.
        list: &'static str,
        /// Sum of the entries.
        sum: f64,
    },
    /// A row is not that of a sub-generator.
    #[error(
        "row {row} of 'generator' of a law 'phase-type', which adds up to {}, is none of a sub-generator: give a diagonal below 0, other \
         entries of at least 0, and a sum of at most 0",
        Shown(*sum)
    )]
    Generator {
        /// Number of the row, from 1.
        row: usize,
        /// Sum of its entries.
        sum: f64,
    },
    /// A law of phases may last for ever.
    #[error(
        "phase {phase} of a law '{law}' never ends: give its row of 'generator', or one that it leads to, a sum below 0"
    )]
    NeverEnds {
        /// Name of the law.
        law: &'static str,
        /// Number of the phase, from 1.
        phase: usize,
    },
    /// The fastest and the slowest phase are too far apart.
    #[error(
        "a law '{law}' lasts {ratio:.1e} times as long as its shortest phase, more than {limit:.1e}: leave out phases that are so short"
    )]
    Stiff {
        /// Name of the law.
        law: &'static str,
        /// Longest mean time until the end, divided by the shortest mean of a phase.
        ratio: f64,
        /// Largest ratio allowed.
        limit: f64,
    },
    /// An empirical law has no values, or too many.
    #[error("a law 'empirical' has {values} values: give 1 to {limit}")]
    Values {
        /// Number of values given.
        values: usize,
        /// Largest number of values allowed.
        limit: usize,
    },
    /// A value of an empirical law is not a duration.
    #[error("value number {number} of a law 'empirical' is {}: give finite times that are not negative", Shown(*value))]
    Value {
        /// Number of the value, from 1.
        number: usize,
        /// Value given.
        value: f64,
    },
    /// Some draws are too long to be added to a clock.
    #[error(
        "a law '{law}' with these parameters can last {units:e} time units, more than the {} supported: \
         make its mean or its spread smaller",
        Shown(*limit)
    )]
    TooLong {
        /// Name of the law.
        law: &'static str,
        /// Longest draw, in time units.
        units: f64,
        /// Longest time supported, in time units.
        limit: f64,
    },
}

impl LawError {
    pub(super) fn too_long(law: &'static str, units: f64, tick: Tick) -> Self {
        Self::TooLong { law, units, limit: tick.units(MAX_TICKS) }
    }
}

/// Errors in the description of a law.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LawShapeError {
    /// A key is missing.
    #[error("a law '{law}' needs {keys}, and '{missing}' is missing")]
    Missing {
        /// Name of the law.
        law: &'static str,
        /// Keys that the law takes.
        keys: &'static str,
        /// Missing keys.
        missing: &'static str,
    },
    /// A key is given that the law does not take.
    #[error("a law '{law}' takes {keys}, not '{key}': remove it")]
    Superfluous {
        /// Name of the law.
        law: &'static str,
        /// Keys that the law takes.
        keys: &'static str,
        /// Key that is not taken.
        key: &'static str,
    },
    /// A rate is not positive.
    #[error("'rate' is {rate}: give a finite number above 0, or 'mean' instead")]
    Rate {
        /// Rate given.
        rate: f64,
    },
    /// A rate of a list is not positive.
    #[error("entry {number} of 'rates' is {rate}: give finite numbers above 0, or 'means' instead")]
    Rates {
        /// Number of the entry, from 1.
        number: usize,
        /// Rate given.
        rate: f64,
    },
    /// A coefficient of variation is impossible for two exponential branches.
    #[error("'cv' of a law 'hyper-exponential' is {cv}: give more than 1, or the law 'erlang' or 'gamma' for less")]
    Variation {
        /// Coefficient of variation given.
        cv: f64,
    },
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file is not CSV.
    #[error("{file}: is not CSV: {reason}; check its lines")]
    File {
        /// Path of the file.
        file: String,
        /// Cause.
        reason: String,
    },
    /// A file does not have the column.
    #[error("{file}: no column '{column}': the first line names {columns} others; give the name of a column in it")]
    Column {
        /// Path of the file.
        file: String,
        /// Heading asked for.
        column: String,
        /// Number of columns of the file.
        columns: usize,
    },
    /// An entry of a column is not a duration.
    #[error("{file}, line {line}: the entry in column '{column}' is no duration: give numbers that are not negative")]
    Entry {
        /// Path of the file.
        file: String,
        /// Line of the entry, from 1.
        line: u64,
        /// Heading of the column.
        column: String,
    },
}
