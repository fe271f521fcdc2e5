//! Tables of passages and of the times of visits, for files.

use super::finished::FinishedRun;
use crate::tally::Passage;
use imminent_common::estimate::Confidence;
use imminent_common::output::Quantile;
use imminent_common::sheet::{Kind, Of, Sheet, Value};
use imminent_common::time::Tick;
use imminent_study::outcome::Rows;

/// Name of the table of times from source to exit.
pub(super) const END_TO_END: &str = "end_to_end";

/// Name of the table of numbers of visits by waiting time and by sojourn time.
pub(super) const HISTOGRAM: &str = "histogram";

/// Columns of times from source to exit, in time units.
pub(super) const PASSAGES: [(&str, Of<Passage>); 15] = [
    ("source", Of::Text(|row| row.source.clone().unwrap_or_else(|| ALL.to_owned()))),
    ("class", Of::Text(|row| row.class.clone().unwrap_or_else(|| ALL.to_owned()))),
    ("tokens", Of::Count(|row| row.tokens)),
    ("mean", Of::Number(|row| row.time.mean)),
    ("mean_ci95", Of::Number(|row| row.time.half_width())),
    ("least", Of::Number(|row| row.least)),
    ("p50", Of::Number(|row| row.quantiles.get("p50").and_then(|of| of.value))),
    ("p50_ci95", Of::Number(|row| row.quantiles.get("p50").and_then(Quantile::half_width))),
    ("p90", Of::Number(|row| row.quantiles.get("p90").and_then(|of| of.value))),
    ("p90_ci95", Of::Number(|row| row.quantiles.get("p90").and_then(Quantile::half_width))),
    ("p95", Of::Number(|row| row.quantiles.get("p95").and_then(|of| of.value))),
    ("p95_ci95", Of::Number(|row| row.quantiles.get("p95").and_then(Quantile::half_width))),
    ("p99", Of::Number(|row| row.quantiles.get("p99").and_then(|of| of.value))),
    ("p99_ci95", Of::Number(|row| row.quantiles.get("p99").and_then(Quantile::half_width))),
    ("greatest", Of::Number(|row| row.greatest)),
];

/// Word for all sources or all classes.
const ALL: &str = "all";

/// Visits of a bucket of times.
struct Bucket {
    time: &'static str,
    least: f64,
    greatest: f64,
    visits: u64,
}

/// Columns of buckets: the least and the greatest time in time units, and the number of visits.
const BUCKETS: [(&str, Of<Bucket>); 4] = [
    ("time", Of::Text(|bucket| bucket.time.to_owned())),
    ("least", Of::Number(|bucket| Some(bucket.least))),
    ("greatest", Of::Number(|bucket| Some(bucket.greatest))),
    ("visits", Of::Count(|bucket| bucket.visits)),
];

/// Table whose columns of half-widths, `..._ci95`, are named by the level of the intervals.
pub(super) struct AtLevel<S> {
    pub(super) sheet: S,
    pub(super) confidence: Confidence,
}

impl<S: Sheet> Sheet for AtLevel<S> {
    fn name(&self) -> &'static str {
        self.sheet.name()
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let usual = Confidence::DEFAULT.key();
        let columns = self.sheet.columns().into_iter();
        columns.map(|(name, kind)| (name.replace(&usual, &self.confidence.key()), kind)).collect()
    }

    fn rows(&self) -> usize {
        self.sheet.rows()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.sheet.value(row, column)
    }
}

/// Returns the table of passages, if they were recorded.
pub(super) fn passages(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let rows = run.end_to_end()?;
    let sheet = Rows { name: END_TO_END, columns: &PASSAGES, rows };
    Some(Box::new(AtLevel { sheet, confidence: run.findings.confidence }))
}

/// Returns the table of non-empty buckets of times, if they were recorded.
pub(super) fn histogram(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let (times, tick): (_, Tick) = (run.times()?, run.findings.tick);
    let both = [("waiting", times.waiting.all()), ("sojourn", times.sojourn.all())];
    let of = |(time, sketch): (&'static str, &imminent_common::output::Sketch)| {
        let bucket = |(least, greatest, visits)| Bucket {
            time,
            least: tick.units(least),
            greatest: tick.units(greatest),
            visits,
        };
        sketch.filled().map(bucket).collect::<Vec<_>>()
    };
    Some(Box::new(Rows { name: HISTOGRAM, columns: &BUCKETS, rows: both.into_iter().flat_map(of).collect() }))
}
