//! Nodes, and classes at nodes, the busiest first, for people.

use super::nodes::{Column, Nodes};
use super::tables::{AtLevel, PASSAGES};
use crate::measures::Measure;
use crate::nodes::MAX_LISTED;
use crate::system::{Stats, System};
use crate::tally::Passage;
use imminent_common::estimate::Confidence;
use imminent_common::sheet::{Kind, Records, Sheet, Value};
use imminent_study::outcome::Listing;

/// Number of nodes that are printed of a network with more than [`MAX_LISTED`]: they are mostly alike.
const LISTED_OF_LARGE: usize = 10;

/// Largest number of nodes in a report.
pub(super) const MAX_ROWS: usize = 2_000;

/// Most important measures of a node: with `true` for an interval, and with `true` if that is printed. The files have
/// all measures.
const MEASURES: [(Measure, bool, bool); 7] = [
    (Measure::Utilization, true, false),
    (Measure::Throughput, false, false),
    (Measure::QueueLength, false, false),
    (Measure::Waiting, true, false),
    (Measure::Sojourn, true, true),
    (Measure::Loss, false, false),
    (Measure::Reneging, true, false),
];

/// Returns the number of the busiest of `all` nodes that are printed.
fn printed(all: usize) -> usize {
    if all > MAX_LISTED { LISTED_OF_LARGE } else { MAX_LISTED }
}

/// Returns nodes, or classes at nodes, in the order of `rows`, the first of `all`.
pub(super) fn of_nodes(nodes: &Nodes<'_>, rows: &[usize], all: usize) -> Listing {
    let mut columns = vec![(Column::Label, true)];
    columns.extend(nodes.has_classes().then_some((Column::Class, true)));
    let has_intervals = rows.iter().any(|row| nodes.estimate(*row, Measure::Throughput).half_width().is_some());
    for (measure, has_interval, is_printed) in MEASURES.into_iter().filter(|(of, ..)| of.is_of(nodes.network)) {
        columns.push((Column::Mean(measure), true));
        columns.extend((has_intervals && has_interval).then_some((Column::HalfWidth(measure), is_printed)));
        let has_theory = nodes.has_theory() && ![Measure::Loss, Measure::Reneging].contains(&measure);
        columns.extend(has_theory.then_some((Column::Theory(measure), measure == Measure::Sojourn)));
    }
    columns.extend(nodes.has_cycles().then_some((Column::CycleTime, true)));
    columns.extend([(Column::COMPLETED, false), (Column::Node, false)]);
    let printed = printed(all);
    let row = |row: &usize| columns.iter().map(|(column, _)| column.value(nodes, *row)).collect();
    Listing {
        rows: rows.iter().map(row).collect(),
        columns: columns.iter().map(|(column, is_printed)| (column.name(nodes), column.kind(), *is_printed)).collect(),
        all,
        printed,
        head: match (all > printed, nodes.has_classes()) {
            (false, _) => "node".to_owned(),
            (true, false) => format!("busiest {printed} of {all} nodes"),
            (true, true) => format!("busiest {printed} of {all} classes at nodes"),
        },
    }
}

/// Columns of the whole network: each measure, and `true` for an interval that is printed too.
const OF_SYSTEM: [(Measure, bool); 9] = [
    (Measure::SystemNumber, true),
    (Measure::SystemArrivalRate, false),
    (Measure::SystemThroughput, false),
    (Measure::SystemResponse, true),
    (Measure::SystemDropRate, false),
    (Measure::SystemLoss, true),
    (Measure::SystemRenegingRate, false),
    (Measure::SystemReneging, true),
    (Measure::Cost, true),
];

/// Returns the results of the whole network, of its classes and of its sources.
pub(super) fn of_system(system: &System) -> Listing {
    let confidence = system.all.values().next().map_or(Confidence::DEFAULT, |estimate| estimate.interval.confidence);
    let has_intervals = system.all.values().any(|estimate| estimate.half_width().is_some());
    let is_defined = |measure: Measure| {
        let parts = system.sources.iter().chain(&system.classes).chain(&system.chains).map(|part| &part.stats);
        [&system.all].into_iter().chain(parts).any(|stats| stats.contains_key(measure.name_in_system()))
    };
    let measures: Vec<_> = OF_SYSTEM.into_iter().filter(|(measure, _)| is_defined(*measure)).collect();
    let mut columns = vec![("system".to_owned(), Kind::Text, true)];
    for (measure, is_printed) in &measures {
        let name = measure.name_in_system();
        columns.push((name.to_owned(), Kind::Number, true));
        if has_intervals {
            columns.push((format!("{name}_{}", confidence.key()), Kind::Number, *is_printed));
        }
    }
    let row = |name: String, stats: &Stats| {
        let mut row = vec![Value::Text(name)];
        for (measure, _) in &measures {
            let estimate = stats.get(measure.name_in_system());
            row.push(Value::Number(estimate.and_then(|estimate| estimate.mean)));
            if has_intervals {
                row.push(Value::Number(estimate.and_then(|estimate| estimate.half_width())));
            }
        }
        row
    };
    let mut rows = vec![row("whole network".to_owned(), &system.all)];
    for (kind, parts) in [("class", &system.classes), ("classes", &system.chains), ("source", &system.sources)] {
        rows.extend(parts.iter().map(|part| row(format!("{kind} {}", part.name), &part.stats)));
    }
    let all = rows.len();
    Listing { columns, rows, all, printed: all.min(1 + MAX_LISTED), head: "system".to_owned() }
}

/// Returns the times of tokens from source to exit.
pub(super) fn of_passages(passages: &[Passage], confidence: Confidence) -> Listing {
    let records = AtLevel { sheet: Records { name: "passages", columns: &PASSAGES, rows: passages }, confidence };
    let columns = records.columns();
    let row = |row: usize| (0..columns.len()).map(|column| records.value(row, column)).collect();
    Listing {
        rows: (0..passages.len()).map(row).collect(),
        all: passages.len(),
        printed: passages.len(),
        head: "from source to exit".to_owned(),
        columns: columns
            .into_iter()
            .map(|(name, kind)| {
                let is_printed = !name.contains("_ci") || name.starts_with("mean") || name.starts_with("p95");
                (name.clone(), kind, is_printed && !["least", "p90"].contains(&&*name))
            })
            .collect(),
    }
}
