//! Tables: the statistics, the nodes, and the classes at nodes.

use super::super::columns::{Column, Nodes};
use crate::cli::page::{escape, sortable};
use imminent::models::estimate::Estimate;
use imminent::models::queueing::measures::Measure;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Each statistic with its interval.
pub(super) fn statistics(statistics: &BTreeMap<String, Estimate>) -> String {
    let mut table = String::from(
        "<table><thead><tr><th class=\"text\">statistic</th><th>mean</th><th>95 % interval</th><th>relative</th></tr></thead><tbody>",
    );
    for (name, estimate) in statistics {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.6}"));
        let half = estimate.ci95.map_or_else(|| "–".to_owned(), |half| format!("± {half:.6}"));
        let share = estimate.relative().map_or_else(|| "–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        let name = escape(&name.replace('_', " "));
        let _ = write!(
            table,
            "<tr><td class=\"text\">{name}</td><td>{}</td><td>{half}</td><td>{share}</td></tr>",
            number(estimate.mean)
        );
    }
    table + "</tbody></table>\n"
}

/// The busiest nodes, or classes at nodes.
pub(super) fn nodes(nodes: &Nodes<'_>) -> String {
    let mut columns = vec![Column::Node, Column::Label];
    columns.extend(nodes.has_classes().then_some(Column::Class));
    columns.push(Column::COMPLETED);
    for measure in [Measure::Utilization, Measure::Throughput, Measure::QueueLength, Measure::Waiting, Measure::Sojourn]
    {
        columns.extend([Column::Mean(measure), Column::HalfWidth(measure)]);
    }
    let places = nodes.places();
    let all = places.len();
    sortable::table(&nodes.part(columns, sortable::listed(places, |place| nodes.busy(place))), all)
}
