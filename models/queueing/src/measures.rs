//! Measures of queueing theory from the integers of an outcome, with confidence intervals.
//!
//! Times of visits are given in two ways. `waiting` and `sojourn` are means over visits, of those that [`Counted`]
//! names. Every visit counts with its whole time, so these means hold for short and for terminating runs too.
//!
//! `waiting_by_little` and `sojourn_by_little` are ratios of two time averages: Little's law solved for the time. They
//! estimate the mean time of a visit in a stationary run alone. While a system fills, tokens that have not left raise
//! the numerator and not the denominator. A stationary start without a warm-up is the one case where the ratio is the
//! better estimate: visits that were under way at time 0 count for the mean from that time on, and look short. Both
//! converge to the same time as the horizon grows.

mod counted;
mod flow;

pub use counted::Counted;
pub use flow::Flow;

use crate::network::{Network, Station};
use crate::outcome::{NodeStatistics, Outcome};
use imminent_common::estimate::Estimate;
use imminent_common::time::Tick;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Steady-state measures of a node, or of the average node of a network. Times are in time units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Fraction of the time that the server spends serving.
    pub utilization: f64,
    /// Services completed in a time unit.
    pub throughput: f64,
    /// Time average of the number of tokens waiting, the one in service not counted.
    pub queue_length: f64,
    /// Time average of the number of tokens waiting or in service.
    pub number_in_system: f64,
    /// Mean time that a visit spends waiting, over the [counted](Counted) visits; `None` if there are none.
    pub waiting: Option<f64>,
    /// Mean time that a visit takes, over the [counted](Counted) visits; `None` if there are none.
    pub sojourn: Option<f64>,
    /// Ratio of `queue_length` and `throughput`: see the [module](self) for the difference to `waiting`. `None` if no
    /// service was completed.
    pub waiting_by_little: Option<f64>,
    /// Ratio of `number_in_system` and `throughput`: see the [module](self) for the difference to `sojourn`. `None` if
    /// no service was completed.
    pub sojourn_by_little: Option<f64>,
}

impl Measures {
    /// Returns the measures of one node with one server over `horizon` ticks of the [default](Tick::DEFAULT) length;
    /// all zero for a horizon of 0.
    #[must_use]
    pub fn of_node(node: &NodeStatistics, horizon: u64) -> Self {
        Self::of_sums(node, Basis::ONE, horizon)
    }

    /// Returns the measures of the average node of a network of single servers with [default](Tick::DEFAULT) ticks.
    /// Rates and numbers are averaged over nodes, times over tokens.
    #[must_use]
    pub fn of_network(outcome: &Outcome) -> Self {
        let nodes = outcome.statistics.len() as u64;
        Self::of_sums(&outcome.totals(), Basis { stations: nodes, servers: nodes, ..Basis::ONE }, outcome.horizon)
    }

    /// Returns the measures of the average station, from sums over all stations and `span` ticks.
    #[must_use]
    pub fn of_sums(sums: &NodeStatistics, basis: Basis, span: u64) -> Self {
        let value = |measure: Measure| measure.value(sums, basis, span);
        let rate = |measure| value(measure).unwrap_or(0.0);
        Self {
            utilization: rate(Measure::Utilization),
            throughput: rate(Measure::Throughput),
            queue_length: rate(Measure::QueueLength),
            number_in_system: rate(Measure::NumberInSystem),
            waiting: value(Measure::Waiting),
            sojourn: value(Measure::Sojourn),
            waiting_by_little: value(Measure::WaitingByLittle),
            sojourn_by_little: value(Measure::SojournByLittle),
        }
    }

    /// Returns the measures with their names in reports.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Option<f64>); 8] {
        [
            (Measure::Utilization.name(), Some(self.utilization)),
            (Measure::Throughput.name(), Some(self.throughput)),
            (Measure::QueueLength.name(), Some(self.queue_length)),
            (Measure::NumberInSystem.name(), Some(self.number_in_system)),
            (Measure::Waiting.name(), self.waiting),
            (Measure::Sojourn.name(), self.sojourn),
            (Measure::WaitingByLittle.name(), self.waiting_by_little),
            (Measure::SojournByLittle.name(), self.sojourn_by_little),
        ]
    }
}

/// Meaning of sums: the stations and servers that they cover, the length of a tick, and the visits that are averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Basis {
    /// Number of stations.
    pub stations: u64,
    /// Number of servers of all stations.
    pub servers: u64,
    /// Length of a tick.
    pub tick: Tick,
    /// Visits whose times are averaged.
    pub counted: Counted,
    /// `true` if tokens may lose patience somewhere in the network.
    pub has_impatience: bool,
}

impl Basis {
    /// Basis of a single server, with the default tick, the visits that ended and patient tokens.
    pub const ONE: Self =
        Self { stations: 1, servers: 1, tick: Tick::DEFAULT, counted: Counted::Ended, has_impatience: false };

    /// Returns the basis with other visits to average.
    #[must_use]
    pub fn counting(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    /// Returns the basis of one node; a source counts as one server, which never serves.
    #[must_use]
    pub fn of_node(network: &Network, node: u32) -> Self {
        // A delay has no number of servers, of which a share could be busy.
        let number =
            |station: Station| if station.servers == Station::INFINITE { 0 } else { u64::from(station.servers) };
        let servers = network.station(node).map_or(1, number);
        Self { servers, ..Self::with_times_of(network) }
    }

    /// Returns the basis of all stations of a network.
    #[must_use]
    pub fn of_network(network: &Network) -> Self {
        let (stations, servers) = network.stations_and_servers();
        Self { stations, servers, ..Self::with_times_of(network) }
    }

    fn with_times_of(network: &Network) -> Self {
        Self { tick: network.tick(), has_impatience: network.has_impatience(), ..Self::ONE }
    }
}

/// One of the [`Measures`], a probability, or a measure of the whole network.
///
/// Measures of the whole network but its cost have names that begin with `system`. In a closed network only the number
/// and the cost are defined: a token that never leaves has no time in the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// [`Measures::utilization`].
    Utilization,
    /// [`Measures::throughput`].
    Throughput,
    /// [`Measures::queue_length`].
    QueueLength,
    /// [`Measures::number_in_system`].
    NumberInSystem,
    /// [`Measures::waiting`].
    Waiting,
    /// [`Measures::sojourn`].
    Sojourn,
    /// [`Measures::waiting_by_little`].
    WaitingByLittle,
    /// [`Measures::sojourn_by_little`].
    SojournByLittle,
    /// Share of the arriving tokens that found no room, and were lost.
    Loss,
    /// Share of the services whose token had to wait for room at its next node.
    Blocking,
    /// Share of the arriving tokens that lost patience and left the line, where tokens may be impatient.
    Reneging,
    /// Time average of the number of tokens in the whole network.
    SystemNumber,
    /// Tokens that sources emit in a time unit.
    SystemArrivalRate,
    /// Tokens that leave the network after a service in a time unit.
    SystemThroughput,
    /// Mean time in the network by Little's law over the span: number over throughput. The time that lost tokens
    /// spent in the network is part of the number.
    SystemResponse,
    /// Tokens that are lost in a time unit, at all stations.
    SystemDropRate,
    /// Share of the emitted tokens that are lost, at any station.
    SystemLoss,
    /// Tokens that lose patience in a time unit, at all stations, where tokens may be impatient.
    SystemRenegingRate,
    /// Tokens that lose patience at any station, as a share of the emitted tokens, where tokens may be impatient.
    SystemReneging,
    /// Costs less gains in a time unit, if the run has [costs](crate::costs).
    Cost,
}

impl Measure {
    /// All measures: those of [`STATION`](Self::STATION), then those of [`SYSTEM`](Self::SYSTEM).
    pub const ALL: [Self; 20] = [
        Self::Utilization,
        Self::Throughput,
        Self::QueueLength,
        Self::NumberInSystem,
        Self::Waiting,
        Self::Sojourn,
        Self::WaitingByLittle,
        Self::SojournByLittle,
        Self::Loss,
        Self::Blocking,
        Self::Reneging,
        Self::SystemNumber,
        Self::SystemArrivalRate,
        Self::SystemThroughput,
        Self::SystemResponse,
        Self::SystemDropRate,
        Self::SystemLoss,
        Self::SystemRenegingRate,
        Self::SystemReneging,
        Self::Cost,
    ];

    /// Measures of a station, or of the average station.
    pub const STATION: [Self; 11] = [
        Self::Utilization,
        Self::Throughput,
        Self::QueueLength,
        Self::NumberInSystem,
        Self::Waiting,
        Self::Sojourn,
        Self::WaitingByLittle,
        Self::SojournByLittle,
        Self::Loss,
        Self::Blocking,
        Self::Reneging,
    ];

    /// Measures of the whole network.
    pub const SYSTEM: [Self; 9] = [
        Self::SystemNumber,
        Self::SystemArrivalRate,
        Self::SystemThroughput,
        Self::SystemResponse,
        Self::SystemDropRate,
        Self::SystemLoss,
        Self::SystemRenegingRate,
        Self::SystemReneging,
        Self::Cost,
    ];

    /// Returns the measure's name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utilization => "utilization",
            Self::Throughput => "throughput",
            Self::QueueLength => "queue_length",
            Self::NumberInSystem => "number_in_system",
            Self::Waiting => "waiting",
            Self::Sojourn => "sojourn",
            Self::WaitingByLittle => "waiting_by_little",
            Self::SojournByLittle => "sojourn_by_little",
            Self::Loss => "loss",
            Self::Blocking => "blocking",
            Self::Reneging => "reneging",
            Self::SystemNumber => "system_number",
            Self::SystemArrivalRate => "system_arrival_rate",
            Self::SystemThroughput => "system_throughput",
            Self::SystemResponse => "system_response",
            Self::SystemDropRate => "system_drop_rate",
            Self::SystemLoss => "system_loss",
            Self::SystemRenegingRate => "system_reneging_rate",
            Self::SystemReneging => "system_reneging",
            Self::Cost => "cost",
        }
    }

    /// Returns `true` if reports of a network have the measure.
    #[must_use]
    pub(crate) fn is_of(self, network: &Network) -> bool {
        !self.is_of_impatience() || network.has_impatience()
    }

    /// Returns `true` if the measure is about tokens that lose patience.
    pub(crate) const fn is_of_impatience(self) -> bool {
        matches!(self, Self::Reneging | Self::SystemRenegingRate | Self::SystemReneging)
    }

    /// Returns the name of a measure of the whole network in a table of the system; the [name](Self::name) of another.
    #[must_use]
    pub fn name_in_system(self) -> &'static str {
        self.name().trim_start_matches("system_")
    }

    /// Returns the value of a measure of stations, for sums over all of them and `span` ticks; `None` if its
    /// denominator is zero, and for a measure of the whole network.
    #[must_use]
    pub fn value(self, sums: &NodeStatistics, basis: Basis, span: u64) -> Option<f64> {
        let (numerator, denominator) = self.ratio(sums, basis, span);
        (denominator > 0.0).then(|| numerator / denominator)
    }

    /// Returns the numerator and denominator of any measure, for sums over all stations and `span` ticks. The flow is
    /// that of the network; `None` for a closed one.
    #[must_use]
    pub fn ratio_with(self, sums: &NodeStatistics, flow: Option<Flow>, basis: Basis, span: u64) -> (f64, f64) {
        let (tick, time) = (basis.tick, basis.tick.units(span));
        let Flow { emitted, left } = flow.unwrap_or_default();
        let (emitted, left, lost) = (emitted as f64, left.max(0) as f64, sums.lost as f64);
        let of_flow = |numerator: f64, denominator: f64| (numerator, if flow.is_some() { denominator } else { 0.0 });
        match self {
            Self::SystemNumber => (sums.number_integral as f64, span as f64),
            Self::SystemArrivalRate => of_flow(emitted, time),
            Self::SystemThroughput => of_flow(left, time),
            Self::SystemResponse => of_flow(tick.units(sums.number_integral), left),
            Self::SystemDropRate => of_flow(lost, time),
            Self::SystemLoss => of_flow(lost, emitted),
            Self::SystemRenegingRate if basis.has_impatience => (sums.reneged as f64, time),
            Self::SystemReneging if basis.has_impatience => of_flow(sums.reneged as f64, emitted),
            _ => self.ratio(sums, basis, span),
        }
    }

    /// Returns the numerator and denominator of a measure of stations, for sums over all of them and `span` ticks: time
    /// by time, time units by services, or counts. Both are zero for a measure of the whole network.
    #[must_use]
    pub fn ratio(self, sums: &NodeStatistics, basis: Basis, span: u64) -> (f64, f64) {
        let (stations, servers) = (span as f64 * basis.stations as f64, span as f64 * basis.servers as f64);
        let in_service = sums.busy + sums.delayed + sums.blocked_time;
        let waiting = sums.number_integral.saturating_sub(in_service);
        // Servers that come and go are counted by the engine.
        let servers = if sums.staffed > 0 { sums.staffed as f64 } else { servers };
        let tick = basis.tick;
        let by_service = |ticks| (tick.units(ticks), sums.completed as f64);
        let counted = basis.counted.sums(sums);
        let by_visit = |ticks| (tick.units(ticks), counted.visits as f64);
        match self {
            Self::Utilization => (sums.busy as f64, servers),
            Self::Throughput => (sums.completed as f64, stations * tick.units(1)),
            Self::QueueLength => (waiting as f64, stations),
            Self::NumberInSystem => (sums.number_integral as f64, stations),
            Self::Waiting => by_visit(counted.waiting),
            Self::Sojourn => by_visit(counted.sojourn),
            Self::WaitingByLittle => by_service(waiting),
            Self::SojournByLittle => by_service(sums.number_integral),
            Self::Loss => (sums.lost as f64, sums.arrivals as f64),
            Self::Blocking => (sums.blocked as f64, sums.served as f64),
            Self::Reneging if basis.has_impatience => (sums.reneged as f64, sums.arrivals as f64),
            Self::SystemNumber
            | Self::SystemArrivalRate
            | Self::SystemThroughput
            | Self::SystemResponse
            | Self::SystemDropRate
            | Self::SystemLoss
            | Self::SystemRenegingRate
            | Self::SystemReneging
            | Self::Reneging
            | Self::Cost => (0.0, 0.0),
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Estimates every measure from one value per replication, under the names of [`Measures::named`].
///
/// A replication without completed services has no waiting and no sojourn time; these two estimates leave it out.
#[must_use]
pub fn estimates(replications: &[Measures]) -> BTreeMap<String, Estimate> {
    let mut values: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for measures in replications {
        for (name, value) in measures.named() {
            values.entry(name).or_default().extend(value);
        }
    }
    values.into_iter().map(|(name, values)| (name.to_owned(), Estimate::of(&values))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::outcome::VisitSums;

    #[test]
    fn measures_are_ratios_of_the_sums() {
        let unit = imminent_common::time::TICKS_PER_UNIT;
        let node = NodeStatistics {
            served: 5,
            completed: 4,
            busy: 6 * unit,
            sojourn_sum: 12 * unit,
            waiting_sum: 4 * unit,
            number_integral: 15 * unit,
            started: VisitSums { visits: 5, waiting: 6 * unit, sojourn: 20 * unit },
            arrived: VisitSums { visits: 2, waiting: unit, sojourn: 4 * unit },
            ..NodeStatistics::default()
        };
        let measures = Measures::of_node(&node, 10 * unit);
        assert_eq!(measures.utilization, 0.6);
        assert_eq!(measures.throughput, 0.4);
        assert_eq!(measures.number_in_system, 1.5);
        assert_eq!(measures.queue_length, 0.9);
        assert_eq!((measures.waiting, measures.sojourn), (Some(1.0), Some(3.0)));
        assert_eq!((measures.waiting_by_little, measures.sojourn_by_little), (Some(9.0 / 4.0), Some(15.0 / 4.0)));
        let of = |counted, measure: Measure| measure.value(&node, Basis { counted, ..Basis::ONE }, 10 * unit);
        let started = [Measure::Waiting, Measure::Sojourn].map(|measure| of(Counted::Started, measure).unwrap());
        assert_eq!(started, [1.2, 4.0]);
        let arrived = [Measure::Waiting, Measure::Sojourn].map(|measure| of(Counted::Arrived, measure).unwrap());
        assert_eq!(arrived, [0.5, 2.0]);
    }

    #[test]
    fn servers_that_are_blocked_neither_serve_nor_leave_anyone_waiting() {
        let node = NodeStatistics {
            served: 5,
            completed: 4,
            busy: 6,
            number_integral: 15,
            arrivals: 8,
            lost: 2,
            blocked: 1,
            blocked_time: 4,
            ..NodeStatistics::default()
        };
        let value = |measure: Measure| measure.value(&node, Basis { servers: 3, ..Basis::ONE }, 10).unwrap();
        assert_eq!((value(Measure::Utilization), value(Measure::QueueLength)), (0.2, 0.5));
        assert_eq!((value(Measure::Loss), value(Measure::Blocking)), (0.25, 0.2));
        assert_eq!(Measure::Loss.value(&NodeStatistics::default(), Basis::ONE, 10), None);
        for measure in Measure::ALL {
            assert_eq!(serde_json::to_value(measure).unwrap(), measure.name());
        }
    }

    #[test]
    fn nothing_served_is_no_number_rather_than_a_wrong_one() {
        let measures = Measures::of_node(&NodeStatistics::default(), 0);
        assert_eq!((measures.utilization, measures.waiting), (0.0, None));
        let estimates = estimates(&[measures, measures]);
        assert_eq!(estimates["sojourn"].mean, None);
        assert_eq!(estimates["utilization"].half_width(), Some(0.0));
    }
}
