//! Costs of a time unit, for people and for files.

use super::finished::FinishedRun;
use crate::costs::Part;
use crate::experiment::Findings;
use crate::measures::Measure;
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::Listing;

/// Name of the table of costs.
pub(super) const COSTS: &str = "costs";

/// Returns the parts of the costs that are not zero, and their total, if the run has costs.
pub(super) fn listing(findings: &Findings) -> Option<Listing> {
    let parts = findings.costs()?;
    let total = findings.estimates.get(Measure::Cost.name()).copied()?;
    let spent = parts.into_iter().filter(|(_, estimate)| estimate.mean.is_some_and(|mean| mean != 0.0));
    let named = spent.map(|(part, estimate)| {
        let name = if part == Part::Gain { "gain, subtracted".to_owned() } else { part.name().replace('_', " ") };
        (name, estimate)
    });
    let key = findings.confidence.key();
    let rows: Vec<_> = named.chain([("total".to_owned(), total)]).collect();
    let has_intervals = total.half_width().is_some();
    let mut columns = vec![("cost".to_owned(), Kind::Text, true), ("each_time_unit".to_owned(), Kind::Number, true)];
    columns.extend(has_intervals.then(|| (format!("each_time_unit_{key}"), Kind::Number, true)));
    let row = |(name, estimate): &(String, imminent_common::estimate::Estimate)| {
        let mut row = vec![Value::Text(name.clone()), Value::Number(estimate.mean)];
        row.extend(has_intervals.then(|| Value::Number(estimate.half_width())));
        row
    };
    Some(Listing {
        columns,
        rows: rows.iter().map(row).collect(),
        all: rows.len(),
        printed: rows.len(),
        head: "cost".to_owned(),
    })
}

/// Returns the table of costs, if the run has any.
pub(super) fn table(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    Some(listing(&run.findings)?.named(COSTS))
}
