//! Quantiles of the times of visits, for people.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::estimate::Estimate;
use imminent::models::queueing::report::{TimeReport, TimesReport};
use imminent_report::digits::{or_dash, with_interval};

/// Writes a table of both times: extremes, and quantiles with their intervals.
pub(super) fn text(times: &TimesReport) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header([
        "time of visits",
        "least",
        "50 %",
        "90 %",
        "95 %",
        "99 %",
        "greatest",
    ]);
    for (name, time) in [("waiting", &times.waiting), ("sojourn", &times.sojourn)] {
        let mut row = vec![name.to_owned(), or_dash(time.least)];
        row.extend(named(time).map(|(_, quantile)| quantile));
        row.push(or_dash(time.greatest));
        table.add_row(row);
    }
    format!("{table}\n{}", error(times))
}

/// Describes the accuracy of the quantiles.
pub(super) fn error(times: &TimesReport) -> String {
    let intervals = times.sojourn.quantiles.values().any(|quantile| quantile.ci95.is_some());
    let (percent, what) = (100.0 * times.relative_error, "replications or batches");
    let intervals = if intervals {
        format!("95 % intervals are over {what}")
    } else {
        format!("intervals need several {what} (--replications, --batches)")
    };
    format!("quantiles are within {percent:.1} % of the values counted; {intervals}")
}

/// Returns the quantiles of a time by their percentages, with their intervals.
pub(super) fn named(time: &TimeReport) -> impl Iterator<Item = (&str, String)> {
    time.quantiles.iter().map(|(name, quantile)| {
        let estimate = Estimate { mean: quantile.value, ci95: quantile.ci95 };
        (name.trim_start_matches('p'), with_interval(&estimate))
    })
}
