//! Execution of experiments on the chosen engine.

use super::Common;
use crate::memory::MemoryFigures;
use imminent::models::queueing::analysis::{ClassFindings, Watch};
use imminent::models::queueing::config::Engine;
use imminent::models::queueing::end_to_end::EndToEnd;
use imminent::models::queueing::engine::{Schedule, Seen, Watching, clustered, together, watched_each};
use imminent::models::queueing::experiment::{EVENTS, Experiment, Findings, Timed};
use imminent::models::queueing::report::{Provenance, Spending};
use imminent::models::queueing::trace::RunTimes;
use imminent::models::queueing::{Report, Scenario, sequential};
use imminent::{Device, Progress, Work};
use imminent_console::clock::{self, timed};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Duration;

/// Completed run.
pub(super) struct Finished<C> {
    /// The report.
    pub(super) report: Report<C>,
    /// Findings of each node, from which the report is made.
    pub(super) findings: Findings,
    /// Times of visits, if requested.
    pub(super) times: Option<RunTimes>,
    /// Results for each class of tokens, if requested.
    pub(super) classes: Option<ClassFindings>,
    /// Times of tokens from source to exit, if requested.
    pub(super) end_to_end: Option<EndToEnd>,
    /// Reason for the choice of the device.
    pub(super) why: Option<String>,
    /// Memory of the device at the end of the run, and its peak; `None` without a device.
    pub(super) memory: Option<MemoryFigures>,
}

/// Experiment that is ready to start.
pub(super) struct Prepared {
    pub(super) experiment: Experiment,
    /// Time to open the device, in parallel with the rest.
    device: Duration,
    /// Time to build the network.
    network: Duration,
}

/// Builds an experiment while the device for its engine is opened.
pub(super) fn prepare(
    engine: Engine,
    device: &mut DeviceArgs,
    build: impl FnOnce() -> Result<Experiment, Failure>,
) -> Result<Prepared, Failure> {
    let build = || timed(build);
    let ((experiment, network), opened) = if engine == Engine::Sequential {
        device.warn_unused(engine.name());
        (build(), None)
    } else if device.is_free() {
        // The work decides about the device, so the network comes first.
        let (experiment, network) = build();
        let events = |experiment: &Experiment| Work::new(EVENTS, experiment.expected_events());
        let work = experiment.as_ref().ok().map(events);
        let (opened, took) = timed(|| device.open_for(work));
        ((experiment, network), Some((opened, took)))
    } else {
        let (built, opened, took) = device.open_while(build);
        (built, Some((opened, took)))
    };
    // Errors of the configuration are reported before errors of the device.
    let experiment = experiment?;
    let mut took = Duration::ZERO;
    if let Some((opened, opening)) = opened {
        device.opened = Some(opened?);
        took = opening;
    }
    Ok(Prepared { experiment, device: took, network })
}

pub(super) fn simulate<C: Serialize>(
    model: &str,
    config: C,
    prepared: &Prepared,
    engine: Engine,
    common: &Common,
    stop: Stop,
) -> Result<Finished<C>, Failure> {
    let (experiment, before) = (&prepared.experiment, clock::elapsed());
    // Only the engine of general networks counts times of visits.
    let counts_times = common.trace.asks_for_times();
    let how = How { engine, device: &common.device, schedule: common.run.schedule, times: counts_times, stop };
    let (findings, opened) = find(experiment, &how)?;
    let (device, why) = opened.unzip();
    let engine_took = clock::elapsed().saturating_sub(before);
    let times = Spending { device: prepared.device, network: prepared.network, before, engine: engine_took };
    let (backend, name) = device.as_ref().map_or(("none", "one thread of the host"), |device| {
        let info = device.info();
        (info.backend.as_str(), info.name.as_str())
    });
    let provenance = Provenance { model, backend, device: name, engine: engine.name() };
    let report = Report::new(&provenance, config, experiment, &findings, times);
    let memory = device.as_ref().map(MemoryFigures::of);
    Ok(Finished { report, findings, times: None, classes: None, end_to_end: None, why, memory })
}

/// Settings for running an experiment.
pub(super) struct How<'a> {
    pub(super) engine: Engine,
    pub(super) device: &'a DeviceArgs,
    pub(super) schedule: Schedule,
    /// `true` to count the times of visits.
    pub(super) times: bool,
    /// Function that returns `true` to stop early and keep the findings so far.
    pub(super) stop: Stop,
}

/// Function that returns `true` to stop a run early.
pub(super) type Stop = fn() -> bool;

/// Runs an experiment. Returns the findings and, if a device was used, the device with the reason for its choice.
pub(super) fn find(experiment: &Experiment, how: &How<'_>) -> Result<(Findings, Option<(Device, String)>), Failure> {
    let bar = Bar::new(experiment.replications, "replications");
    if how.engine == Engine::Sequential {
        if has_looks(experiment) {
            interrupt::note_results();
        }
        let ran = experiment.run_watched_until(sequential::watched, |done| bar.done(done), &how.stop);
        let findings = ran.map_err(Failure::run)?;
        return Ok((findings, None));
    }
    let (device, why) = how.device.open()?;
    Ok((on_device(&device, experiment, how, &bar)?, Some((device, why))))
}

/// Returns `true` if replications under way are looked at: an interruption keeps what was counted so far.
fn has_looks(experiment: &Experiment) -> bool {
    experiment.plan.most_cells(experiment.horizon) > 1
}

fn on_device(device: &Device, experiment: &Experiment, how: &How<'_>, bar: &Bar) -> Result<Findings, Failure> {
    let How { engine, schedule, times, stop, .. } = *how;
    let finished = |done| bar.done(done);
    if let Some(interval) = experiment.interval.filter(|_| engine == Engine::Interval) {
        // An experiment with several looks stops at the next one. With a single look, there would be nothing to keep.
        let looks = has_looks(experiment);
        let mut watch = |progress: Progress| {
            bar.say(format!("{} steps", progress.steps));
            if !looks && stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let run = |scenario: &Scenario<'_>| {
            clustered(device, scenario, interval, &mut watch)
                .map(|ran| Timed { outcome: ran.outcome, spent: ran.spent })
        };
        return experiment.run_until(run, finished, &stop).map_err(Failure::run);
    }
    let mut ended = 0;
    let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
        watched_each(device, scenarios, watches, Watching { schedule, times }, &mut |seen| {
            match seen {
                Seen::Progress(progress) => {
                    if progress.steps > 0 && has_looks(experiment) {
                        interrupt::note_results();
                    }
                    bar.say(format!("{} steps", progress.steps));
                }
                Seen::Ended { .. } => {
                    ended += 1;
                    bar.done(ended);
                }
            }
            ControlFlow::Continue(())
        })
    };
    experiment.run_together_until(together(experiment, times), run, finished, &stop).map_err(Failure::run)
}
