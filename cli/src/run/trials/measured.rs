//! Values of the measures of a configuration in each replication.

use super::{MEASURE, Simulated, TrialArgs};
use imminent::models::estimate::{Confidence, Estimate};
use imminent_console::Failure;

/// Values of a measure, replication by replication.
type Values = Vec<Option<f64>>;

/// Measures of a configuration, in the order of the model.
#[derive(Debug, Clone)]
pub(in crate::run) struct Measured {
    values: Vec<(String, Values)>,
}

impl Measured {
    pub(in crate::run) fn of(simulated: &mut Simulated) -> Self {
        Self { values: std::mem::take(&mut simulated.outcome.replications) }
    }

    /// Returns the values of a measure; none if the configuration does not have it.
    pub(in crate::run) fn values(&self, measure: &str) -> &[Option<f64>] {
        self.values.iter().find(|(name, _)| name == measure).map_or(&[], |(_, values)| values)
    }

    /// Returns the mean of a measure over the replications that have a value.
    pub(in crate::run) fn estimate(&self, measure: &str, confidence: Confidence) -> Estimate {
        confidence.of(&self.values(measure).iter().copied().flatten().collect::<Vec<_>>())
    }

    /// Returns the names of the measures.
    pub(in crate::run) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| name.as_str())
    }
}

/// Returns the names of all measures that any of several configurations has, in their order.
pub(in crate::run) fn all_names(measured: &[Measured]) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for name in measured.iter().flat_map(Measured::names) {
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Returns the names of the measures that people are shown: those that they ask for, or those of the whole model and
/// shares of waits.
pub(in crate::run) fn shown(names: &[String], args: &TrialArgs) -> Result<Vec<String>, Failure> {
    let wanted: Vec<&str> = args.all(MEASURE).collect();
    if wanted.is_empty() {
        let is_usual = |name: &&String| !name.contains('@') && !name.ends_with("_by_little");
        return Ok(names.iter().filter(is_usual).cloned().collect());
    }
    wanted.into_iter().map(|name| known(MEASURE, name, names)).collect()
}

/// Returns a measure that an option names, if it is one of those that there are.
pub(in crate::run) fn known(option: &str, name: &str, names: &[String]) -> Result<String, Failure> {
    if names.iter().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let known = names.join("', '");
    Err(Failure::usage(format!("--{option} {name}: there is no such measure in these runs, only '{known}'")))
}

/// Pairs the values of two configurations in the replications in which both have one.
pub(in crate::run) fn pairs(first: &[Option<f64>], second: &[Option<f64>]) -> (Vec<f64>, Vec<f64>) {
    first.iter().zip(second).filter_map(|(first, second)| (*first).zip(*second)).unzip()
}
