//! Experiments at the points of a study.

use super::kind::Kind;
use crate::config::{ConfigError, Engine, WarmUpOption, WarmUpRule};
use crate::experiment::Experiment;
use imminent_study::laboratory::{Fault, Point};
use imminent_study::{Base, Unused};
use thiserror::Error;

/// Experiment of one run at a point of a study.
#[derive(Debug)]
pub(super) struct PointExperiment {
    pub(super) experiment: Experiment,
    pub(super) engine: Engine,
    /// Keys that have no effect on the experiment.
    pub(super) unused: Vec<Unused>,
}

/// A point of which there can be no runs.
#[derive(Debug, Error)]
pub enum PointError {
    /// The configuration with the point's values is not possible.
    #[error(transparent)]
    Configuration(#[from] ConfigError),
    /// A value is none that a configuration takes.
    #[error("{0}")]
    Value(Fault),
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
pub(super) fn experiment_at<C: Kind>(base: &Base, point: &Point) -> Result<PointExperiment, PointError> {
    let config: C = base.config(point).map_err(PointError::Value)?;
    let run = config.run();
    let unsuitable = [
        (run.precision.is_some(), "precision", "give `repetitions`"),
        (run.batches.is_some(), "batches", "give `repetitions`"),
        (run.warm_up == Some(WarmUpOption::Rule(WarmUpRule::Mser5)), "warm_up", "give a time"),
        (run.engine == Engine::Interval, "engine", "the engines of studies are `exact` and `sequential`"),
    ];
    if let Some((_, key, instead)) = unsuitable.into_iter().find(|(found, ..)| *found) {
        let file = base.file().map_or_else(|| "the defaults".to_owned(), |file| file.display().to_string());
        return Err(PointError::Unsuitable { file, key, instead });
    }
    let engine = run.engine;
    let (mut experiment, unused) = config.experiment_and_unused()?;
    experiment.replications = 1;
    let engine = engine.of(&experiment.network);
    Ok(PointExperiment { experiment, engine, unused })
}
