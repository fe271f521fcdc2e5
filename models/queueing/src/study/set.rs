//! A configuration with the values of a point.

use crate::config::{ConfigError, Engine, NetworkConfig, WarmUpOption};
use crate::experiment::Experiment;
use imminent_study::Base;
use imminent_study::laboratory::Point;
use thiserror::Error;

/// A point's experiment, of one run, by an engine.
#[derive(Debug)]
pub(super) struct Set {
    pub(super) experiment: Experiment,
    pub(super) engine: Engine,
}

/// A point of which there can be no runs.
#[derive(Debug, Error)]
pub enum SetError {
    /// The configuration with the point's values is not possible.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// A configuration asks for an engine or an end that studies do not have.
    #[error("{file}: run.{key}: studies do not use it: remove it; {instead}")]
    Unsuitable {
        /// The configuration.
        file: String,
        /// The key.
        key: &'static str,
        /// Alternative that a study has.
        instead: &'static str,
    },
}

/// Returns the experiment of a point.
pub(super) fn at(base: &Base, point: &Point) -> Result<Set, SetError> {
    let file = base.file().map_or_else(String::new, |file| file.display().to_string());
    // Lines are not those of the file.
    let config = NetworkConfig::from_toml(&base.table(point).to_string(), &format!("{file} with these values"))?;
    let unsuitable = [
        (config.run.precision.is_some(), "precision", "give `repetitions`"),
        (config.run.batches.is_some(), "batches", "give `repetitions`"),
        (config.run.warm_up == Some(WarmUpOption::Mser5), "warm_up", "give a time"),
        (config.run.engine == Engine::Interval, "engine", "the engines of studies are `exact` and `sequential`"),
    ];
    if let Some((_, key, instead)) = unsuitable.into_iter().find(|(found, ..)| *found) {
        return Err(SetError::Unsuitable { file, key, instead });
    }
    let mut experiment = config.experiment()?;
    experiment.replications = 1;
    Ok(Set { experiment, engine: config.run.engine })
}
