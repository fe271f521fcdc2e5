//! Distributions of the number of tokens, for people and for files.

use super::finished::FinishedRun;
use crate::nodes::MAX_LISTED;
use crate::tally::Distribution;
use imminent_common::digits::{three, with_interval};
use imminent_common::figure::{Line, Plot, Point};
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::{Content, Listing};

/// Name of the table of shares of the time by the number of tokens.
pub(super) const DISTRIBUTION: &str = "distribution";

/// Share of the time beyond which numbers are left out of plots.
const PLOTTED: f64 = 0.999;

/// Returns a table of quantiles of the number, and of the share of the time without tokens.
pub(super) fn quantiles(distributions: &[Distribution]) -> Content {
    let row = |of: &Distribution| {
        let empty = of.shares.first().map_or_else(|| "–".to_owned(), |of| with_interval(&of.share));
        let least = if of.is_cut { format!("{} or more", of.most) } else { of.most.to_string() };
        let mut row = vec![of.name.clone(), of.tokens.name().to_owned(), empty];
        row.extend([of.p50, of.p90, of.p95, of.p99].map(|number| number.to_string()));
        row.push(least);
        row
    };
    let columns = ["number of tokens", "tokens", "share of time at 0", "50 %", "90 %", "95 %", "99 %", "most"];
    let rows = distributions.iter().take(2 * (1 + MAX_LISTED)).map(row).collect();
    Content::Table { columns: columns.map(str::to_owned).to_vec(), rows }
}

/// Returns a plot of the shares of one distribution, with their intervals.
pub(super) fn plot(of: &Distribution) -> Content {
    let last = of.shares.iter().position(|share| share.at_most >= PLOTTED).unwrap_or(of.shares.len());
    let points = of.shares.iter().take(last + 1).filter_map(|share| {
        let half_width = share.share.half_width();
        Some(Point { x: share.number as f64, y: share.share.mean?, half_width })
    });
    let caption = format!(
        "Share of the time with each number of tokens: {}, {}. At most {} tokens are so {} % of the time.",
        of.name,
        of.tokens.name(),
        of.p95,
        three(100.0 * of.shares.get(of.p95 as usize).map_or(0.0, |share| share.at_most))
    );
    let line = Line { points: points.collect(), ..Line::new(String::new(), []) };
    Content::Plot(Plot::new(vec![line], ["number of tokens", "share of the time"], &caption))
}

/// Returns the table of the shares of each distribution, a row for each number.
fn listing(distributions: &[Distribution]) -> Listing {
    let first = distributions.first().and_then(|of| of.shares.first());
    let half = first.map_or_else(String::new, |of| format!("share_{}", of.share.interval.confidence.key()));
    let columns = [
        ("label", Kind::Text),
        ("tokens", Kind::Text),
        ("number", Kind::Count),
        ("time", Kind::Number),
        ("share", Kind::Number),
        (&half, Kind::Number),
        ("at_most", Kind::Number),
    ];
    let rows = distributions.iter().flat_map(|of| of.shares.iter().map(move |share| (of, share)));
    let row = |(all, of): (&Distribution, &crate::tally::NumberShare)| {
        vec![
            Value::Text(all.name.clone()),
            Value::Text(all.tokens.name().to_owned()),
            Value::Count(of.number),
            Value::Number(Some(of.time)),
            Value::Number(of.share.mean),
            Value::Number(of.share.half_width()),
            Value::Number(Some(of.at_most)),
        ]
    };
    let columns = columns.into_iter().map(|(name, kind)| (name.to_owned(), kind, true)).collect();
    let rows: Vec<_> = rows.map(row).collect();
    Listing { columns, all: rows.len(), rows, ..Listing::default() }
}

/// Returns the table of the shares, if they were wanted.
pub(super) fn table(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let listing = listing(&run.distributions()?);
    Some(listing.named(DISTRIBUTION))
}
