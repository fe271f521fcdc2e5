//! Load of pools of servers, for people and for files.

use super::finished::FinishedRun;
use crate::nodes::MAX_LISTED;
use crate::tally::PoolLoad;
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::Listing;

/// Name of the table of pools.
pub(super) const POOLS: &str = "pools";

/// Returns a row for each pool.
pub(super) fn listing(pools: &[PoolLoad]) -> Listing {
    let Some(first) = pools.first() else { return Listing::default() };
    let half = format!("utilization_{}", first.utilization.interval.confidence.key());
    let has_intervals = pools.iter().any(|of| of.utilization.half_width().is_some());
    let mut columns = vec![
        ("label".to_owned(), Kind::Text, true),
        ("pool".to_owned(), Kind::Count, true),
        ("classes".to_owned(), Kind::Text, true),
        ("servers".to_owned(), Kind::Count, true),
        ("utilization".to_owned(), Kind::Number, true),
    ];
    columns.extend(has_intervals.then_some((half, Kind::Number, true)));
    let row = |of: &PoolLoad| {
        let classes = if of.classes.is_empty() { "all".to_owned() } else { of.classes.join(", ") };
        let mut row = vec![
            Value::Text(of.name.clone()),
            Value::Count(of.pool.into()),
            Value::Text(classes),
            Value::Count(of.servers.into()),
            Value::Number(of.utilization.mean),
        ];
        row.extend(has_intervals.then(|| Value::Number(of.utilization.half_width())));
        row
    };
    let rows: Vec<_> = pools.iter().map(row).collect();
    Listing { columns, all: rows.len(), rows, printed: MAX_LISTED, head: "node".to_owned() }
}

/// Returns the table of pools, if there are any.
pub(super) fn table(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let listing = listing(&run.pools()?);
    Some(listing.named(POOLS))
}
