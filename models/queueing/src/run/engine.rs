//! Execution of experiments on the chosen engine.

use super::watching::Watcher;
use crate::analysis::Watch;
use crate::config::Engine;
use crate::engine::{Schedule, Seen, Watching, clustered, together, watched_each};
use crate::experiment::{Experiment, Findings, Timed};
use crate::host;
use crate::scenario::Scenario;
use crate::sequential::{self, Deadlock};
use imminent_core::{Device, Progress};
use imminent_study::experiment::ExperimentError;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Number of replications for each thread after which progress is told.
const ROUNDS_OF_THREADS: u64 = 4;

/// Settings for running an experiment.
#[derive(Debug, Clone, Copy)]
pub struct EngineOptions<'a> {
    /// Engine.
    pub engine: Engine,
    /// Device; none for the engines of the host.
    pub device: Option<&'a Device>,
    /// Schedule of the exact engine.
    pub schedule: Schedule,
    /// `true` to count the times of visits.
    pub times: bool,
}

/// Runs an experiment. Once the watch breaks, the findings are those so far.
///
/// # Errors
/// [`ExperimentError`] if the engine failed, or if there are no findings.
pub fn simulate(
    experiment: &Experiment,
    options: &EngineOptions<'_>,
    watcher: &Watcher<'_>,
) -> Result<Findings, ExperimentError> {
    match options.device {
        Some(device) => on_device(device, experiment, options, watcher),
        None if options.engine == Engine::Host => by_host(experiment, watcher),
        None => {
            if has_looks(experiment) {
                watcher.note_results();
            }
            let stop = || watcher.stops();
            let result = experiment.run_watched_until(sequential::watched, |done| watcher.done(done), &stop);
            result.map_err(|error| ExperimentError::Failed(error.into()))
        }
    }
}

/// Runs an experiment by the engine of the host, a replication on each thread.
fn by_host(experiment: &Experiment, watcher: &Watcher<'_>) -> Result<Findings, ExperimentError> {
    if has_looks(experiment) {
        watcher.note_results();
    }
    let stop = || watcher.stops();
    let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
        let pairs = scenarios.par_iter().zip(watches.par_iter_mut());
        pairs.map(|(scenario, watch)| host::watched(scenario, watch).map(Some)).collect()
    };
    let side_by_side = together(experiment, false).min(ROUNDS_OF_THREADS * rayon::current_num_threads() as u64);
    let result = experiment.run_together_until(side_by_side, run, |done| watcher.done(done), &stop);
    result.map_err(|error: crate::experiment::ExperimentError<Deadlock>| ExperimentError::Failed(error.into()))
}

/// Returns `true` if replications under way are looked at: an interruption keeps what was counted so far.
fn has_looks(experiment: &Experiment) -> bool {
    experiment.plan.most_cells(experiment.horizon) > 1
}

fn on_device(
    device: &Device,
    experiment: &Experiment,
    options: &EngineOptions<'_>,
    watcher: &Watcher<'_>,
) -> Result<Findings, ExperimentError> {
    let EngineOptions { engine, schedule, times, .. } = *options;
    let (looks, stop) = (has_looks(experiment), || watcher.stops());
    let finished = |done| watcher.done(done);
    if let Some(interval) = experiment.interval.filter(|_| engine == Engine::Interval) {
        // An experiment with several looks stops at the next one. With a single look, there would be nothing to keep.
        let mut watch = |progress: Progress| {
            watcher.say(format!("{} steps", progress.steps));
            if !looks && watcher.stops() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let run = |scenario: &Scenario<'_>| clustered(device, scenario, interval, &mut watch).map(Timed::from);
        let result = experiment.run_until(run, finished, &stop);
        return result.map_err(|error| ExperimentError::Failed(error.into()));
    }
    let mut ended = 0;
    let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
        watched_each(device, scenarios, watches, Watching { schedule, times }, &mut |seen| {
            match seen {
                Seen::Progress(progress) => {
                    if progress.steps > 0 && looks {
                        watcher.note_results();
                    }
                    watcher.say(format!("{} steps", progress.steps));
                }
                Seen::Ended { .. } => {
                    ended += 1;
                    watcher.done(ended);
                }
            }
            ControlFlow::Continue(())
        })
    };
    let result = experiment.run_together_until(together(experiment, times), run, finished, &stop);
    result.map_err(|error| ExperimentError::Failed(error.into()))
}
