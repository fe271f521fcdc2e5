//! A configuration with the values of a point.

use super::key;
use crate::laboratory::Point;
use imminent_queueing::config::{ConfigError, Engine, NetworkConfig, WarmUpOption};
use imminent_queueing::experiment::Experiment;
use std::path::PathBuf;
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

/// A configuration in which points set keys.
#[derive(Debug)]
pub(super) struct Sets {
    table: toml::Table,
    path: PathBuf,
}

impl Sets {
    pub(super) const fn new(table: toml::Table, path: PathBuf) -> Self {
        Self { table, path }
    }

    /// The configuration with a point's values.
    pub(super) fn at(&self, point: &Point) -> Result<Set, SetError> {
        let mut table = self.table.clone();
        for (name, value) in point.parameters().filter(|(name, _)| *name != "file") {
            key::set(&mut table, name, key::to_toml(value));
        }
        let file = self.path.display().to_string();
        // Lines are not those of the file.
        let config = NetworkConfig::from_toml(&table.to_string(), &format!("{file} with these values"))?;
        let unsuitable = [
            (config.run.precision.is_some(), "precision", "give `repetitions`"),
            (config.run.batches.is_some(), "batches", "give `repetitions`"),
            (config.run.warmup == Some(WarmUpOption::Mser5), "warmup", "give a time"),
            (config.run.engine == Engine::Interval, "engine", "the engines of studies are `exact` and `sequential`"),
        ];
        if let Some((_, key, instead)) = unsuitable.into_iter().find(|(found, ..)| *found) {
            return Err(SetError::Unsuitable { file, key, instead });
        }
        let mut experiment = config.experiment()?;
        experiment.replications = 1;
        Ok(Set { experiment, engine: config.run.engine })
    }
}
