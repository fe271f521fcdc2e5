//! Differences between configurations, for programs.

use super::super::trials::{Measured, Simulated, Trials, all_names, known, pairs};
use imminent::models::estimate::Confidence;
use imminent::models::output::Comparison;
use imminent_console::Failure;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Options that choose the configuration with the least or the greatest mean of a measure.
pub(super) const LEAST: &str = "least";
pub(super) const GREATEST: &str = "greatest";

/// Choice of the configuration with which the others are compared.
pub(super) enum Against {
    /// The first.
    First,
    /// The one with the least mean of a measure.
    Least(String),
    /// The one with the greatest mean of a measure.
    Greatest(String),
}

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
    pub(super) measured: Measured,
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
            let measured = Measured::of(&mut simulated);
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
                measured,
            }
        };
        let configurations: Vec<_> = simulated.into_iter().zip(values).map(configuration).collect();
        let measured: Vec<_> = configurations.iter().map(|of| of.measured.clone()).collect();
        let (names, confidence) = (all_names(&measured), trials.confidence);
        let chosen = chosen(&measured, &names, against, confidence)?;
        // One that is chosen by its results may be compared with any: then all pairs have to hold together.
        let others = configurations.len().saturating_sub(1);
        let together = if matches!(against, Against::First) { others } else { others * configurations.len() / 2 };
        let difference = |other: &Configuration| {
            let first = configurations.get(chosen)?;
            let compare = |name: &String| {
                let (first, second) = pairs(first.measured.values(name), other.measured.values(name));
                (name.clone(), Comparison::one_of(together, &first, &second, confidence))
            };
            let measures = names.iter().map(compare).collect();
            Some(Difference { first: first.file.clone(), second: other.file.clone(), measures })
        };
        let others = configurations.iter().enumerate().filter(|(number, _)| *number != chosen);
        let comparisons = others.filter_map(|(_, other)| difference(other)).collect();
        let (seed, replications) = (trials.seed, trials.replications);
        Ok(Self { seed, replications, confidence, against: chosen, together, configurations, comparisons, names })
    }
}

/// Returns the number of the configuration with which the others are compared.
fn chosen(measured: &[Measured], names: &[String], against: &Against, of: Confidence) -> Result<usize, Failure> {
    let (option, measure, sign) = match against {
        Against::First => return Ok(0),
        Against::Least(measure) => (LEAST, measure, 1.0),
        Against::Greatest(measure) => (GREATEST, measure, -1.0),
    };
    let measure = known(option, measure, names)?;
    let mean = |measured: &Measured| measured.estimate(&measure, of).mean.map_or(f64::INFINITY, |mean| sign * mean);
    let means = measured.iter().map(mean).enumerate();
    Ok(means.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(number, _)| number))
}
