//! Results by period: the cells of a run that is observed every so many time units, over its replications.

use super::record::Record;
use super::sample::Sample;
use crate::costs::Spending;
use crate::experiment::Experiment;
use crate::measures::{Basis, Counted, Measure};
use crate::network::Network;
use crate::outcome::NodeStatistics;
use crate::tally::{Beyond, RunTally};
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
    Reneged,
    Cost,
}

impl Quantity {
    const ALL: [Self; 10] = [
        Self::ArrivalRate,
        Self::Throughput,
        Self::Number,
        Self::QueueLength,
        Self::Waiting,
        Self::Sojourn,
        Self::Utilization,
        Self::Loss,
        Self::Reneged,
        Self::Cost,
    ];

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
            Self::Reneged => "reneged",
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
            (Self::Reneged, _) => (sums.reneged as f64, came),
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
                self.sums.push(Sum { from, to, replications: 0, rows });
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
            for (row, (sample, is_station)) in sum.rows.iter_mut().zip(samples) {
                for (moments, quantity) in row.iter_mut().zip(Quantity::ALL) {
                    let (x, y) = quantity.ratio(&sample, is_station);
                    for (sum, term) in moments.iter_mut().zip([x, y, x * x, x * y, y * y]) {
                        *sum += term;
                    }
                }
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
        let has_patience = network.has_impatience();
        let estimates = |sum: &Sum, row: usize| -> BTreeMap<String, Estimate> {
            let moments = sum.rows.get(row).into_iter().flatten().zip(Quantity::ALL);
            let moments = moments.filter(|(_, quantity)| has_patience || *quantity != Quantity::Reneged);
            let named = moments.map(|(moments, quantity)| {
                (quantity.name().to_owned(), confidence.of_moments(sum.replications, *moments))
            });
            named.filter(|(_, estimate)| estimate.mean.is_some()).collect()
        };
        let period = |(place, sum): (usize, &Sum)| {
            let tally = tally.and_then(|tally| tally.periods().get(place));
            let waits = tally.and_then(|tally| tally.at_stations(network, tick, confidence)).unwrap_or_default();
            let mut system = estimates(sum, 0);
            let passage = tally.map(|tally| tally.mean_passage(tick, confidence));
            system.extend(passage.filter(|of| of.mean.is_some()).map(|of| (RESPONSE.to_owned(), of)));
            let stations = (0..network.len() as u32).filter(|node| network.station(*node).is_some());
            let node = |node: u32| {
                let mut stats = estimates(sum, 1 + node as usize);
                for row in waits.iter().filter(|row| row.node == node && row.class.is_none()) {
                    stats.insert(WAITS.to_owned(), row.waits);
                    stats.extend(row.beyond.iter().flat_map(named));
                }
                PeriodAtNode { name: network.label(node), node, stats }
            };
            let nodes = stations.map(node).collect();
            Period { from: tick.units(sum.from), to: tick.units(sum.to), system, nodes }
        };
        self.sums.iter().enumerate().map(period).collect()
    }
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
        let stats = periods.iter().flat_map(|of| of.nodes.iter().map(|node| &node.stats).chain([&of.system]));
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
