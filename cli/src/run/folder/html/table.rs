//! Tables: the statistics, the nodes, and the classes at nodes.

use super::super::columns::{Column, Nodes, PASSAGES};
use imminent::models::estimate::Estimate;
use imminent::models::queueing::end_to_end::Passage;
use imminent::models::queueing::measures::Measure;
use imminent::models::sheet::Records;
use imminent_report::digits::{or_dash, three};
use imminent_report::page::{escape, sortable};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Writes each statistic with its interval.
pub(super) fn statistics(statistics: &BTreeMap<String, Estimate>) -> String {
    let mut table = String::from(
        "<table><thead><tr><th class=\"text\">statistic</th><th class=\"text\">unit</th><th>mean</th><th>95 % interval</th><th>relative</th></tr></thead><tbody>",
    );
    for (name, estimate) in statistics {
        let half = estimate.ci95.map_or_else(|| "–".to_owned(), |half| format!("± {}", three(half)));
        let share = estimate.relative().map_or_else(|| "–".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        let (name, unit) = (escape(&name.replace('_', " ")), unit(name));
        let _ = write!(
            table,
            "<tr><td class=\"text\">{name}</td><td class=\"text\">{unit}</td><td>{}</td><td>{half}</td><td>{share}</td></tr>",
            or_dash(estimate.mean)
        );
    }
    table + "</tbody></table>\n"
}

/// Returns the unit of a statistic.
pub(super) fn unit(statistic: &str) -> &'static str {
    match statistic {
        "throughput" => "tokens per time unit",
        "queue_length" | "number_in_system" => "tokens",
        "waiting" | "sojourn" | "waiting_by_little" | "sojourn_by_little" => "time units",
        "utilization" => "share of the time",
        "loss" => "share of arrivals",
        "blocking" => "share of services",
        _ => "",
    }
}

/// Most important measures of a node, with `true` for an interval; the files have all measures.
const MEASURES: [(Measure, bool); 6] = [
    (Measure::Utilization, true),
    (Measure::Throughput, false),
    (Measure::QueueLength, false),
    (Measure::Waiting, true),
    (Measure::Sojourn, true),
    (Measure::Loss, false),
];

/// Writes nodes, or classes at nodes, by falling utilization.
pub(super) fn nodes(nodes: &Nodes<'_>) -> String {
    let mut columns = vec![Column::Label];
    columns.extend(nodes.has_classes().then_some(Column::Class));
    let has_intervals = nodes.has_intervals();
    for (measure, with_interval) in MEASURES {
        columns.push(Column::Mean(measure));
        columns.extend((has_intervals && with_interval).then_some(Column::HalfWidth(measure)));
    }
    columns.extend([Column::COMPLETED, Column::Node]);
    let places = nodes.busiest(sortable::MAX_ROWS);
    let units = "<p>Waiting and sojourn are in time units, throughput is in tokens per time unit, and the queue length in tokens. Utilization and loss are shares.</p>\n";
    units.to_owned() + &sortable::table(&nodes.part(columns, places), nodes.places().len())
}

/// Writes the times of tokens from source to exit.
pub(super) fn end_to_end(passages: &[Passage]) -> String {
    sortable::table(&Records { name: "end_to_end", columns: &PASSAGES, rows: passages }, passages.len())
}
