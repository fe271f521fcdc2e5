//! Results of runs, and the summaries of points that follow from them.

use super::laboratory::{Failed, Finished};
use super::plan::Study;
use super::runs::RunSet;
use imminent_common::estimate::{Confidence, Interval, half_width};
use imminent_common::free_memory;
use serde::Serialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// Number of failed runs whose reasons are kept.
const MAX_REASONS: usize = 10_000;

/// Bits of a missing value: those of a NaN, which no value has.
const NONE: u64 = f64::NAN.to_bits();

/// Values of the finished runs. They do not depend on the order in which runs were finished.
///
/// Memory is taken as runs finish, [`Results::bytes`] in the end.
#[derive(Debug, Clone)]
pub struct Results {
    measures: usize,
    runs: u64,
    done: RunSet,
    /// Events of each run.
    events: Vec<u64>,
    /// Run by run, the bits of a value for each measure, changed by [`NONE`]: so memory that was never written holds no
    /// values.
    values: Vec<u64>,
    failed: RunSet,
    /// Reasons of failure by run; only those of the first runs that failed are kept.
    reasons: BTreeMap<u64, String>,
}

/// The results need more memory than is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the results of {runs} runs with {measures} measures take {}, and {} of memory are free: study fewer points, or give fewer repetitions",
    gigabytes(*needed), gigabytes(*free)
)]
pub struct TooManyResults {
    /// Number of runs.
    pub runs: u64,
    /// Number of measures of each.
    pub measures: usize,
    /// Bytes that the results take.
    pub needed: u64,
    /// Bytes that are free.
    pub free: u64,
}

/// Bytes in words.
fn gigabytes(bytes: u64) -> String {
    format!("{:.3} GB", bytes as f64 / 1e9)
}

/// Reason why a result given for a run is impossible.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResultError {
    /// The study has no such run.
    #[error("run {run}: the study has no such run, but {runs} runs, numbered from 0")]
    NoRun {
        /// The run.
        run: u64,
        /// Number of runs of the study.
        runs: u64,
    },
    /// The run has a result.
    #[error("run {run} has been finished before")]
    Twice {
        /// The run.
        run: u64,
    },
    /// The number of values differs from the number of measures.
    #[error("run {run} gave {found} values for {expected} measures")]
    Values {
        /// The run.
        run: u64,
        /// Number of values expected.
        expected: usize,
        /// Number of values found.
        found: usize,
    },
}

/// A measure at a point, over its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Runs that gave a value.
    pub runs: u64,
    /// Mean of the values; none if there are no runs.
    pub mean: Option<f64>,
    /// Interval of the mean, by Student's t; without half-width for fewer than two values.
    #[serde(flatten)]
    pub interval: Interval,
    /// The least value.
    pub least: Option<f64>,
    /// The 5 % quantile.
    pub p05: Option<f64>,
    /// The 25 % quantile, the first quartile.
    pub p25: Option<f64>,
    /// The 50 % quantile.
    pub median: Option<f64>,
    /// The 75 % quantile, the third quartile.
    pub p75: Option<f64>,
    /// The 95 % quantile.
    pub p95: Option<f64>,
    /// The greatest value.
    pub greatest: Option<f64>,
}

impl Results {
    /// Creates empty results of a study.
    ///
    /// # Errors
    /// [`TooManyResults`] if the machine has less free memory than the finished results will need.
    pub fn new(study: &Study) -> Result<Self, TooManyResults> {
        Self::within(study, free_memory::free().unwrap_or(u64::MAX))
    }

    /// Creates empty results of a study, which may need at most `free` bytes when all runs are finished.
    ///
    /// # Errors
    /// [`TooManyResults`] if they will need more.
    pub fn within(study: &Study, free: u64) -> Result<Self, TooManyResults> {
        let (runs, measures, needed) = (study.runs(), study.description().measures.len(), Self::bytes(study));
        let too_many = |free| TooManyResults { runs, measures, needed, free };
        if needed > free {
            return Err(too_many(free));
        }
        let values = (runs as usize).checked_mul(measures).ok_or(too_many(free))?;
        for words in [runs as usize, values] {
            // Where a process has a limit of its own, the system refuses here what would end the process below.
            Vec::<u64>::new().try_reserve_exact(words).map_err(|_| too_many(0))?;
        }
        Ok(Self {
            measures,
            runs,
            done: RunSet::none_of(runs),
            events: vec![0; runs as usize],
            values: vec![0; values],
            failed: RunSet::none_of(runs),
            reasons: BTreeMap::new(),
        })
    }

    /// Returns the bytes that the results of a study need when all runs are finished, including those of tables and
    /// effects.
    #[must_use]
    pub fn bytes(study: &Study) -> u64 {
        let words = study.description().measures.len() as u64 + 4;
        study.runs().saturating_mul(8 * words)
    }

    /// Stores the values of a finished run.
    ///
    /// # Errors
    /// [`ResultError`] for a run that does not exist or is finished, and for a wrong number of values.
    pub fn insert(&mut self, finished: &Finished) -> Result<(), ResultError> {
        let (run, runs) = (finished.run, self.runs);
        let slot = self.events.get_mut(run as usize).ok_or(ResultError::NoRun { run, runs })?;
        if self.done.contains(run) {
            return Err(ResultError::Twice { run });
        }
        let (expected, found) = (self.measures, finished.values.len());
        let first = run as usize * expected;
        let Some(values) = self.values.get_mut(first..first + expected).filter(|_| expected == found) else {
            return Err(ResultError::Values { run, expected, found });
        };
        for (slot, value) in values.iter_mut().zip(&finished.values) {
            *slot = value.filter(|value| value.is_finite()).map_or(NONE, f64::to_bits) ^ NONE;
        }
        *slot = finished.events;
        self.done.insert(run);
        self.failed.remove(run);
        self.reasons.remove(&run);
        Ok(())
    }

    /// Stores that a run failed, with the reason. The run remains unfinished and can be executed again.
    ///
    /// # Errors
    /// [`ResultError`] for a run that does not exist or is finished.
    pub fn fail(&mut self, failed: &Failed) -> Result<(), ResultError> {
        let (run, runs) = (failed.run, self.runs);
        if run >= runs {
            return Err(ResultError::NoRun { run, runs });
        }
        if self.done.contains(run) {
            return Err(ResultError::Twice { run });
        }
        self.failed.insert(run);
        if self.reasons.len() < MAX_REASONS || self.reasons.contains_key(&run) {
            self.reasons.insert(run, failed.why.clone());
        }
        Ok(())
    }

    /// Removes all failures, so that the failed runs are executed again.
    pub(super) fn forget_failures(&mut self) {
        self.failed = RunSet::none_of(self.runs);
        self.reasons.clear();
    }

    /// Returns the number of runs that failed.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failed.len()
    }

    /// Returns the failed runs with their reasons, in the order of their numbers. If more than 10,000 runs failed, only
    /// the first 10,000 reported have a reason.
    pub fn failures(&self) -> impl Iterator<Item = (u64, &str)> {
        self.reasons.iter().map(|(run, why)| (*run, why.as_str()))
    }

    /// Returns the number of finished runs.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.len()
    }

    /// Returns `true` if a run is finished.
    #[must_use]
    pub fn is_done(&self, run: u64) -> bool {
        self.done.contains(run)
    }

    /// Returns the runs that are finished.
    #[must_use]
    pub fn finished(&self) -> &RunSet {
        &self.done
    }

    /// Returns the number of runs of the study.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Returns the number of events of a run; `None` if it is not finished.
    #[must_use]
    pub fn events(&self, run: u64) -> Option<u64> {
        self.events.get(run as usize).copied().filter(|_| self.done.contains(run))
    }

    /// Returns the runs that are not finished.
    #[must_use]
    pub fn missing(&self) -> RunSet {
        self.done.complement(self.runs)
    }

    /// Returns the value that a run gave for the measure at a place.
    #[must_use]
    pub fn value(&self, run: u64, measure: usize) -> Option<f64> {
        let place = usize::try_from(run).ok()?.checked_mul(self.measures)?.checked_add(measure)?;
        let bits = *self.values.get(place)? ^ NONE;
        (bits != NONE).then(|| f64::from_bits(bits))
    }

    /// Returns the digest of the finished runs: a hash of the bits of their values, in the order of their numbers.
    /// It does not depend on where and in which order they were executed.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for run in self.done.iter() {
            hash.update(&run.to_le_bytes());
            for measure in 0..self.measures {
                hash.update(&self.value(run, measure).map_or(NONE, f64::to_bits).to_le_bytes());
            }
        }
        hash.finalize().to_hex().to_string()
    }

    /// Returns the summary of a measure at a point, over the finished runs.
    #[must_use]
    pub fn summary(&self, study: &Study, point: u64, measure: usize) -> Summary {
        let first = point * study.repetitions();
        let runs = first..first + study.repetitions();
        Summary::of(&runs.filter_map(|run| self.value(run, measure)).collect::<Vec<_>>(), study.confidence())
    }
}

impl Summary {
    /// Returns the half-width of the mean's interval, if there is one.
    #[must_use]
    pub const fn half_width(&self) -> Option<f64> {
        self.interval.half_width
    }

    /// Returns the summary of these values, with an interval of the given confidence.
    #[must_use]
    pub fn of(values: &[f64], confidence: Confidence) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self {
            runs: values.len() as u64,
            mean: mean(values),
            interval: confidence.interval(half_width(values, confidence.level())),
            least: sorted.first().copied(),
            p05: quantile(&sorted, 0.05),
            p25: quantile(&sorted, 0.25),
            median: quantile(&sorted, 0.5),
            p75: quantile(&sorted, 0.75),
            p95: quantile(&sorted, 0.95),
            greatest: sorted.last().copied(),
        }
    }
}

/// The mean, if there are values.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// A quantile of sorted values, linear between two of them (Hyndman and Fan's definition 7).
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (low, part) = (place.floor(), place.fract());
    let low = *sorted.get(low as usize)?;
    let high = sorted.get(place.ceil() as usize).copied().unwrap_or(low);
    Some(low + (high - low) * part)
}
