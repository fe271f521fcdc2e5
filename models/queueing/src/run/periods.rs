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

/// Name of the table of results by period and class.
pub(super) const CLASS_PERIODS: &str = "class_periods";

/// Number of rows that a terminal shows.
const PRINTED: usize = 200;

/// Name of the whole network among those of stations.
const WHOLE: &str = "whole network";

/// Quantities that a terminal shows, and `true` for those with their intervals.
const SHOWN: [(&str, bool); 10] = [
    ("arrival_rate", false),
    ("throughput", false),
    ("number", true),
    ("waiting", true),
    ("utilization", false),
    ("loss", false),
    ("reneging_rate", true),
    ("reneging", false),
    ("response", true),
    ("cost", true),
];

/// Returns `true` for a share of visits or tokens by the time that they wait.
fn is_share(name: &str) -> bool {
    name.starts_with("waits_beyond") || name.starts_with("served_within")
}

type Stats = BTreeMap<String, Estimate>;

/// A row: the period, the class if it is of one, the name of the station or of the whole network, and the quantities.
#[derive(Clone, Copy)]
struct Row<'a> {
    period: &'a Period,
    class: Option<&'a str>,
    label: &'a str,
    stats: &'a Stats,
}

fn of_system(periods: &[Period]) -> impl Iterator<Item = Row<'_>> {
    periods.iter().map(|period| Row { period, class: None, label: WHOLE, stats: &period.system })
}

/// Returns the rows of stations, one station after the other.
fn of_stations(periods: &[Period]) -> impl Iterator<Item = Row<'_>> {
    let stations = periods.first().map_or(0, |period| period.nodes.len());
    (0..stations).flat_map(move |place| {
        periods.iter().filter_map(move |period| {
            let node = period.nodes.get(place)?;
            Some(Row { period, class: None, label: &node.name, stats: &node.stats })
        })
    })
}

/// Returns the rows of classes, one class after the other: of the whole network, and of one station after the other.
fn of_classes(periods: &[Period]) -> impl Iterator<Item = Row<'_>> {
    let classes = periods.first().map_or(0, |period| period.classes.len());
    (0..classes).flat_map(move |class| {
        let places = periods.first().and_then(|period| period.classes.get(class)).map_or(0, |of| 1 + of.nodes.len());
        (0..places).flat_map(move |place| {
            periods.iter().filter_map(move |period| {
                let of = period.classes.get(class)?;
                let (label, stats) = match place.checked_sub(1) {
                    None => (WHOLE, &of.system),
                    Some(place) => of.nodes.get(place).map(|node| (node.name.as_str(), &node.stats))?,
                };
                Some(Row { period, class: Some(&of.class), label, stats })
            })
        })
    })
}

/// Returns a listing of rows, with the columns that some of them have.
fn listing<'a>(periods: &[Period], rows: impl Iterator<Item = Row<'a>>, names_stations: bool) -> Listing {
    let rows: Vec<_> = rows.collect();
    let has = |name: &String| rows.iter().any(|row| row.stats.contains_key(name));
    let names: Vec<String> = Period::names(periods).into_iter().filter(has).collect();
    let of = |name: &String| rows.iter().filter_map(|row| row.stats.get(name)).collect::<Vec<_>>();
    let key = |name: &String| {
        let halves = of(name).into_iter().find(|estimate| estimate.half_width().is_some());
        halves.map(|estimate| format!("{name}_{}", estimate.interval.confidence.key()))
    };
    let mut columns = vec![];
    let has_classes = rows.iter().any(|row| row.class.is_some());
    columns.extend(has_classes.then_some(("class".to_owned(), Kind::Text, true)));
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
    let row = |Row { period, class, label, stats }: &Row<'_>| {
        let mut row = vec![];
        row.extend(has_classes.then(|| Value::Text(class.unwrap_or_default().to_owned())));
        row.extend(names_stations.then(|| Value::Text((*label).to_owned())));
        row.extend([period.from, period.to].map(|time| Value::Number(Some(time))));
        for (name, has_half) in names.iter().zip(&has_halves) {
            let estimate = stats.get(name);
            row.push(Value::Number(estimate.and_then(|estimate| estimate.mean)));
            row.extend(has_half.then(|| Value::Number(estimate.and_then(Estimate::half_width))));
        }
        row
    };
    let head = match (has_classes, names_stations) {
        (true, _) => "class",
        (false, true) => "node",
        (false, false) => "from",
    };
    Listing { rows: rows.iter().map(row).collect(), all: rows.len(), printed: PRINTED, columns, head: head.to_owned() }
}

/// Returns `true` for a row in whose period a token came, was there or left.
fn is_busy(row: &Row<'_>) -> bool {
    let has = |name: &str| row.stats.get(name).is_some_and(|of| of.mean.is_some_and(|mean| mean != 0.0));
    ["number", "arrival_rate", "throughput"].into_iter().any(has)
}

/// Returns the results of the whole network, a row for each period in which something happened.
pub(super) fn system(periods: &[Period]) -> Listing {
    listing(periods, of_system(periods).filter(is_busy), false)
}

/// Returns the results of the stations, a row for each station and period in which something happened there.
pub(super) fn stations(periods: &[Period]) -> Listing {
    listing(periods, of_stations(periods).filter(is_busy), true)
}

/// Returns the results of classes, a row for each class, station and period in which something happened; `None` if
/// classes were not counted.
pub(super) fn classes(periods: &[Period]) -> Option<Listing> {
    let has_classes = periods.iter().any(|period| !period.classes.is_empty());
    has_classes.then(|| listing(periods, of_classes(periods).filter(is_busy), true))
}

/// Says how many periods the listings leave out, if they leave out any.
pub(super) fn quiet(periods: &[Period]) -> Option<String> {
    let quiet = of_system(periods).filter(|row| !is_busy(row)).count();
    let said = match quiet {
        0 => return None,
        1 => "1 period in which no token came, was there or left is".to_owned(),
        quiet => format!("{quiet} periods in which no token came, was there or left are"),
    };
    Some(format!("{said} left out here; {PERIODS}.csv and --json have all"))
}

/// Returns plots over time, with the intervals of each period as bands.
pub(super) fn plots(periods: &[Period]) -> Vec<Content> {
    let line = |label: &str, name: &str| {
        let rows = of_system(periods).chain(of_stations(periods)).filter(|row| row.label == label);
        let point = |Row { period, stats, .. }: Row<'_>| {
            let estimate = stats.get(name)?;
            let x = (period.from + period.to) / 2.0;
            Some(Point { x, y: estimate.mean?, half_width: estimate.half_width() })
        };
        Line { points: rows.filter_map(point).collect(), ..Line::new(label.to_owned(), []) }
    };
    // The stations with the most tokens, as many as there are colours.
    let most = |name: &str| {
        let numbers = of_stations(periods).filter(|row| row.label == name);
        numbers.filter_map(|row| row.stats.get("number")?.mean).fold(0.0, f64::max)
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

/// Returns the table of results by period and class, if the run has periods and classes were counted.
pub(super) fn table_of_classes(run: &FinishedRun) -> Option<Box<dyn Sheet>> {
    let periods = run.periods().filter(|periods| periods.iter().any(|period| !period.classes.is_empty()))?;
    Some(listing(&periods, of_classes(&periods), true).named(CLASS_PERIODS))
}
