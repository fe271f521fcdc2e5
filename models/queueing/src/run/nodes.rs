//! Tables of nodes, and of classes at nodes.

use super::finished::FinishedRun;
use crate::analysis::{Findings, NodeSums};
use crate::measures::{Basis, Counted, Measure, Measures};
use crate::network::{Network, Station};
use crate::nodes::{Busiest, Cycles};
use crate::outcome::{NodeStatistics, Statistics};
use crate::ranking::in_order;
use imminent_common::estimate::Estimate;
use imminent_common::sheet::{Kind, Sheet, Value};
use std::sync::Arc;

/// Name of the table of nodes.
pub(super) const NODES: &str = "nodes";

/// Name of the table of classes at nodes.
pub(super) const CLASSES: &str = "classes";

/// Results of the nodes, or of each class at each node: the rows are ordered by node, and within a node by class.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) network: &'a Network,
    statistics: Known<'a>,
    sums: &'a [NodeSums],
    findings: &'a Findings,
    cycles: Cycles,
    theory: &'a [Option<Measures>],
    observed: u64,
    counted: Counted,
    /// Number of rows per node, for a table of classes.
    classes: Option<usize>,
}

/// Rows whose statistics are known.
#[derive(Clone, Copy)]
enum Known<'a> {
    All(&'a dyn Statistics),
    Busiest(&'a Busiest),
}

impl Known<'_> {
    fn of(self, row: usize) -> Option<NodeStatistics> {
        match self {
            Self::All(statistics) => statistics.of(row),
            Self::Busiest(busiest) => busiest.get(row as u32),
        }
    }
}

/// Column of the table.
#[derive(Clone, Copy)]
pub(super) enum Column {
    /// Number of the node.
    Node,
    Label,
    /// Name of the class.
    Class,
    /// Sum over all replications, after the warm-up; times are in ticks of the network's length.
    Sum(&'static str, fn(&NodeStatistics) -> u64),
    /// Largest number of tokens waiting at once, including the warm-up, if the engine counts it.
    MostWaiting,
    /// Mean of a measure over all observations.
    Mean(Measure),
    /// Half of the measure's interval.
    HalfWidth(Measure),
    /// Mean time between two completions of the same token.
    CycleTime,
    /// Exact value of a measure in a stationary run, where theory has it.
    Theory(Measure),
}

impl Nodes<'_> {
    /// Returns all columns in order.
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::Node, Column::Label];
        columns.extend(self.classes.map(|_| Column::Class));
        columns.extend([
            Column::Sum("served", |node| node.served),
            Column::COMPLETED,
            Column::Sum("busy_ticks", |node| node.busy),
            Column::Sum("sojourn_ticks", |node| node.sojourn_sum),
            Column::Sum("waiting_ticks", |node| node.waiting_sum),
            Column::Sum("number_integral_ticks", |node| node.number_integral),
            Column::Sum("arrivals", |node| node.arrivals),
            Column::Sum("lost", |node| node.lost),
            Column::Sum("blocked", |node| node.blocked),
            Column::Sum("blocked_ticks", |node| node.blocked_time),
        ]);
        if self.network.has_impatience() {
            columns.push(Column::Sum("reneged", |node| node.reneged));
        }
        // Tokens of a class share their queue with others.
        columns.extend(self.classes.is_none().then_some(Column::MostWaiting));
        columns.extend(
            Measure::STATION
                .into_iter()
                .filter(|measure| measure.is_of(self.network))
                .flat_map(|measure| [Column::Mean(measure), Column::HalfWidth(measure)]),
        );
        columns
    }
}

impl Column {
    /// Column of the number of completed services.
    pub(super) const COMPLETED: Self = Self::Sum("completed", |node| node.completed);

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Node | Self::Sum(..) => Kind::Count,
            Self::Label | Self::Class => Kind::Text,
            Self::MostWaiting | Self::Mean(_) | Self::HalfWidth(_) | Self::CycleTime | Self::Theory(_) => Kind::Number,
        }
    }

    pub(super) fn name(self, nodes: &Nodes<'_>) -> String {
        match self {
            Self::Node => "node".to_owned(),
            Self::Label => "label".to_owned(),
            Self::Class => "class".to_owned(),
            Self::Sum(name, _) => name.to_owned(),
            Self::MostWaiting => "most_waiting".to_owned(),
            Self::Mean(measure) => measure.name().to_owned(),
            Self::HalfWidth(measure) => format!("{}_{}", measure.name(), nodes.findings.confidence.key()),
            Self::CycleTime => "cycle_time".to_owned(),
            Self::Theory(measure) => format!("{}_in_theory", measure.name()),
        }
    }

    pub(super) fn value(self, nodes: &Nodes<'_>, row: usize) -> Value {
        match self {
            Self::Node => Value::Count(nodes.node(row).into()),
            Self::Label => Value::Text(nodes.network.label(nodes.node(row))),
            Self::Class => Value::Text(nodes.network.class_name(nodes.class(row))),
            Self::Sum(_, of) => Value::Count(nodes.statistics.of(row).as_ref().map_or(0, of)),
            Self::MostWaiting => {
                let most = nodes.statistics.of(row).and_then(|node| node.most_waiting);
                Value::Number(most.map(f64::from))
            }
            Self::Mean(measure) => Value::Number(nodes.mean(row, measure)),
            Self::HalfWidth(measure) => Value::Number(nodes.estimate(row, measure).half_width()),
            Self::Theory(measure) => Value::Number(nodes.theory(row, measure)),
            Self::CycleTime => {
                let throughput = nodes.mean(row, Measure::Throughput);
                let time = nodes.cycles.time(nodes.findings, nodes.node(row), throughput);
                Value::Number(time.and_then(|time| time.mean))
            }
        }
    }
}

/// Table of rows.
pub(super) struct NodeSheet {
    run: Arc<FinishedRun>,
    columns: Vec<Column>,
    rows: Vec<usize>,
    is_by_class: bool,
}

impl NodeSheet {
    /// Creates the table of all nodes.
    pub(super) fn of(run: &Arc<FinishedRun>) -> Self {
        let nodes = Nodes::of(run);
        Self { run: Arc::clone(run), columns: nodes.columns(), rows: nodes.rows(), is_by_class: false }
    }

    /// Creates the table of all classes at nodes, if they were counted.
    pub(super) fn by_class(run: &Arc<FinishedRun>) -> Option<Self> {
        let nodes = Nodes::by_class(run)?;
        Some(Self { run: Arc::clone(run), columns: nodes.columns(), rows: nodes.rows(), is_by_class: true })
    }

    fn nodes(&self) -> Nodes<'_> {
        let by_class = if self.is_by_class { Nodes::by_class(&self.run) } else { None };
        by_class.unwrap_or_else(|| Nodes::of(&self.run))
    }
}

impl Sheet for NodeSheet {
    fn name(&self) -> &'static str {
        if self.is_by_class { CLASSES } else { NODES }
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let nodes = self.nodes();
        self.columns.iter().map(|column| (column.name(&nodes), column.kind())).collect()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let value = self.columns.get(column).zip(self.rows.get(row));
        value.map_or(Value::Number(None), |(column, &row)| column.value(&self.nodes(), row))
    }
}

impl<'a> Nodes<'a> {
    /// Creates a view of the nodes.
    pub(super) fn of(run: &'a FinishedRun) -> Self {
        let findings = &run.findings;
        let all = findings.nodes.on_host();
        let statistics = all.map_or(Known::Busiest(&run.busiest), |all| Known::All(all));
        let sums = findings.node_sums.as_slice();
        let (observed, counted) = (findings.observed, findings.counted);
        let network = &run.experiment.network;
        Self {
            network,
            statistics,
            sums,
            findings,
            cycles: run.cycles,
            theory: &run.theory,
            observed,
            counted,
            classes: None,
        }
    }

    /// Creates a view of each class at each node, if classes were counted.
    pub(super) fn by_class(run: &'a FinishedRun) -> Option<Self> {
        let classes = run.classes.as_ref()?;
        let (statistics, sums) = (Known::All(classes.sums()), classes.node_sums());
        Some(Self { statistics, sums, classes: Some(run.experiment.network.classes()), ..Self::of(run) })
    }
}

impl Nodes<'_> {
    pub(super) fn len(&self) -> usize {
        self.network.len() * self.classes.unwrap_or(1)
    }

    /// Returns the rows that are rows of the table: nodes, or classes where they are served or emitted.
    pub(super) fn rows(&self) -> Vec<usize> {
        (0..self.len()).filter(|row| self.is_row(*row)).collect()
    }

    fn is_row(&self, row: usize) -> bool {
        self.classes.is_none() || self.network.service(self.node(row), self.class(row)).is_some()
    }

    /// Returns `true` if theory knows any of the nodes.
    pub(super) fn has_theory(&self) -> bool {
        self.classes.is_none() && self.theory.iter().any(Option::is_some)
    }

    /// Returns the exact value of a measure at a node, if theory has it.
    fn theory(&self, row: usize, measure: Measure) -> Option<f64> {
        let of_node = self.theory.get(row)?.as_ref()?;
        let is_delay = self.network.station(self.node(row)).is_some_and(|of| of.servers == Station::INFINITE);
        if is_delay && measure == Measure::Utilization {
            return None;
        }
        of_node.named().into_iter().find(|(name, _)| *name == measure.name())?.1
    }

    /// Returns `true` if rows are nodes to which every token comes again and again.
    pub(super) fn has_cycles(&self) -> bool {
        self.classes.is_none() && self.cycles.are_defined()
    }

    /// Returns `true` if rows are classes at nodes.
    pub(super) fn has_classes(&self) -> bool {
        self.classes.is_some()
    }

    /// Returns the `most` busiest [rows](Self::rows), the busiest first; sources come last.
    pub(super) fn busiest(&self, most: usize) -> Vec<usize> {
        let load = |row: usize| {
            let station = self.network.station(self.node(row));
            self.is_row(row).then(|| (station.map(|_| self.mean(row, Measure::Utilization).unwrap_or(0.0)), row))
        };
        in_order(self.len(), load, most)
    }

    fn node(&self, row: usize) -> u32 {
        (row / self.classes.unwrap_or(1)) as u32
    }

    fn class(&self, row: usize) -> u32 {
        self.classes.map_or(0, |classes| (row % classes) as u32)
    }

    /// Returns `true` if a row has a measure: sources only have a throughput.
    fn has(&self, row: usize, measure: Measure) -> bool {
        measure == Measure::Throughput || self.network.station(self.node(row)).is_some()
    }

    /// Returns the mean of a measure over all observations of a row.
    pub(super) fn mean(&self, row: usize, measure: Measure) -> Option<f64> {
        let sums = self.statistics.of(row).filter(|_| self.has(row, measure))?;
        let basis = Basis::of_node(self.network, self.node(row)).counting(self.counted);
        measure.value(&sums, basis, self.observed)
    }

    /// Returns the measure's estimate from samples; it is empty for a network so large that its nodes were not kept.
    pub(super) fn estimate(&self, row: usize, measure: Measure) -> Estimate {
        let confidence = self.findings.confidence;
        self.sums
            .get(row)
            .filter(|_| self.has(row, measure))
            .map_or(confidence.of(&[]), |sums| sums.estimate(measure, confidence))
    }
}
