//! Distributions of the times of visits, for reports.

use super::times::RunTimes;
use imminent_common::estimate::Confidence;
use imminent_common::output::quantiles::PERCENTS;
use imminent_common::output::sketch::RELATIVE_ERROR;
use imminent_common::output::{Quantile, Sections};
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Distributions of the times of visits, in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimesReport {
    /// Bound on the relative error that a sketch adds to a quantile ([`imminent_common::output::sketch`]).
    pub relative_error: f64,
    /// Times from arrival to start of service.
    pub waiting: TimeReport,
    /// Times from arrival to departure.
    pub sojourn: TimeReport,
}

/// Distribution of one time, in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeReport {
    /// Number of visits.
    pub visits: u64,
    /// Shortest time; `None` without visits.
    pub least: Option<f64>,
    /// Longest time; `None` without visits.
    pub greatest: Option<f64>,
    /// Quantiles by name: `p50`, `p90`, `p95`, `p99`.
    pub quantiles: BTreeMap<String, Quantile>,
}

impl TimesReport {
    /// Summarizes the times of a run's visits, which are in ticks of length `tick`.
    #[must_use]
    pub fn of(times: &RunTimes, tick: Tick, confidence: Confidence) -> Self {
        let [waiting, sojourn] = [&times.waiting, &times.sojourn].map(|times| TimeReport::of(times, tick, confidence));
        Self { relative_error: RELATIVE_ERROR, waiting, sojourn }
    }
}

impl TimeReport {
    /// Summarizes times in ticks of length `tick`.
    pub(crate) fn of(sections: &Sections, tick: Tick, confidence: Confidence) -> Self {
        let unit = tick.units(1);
        let extremes = sections.all().extremes();
        let within = extremes.map_or((0.0, 0.0), |(least, greatest)| (least as f64, greatest as f64));
        let named = PERCENTS.into_iter().zip(sections.quantiles(confidence));
        let named = named.map(|(percent, quantile)| (format!("p{percent}"), quantile.in_units(unit, within)));
        Self {
            visits: sections.all().total(),
            least: extremes.map(|(least, _)| tick.units(least)),
            greatest: extremes.map(|(_, greatest)| tick.units(greatest)),
            quantiles: named.collect(),
        }
    }
}
