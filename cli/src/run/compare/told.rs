//! Differences between configurations, for programs.

use super::super::trials::{Simulated, Trials};
use imminent::models::estimate::Confidence;
use imminent::models::output::Comparison;
use imminent::models::study::compared::{Against, Differences, Replications};
use imminent_console::Failure;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Options that choose the configuration with the least or the greatest mean of a measure.
pub(super) const LEAST: &str = "least";
pub(super) const GREATEST: &str = "greatest";

/// Results of one configuration.
#[derive(Serialize)]
pub(super) struct Configuration {
    /// Name of the variant, or path of the file.
    pub(super) file: String,
    /// Values by which it differs from the file.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    set: BTreeMap<String, String>,
    /// Digest of the results.
    pub(super) digest: String,
    /// Statistics as the JSON object of `run` has them.
    stats: Json,
    /// Costs of a time unit by their parts, as `run` has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<Json>,
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// Values of each measure, replication by replication.
    #[serde(skip)]
    pub(super) replications: Replications,
}

/// Differences between one configuration and that with which all are compared, by the names of measures.
#[derive(Serialize)]
pub(super) struct Difference {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) measures: BTreeMap<String, Comparison>,
}

/// Results of all configurations.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) seed: u64,
    pub(super) replications: u64,
    pub(super) confidence: Confidence,
    /// Number of the configuration with which the others are compared.
    pub(super) against: usize,
    /// Number of comparisons whose `simultaneous` intervals hold together.
    pub(super) together: usize,
    pub(super) configurations: Vec<Configuration>,
    pub(super) comparisons: Vec<Difference>,
    /// Names of all measures in their order.
    #[serde(skip)]
    pub(super) names: Vec<String>,
}

impl Compared {
    /// Compares the configurations with one of them.
    pub(super) fn new(
        trials: &Trials,
        simulated: Vec<Simulated>,
        values: &[Vec<(String, String)>],
        against: &Against,
    ) -> Result<Self, Failure> {
        let configuration = |(mut simulated, set): (Simulated, &Vec<(String, String)>)| {
            let replications = simulated.take_replications();
            let Simulated { name, outcome, notes } = simulated;
            let (stats, costs) = (outcome.values.get("stats").cloned(), outcome.values.get("costs").cloned());
            Configuration {
                file: name,
                set: set.iter().cloned().collect(),
                digest: outcome.digest,
                stats: stats.unwrap_or_default(),
                costs,
                notes,
                warnings: outcome.warnings,
                replications,
            }
        };
        let configurations: Vec<_> = simulated.into_iter().zip(values).map(configuration).collect();
        let all: Vec<_> = configurations.iter().map(|of| of.replications.clone()).collect();
        let (names, confidence) = (Replications::all_names(&all), trials.confidence);
        let compared = Differences::new(&all, against, confidence).map_err(|error| {
            let option = if matches!(against, Against::Greatest(_)) { GREATEST } else { LEAST };
            Failure::usage(format!("--{option}: {error}"))
        })?;
        let Differences { against, together, others } = compared;
        let named = |number: usize| configurations.get(number).map_or_else(String::new, |of| of.file.clone());
        let difference = |(number, measures): (usize, BTreeMap<String, Comparison>)| Difference {
            first: named(against),
            second: named(number),
            measures,
        };
        let comparisons = others.into_iter().map(difference).collect();
        let (seed, replications) = (trials.seed, trials.replications);
        Ok(Self { seed, replications, confidence, against, together, configurations, comparisons, names })
    }
}
