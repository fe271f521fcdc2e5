//! Results by period, for people and for files.

use super::finished::FinishedRun;
use crate::analysis::Period;
use imminent_common::estimate::Estimate;
use imminent_common::figure::{Line, Plot, Point};
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_study::outcome::{Content, Listing};
use std::collections::BTreeMap;

/// Name of the table of results by period.
pub(super) const PERIODS: &str = "periods";

/// Number of rows that a terminal shows.
const PRINTED: usize = 200;

/// Name of the whole network among those of stations.
const WHOLE: &str = "whole network";

/// Quantities that a terminal shows, and `true` for those with their intervals.
const SHOWN: [(&str, bool); 9] = [
    ("arrival_rate", false),
    ("throughput", false),
    ("number", true),
    ("waiting", true),
    ("utilization", false),
    ("loss", false),
    ("reneged", true),
    ("response", true),
    ("cost", true),
];

/// Returns `true` for a share of visits or tokens by the time that they wait.
fn is_share(name: &str) -> bool {
    name.starts_with("waits_beyond") || name.starts_with("served_within")
}

type Stats = BTreeMap<String, Estimate>;

/// A row: the period, the name of the station or of the whole network, and the quantities.
type Row<'a> = (&'a Period, &'a str, &'a Stats);

fn of_system(periods: &[Period]) -> impl Iterator<Item = Row<'_>> {
    periods.iter().map(|period| (period, WHOLE, &period.system))
}

/// Returns the rows of stations, one station after the other.
fn of_stations(periods: &[Period]) -> impl Iterator<Item = Row<'_>> {
    let stations = periods.first().map_or(0, |period| period.nodes.len());
    (0..stations).flat_map(move |place| {
        periods.iter().filter_map(move |period| {
            let node = period.nodes.get(place)?;
            Some((period, node.name.as_str(), &node.stats))
        })
    })
}

/// Returns a listing of rows, with the columns that some of them have.
fn listing<'a>(periods: &[Period], rows: impl Iterator<Item = Row<'a>>, names_stations: bool) -> Listing {
    let rows: Vec<_> = rows.collect();
    let has = |name: &String| rows.iter().any(|(.., stats)| stats.contains_key(name));
    let names: Vec<String> = Period::names(periods).into_iter().filter(has).collect();
    let of = |name: &String| rows.iter().filter_map(|(.., stats)| stats.get(name)).collect::<Vec<_>>();
    let key = |name: &String| {
        let halves = of(name).into_iter().find(|estimate| estimate.half_width().is_some());
        halves.map(|estimate| format!("{name}_{}", estimate.interval.confidence.key()))
    };
    let mut columns = vec![];
    columns.extend(names_stations.then_some(("label".to_owned(), Kind::Text, true)));
    columns.extend(["from", "to"].map(|name| (name.to_owned(), Kind::Number, true)));
    let mut has_halves = vec![];
    for name in &names {
        let shown = SHOWN.into_iter().find(|(shown, _)| shown == name);
        let is_share = is_share(name);
        columns.push((name.clone(), Kind::Number, shown.is_some() || is_share));
        let half = key(name);
        has_halves.push(half.is_some());
        columns.extend(half.map(|half| (half, Kind::Number, is_share || shown.is_some_and(|(_, half)| half))));
    }
    let row = |(period, label, stats): &Row<'_>| {
        let mut row = vec![];
        row.extend(names_stations.then(|| Value::Text((*label).to_owned())));
        row.extend([period.from, period.to].map(|time| Value::Number(Some(time))));
        for (name, has_half) in names.iter().zip(&has_halves) {
            let estimate = stats.get(name);
            row.push(Value::Number(estimate.and_then(|estimate| estimate.mean)));
            row.extend(has_half.then(|| Value::Number(estimate.and_then(Estimate::half_width))));
        }
        row
    };
    let head = if names_stations { "node" } else { "from" }.to_owned();
    Listing { rows: rows.iter().map(row).collect(), all: rows.len(), printed: PRINTED, columns, head }
}

/// Returns the results of the whole network, a row for each period.
pub(super) fn system(periods: &[Period]) -> Listing {
    listing(periods, of_system(periods), false)
}

/// Returns the results of the stations, a row for each station and period.
pub(super) fn stations(periods: &[Period]) -> Listing {
    listing(periods, of_stations(periods), true)
}

/// Returns plots over time, with the intervals of each period as bands.
pub(super) fn plots(periods: &[Period]) -> Vec<Content> {
    let line = |label: &str, name: &str| {
        let rows = of_system(periods).chain(of_stations(periods)).filter(|(_, of, _)| *of == label);
        let point = |(period, _, stats): Row<'_>| {
            let estimate = stats.get(name)?;
            let x = (period.from + period.to) / 2.0;
            Some(Point { x, y: estimate.mean?, half_width: estimate.half_width() })
        };
        Line { points: rows.filter_map(point).collect(), ..Line::new(label.to_owned(), []) }
    };
    // The stations with the most tokens, as many as there are colours.
    let most = |name: &str| {
        let numbers = of_stations(periods).filter(|(_, of, _)| *of == name);
        numbers.filter_map(|(.., stats)| stats.get("number")?.mean).fold(0.0, f64::max)
    };
    let mut stations: Vec<&str> =
        periods.first().map_or_else(Vec::new, |of| of.nodes.iter().map(|node| node.name.as_str()).collect());
    stations.sort_by(|a, b| most(b).total_cmp(&most(a)));
    stations.truncate(Line::COLOURS - 1);
    let plot = |name: &String| {
        let labels = [WHOLE].into_iter().chain(stations.iter().copied());
        let lines: Vec<Line> = labels.map(|label| line(label, name)).filter(|line| !line.points.is_empty()).collect();
        let title = name.replace('_', " ");
        let caption = format!("{title} in each period, at its middle. Bands are the intervals over replications.");
        (!lines.is_empty()).then(|| Content::Plot(Plot::new(lines, ["time units", &title], &caption)))
    };
    let names = Period::names(periods);
    let is_drawn = |name: &&String| SHOWN.iter().any(|(shown, _)| shown == name) || is_share(name);
    names.iter().filter(is_drawn).filter_map(plot).collect()
}

/// Returns the table of results by period, if the run has periods.
pub(super) fn table(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let periods = run.periods()?;
    let listing = listing(&periods, of_system(&periods).chain(of_stations(&periods)), true);
    Some(listing.named(PERIODS))
}
