//! Results of a run for programs.

use crate::analysis::{ClassFindings, Period};
use crate::config::Engine;
use crate::experiment::{Experiment, Findings};
use crate::measures::{Counted, Measure};
use crate::network::Network;
use crate::nodes::{Busiest, NodeReport};
use crate::outcome::Digest;
use crate::system::{Stats, System};
use crate::tally::{Distribution, Passage, PoolLoad, TimesAtNode};
use crate::theory::Load;
use crate::trace::TimesReport;
use imminent_common::estimate::{Confidence, Estimate};
use imminent_common::time::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Results of a run for programs: keys of the object that `run --json` prints.
///
/// `C` is the configuration of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report<C> {
    /// Name of the engine.
    pub engine: String,
    /// Seed given by the user.
    pub seed: u64,
    /// Complete configuration of the model.
    pub config: C,
    /// Number of events of all replications: one for every service started.
    pub events: u64,
    /// Length of each replication, warm-up included, in time units; the mean, if lengths differ.
    pub simulated_time: f64,
    /// Events per second of simulation; `None` if the time was too short to measure.
    pub events_per_s: Option<f64>,
    /// Results of the whole network.
    pub system: System,
    /// Mean of each statistic of the average station over replications, with the half-width of its interval.
    pub stats: BTreeMap<String, Estimate>,
    /// Costs of a time unit by their [parts](crate::costs::Part), of which `gain` is subtracted, if the network's file
    /// gives costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Stats>,
    /// Basis of the confidence intervals.
    pub analysis: Analysis,
    /// Distributions of the times of visits, if histograms were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<TimesReport>,
    /// Statistics of each class at the average station, by the names of class and statistic, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<BTreeMap<String, BTreeMap<String, Estimate>>>,
    /// Times from source to the exit from the network: of all tokens, by source and by class, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_to_end: Option<Vec<Passage>>,
    /// Shares of waits, and quantiles, at each station, and at each class there, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_times: Option<Vec<TimesAtNode>>,
    /// Load of each pool of servers, where servers differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pools: Option<Vec<PoolLoad>>,
    /// Results by period, if the run has periods.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<Vec<Period>>,
    /// Distributions of the number of tokens in the whole network and at each station, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Vec<Distribution>>,
    /// Number of nodes of the network.
    pub node_count: usize,
    /// [Version](Digest::VERSION) of the digest's encoding: digests of other versions cannot be compared.
    #[serde(default)]
    pub digest_version: u32,
    /// The busiest nodes, by falling utilization, at most [`MAX_LISTED`](crate::nodes::MAX_LISTED).
    pub nodes: Vec<NodeReport>,
    /// Number of ticks in a time unit, a power of two: 2^20 unless durations are very short or long.
    pub ticks_per_unit: f64,
    /// Utilization of the average server of an open network by the traffic equations, without losses; `None` for closed
    /// networks.
    pub utilization_expected: Option<f64>,
    /// [Fingerprint](crate::Network::fingerprint) of the network: hosts with equal fingerprints get the same outcomes.
    /// `None` for networks of more than 2^20 nodes, for which it would take long.
    pub fingerprint: Option<Digest>,
}

/// Basis of the confidence intervals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Number of replications that were run.
    pub replications: usize,
    /// Number of samples that count as independent: batches of all replications, or replications.
    pub samples: usize,
    /// Time deleted from the beginning of a replication, in time units; the mean over replications, since MSER-5 may
    /// cut them at different times.
    pub warm_up: f64,
    /// Time that was observed, in time units, summed over replications.
    pub observed: f64,
    /// Visits over which `waiting` and `sojourn` are means.
    pub count: Counted,
    /// Probability with which an interval covers the true mean.
    pub confidence: Confidence,
}

impl Analysis {
    fn of(findings: &Findings) -> Self {
        let count = findings.replications.len();
        let counted: u64 = findings.replications.iter().map(|replication| replication.kept().span).sum();
        let units = |ticks| findings.tick.units(ticks);
        let warm_up = units(findings.simulated() - counted) / count.max(1) as f64;
        Self {
            replications: count,
            samples: findings.samples.len(),
            warm_up,
            observed: units(counted),
            count: findings.counted,
            confidence: findings.confidence,
        }
    }
}

impl<C> Report<C> {
    /// Creates the report of a run by an engine, with its [busiest](Busiest::of) nodes.
    #[must_use]
    pub fn new(config: C, engine: Engine, experiment: &Experiment, findings: &Findings, busiest: &Busiest) -> Self {
        let wall_s = findings.spent.simulation.as_secs_f64();
        Self {
            engine: engine.name().to_owned(),
            seed: experiment.seed,
            config,
            events: findings.events,
            simulated_time: findings.tick.units(findings.simulated()) / findings.replications.len().max(1) as f64,
            events_per_s: (wall_s > 0.0).then(|| findings.events as f64 / wall_s),
            system: System::of(&experiment.network, findings),
            stats: of_stations(&findings.estimates),
            costs: findings
                .costs()
                .map(|costs| costs.into_iter().map(|(part, of)| (part.name().to_owned(), of)).collect()),
            analysis: Analysis::of(findings),
            times: None,
            classes: None,
            end_to_end: None,
            node_times: None,
            distribution: None,
            pools: None,
            periods: None,
            digest_version: Digest::VERSION,
            node_count: experiment.network.len(),
            nodes: busiest.reports(&experiment.network, findings),
            ticks_per_unit: findings.tick.per_unit(),
            utilization_expected: utilization_expected(&experiment.network),
            fingerprint: (experiment.network.len() <= 1 << 20).then(|| experiment.network.fingerprint()),
        }
    }
}

/// Returns the estimates without those of the whole network.
fn of_stations(estimates: &BTreeMap<String, Estimate>) -> BTreeMap<String, Estimate> {
    let is_of_system = |name: &str| Measure::SYSTEM.iter().any(|measure| measure.name() == name);
    estimates.iter().filter(|(name, _)| !is_of_system(name)).map(|(name, of)| (name.clone(), *of)).collect()
}

/// Returns the statistics of each class at the average station, by name.
#[must_use]
pub fn of_classes(network: &Network, findings: &ClassFindings) -> BTreeMap<String, BTreeMap<String, Estimate>> {
    (0..network.classes() as u32).map(|class| (network.class_name(class), findings.estimates(class))).collect()
}

/// Returns notes on the interpretation of a network.
pub(crate) fn notes(network: &Network) -> Vec<String> {
    let mut notes = vec![];
    let tick = network.tick();
    if tick != Tick::DEFAULT {
        notes.push(format!("times are counted in ticks of 2^{} time units", -tick.bits()));
    }
    let by_priority = |node: &u32| {
        let is = network.station(*node).is_some_and(|station| station.discipline.is_by_priority());
        let priorities = network.priorities(*node);
        is && priorities.first().map(|(_, first)| first) != priorities.last().map(|(_, last)| last)
    };
    if network.classes() > 1 {
        let mut nodes = (0..network.len() as u32).filter(by_priority);
        if let Some(node) = nodes.next() {
            let order = network.priorities(node).into_iter();
            let order: Vec<_> =
                order.map(|(class, number)| format!("{} ({number})", network.class_name(class))).collect();
            let others = match nodes.count() {
                0 => String::new(),
                others => format!(", and {others} other node{} so too", if others == 1 { "" } else { "s" }),
            };
            notes.push(format!(
                "the lowest priority number is served first: node '{}' serves {}{others}",
                network.label(node),
                order.join(" before ")
            ));
        }
    }
    notes
}

/// Returns the expected utilization of the average server, if the traffic equations have a solution.
fn utilization_expected(network: &Network) -> Option<f64> {
    if !network.has_sources() {
        return None;
    }
    let load = Load::of(network).ok()?;
    let stations = (0..network.len() as u32).filter_map(|node| Some((node, f64::from(network.station(node)?.servers))));
    let (busy, servers) = stations
        .fold((0.0, 0.0), |(busy, all), (node, servers)| (busy + servers * load.utilization(node), all + servers));
    (servers > 0.0).then(|| busy / servers)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::TorusConfig;
    use crate::experiment::Timed;
    use crate::sequential;
    use std::convert::Infallible;

    #[test]
    fn the_json_has_the_fields_that_were_promised() {
        let config =
            TorusConfig::from_toml("[torus]\nwidth = 4\nheight = 4\n[run]\nhorizon = 50\nreplications = 2", "t")
                .unwrap();
        let experiment = config.experiment().unwrap();
        let findings =
            experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
        let busiest = Busiest::of(&experiment.network, &findings).unwrap();
        let report = Report::new(config, Engine::Sequential, &experiment, &findings, &busiest);
        let json: serde_json::Value = serde_json::to_value(&report).unwrap();
        for field in [
            "engine",
            "seed",
            "config",
            "events",
            "simulated_time",
            "events_per_s",
            "system",
            "stats",
            "analysis",
            "node_count",
            "digest_version",
            "nodes",
            "fingerprint",
        ] {
            assert!(!json[field].is_null(), "{field}: {json}");
        }
        for name in ["utilization", "throughput", "queue_length", "waiting", "sojourn"] {
            assert!(json["stats"][name]["mean"].is_f64() && json["stats"][name]["ci95"].is_f64(), "{name}: {json}");
        }
        assert_eq!(json["simulated_time"], 50.0);
        assert_eq!(json["config"]["torus"]["width"], 4);
        assert_eq!(serde_json::from_value::<Report<TorusConfig>>(json).unwrap(), report);
    }

    #[test]
    fn one_replication_has_no_interval() {
        let config = TorusConfig::from_toml("[torus]\nwidth = 2\nheight = 2\n[run]\nhorizon = 50", "t").unwrap();
        let experiment = config.experiment().unwrap();
        let findings =
            experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
        let busiest = Busiest::of(&experiment.network, &findings).unwrap();
        let report = Report::new(config, Engine::Sequential, &experiment, &findings, &busiest);
        let json = serde_json::to_value(&report).unwrap();
        assert!(json["stats"]["utilization"]["ci95"].is_null());
    }
}
