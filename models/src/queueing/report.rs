//! The result of a run as one JSON object.

use crate::estimate::Estimate;
use crate::output::Histogram;
use crate::queueing::analysis::ClassFindings;
use crate::queueing::experiment::{Experiment, Findings};
use crate::queueing::network::Network;
use crate::queueing::outcome::Digest;
use crate::queueing::theory::Load;
use crate::queueing::trace::Times;
use crate::time::units_from_ticks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// What `run --json` prints: the result together with everything needed to repeat it.
///
/// `C` is the configuration of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report<C> {
    /// Name of the model.
    pub model: String,
    /// Name of the backend.
    pub backend: String,
    /// The device, in words.
    pub device: String,
    /// Name of the engine.
    pub engine: String,
    /// The user's seed.
    pub seed: u64,
    /// The whole configuration.
    pub config: C,
    /// Events of all replications: one for every service started.
    pub events: u64,
    /// Length of each replication, warm-up included, in time units; the mean, where they end at times of their own.
    pub simulated_time: f64,
    /// Seconds that the simulation alone took, over all replications.
    pub wall_s: f64,
    /// Seconds that set-up and compilation took.
    pub set_up_s: f64,
    /// Events per second of simulation; `None` if the time was too short to measure.
    pub events_per_s: Option<f64>,
    /// Each statistic's mean over replications and the half-width of its interval.
    pub stats: BTreeMap<String, Estimate>,
    /// How the intervals were made.
    pub analysis: Analysis,
    /// Quantiles of the times of visits, where histograms were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<BTreeMap<String, BTreeMap<String, Option<f64>>>>,
    /// Each class's statistics at the average station, by the names of class and statistic, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<BTreeMap<String, BTreeMap<String, Estimate>>>,
    /// What a reader should know before believing the statistics.
    pub warnings: Vec<String>,
    /// What the traffic equations expect of the average server of an open network, losses left out; `None` for closed networks.
    pub utilization_expected: Option<f64>,
    /// The network's [fingerprint](crate::queueing::Network::fingerprint): hosts that agree in it get the same outcomes. `None` for networks of more than
    /// 2^20 nodes, for which it would take long.
    pub fingerprint: Option<Digest>,
    /// Digest of all replications' final states and statistics: equal for every exact engine on every device.
    pub digest: Digest,
}

/// What the intervals were made from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Replications that were run.
    pub replications: usize,
    /// Samples, all of which count as independent: batches of all replications, or replications.
    pub samples: usize,
    /// Time that was deleted from the beginning of a replication, in time units; the mean over replications.
    pub warm_up: f64,
    /// Time that was counted, in time units, summed over replications.
    pub observed: f64,
}

impl Analysis {
    fn of(findings: &Findings) -> Self {
        let count = findings.replications.len();
        let counted: u64 = findings.replications.iter().map(|replication| replication.kept().span).sum();
        let warm_up = units_from_ticks(findings.simulated() - counted) / count.max(1) as f64;
        Self { replications: count, samples: findings.samples.len(), warm_up, observed: units_from_ticks(counted) }
    }
}

/// The quantiles that a report has: by name of the time (`waiting`, `sojourn`) and of the quantile (`p50`, `p90`, `p95`, `p99`), in time units, each
/// within 1/16 of itself ([`crate::output::histogram`]); all missing without visits.
#[must_use]
pub fn quantiles(times: &Times) -> BTreeMap<String, BTreeMap<String, Option<f64>>> {
    let of = |(name, histogram): (&str, &Histogram)| {
        let at = |percent: u32| histogram.quantile(f64::from(percent) / 100.0).map(|ticks| ticks * units_from_ticks(1));
        (name.to_owned(), [50, 90, 95, 99].into_iter().map(|percent| (format!("p{percent}"), at(percent))).collect())
    };
    [("waiting", &times.waiting), ("sojourn", &times.sojourn)].into_iter().map(of).collect()
}

/// Who did the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance<'a> {
    /// Name of the model.
    pub model: &'a str,
    /// Name of the backend.
    pub backend: &'a str,
    /// The device, in words.
    pub device: &'a str,
    /// Name of the engine.
    pub engine: &'a str,
}

impl<C> Report<C> {
    /// Puts a report together; `set_up` is the time spent before and between the simulations.
    #[must_use]
    pub fn new(
        provenance: &Provenance<'_>,
        config: C,
        experiment: &Experiment,
        findings: &Findings,
        set_up: Duration,
    ) -> Self {
        let wall_s = findings.wall.as_secs_f64();
        let of_network = experiment.network.warnings().into_iter().map(|warning| warning.to_string());
        let of_findings = findings.warnings.iter().map(ToString::to_string);
        Self {
            model: provenance.model.to_owned(),
            backend: provenance.backend.to_owned(),
            device: provenance.device.to_owned(),
            engine: provenance.engine.to_owned(),
            seed: experiment.seed,
            config,
            events: findings.events,
            simulated_time: units_from_ticks(findings.simulated()) / findings.replications.len().max(1) as f64,
            wall_s,
            set_up_s: set_up.as_secs_f64(),
            events_per_s: (wall_s > 0.0).then(|| findings.events as f64 / wall_s),
            stats: findings.estimates.clone(),
            analysis: Analysis::of(findings),
            times: None,
            classes: None,
            warnings: of_network.chain(of_findings).collect(),
            utilization_expected: utilization_expected(&experiment.network),
            fingerprint: (experiment.network.len() <= 1 << 20).then(|| experiment.network.fingerprint()),
            digest: findings.digest(),
        }
    }
}

/// Each class's statistics at the average station, by name.
#[must_use]
pub fn of_classes(network: &Network, findings: &ClassFindings) -> BTreeMap<String, BTreeMap<String, Estimate>> {
    (0..network.classes() as u32).map(|class| (network.class_name(class), findings.estimates(class))).collect()
}

/// The expected utilization of the average server, where the traffic equations have an answer.
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
    use crate::queueing::config::TorusConfig;
    use crate::queueing::experiment::Timed;
    use crate::queueing::sequential;
    use std::convert::Infallible;

    #[test]
    fn the_json_has_the_fields_that_were_promised() {
        let config =
            TorusConfig::from_toml("[torus]\nwidth = 4\nheight = 4\n[run]\nhorizon = 50\nreps = 2", "t").unwrap();
        let experiment = config.experiment().unwrap();
        let findings =
            experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
        let provenance =
            Provenance { model: "torus", backend: "cpu", device: "one core", engine: config.run.engine.name() };
        let report = Report::new(&provenance, config, &experiment, &findings, Duration::from_millis(5));
        let json: serde_json::Value = serde_json::to_value(&report).unwrap();
        for field in [
            "model",
            "backend",
            "device",
            "engine",
            "seed",
            "config",
            "events",
            "simulated_time",
            "wall_s",
            "events_per_s",
            "stats",
            "analysis",
            "warnings",
            "digest",
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
        let provenance = Provenance { model: "torus", backend: "cpu", device: "one core", engine: "exact" };
        let report = Report::new(&provenance, config, &experiment, &findings, Duration::ZERO);
        let json = serde_json::to_value(&report).unwrap();
        assert!(json["stats"]["utilization"]["ci95"].is_null());
        assert_eq!(json["digest"], findings.digests()[0].to_string());
    }
}
