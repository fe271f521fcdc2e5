//! Execution of experiments on the chosen engine.

use super::Common;
use crate::Failure;
use crate::clock::{self, timed};
use crate::memory::MemoryFigures;
use crate::progress::Bar;
use crate::selection::DeviceArgs;
use imminent::models::queueing::analysis::{ClassFindings, Ending, Watch};
use imminent::models::queueing::config::Engine;
use imminent::models::queueing::end_to_end::EndToEnd;
use imminent::models::queueing::engine::{Schedule, Simulation, clustered, exact, side_by_side, watched};
use imminent::models::queueing::experiment::{Experiment, Findings, Timed};
use imminent::models::queueing::report::{Provenance, Spending};
use imminent::models::queueing::trace::RunTimes;
use imminent::models::queueing::{Report, Scenario, sequential};
use imminent::{Device, Progress};
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
        (build(), None)
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
        let ran = experiment.run_watched_until(sequential::watched, |done| bar.done(done), &how.stop);
        let findings = ran.map_err(Failure::run)?;
        return Ok((findings, None));
    }
    let (device, why) = how.device.open()?;
    Ok((on_device(&device, experiment, how, &bar)?, Some((device, why))))
}

fn on_device(device: &Device, experiment: &Experiment, how: &How<'_>, bar: &Bar) -> Result<Findings, Failure> {
    let How { engine, schedule, times, stop, .. } = *how;
    // An experiment with several looks stops at the next one. With a single look, there would be nothing to keep.
    let looks = experiment.plan.most_cells(experiment.horizon) > 1;
    let mut watch = |progress: Progress| {
        bar.say(format!("{} steps", progress.steps));
        if !looks && stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let finished = |done| bar.done(done);
    if let Some(interval) = experiment.interval.filter(|_| engine == Engine::Interval) {
        let run = |scenario: &Scenario<'_>| {
            clustered(device, scenario, interval, &mut watch)
                .map(|ran| Timed { outcome: ran.outcome, spent: ran.spent })
        };
        return experiment.run_until(run, finished, &stop).map_err(Failure::run);
    }
    let ran = match Way::of(device, experiment, schedule, times) {
        Way::Watched(together) => {
            let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
                watched(device, scenarios, watches, schedule, times, &mut watch)
            };
            experiment.run_together_until(together, run, finished, &stop)
        }
        Way::SideBySide(together) => {
            let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
                let ran = side_by_side(device, scenarios, &mut watch)?;
                let seen = watches.iter_mut().zip(&ran);
                seen.for_each(|(watch, timed)| watch.observe(&timed.outcome.statistics));
                Ok(ran)
            };
            experiment.run_together_until(together, run, finished, &stop)
        }
        Way::OneByOne => {
            let run = |scenario: &Scenario<'_>| {
                exact(device, scenario, schedule, &mut watch)
                    .map(|ran| Timed { outcome: ran.outcome, spent: ran.spent })
            };
            experiment.run_until(run, finished, &stop)
        }
    };
    ran.map_err(Failure::run)
}

/// Largest number of nodes of all concurrent replications.
const MOST_NODES: u64 = 1 << 18;
/// Largest number of concurrent replications.
const MOST_TOGETHER: u64 = 4096;

/// Largest size of the nodes' statistics at all looks, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Largest size of the counters for times of visits, in bytes.
const MOST_BYTES_OF_TIMES: u64 = 1 << 26;

/// Largest number of replications that are added at a time.
const MOST_ADDED: u64 = 16;

/// Largest number of concurrent replications on one thread, which runs them in turn. A run can be stopped between such
/// groups, and keeps those before.
const MOST_IN_TURN: u64 = 16;

/// Execution of replications by the exact engine.
enum Way {
    /// The engine of general networks runs this many in one simulation, from look to look.
    Watched(u64),
    /// The engine of simple networks runs this many on the host's threads, each event by event to its end.
    SideBySide(u64),
    /// Replications run one after the other.
    OneByOne,
}

impl Way {
    /// Chooses the execution. Several looks, times of visits, and networks that are not simple need the engine of
    /// general networks. Other runs use the engine of simple networks, except for several replications on a device that
    /// cannot run them event by event.
    fn of(device: &Device, experiment: &Experiment, schedule: Schedule, times: bool) -> Self {
        let (network, plan) = (&experiment.network, &experiment.plan);
        let kept = plan.bytes_kept(network.len(), network.classes(), experiment.horizon);
        let mut room = (MOST_NODES / network.len() as u64).min(MOST_BYTES / kept.max(1));
        if times {
            room = room.min(MOST_BYTES_OF_TIMES / Simulation::BYTES_OF_TIMES);
        }
        // With a target precision, replications are added in small groups: surplus ones are discarded.
        let adding = matches!(plan.ending, Ending::Precision(_));
        let group = room.min(if adding { MOST_ADDED } else { MOST_TOGETHER }).min(experiment.replications).max(1);
        let simple = network.simple().is_some();
        let looks = plan.most_cells(experiment.horizon) > 1 || plan.fixed_warm_up() > 0;
        let by_events = device.capabilities().native_rows && matches!(schedule, Schedule::Auto | Schedule::Events);
        match schedule {
            _ if !simple || looks || times => Way::Watched(group),
            _ if group > 1 && by_events => {
                Way::SideBySide(group.min(u64::from(device.capabilities().threads.max(1)) * MOST_IN_TURN))
            }
            _ if group > 1 => Way::Watched(group),
            _ => Way::OneByOne,
        }
    }
}
