//! Times of visits at each station, and at each class at a station: shares that wait, and quantiles.
//!
//! The visits come from a [replay](fn@super::replay) of a finished run. Memory does not grow with the run: each row has
//! five sums for each share, and sketches if quantiles are wanted.

use super::reports::{TimeReport, TimesReport};
use super::times::{RunTimes, Times};
use super::visit::Visit;
use crate::analysis::Findings;
use crate::network::Network;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::time::{Tick, TimeError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Choice of what is gathered at each station.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    /// Waiting times of which the shares of longer waits are wanted, besides that of all that wait.
    pub beyond: Vec<Threshold>,
    /// `true` if quantiles of waiting and sojourn times are wanted.
    pub quantiles: bool,
    /// `true` if each class at a station is wanted too.
    pub by_class: bool,
}

/// Waiting time of which longer waits are counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Time as it was given, in time units.
    pub units: f64,
    /// Nearest number of ticks.
    pub ticks: u64,
}

impl Threshold {
    /// Creates a threshold.
    ///
    /// # Errors
    /// [`TimeError`] if the time is negative, not finite or too long.
    pub fn new(units: f64, tick: Tick) -> Result<Self, TimeError> {
        Ok(Self { units, ticks: tick.ticks(units)? })
    }
}

/// Quantiles are wanted of too many stations and classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "quantiles at {rows} stations and classes need too much memory: at most {} are possible; leave --quantiles or --by-class out",
    AtNodes::MAX_SKETCHED
)]
pub struct TooManyRows {
    /// Number of stations, and of classes at stations if they are wanted.
    pub rows: usize,
}

/// Station, and a class if the row is that of a class.
type Key = (u32, Option<u32>);

/// Times of visits by station and class.
#[derive(Debug, Clone, PartialEq)]
pub struct AtNodes {
    wanted: Wanted,
    tick: Tick,
    confidence: Confidence,
    /// Number of all samples of the run.
    samples: u32,
    /// Replication and sample of the latest visit.
    now: Option<(u64, usize)>,
    rows: BTreeMap<Key, Row>,
}

/// Visits of a row.
#[derive(Debug, Clone, PartialEq, Default)]
struct Row {
    visits: u64,
    /// Visits of the sample under way: all, those that wait, and those that wait longer than each time.
    counts: Vec<u64>,
    /// Sums over the samples for each share: `x`, `y`, `x x`, `x y` and `y y` of a share `x / y`.
    moments: Vec<[f64; 5]>,
    /// Times of the sample under way.
    sample: Times,
    times: RunTimes,
}

/// Times of visits at a station, or of a class there, for a report. Times are in time units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimesAtNode {
    /// Name of the station.
    pub name: String,
    /// Number of the station.
    pub node: u32,
    /// Class; `None` for all classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Number of visits that ended in the observed time.
    pub visits: u64,
    /// Share of these visits that wait at all.
    pub waits: Estimate,
    /// Shares of these visits that wait longer than a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Beyond>,
    /// Quantiles of the times, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<TimeReport>,
    /// Quantiles of the times from arrival to departure, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sojourn: Option<TimeReport>,
}

/// Share of visits that wait longer than a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Beyond {
    /// Time, in time units.
    pub time: f64,
    /// Share of the visits.
    pub share: Estimate,
}

impl AtNodes {
    /// Largest number of stations and classes with quantiles.
    pub const MAX_SKETCHED: usize = 2_048;

    /// Creates an empty collection for a run.
    ///
    /// # Errors
    /// [`TooManyRows`] if quantiles of more than [`MAX_SKETCHED`](Self::MAX_SKETCHED) rows are wanted.
    pub fn new(network: &Network, findings: &Findings, wanted: Wanted) -> Result<Self, TooManyRows> {
        wanted.check(network)?;
        let samples = findings.replications.iter().map(|replication| replication.cut.ends.len().saturating_sub(1));
        Ok(Self {
            wanted,
            tick: findings.tick,
            confidence: findings.confidence,
            samples: samples.sum::<usize>() as u32,
            now: None,
            rows: BTreeMap::new(),
        })
    }

    /// Counts a visit to a station that ended in a sample of a replication. Visits must come in the order of a replay.
    pub fn add(&mut self, replication: u64, sample: usize, visit: &Visit) {
        if self.now != Some((replication, sample)) {
            self.end_sample();
            self.now = Some((replication, sample));
        }
        let waiting = visit.started - visit.arrived;
        let classes = [Some(None), self.wanted.by_class.then_some(Some(visit.class))];
        for class in classes.into_iter().flatten() {
            let row = self.rows.entry((visit.node, class)).or_default();
            row.counts.resize(2 + self.wanted.beyond.len(), 0);
            let exceeded = self.wanted.beyond.iter().map(|time| waiting > time.ticks);
            for (count, counts) in row.counts.iter_mut().zip([true, waiting > 0].into_iter().chain(exceeded)) {
                *count += u64::from(counts);
            }
            if self.wanted.quantiles {
                row.sample.add(visit);
            }
        }
    }

    /// Returns the times for a report, the rows with the greatest share of visits that wait first.
    #[must_use]
    pub fn report(mut self, network: &Network) -> Vec<TimesAtNode> {
        self.end_sample();
        let mut rows: Vec<_> = self.rows.iter().map(|(key, row)| self.row(network, *key, row)).collect();
        rows.sort_by(|a, b| b.waits.mean.unwrap_or(0.0).total_cmp(&a.waits.mean.unwrap_or(0.0)));
        rows
    }

    fn row(&self, network: &Network, (node, class): Key, row: &Row) -> TimesAtNode {
        let mut shares = row.moments.iter().map(|moments| self.confidence.of_moments(self.samples, *moments));
        let waits = shares.next().unwrap_or_else(|| self.confidence.of(&[]));
        let times = self.wanted.quantiles.then(|| TimesReport::of(&row.times, self.tick, self.confidence));
        let (waiting, sojourn) = times.map(|times| (times.waiting, times.sojourn)).unzip();
        let times = self.wanted.beyond.iter().map(|time| time.units);
        TimesAtNode {
            name: network.label(node),
            node,
            class: class.map(|class| network.class_name(class)),
            visits: row.visits,
            waits,
            beyond: times.zip(shares).map(|(time, share)| Beyond { time, share }).collect(),
            waiting,
            sojourn,
        }
    }

    /// Adds the counts of the sample under way to the sums. A sample without visits adds nothing.
    fn end_sample(&mut self) {
        for row in self.rows.values_mut() {
            let counts = std::mem::take(&mut row.counts);
            let Some((&visits, counts)) = counts.split_first() else { continue };
            row.visits += visits;
            row.moments.resize(counts.len(), [0.0; 5]);
            let y = visits as f64;
            for (moments, count) in row.moments.iter_mut().zip(counts) {
                let x = *count as f64;
                for (sum, term) in moments.iter_mut().zip([x, y, x * x, x * y, y * y]) {
                    *sum += term;
                }
            }
            if self.wanted.quantiles {
                row.times.add(&std::mem::take(&mut row.sample));
            }
        }
    }
}

impl Wanted {
    /// Returns `true` if anything is wanted.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.quantiles || !self.beyond.is_empty()
    }

    /// Checks that a network is small enough.
    ///
    /// # Errors
    /// [`TooManyRows`] if quantiles of more than [`AtNodes::MAX_SKETCHED`] rows are wanted.
    pub fn check(&self, network: &Network) -> Result<(), TooManyRows> {
        let rows = network.len() * if self.by_class { 1 + network.classes() } else { 1 };
        if self.quantiles && rows > AtNodes::MAX_SKETCHED { Err(TooManyRows { rows }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;
    use crate::sequential;
    use crate::theory::erlang_c;
    use crate::trace::replay;

    fn times(network: &str, beyond: &[f64], by_class: bool) -> Vec<TimesAtNode> {
        let text = format!("{network}[run]\nhorizon = 6000.0\nreplications = 16\nwarm_up = 200.0\n");
        let experiment = NetworkConfig::from_toml(&text, "t").unwrap().experiment().unwrap();
        let findings = experiment.run_watched(sequential::watched, drop).unwrap();
        let beyond = beyond.iter().map(|time| Threshold::new(*time, experiment.network.tick()).unwrap()).collect();
        let wanted = Wanted { beyond, quantiles: true, by_class };
        let mut times = AtNodes::new(&experiment.network, &findings, wanted).unwrap();
        replay(&experiment, &findings, |replication, sample, visit| {
            if let Some(sample) = sample.filter(|_| experiment.network.station(visit.node).is_some()) {
                times.add(replication, sample, visit);
            }
        })
        .unwrap();
        times.report(&experiment.network)
    }

    /// M/M/2: Erlang's formula, and an exponential wait of those that wait.
    #[test]
    fn shares_and_quantiles_of_two_servers_are_those_of_theory() {
        let network = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 1.5
[[network.node]]
name = 'desk'
mean = 1.0
servers = 2
";
        let found = times(network, &[1.0, 4.0], false);
        let [desk] = found.as_slice() else { panic!("{found:?}") };
        let (waits, rate) = (erlang_c(1.5, 2), 2.0 - 1.5);
        assert!(desk.waits.covers(waits, 1.6), "{desk:?} {waits}");
        for beyond in &desk.beyond {
            let share = waits * f64::exp(-rate * beyond.time);
            assert!(beyond.share.covers(share, 1.6), "{beyond:?} {share}");
        }
        assert_eq!(desk.beyond.iter().map(|beyond| beyond.time).collect::<Vec<_>>(), [1.0, 4.0]);
        let quantiles = &desk.waiting.as_ref().unwrap().quantiles;
        for (name, percent) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
            let theory = (waits / (1.0 - percent)).ln() / rate;
            let (value, half) = (quantiles[name].value.unwrap(), quantiles[name].half_width().unwrap());
            assert!((value - theory.max(0.0)).abs() < 1.6 * half + 0.008 * theory, "{name}: {value} ± {half} {theory}");
        }
    }

    /// A single exponential server: tokens of every class find it busy with the probability of the load, and those of
    /// the preferred class wait a shorter time. The rows of classes add up to that of the station.
    #[test]
    fn classes_have_rows_of_their_own() {
        let network = "[network]
classes = ['first', 'last']
[[network.source]]
name = 'a'
class = 'first'
rate = 0.3
[[network.source]]
name = 'b'
class = 'last'
rate = 0.4
[[network.node]]
name = 'desk'
mean = 1.0
discipline = 'priority'
[network.node.class.last]
priority = 1
[[network.route]]
from = 'a'
to = 'desk'
[[network.route]]
from = 'b'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'out'
";
        let found = times(network, &[2.0], true);
        let row = |class: Option<&str>| found.iter().find(|row| row.class.as_deref() == class).unwrap();
        let (all, first, last) = (row(None), row(Some("first")), row(Some("last")));
        for row in [all, first, last] {
            assert!(row.waits.covers(0.7, 1.6), "{row:?}");
        }
        // Those that wait first wait for the service under way and for those of their class before them: an M/M/1 queue
        // of their own rate, begun by a full service.
        let share = 0.7 * f64::exp(-(1.0 - 0.3) * 2.0);
        assert!(first.beyond[0].share.covers(share, 1.6), "{first:?} {share}");
        assert!(last.beyond[0].share.mean > first.beyond[0].share.mean);
        assert_eq!(all.visits, first.visits + last.visits);
    }

    #[test]
    fn quantiles_of_too_many_stations_are_refused() {
        let torus = Network::torus(64, 64, 1 << 20, 1).unwrap();
        let wanted = Wanted { quantiles: true, ..Wanted::default() };
        assert_eq!(wanted.check(&torus), Err(TooManyRows { rows: 4096 }));
        assert_eq!(
            Wanted { beyond: vec![Threshold { units: 1.0, ticks: 1 << 20 }], ..Wanted::default() }.check(&torus),
            Ok(())
        );
    }
}
