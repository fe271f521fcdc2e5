//! Tables of nodes, and of classes at nodes.

use imminent::models::estimate::Estimate;
use imminent::models::queueing::Network;
use imminent::models::queueing::analysis::{ClassFindings, NodeSums};
use imminent::models::queueing::end_to_end::Passage;
use imminent::models::queueing::experiment::Findings;
use imminent::models::queueing::measures::{Basis, Counted, Measure};
use imminent::models::queueing::outcome::NodeStatistics;
use imminent::models::sheet::{Kind, Of, Sheet, Value};

/// Results of the nodes, or of each class at each node: the places are ordered by node, and within a node by class.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) network: &'a Network,
    statistics: &'a [NodeStatistics],
    sums: &'a [NodeSums],
    observed: u64,
    counted: Counted,
    /// Number of places per node, for a table of classes.
    classes: Option<usize>,
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
    /// Half of the measure's 95 % interval.
    HalfWidth(Measure),
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
        // Tokens of a class share their queue with others.
        columns.extend(self.classes.is_none().then_some(Column::MostWaiting));
        columns
            .extend(Measure::ALL.into_iter().flat_map(|measure| [Column::Mean(measure), Column::HalfWidth(measure)]));
        columns
    }
}

impl Column {
    /// Column of the number of completed services.
    pub(super) const COMPLETED: Self = Self::Sum("completed", |node| node.completed);

    fn kind(self) -> Kind {
        match self {
            Self::Node | Self::Sum(..) => Kind::Count,
            Self::Label | Self::Class => Kind::Text,
            Self::MostWaiting | Self::Mean(_) | Self::HalfWidth(_) => Kind::Number,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Node => "node".to_owned(),
            Self::Label => "label".to_owned(),
            Self::Class => "class".to_owned(),
            Self::Sum(name, _) => name.to_owned(),
            Self::MostWaiting => "most_waiting".to_owned(),
            Self::Mean(measure) => measure.name().to_owned(),
            Self::HalfWidth(measure) => format!("{}_ci95", measure.name()),
        }
    }

    fn value(self, nodes: &Nodes<'_>, place: usize) -> Value {
        match self {
            Self::Node => Value::Count(nodes.node(place).into()),
            Self::Label => Value::Text(nodes.network.label(nodes.node(place))),
            Self::Class => Value::Text(nodes.network.class_name(nodes.class(place))),
            Self::Sum(_, of) => Value::Count(nodes.statistics.get(place).map_or(0, of)),
            Self::MostWaiting => {
                let most = nodes.statistics.get(place).and_then(|node| node.most_waiting);
                Value::Number(most.map(f64::from))
            }
            Self::Mean(measure) => Value::Number(nodes.mean(place, measure)),
            Self::HalfWidth(measure) => Value::Number(nodes.estimate(place, measure).ci95),
        }
    }
}

/// Columns of times from source to exit, in time units.
pub(super) const PASSAGES: [(&str, Of<Passage>); 11] = [
    ("source", Of::Text(|row| row.source.clone())),
    ("class", Of::Text(|row| row.class.clone())),
    ("tokens", Of::Count(|row| row.tokens)),
    ("mean", Of::Number(|row| row.time.mean)),
    ("mean_ci95", Of::Number(|row| row.time.ci95)),
    ("least", Of::Number(|row| Some(row.least))),
    ("p50", Of::Number(|row| Some(row.p50))),
    ("p90", Of::Number(|row| Some(row.p90))),
    ("p95", Of::Number(|row| Some(row.p95))),
    ("p99", Of::Number(|row| Some(row.p99))),
    ("greatest", Of::Number(|row| Some(row.greatest))),
];

/// Table of places.
pub(super) struct NodeSheet<'a> {
    nodes: Nodes<'a>,
    columns: Vec<Column>,
    places: Vec<usize>,
}

impl Sheet for NodeSheet<'_> {
    fn name(&self) -> &'static str {
        if self.nodes.classes.is_some() { "classes" } else { "nodes" }
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        self.columns.iter().map(|column| (column.name(), column.kind())).collect()
    }

    fn rows(&self) -> usize {
        self.places.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let value = self.columns.get(column).zip(self.places.get(row));
        value.map_or(Value::Number(None), |(column, &place)| column.value(&self.nodes, place))
    }
}

impl<'a> Nodes<'a> {
    /// Creates the table of all columns and places.
    pub(super) fn sheet(self) -> NodeSheet<'a> {
        self.part(self.columns(), self.places())
    }

    /// Creates a table of some columns and places.
    pub(super) fn part(self, columns: Vec<Column>, places: Vec<usize>) -> NodeSheet<'a> {
        NodeSheet { nodes: self, columns, places }
    }

    /// Creates a view of the nodes.
    pub(super) fn of(network: &'a Network, findings: &'a Findings) -> Self {
        let (statistics, sums) = (findings.nodes.as_slice(), findings.node_sums.as_slice());
        Self { network, statistics, sums, observed: findings.observed, counted: findings.counted, classes: None }
    }

    /// Creates a view of each class at each node.
    pub(super) fn by_class(network: &'a Network, findings: &'a Findings, classes: &'a ClassFindings) -> Self {
        let (statistics, sums) = (classes.sums(), classes.node_sums());
        Self { statistics, sums, classes: Some(network.classes()), ..Self::of(network, findings) }
    }
}

impl Nodes<'_> {
    pub(super) fn len(&self) -> usize {
        self.statistics.len()
    }

    /// Returns the places that are rows of the table: nodes, or classes where they are served or emitted.
    pub(super) fn places(&self) -> Vec<usize> {
        let served = |place: &usize| self.network.service(self.node(*place), self.class(*place)).is_some();
        (0..self.len()).filter(|place| self.classes.is_none() || served(place)).collect()
    }

    /// Returns `true` if places are classes at nodes.
    #[cfg(feature = "report")]
    pub(super) fn has_classes(&self) -> bool {
        self.classes.is_some()
    }

    /// Returns `true` if there are enough samples for intervals.
    #[cfg(feature = "report")]
    pub(super) fn has_intervals(&self) -> bool {
        (0..self.len()).any(|place| self.estimate(place, Measure::Throughput).ci95.is_some())
    }

    /// Returns the `most` busiest [places](Self::places), the busiest first; sources come last.
    #[cfg(feature = "report")]
    pub(super) fn busiest(&self, most: usize) -> Vec<usize> {
        let load = |place: usize| match self.network.station(self.node(place)) {
            Some(_) => self.mean(place, Measure::Utilization).unwrap_or(0.0),
            None => -1.0,
        };
        let mut places: Vec<(f64, usize)> = self.places().into_iter().map(|place| (load(place), place)).collect();
        places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        places.into_iter().take(most).map(|(_, place)| place).collect()
    }

    fn node(&self, place: usize) -> u32 {
        (place / self.classes.unwrap_or(1)) as u32
    }

    fn class(&self, place: usize) -> u32 {
        self.classes.map_or(0, |classes| (place % classes) as u32)
    }

    /// Returns `true` if a place has a measure: sources only have a throughput.
    fn has(&self, place: usize, measure: Measure) -> bool {
        measure == Measure::Throughput || self.network.station(self.node(place)).is_some()
    }

    /// Returns the mean of a measure over all observations of a place.
    pub(super) fn mean(&self, place: usize, measure: Measure) -> Option<f64> {
        let sums = self.statistics.get(place).filter(|_| self.has(place, measure))?;
        let basis = Basis::of_node(self.network, self.node(place)).counting(self.counted);
        measure.value(sums, basis, self.observed)
    }

    /// Returns the measure's estimate from samples; it is empty for a network so large that its nodes were not kept.
    pub(super) fn estimate(&self, place: usize, measure: Measure) -> Estimate {
        let nothing = Estimate { mean: None, ci95: None };
        self.sums.get(place).filter(|_| self.has(place, measure)).map_or(nothing, |sums| sums.estimate(measure))
    }
}
