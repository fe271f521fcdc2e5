//! Tables: the statistics, the nodes, and the classes at nodes.

use super::super::columns::{Column, Nodes, Value};
use crate::cli::page::escape;
use imminent::models::estimate::Estimate;
use imminent::models::queueing::measures::Measure;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The most rows that the page lists; all are in nodes.csv, or classes.csv.
const MOST: usize = 2_000;

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

/// The busiest nodes, or classes at nodes, sorted by a click on a column's head.
pub(super) fn nodes(nodes: &Nodes<'_>) -> String {
    let shown = |column: &Column| match column {
        Column::Node | Column::Label | Column::Class => true,
        Column::Sum(name, _) => *name == "completed",
        _ => false,
    };
    let mut columns: Vec<_> = nodes.columns().into_iter().filter(shown).collect();
    for measure in [Measure::Utilization, Measure::Throughput, Measure::QueueLength, Measure::Waiting, Measure::Sojourn]
    {
        columns.extend([Column::Mean(measure), Column::HalfWidth(measure)]);
    }
    let mut listed = nodes.places();
    let all = listed.len();
    if all > MOST {
        listed.select_nth_unstable_by_key(MOST, |place| (std::cmp::Reverse(nodes.busy(*place)), *place));
        listed.truncate(MOST);
        listed.sort_unstable();
    }
    let mut table = String::new();
    if all > MOST {
        let _ = writeln!(table, "<p>The busiest {MOST} of {all} rows; all are in the files beside this page.</p>");
    }
    table.push_str("<div class=\"scroll\"><table class=\"sortable\"><thead><tr>");
    for column in &columns {
        let class = if matches!(column, Column::Label | Column::Class) { " class=\"text\"" } else { "" };
        let name = column.name().replace("_ci95", " ±").replace('_', " ");
        let _ = write!(table, "<th{class}>{name}</th>");
    }
    table.push_str("</tr></thead><tbody>\n");
    for node in listed {
        table.push_str("<tr>");
        for column in &columns {
            let _ = match column.value(nodes, node) {
                Value::Count(count) => write!(table, "<td>{count}</td>"),
                Value::Number(Some(number)) => write!(table, "<td>{number:.5}</td>"),
                Value::Number(None) => write!(table, "<td>–</td>"),
                Value::Text(text) => write!(table, "<td class=\"text\">{}</td>", escape(&text)),
            };
        }
        table.push_str("</tr>\n");
    }
    table + "</tbody></table></div>\n"
}
