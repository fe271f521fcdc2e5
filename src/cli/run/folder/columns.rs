//! The table of nodes, column by column: the same in CSV, Parquet and HTML.

use imminent::models::estimate::Estimate;
use imminent::models::queueing::Network;
use imminent::models::queueing::experiment::Findings;
use imminent::models::queueing::measures::{Capacity, Measure};
use imminent::models::queueing::outcome::NodeStatistics;

/// What is known of the nodes.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) network: &'a Network,
    pub(super) findings: &'a Findings,
}

/// A value of a column for one node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Count(u64),
    Number(Option<f64>),
    Text(String),
}

/// A column.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// The node's number.
    Node,
    Label,
    /// A sum over all replications, after the warm-up; times in ticks of 2^-20 time units.
    Sum(&'static str, fn(&NodeStatistics) -> u64),
    /// The greatest number that waited at once, the warm-up included, where the engine knows it.
    MostWaiting,
    /// The mean of a measure over all that was observed.
    Mean(Measure),
    /// Half of its 95 % interval.
    HalfWidth(Measure),
}

/// All columns, in their order.
pub(super) fn all() -> Vec<Column> {
    let mut columns = vec![
        Column::Node,
        Column::Label,
        Column::Sum("served", |node| node.served),
        Column::Sum("completed", |node| node.completed),
        Column::Sum("busy_ticks", |node| node.busy),
        Column::Sum("sojourn_ticks", |node| node.sojourn_sum),
        Column::Sum("waiting_ticks", |node| node.waiting_sum),
        Column::Sum("number_integral_ticks", |node| node.number_integral),
        Column::Sum("arrivals", |node| node.arrivals),
        Column::Sum("lost", |node| node.lost),
        Column::Sum("blocked", |node| node.blocked),
        Column::Sum("blocked_ticks", |node| node.blocked_time),
        Column::MostWaiting,
    ];
    columns.extend(Measure::ALL.into_iter().flat_map(|measure| [Column::Mean(measure), Column::HalfWidth(measure)]));
    columns
}

impl Column {
    pub(super) fn name(self) -> String {
        match self {
            Self::Node => "node".to_owned(),
            Self::Label => "label".to_owned(),
            Self::Sum(name, _) => name.to_owned(),
            Self::MostWaiting => "most_waiting".to_owned(),
            Self::Mean(measure) => measure.name().to_owned(),
            Self::HalfWidth(measure) => format!("{}_ci95", measure.name()),
        }
    }

    pub(super) fn value(self, nodes: &Nodes<'_>, node: usize) -> Value {
        match self {
            Self::Node => Value::Count(node as u64),
            Self::Label => Value::Text(nodes.network.label(node as u32)),
            Self::Sum(_, of) => Value::Count(nodes.findings.nodes.get(node).map_or(0, of)),
            Self::MostWaiting => {
                let most = nodes.findings.nodes.get(node).and_then(|node| node.most_waiting);
                Value::Number(most.map(f64::from))
            }
            Self::Mean(measure) => Value::Number(nodes.mean(node, measure)),
            Self::HalfWidth(measure) => Value::Number(nodes.estimate(node, measure).ci95),
        }
    }
}

impl Nodes<'_> {
    pub(super) fn len(&self) -> usize {
        self.findings.nodes.len()
    }

    /// The mean of a measure over all that was observed of a node.
    pub(super) fn mean(&self, node: usize, measure: Measure) -> Option<f64> {
        let sums = self.findings.nodes.get(node)?;
        measure.value(sums, Capacity::of_node(self.network, node as u32), self.findings.observed)
    }

    /// The measure's estimate from samples; nothing for a network so large that its nodes were not kept.
    pub(super) fn estimate(&self, node: usize, measure: Measure) -> Estimate {
        let nothing = Estimate { mean: None, ci95: None };
        self.findings.node_sums.get(node).map_or(nothing, |sums| sums.estimate(measure))
    }
}
