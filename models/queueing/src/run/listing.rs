//! Nodes, and classes at nodes, the busiest first, for people.

use super::nodes::{Column, Nodes};
use super::tables::PASSAGES;
use crate::end_to_end::Passage;
use crate::measures::Measure;
use crate::nodes::MAX_LISTED;
use imminent_common::sheet::{Records, Sheet};
use imminent_study::outcome::Listing;

/// Number of nodes that are printed of a network with more than [`MAX_LISTED`]: they are mostly alike.
const LISTED_OF_LARGE: usize = 10;

/// Largest number of nodes in a report.
pub(super) const MAX_ROWS: usize = 2_000;

/// Most important measures of a node: with `true` for an interval, and with `true` if that is printed. The files have
/// all measures.
const MEASURES: [(Measure, bool, bool); 6] = [
    (Measure::Utilization, true, false),
    (Measure::Throughput, false, false),
    (Measure::QueueLength, false, false),
    (Measure::Waiting, true, false),
    (Measure::Sojourn, true, true),
    (Measure::Loss, false, false),
];

/// Returns the number of the busiest of `all` nodes that are printed.
fn printed(all: usize) -> usize {
    if all > MAX_LISTED { LISTED_OF_LARGE } else { MAX_LISTED }
}

/// Returns nodes, or classes at nodes, in the order of `rows`, the first of `all`. Classes are shown in reports
/// alone.
pub(super) fn of_nodes(nodes: &Nodes<'_>, rows: &[usize], all: usize) -> Listing {
    let mut columns = vec![(Column::Label, true)];
    columns.extend(nodes.has_classes().then_some((Column::Class, false)));
    let has_intervals = rows.iter().any(|row| nodes.estimate(*row, Measure::Throughput).ci95.is_some());
    for (measure, has_interval, is_printed) in MEASURES {
        columns.push((Column::Mean(measure), true));
        columns.extend((has_intervals && has_interval).then_some((Column::HalfWidth(measure), is_printed)));
    }
    columns.extend([(Column::COMPLETED, false), (Column::Node, false)]);
    let printed = printed(all);
    let row = |row: &usize| columns.iter().map(|(column, _)| column.value(nodes, *row)).collect();
    Listing {
        rows: rows.iter().map(row).collect(),
        columns: columns.iter().map(|(column, is_printed)| (column.name(), column.kind(), *is_printed)).collect(),
        all,
        printed: if nodes.has_classes() { 0 } else { printed },
        head: if all > printed { format!("busiest {printed} of {all} nodes") } else { "node".to_owned() },
    }
}

/// Returns the times of tokens from source to exit.
pub(super) fn of_passages(passages: &[Passage]) -> Listing {
    let records = Records { name: "passages", columns: &PASSAGES, rows: passages };
    let columns = records.columns();
    let row = |row: usize| (0..columns.len()).map(|column| records.value(row, column)).collect();
    Listing {
        rows: (0..passages.len()).map(row).collect(),
        all: passages.len(),
        printed: passages.len(),
        head: "from source to exit".to_owned(),
        columns: columns
            .into_iter()
            .map(|(name, kind)| (name.clone(), kind, !["least", "p90"].contains(&&*name)))
            .collect(),
    }
}
