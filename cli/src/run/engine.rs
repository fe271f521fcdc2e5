//! Running an experiment by the engine that was asked for.

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
use std::panic::resume_unwind;
use std::time::Duration;

/// A run at its end.
pub(super) struct Finished<C> {
    /// The report.
    pub(super) report: Report<C>,
    /// What it was made from, node by node.
    pub(super) findings: Findings,
    /// Times of visits, if they were asked for.
    pub(super) times: Option<RunTimes>,
    /// What was done for each class of tokens, if that was asked for.
    pub(super) classes: Option<ClassFindings>,
    /// How long tokens were in the network, if that was asked for.
    pub(super) end_to_end: Option<EndToEnd>,
    /// Why the device was taken.
    pub(super) why: Option<String>,
    /// The device's memory when the run had ended, and at its peak; none without a device.
    pub(super) memory: Option<MemoryFigures>,
}

/// An experiment that can begin.
pub(super) struct Prepared {
    pub(super) experiment: Experiment,
    /// How long opening the device took, which went on beside the rest.
    device: Duration,
    /// How long building the network took.
    network: Duration,
}

/// Builds an experiment while the device is opened that its engine needs.
pub(super) fn prepare(
    engine: Engine,
    device: &mut DeviceArgs,
    build: impl FnOnce() -> Result<Experiment, Failure>,
) -> Result<Prepared, Failure> {
    std::thread::scope(|scope| {
        let wanted = engine != Engine::Sequential && device.opened.is_none();
        let args = &*device;
        let opening = wanted.then(|| scope.spawn(move || timed(|| args.open())));
        let (experiment, network) = timed(build);
        let opened = opening.map(|opening| opening.join().unwrap_or_else(|panic| resume_unwind(panic)));
        // What is wrong with the configuration is told before what is wrong with the device.
        let experiment = experiment?;
        let (opened, took) = opened.map_or((Ok(None), Duration::ZERO), |(opened, took)| (opened.map(Some), took));
        Ok((Prepared { experiment, device: took, network }, opened?))
    })
    .map(|(prepared, opened)| {
        device.opened = opened.or_else(|| device.opened.take());
        prepared
    })
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

/// How an experiment is carried out.
pub(super) struct How<'a> {
    pub(super) engine: Engine,
    pub(super) device: &'a DeviceArgs,
    pub(super) schedule: Schedule,
    /// Whether to count how long visits take.
    pub(super) times: bool,
    /// Returns true to end early, with what was found by then.
    pub(super) stop: Stop,
}

/// Says whether a run is to end early.
pub(super) type Stop = fn() -> bool;

/// Carries out an experiment; gives what was found, and on which device, and why that was taken, unless it was on none.
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
    // What has several looks ends at the next of them; of what has one, there is nothing to be kept.
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

/// The most nodes of all replications that run side by side.
const MOST_NODES: u64 = 1 << 18;
/// The most replications that run side by side.
const MOST_TOGETHER: u64 = 4096;

/// The most bytes of their nodes' statistics, at all looks.
const MOST_BYTES: u64 = 1 << 30;

/// The most bytes in which the times of their visits are counted.
const MOST_BYTES_OF_TIMES: u64 = 1 << 26;

/// The most replications that are added at a time.
const MOST_ADDED: u64 = 16;

/// The most replications that run side by side on one thread, one after the other: between such groups a run can be stopped, and keeps those before.
const MOST_IN_TURN: u64 = 16;

/// How the exact engine carries out replications.
enum Way {
    /// The engine of general networks runs so many in one simulation, from look to look.
    Watched(u64),
    /// The engine of simple networks runs so many on the host's threads, each event by event to its end.
    SideBySide(u64),
    /// One after the other.
    OneByOne,
}

impl Way {
    /// The engine of simple networks is the better choice for runs with a single look, on a device if they are large; it counts no times.
    fn of(device: &Device, experiment: &Experiment, schedule: Schedule, times: bool) -> Self {
        let (network, plan) = (&experiment.network, &experiment.plan);
        let kept = plan.bytes_kept(network.len(), network.classes(), experiment.horizon);
        let mut room = (MOST_NODES / network.len() as u64).min(MOST_BYTES / kept.max(1));
        if times {
            room = room.min(MOST_BYTES_OF_TIMES / Simulation::BYTES_OF_TIMES);
        }
        // Those that are added until they are precise come in small groups: what is more than enough is thrown away.
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
