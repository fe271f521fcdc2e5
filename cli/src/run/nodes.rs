//! Tables of nodes, and of passages through the network, for people.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::queueing::Report;
use imminent::models::queueing::end_to_end::Passage;
use imminent::models::queueing::measures::Measure;
use imminent::models::queueing::nodes::{MOST_NODES, NodeReport};
use imminent_report::digits::{or_dash, three, with_interval};

/// Number of nodes that are listed of a network with more than [`MOST_NODES`]: they are mostly alike.
const MOST_OF_MANY: usize = 10;

/// Writes the nodes, the busiest first: all of a network with at most [`MOST_NODES`], else [`MOST_OF_MANY`].
pub(super) fn text<C>(report: &Report<C>) -> String {
    let all = report.node_count;
    let shown = if all > MOST_NODES { MOST_OF_MANY } else { MOST_NODES };
    let heading = if all > shown { format!("busiest {shown} of {all} nodes") } else { "node".to_owned() };
    let measures = [
        Measure::Utilization,
        Measure::Throughput,
        Measure::QueueLength,
        Measure::Waiting,
        Measure::Sojourn,
        Measure::Loss,
    ];
    let has_intervals = report.nodes.iter().any(|node| half_width(node, Measure::Sojourn).is_some());
    let mut header = vec![heading];
    for measure in measures {
        header.push(measure.name().replace('_', " "));
        header.extend((has_intervals && measure == Measure::Sojourn).then(|| "±".to_owned()));
    }
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(header);
    for node in report.nodes.iter().take(shown) {
        let mut row = vec![node.name.clone()];
        for measure in measures {
            row.push(or_dash(node.stats.get(measure.name()).and_then(|estimate| estimate.mean)));
            row.extend((has_intervals && measure == Measure::Sojourn).then(|| or_dash(half_width(node, measure))));
        }
        table.add_row(row);
    }
    table.to_string()
}

fn half_width(node: &NodeReport, measure: Measure) -> Option<f64> {
    node.stats.get(measure.name())?.ci95
}

/// Writes the times of tokens from source to exit.
pub(super) fn passages(passages: &[Passage]) -> String {
    let mut table = Table::new();
    let names = ["from source to way out", "as class", "tokens", "mean time", "50 %", "95 %", "99 %", "greatest"];
    table.load_style(UTF8_FULL_CONDENSED).set_header(names);
    for passage in passages {
        table.add_row([
            passage.source.clone(),
            passage.class.clone(),
            passage.tokens.to_string(),
            with_interval(&passage.time),
            three(passage.p50),
            three(passage.p95),
            three(passage.p99),
            three(passage.greatest),
        ]);
    }
    table.to_string()
}
