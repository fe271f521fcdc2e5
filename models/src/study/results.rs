//! What runs gave, and what follows for points.

use super::laboratory::{Failed, Finished};
use super::plan::Study;
use crate::estimate::half_width;
use serde::Serialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// The confidence of all intervals of studies.
pub const CONFIDENCE: f64 = 0.99;

/// The values of the runs that are finished. They do not depend on the order in which runs were finished.
#[derive(Debug, Clone)]
pub struct Results {
    measures: usize,
    /// Events of each run; none if it is not finished.
    events: Vec<Option<u64>>,
    /// Run by run, a value for each measure.
    values: Vec<Option<f64>>,
    done: u64,
    /// Why runs failed.
    failures: BTreeMap<u64, String>,
}

/// What was given for a run, and cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResultError {
    /// The study has no such run.
    #[error("the study has no run {run}: it has {runs}")]
    NoRun {
        /// The run.
        run: u64,
        /// How many there are.
        runs: u64,
    },
    /// The run has a result.
    #[error("run {run} has been finished before")]
    Twice {
        /// The run.
        run: u64,
    },
    /// There is not one value for each measure.
    #[error("run {run} gave {found} values for {expected} measures")]
    Values {
        /// The run.
        run: u64,
        /// How many values there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
}

/// A measure at a point, over its repetitions.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Runs that gave a value.
    pub runs: u64,
    /// Their mean; none if there are no runs.
    pub mean: Option<f64>,
    /// Half the width of the mean's [`CONFIDENCE`] interval, by Student's t; none for fewer than two.
    pub ci99: Option<f64>,
    /// The least value.
    pub least: Option<f64>,
    /// A twentieth is at most this.
    pub p05: Option<f64>,
    /// A quarter is at most this.
    pub p25: Option<f64>,
    /// Half is at most this.
    pub median: Option<f64>,
    /// Three quarters are at most this.
    pub p75: Option<f64>,
    /// All but a twentieth are at most this.
    pub p95: Option<f64>,
    /// The greatest value.
    pub greatest: Option<f64>,
}

impl Results {
    /// No results of a study yet.
    #[must_use]
    pub fn new(study: &Study) -> Self {
        let (runs, measures) = (study.runs() as usize, study.description().measures.len());
        Self {
            measures,
            events: vec![None; runs],
            values: vec![None; runs * measures],
            done: 0,
            failures: BTreeMap::new(),
        }
    }

    /// Takes what a run gave.
    ///
    /// # Errors
    /// [`ResultError`] for a run that is not there or is finished, and where there is not one value for each measure.
    pub fn insert(&mut self, finished: &Finished) -> Result<(), ResultError> {
        let (run, runs) = (finished.run, self.events.len() as u64);
        let slot = self.events.get_mut(run as usize).ok_or(ResultError::NoRun { run, runs })?;
        if slot.is_some() {
            return Err(ResultError::Twice { run });
        }
        let (expected, found) = (self.measures, finished.values.len());
        let first = run as usize * expected;
        let Some(values) = self.values.get_mut(first..first + expected).filter(|_| expected == found) else {
            return Err(ResultError::Values { run, expected, found });
        };
        for (slot, value) in values.iter_mut().zip(&finished.values) {
            *slot = value.filter(|value| value.is_finite());
        }
        *slot = Some(finished.events);
        self.done += 1;
        self.failures.remove(&run);
        Ok(())
    }

    /// Notes that a run failed, and why. It is missing still, and may do better another time.
    ///
    /// # Errors
    /// [`ResultError`] for a run that is not there or is finished.
    pub fn fail(&mut self, failed: &Failed) -> Result<(), ResultError> {
        let (run, runs) = (failed.run, self.runs());
        match self.events.get(run as usize) {
            None => Err(ResultError::NoRun { run, runs }),
            Some(Some(_)) => Err(ResultError::Twice { run }),
            Some(None) => {
                self.failures.insert(run, failed.why.clone());
                Ok(())
            }
        }
    }

    /// Forgets that runs failed: they are carried out again.
    pub(super) fn forget_failures(&mut self) {
        self.failures.clear();
    }

    /// How many runs failed.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failures.len() as u64
    }

    /// The runs that failed, and why, in the order of their numbers.
    pub fn failures(&self) -> impl Iterator<Item = (u64, &str)> {
        self.failures.iter().map(|(run, why)| (*run, why.as_str()))
    }

    /// How many runs are finished.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many runs there are.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.events.len() as u64
    }

    /// The events of a run; none if it is not finished.
    #[must_use]
    pub fn events(&self, run: u64) -> Option<u64> {
        self.events.get(run as usize).copied().flatten()
    }

    /// The runs that are not finished.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        (0..).zip(&self.events).filter(|(_, events)| events.is_none()).map(|(run, _)| run)
    }

    /// What a run gave for the measure at a place.
    #[must_use]
    pub fn value(&self, run: u64, measure: usize) -> Option<f64> {
        self.values.get(run as usize * self.measures + measure).copied().flatten()
    }

    /// A measure at a point, over the runs that are finished.
    #[must_use]
    pub fn summary(&self, study: &Study, point: u64, measure: usize) -> Summary {
        let first = point * study.repetitions();
        let runs = first..first + study.repetitions();
        Summary::of(&runs.filter_map(|run| self.value(run, measure)).collect::<Vec<_>>())
    }
}

impl Summary {
    /// What is to be said of these values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self {
            runs: values.len() as u64,
            mean: mean(values),
            ci99: half_width(values, CONFIDENCE),
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
