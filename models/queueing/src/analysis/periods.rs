//! Results by period: the cells of a run that is observed every so many time units, over its replications.

use super::classes;
use super::record::Record;
use super::sample::Sample;
use crate::costs::Spending;
use crate::experiment::Experiment;
use crate::measures::{Basis, Counted, Measure};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use crate::tally::{Beyond, RunTally, TimesAtNode};
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measure of a period, at a station or in the whole network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    ArrivalRate,
    Throughput,
    Number,
    QueueLength,
    Waiting,
    Sojourn,
    Utilization,
    Loss,
    RenegingRate,
    Reneging,
    Cost,
}

impl Quantity {
    const ALL: [Self; 11] = [
        Self::ArrivalRate,
        Self::Throughput,
        Self::Number,
        Self::QueueLength,
        Self::Waiting,
        Self::Sojourn,
        Self::Utilization,
        Self::Loss,
        Self::RenegingRate,
        Self::Reneging,
        Self::Cost,
    ];

    /// Quantities of the whole network that need the tokens which leave it.
    const OF_EXITS: [Self; 3] = [Self::Throughput, Self::Loss, Self::Reneging];

    const fn name(self) -> &'static str {
        match self {
            Self::ArrivalRate => "arrival_rate",
            Self::Throughput => "throughput",
            Self::Number => "number",
            Self::QueueLength => "queue_length",
            Self::Waiting => "waiting",
            Self::Sojourn => "sojourn",
            Self::Utilization => "utilization",
            Self::Loss => "loss",
            Self::RenegingRate => "reneging_rate",
            Self::Reneging => "reneging",
            Self::Cost => "cost",
        }
    }

    /// Returns the numerator and denominator in a sample of a station, or of the whole network; zeros where the
    /// quantity is not defined.
    fn ratio(self, sample: &Sample, is_station: bool) -> (f64, f64) {
        let Sample { sums, basis, span, flow, .. } = sample;
        let of = |measure: Measure| measure.ratio_with(sums, *flow, *basis, *span);
        let emitted = flow.map_or(0, |flow| flow.emitted);
        let came = if is_station { sums.arrivals } else { emitted } as f64;
        match (self, is_station) {
            (Self::ArrivalRate, true) => (came, basis.tick.units(*span)),
            (Self::ArrivalRate, false) => of(Measure::SystemArrivalRate),
            (Self::Throughput, true) => of(Measure::Throughput),
            (Self::Throughput, false) => of(Measure::SystemThroughput),
            (Self::Number, true) => of(Measure::NumberInSystem),
            (Self::Number, false) => of(Measure::SystemNumber),
            // All stations together make one queue.
            (Self::QueueLength, _) => Measure::QueueLength.ratio(sums, Basis { stations: 1, ..*basis }, *span),
            (Self::Waiting, true) => of(Measure::Waiting),
            (Self::Sojourn, true) => of(Measure::Sojourn),
            (Self::Waiting | Self::Sojourn, false) => (0.0, 0.0),
            (Self::Utilization, _) => of(Measure::Utilization),
            (Self::Loss, true) => of(Measure::Loss),
            (Self::Loss, false) => of(Measure::SystemLoss),
            (Self::RenegingRate, _) => of(Measure::SystemRenegingRate),
            (Self::Reneging, true) => of(Measure::Reneging),
            (Self::Reneging, false) => of(Measure::SystemReneging),
            // Without costs, and of a part of the network, nothing is known to be spent.
            (Self::Cost, _) => sample.cost(Spending::total),
        }
    }
}

/// Sums of each quantity over replications: numerators, denominators, their squares and products.
type Sums = [[f64; 5]; Quantity::ALL.len()];

/// A period of all replications.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    from: u64,
    to: u64,
    replications: u32,
    /// Sums of the whole network, then those of each node.
    rows: Vec<Sums>,
    /// Sums of each class in the whole network, then those of each class at each node; empty if classes are not
    /// counted.
    classes: Vec<Sums>,
}

/// Sums by period over the replications of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Periods {
    sums: Vec<Sum>,
    counted: Counted,
}

/// Results of a period, for a report. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Period {
    /// Begin of the period.
    pub from: f64,
    /// End of the period.
    pub to: f64,
    /// Each quantity of the whole network, with its interval over replications. One that has no value is left out.
    pub system: BTreeMap<String, Estimate>,
    /// Each station, by its number.
    pub nodes: Vec<PeriodAtNode>,
    /// Each class, if classes were counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<PeriodOfClass>,
}

/// Results of a class in a period, for a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeriodOfClass {
    /// Name of the class.
    pub class: String,
    /// Each quantity of the class in the whole network, with its interval over replications. What leaves the network is
    /// not known of a class that turns into others.
    pub system: BTreeMap<String, Estimate>,
    /// Each station to which the class comes, by its number.
    pub nodes: Vec<PeriodAtNode>,
}

/// Results of a period at a station, for a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PeriodAtNode {
    /// Name of the station.
    pub name: String,
    /// Number of the station.
    pub node: u32,
    /// Each quantity, with its interval over replications. One that has no value is left out.
    pub stats: BTreeMap<String, Estimate>,
}

impl Periods {
    /// Creates the sums of no replication.
    pub(super) fn new(counted: Counted) -> Self {
        Self { sums: vec![], counted }
    }

    /// Adds the cells of a replication that kept the statistics of its nodes.
    pub(super) fn add(&mut self, experiment: &Experiment, record: &Record) {
        let network = &experiment.network;
        for cell in 1..record.looks.len().min(record.nodes.len()) {
            let look = |place: usize| Some((record.nodes.get(place)?, record.looks.get(place)?.time));
            let Some(((before, from), (after, to))) = look(cell - 1).zip(look(cell)) else { continue };
            if self.sums.len() < cell {
                let rows = vec![Sums::default(); 1 + network.len()];
                self.sums.push(Sum { from, to, replications: 0, rows, classes: vec![] });
            }
            let Some(sum) = self.sums.get_mut(cell - 1) else { continue };
            sum.replications += 1;
            let whole = record.between(cell - 1, cell);
            let of_node = |(node, (before, after)): (u32, (&NodeStatistics, &NodeStatistics))| {
                let basis = Basis::of_node(network, node).counting(self.counted);
                Sample { sums: after.since(before), basis, span: to - from, flow: None, spending: None }
            };
            let nodes = (0..).zip(before.iter().zip(after)).map(of_node);
            let samples = std::iter::once((whole, false)).chain(nodes.map(|sample| (sample, true)));
            sum.rows.iter_mut().zip(samples).for_each(|(row, (sample, is_station))| add(row, &sample, is_station));
            let of_classes = record.classes.get(cell - 1).zip(record.classes.get(cell));
            if let Some((before, after)) = of_classes.filter(|_| network.classes() > 1) {
                let samples = self::of_classes(network, self.counted, (to - from, before, after));
                sum.classes.resize(samples.len(), Sums::default());
                let rows = sum.classes.iter_mut().zip(samples);
                rows.for_each(|(row, (sample, is_station))| add(row, &sample, is_station));
            }
        }
    }

    /// Returns the results of each period for a report. The shares of waits, and mean times from source to exit, are
    /// those that a tally has.
    #[must_use]
    pub fn report(
        &self,
        network: &Network,
        tally: Option<&RunTally>,
        tick: Tick,
        confidence: Confidence,
    ) -> Vec<Period> {
        let estimates = |replications: u32, rows: &[Sums], row: usize| -> BTreeMap<String, Estimate> {
            let moments = rows.get(row).into_iter().flatten().zip(Quantity::ALL);
            let named = moments
                .map(|(moments, quantity)| (quantity.name().to_owned(), confidence.of_moments(replications, *moments)));
            named.filter(|(_, estimate)| estimate.mean.is_some()).collect()
        };
        let chains = network.chains();
        let period = |(place, sum): (usize, &Sum)| {
            let tally = tally.and_then(|tally| tally.periods().get(place));
            let waits = tally.and_then(|tally| tally.at_stations(network, tick, confidence)).unwrap_or_default();
            let mut system = estimates(sum.replications, &sum.rows, 0);
            let passage = tally.map(|tally| tally.mean_passage(tick, confidence));
            system.extend(passage.filter(|of| of.mean.is_some()).map(|of| (RESPONSE.to_owned(), of)));
            let stations = (0..network.len() as u32).filter(|node| network.station(*node).is_some());
            let shares = |node: u32, class: Option<&str>| -> Vec<(String, Estimate)> {
                let of_row = waits.iter().filter(|row| row.node == node && row.class.as_deref() == class);
                let named = |row: &TimesAtNode| {
                    let beyond = row.beyond.iter().flat_map(named);
                    [(WAITS.to_owned(), row.waits)].into_iter().chain(beyond).collect::<Vec<_>>()
                };
                of_row.flat_map(named).collect()
            };
            let node = |node: u32| {
                let mut stats = estimates(sum.replications, &sum.rows, 1 + node as usize);
                stats.extend(shares(node, None));
                PeriodAtNode { name: network.label(node), node, stats }
            };
            let classes = network.classes();
            let class = |class: u32| {
                let name = network.class_name(class);
                let at_node = |node: u32| {
                    let row = classes * (1 + node as usize) + class as usize;
                    let mut stats = estimates(sum.replications, &sum.classes, row);
                    stats.extend(shares(node, Some(&name)));
                    PeriodAtNode { name: network.label(node), node, stats }
                };
                let comes = stations.clone().filter(|node| network.service(*node, class).is_some());
                let nodes = comes.map(at_node).collect();
                let mut system = estimates(sum.replications, &sum.classes, class as usize);
                if chains.iter().any(|chain| chain.len() > 1 && chain.contains(&class)) {
                    // Tokens that turn into others cannot be told from those that leave.
                    system.retain(|name, _| !Quantity::OF_EXITS.iter().any(|of| of.name() == name));
                }
                PeriodOfClass { class: name, system, nodes }
            };
            let all = if sum.classes.is_empty() { 0..0 } else { 0..classes as u32 };
            Period {
                from: tick.units(sum.from),
                to: tick.units(sum.to),
                system,
                nodes: stations.clone().map(node).collect(),
                classes: all.map(class).collect(),
            }
        };
        self.sums.iter().enumerate().map(period).collect()
    }
}

/// Adds a sample to the sums of a row.
fn add(row: &mut Sums, sample: &Sample, is_station: bool) {
    for (moments, quantity) in row.iter_mut().zip(Quantity::ALL) {
        add_pair(moments, quantity.ratio(sample, is_station));
    }
}

fn add_pair(moments: &mut [f64; 5], (x, y): (f64, f64)) {
    for (sum, term) in moments.iter_mut().zip([x, y, x * x, x * y, y * y]) {
        *sum += term;
    }
}

/// Returns the samples of each class in the whole network, then those of each class at each node; with `true` for those
/// of a station.
fn of_classes(
    network: &Network,
    counted: Counted,
    (span, before, after): (u64, &[NodeStatistics], &[NodeStatistics]),
) -> Vec<(Sample, bool)> {
    let tokens = network.has_flow().then(|| classes::tokens(network));
    let whole = classes::in_network(network, counted, tokens.as_deref(), (span, before, after));
    let at_node = |(pair, (before, after)): (usize, (&NodeStatistics, &NodeStatistics))| {
        let basis = Basis::of_node(network, (pair / network.classes()) as u32).counting(counted);
        (Sample { sums: after.since(before), basis, span, flow: None, spending: None }, true)
    };
    let nodes = before.iter().zip(after).enumerate().map(at_node);
    whole.into_iter().map(|sample| (sample, false)).chain(nodes).collect()
}

/// Name of the mean time of tokens from source to exit, of those that leave in the period.
const RESPONSE: &str = "response";

/// Name of the share of visits that wait.
const WAITS: &str = "waits";

/// Returns the shares of visits that wait longer than a time, and of tokens that are served within it, by their names.
fn named(beyond: &Beyond) -> [(String, Estimate); 2] {
    let Beyond { time, share, served_within } = beyond;
    [(format!("{WAITS}_beyond_{time}"), *share), (format!("served_within_{time}"), *served_within)]
}

impl Period {
    /// Returns the names of all quantities that some of these periods have, in the order of reading.
    #[must_use]
    pub fn names(periods: &[Self]) -> Vec<String> {
        let stats = periods.iter().flat_map(|of| {
            let of_classes =
                of.classes.iter().flat_map(|of| of.nodes.iter().map(|node| &node.stats).chain([&of.system]));
            of.nodes.iter().map(|node| &node.stats).chain([&of.system]).chain(of_classes)
        });
        let mut names: Vec<&String> = vec![];
        for name in stats.flat_map(BTreeMap::keys) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let order = |name: &str| match Quantity::ALL.iter().position(|quantity| quantity.name() == name) {
            Some(place) => place,
            None if name == RESPONSE => Quantity::ALL.len(),
            None => Quantity::ALL.len() + 1, // Shares of waits.
        };
        names.sort_by_key(|name| order(name));
        names.into_iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests;
