//! Shares of waits, and quantiles, at stations and at classes there: for people and for files.

use super::finished::FinishedRun;
use crate::nodes::MAX_LISTED;
use crate::tally::TimesAtNode;
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::Listing;

/// Name of the table of shares of waits and of quantiles at stations.
pub(super) const NODE_TIMES: &str = "node_times";

/// Returns shares of waits, and quantiles, at stations and at classes there. Intervals of quantiles are not printed.
pub(super) fn listing(times: &[TimesAtNode]) -> Listing {
    let Some(first) = times.first() else { return Listing::default() };
    let key = first.waits.interval.confidence.key();
    let has_intervals = first.waits.half_width().is_some();
    let has_classes = times.iter().any(|row| row.class.is_some());
    let mut columns = vec![("label".to_owned(), Kind::Text, true)];
    if has_classes {
        columns.push(("class".to_owned(), Kind::Text, true));
    }
    columns.push(("visits".to_owned(), Kind::Count, true));
    let mut with_half = |name: String, is_printed: bool| {
        columns.push((name.clone(), Kind::Number, true));
        if has_intervals {
            columns.push((format!("{name}_{key}"), Kind::Number, is_printed));
        }
    };
    with_half("waits".to_owned(), true);
    first.beyond.iter().for_each(|beyond| with_half(format!("waits_beyond_{}", beyond.time), true));
    first.beyond.iter().for_each(|beyond| with_half(format!("served_within_{}", beyond.time), true));
    for (name, time) in [("waiting", &first.waiting), ("sojourn", &first.sojourn)] {
        time.iter()
            .flat_map(|time| time.quantiles.keys())
            .for_each(|percent| with_half(format!("{name}_{percent}"), false));
    }
    let row = |of: &TimesAtNode| {
        let mut row = vec![Value::Text(of.name.clone())];
        if has_classes {
            row.push(Value::Text(of.class.clone().unwrap_or_else(|| "all".to_owned())));
        }
        row.push(Value::Count(of.visits));
        let shares = [&of.waits].into_iter().chain(of.beyond.iter().map(|beyond| &beyond.share));
        let shares = shares.chain(of.beyond.iter().map(|beyond| &beyond.served_within));
        let shares = shares.map(|share| (share.mean, share.half_width()));
        let quantiles = [&of.waiting, &of.sojourn].into_iter().flatten().flat_map(|time| time.quantiles.values());
        let values = shares.chain(quantiles.map(|quantile| (quantile.value, quantile.half_width())));
        for (value, half) in values {
            row.push(Value::Number(value));
            row.extend(has_intervals.then_some(Value::Number(half)));
        }
        row
    };
    let head = "node".to_owned();
    Listing { columns, rows: times.iter().map(row).collect(), all: times.len(), printed: MAX_LISTED, head }
}

/// Returns the table of shares of waits and of quantiles at stations, if they were recorded.
pub(super) fn table(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let listing = listing(&run.at_stations()?);
    Some(listing.named(NODE_TIMES))
}
