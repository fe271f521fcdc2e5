//! Running an experiment by the engine that was asked for.

use super::Common;
use crate::cli::Failure;
use crate::cli::memory::MemoryFigures;
use crate::cli::progress::Bar;
use crate::cli::selection::DeviceArgs;
use imminent::models::queueing::analysis::{ClassFindings, Ending, Watch};
use imminent::models::queueing::config::Engine;
use imminent::models::queueing::engine::{Schedule, clustered, exact, side_by_side, watched};
use imminent::models::queueing::experiment::{Experiment, Findings, Timed};
use imminent::models::queueing::report::Provenance;
use imminent::models::queueing::trace::Times;
use imminent::models::queueing::{Report, Scenario, sequential};
use imminent::{Device, Progress};
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// A run at its end.
pub(super) struct Finished<C> {
    /// The report.
    pub(super) report: Report<C>,
    /// What it was made from, node by node.
    pub(super) findings: Findings,
    /// How long visits took, if that was asked for.
    pub(super) times: Option<Times>,
    /// What was done for each class of tokens, if that was asked for.
    pub(super) classes: Option<ClassFindings>,
    /// Why the device was taken.
    pub(super) why: Option<String>,
    /// The device's memory when the run had ended, and at its peak; none without a device.
    pub(super) memory: Option<MemoryFigures>,
}

pub(super) fn simulate<C: Serialize>(
    model: &str,
    config: C,
    experiment: &Experiment,
    engine: Engine,
    common: &Common,
) -> Result<Finished<C>, Failure> {
    let began = Instant::now();
    // Only the engine of general networks counts times of visits.
    let times = common.trace.asks_for_times() && common.run.schedule != Schedule::Sweep;
    let how = How { engine, device: &common.device, schedule: common.run.schedule, times };
    let (findings, opened) = find(experiment, &how)?;
    let (device, why) = opened.unzip();
    let set_up = began.elapsed().saturating_sub(findings.wall);
    let (backend, name) = device.as_ref().map_or(("none", "one thread of the host"), |device| {
        let info = device.info();
        (info.backend.as_str(), info.name.as_str())
    });
    let provenance = Provenance { model, backend, device: name, engine: engine.name() };
    let report = Report::new(&provenance, config, experiment, &findings, set_up);
    let memory = device.as_ref().map(MemoryFigures::of);
    Ok(Finished { report, findings, times: None, classes: None, why, memory })
}

/// How an experiment is carried out.
pub(super) struct How<'a> {
    pub(super) engine: Engine,
    pub(super) device: &'a DeviceArgs,
    pub(super) schedule: Schedule,
    /// Whether to count how long visits take.
    pub(super) times: bool,
}

/// Carries out an experiment; gives what was found, and on which device, and why that was taken, unless it was on none.
pub(super) fn find(experiment: &Experiment, how: &How<'_>) -> Result<(Findings, Option<(Device, String)>), Failure> {
    let bar = Bar::new(experiment.replications, "replications");
    if how.engine == Engine::Sequential {
        let findings = experiment.run_watched(sequential::watched, |done| bar.done(done)).map_err(Failure::run)?;
        return Ok((findings, None));
    }
    let (device, why) = how.device.open()?;
    Ok((on_device(&device, experiment, how, &bar)?, Some((device, why))))
}

fn on_device(device: &Device, experiment: &Experiment, how: &How<'_>, bar: &Bar) -> Result<Findings, Failure> {
    let mut watch = |progress: Progress| {
        bar.say(format!("{} steps", progress.steps));
        ControlFlow::Continue(())
    };
    let How { engine, schedule, times, .. } = *how;
    let finished = |done| bar.done(done);
    if let Some(interval) = experiment.interval.filter(|_| engine == Engine::Interval) {
        let run = |scenario: &Scenario<'_>| {
            clustered(device, scenario, interval, &mut watch).map(|ran| Timed { outcome: ran.outcome, wall: ran.wall })
        };
        return experiment.run(run, finished).map_err(Failure::run);
    }
    let ran = match Way::of(device, experiment, schedule, times) {
        Way::Watched(together) => {
            let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
                watched(device, scenarios, watches, schedule, times, &mut watch)
            };
            experiment.run_together(together, run, finished)
        }
        Way::SideBySide(together) => {
            let run = |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| {
                let ran = side_by_side(device, scenarios, &mut watch)?;
                let seen = watches.iter_mut().zip(&ran);
                seen.for_each(|(watch, timed)| watch.observe(timed.outcome.statistics.clone()));
                Ok(ran)
            };
            experiment.run_together(together, run, finished)
        }
        Way::OneByOne => {
            let run = |scenario: &Scenario<'_>| {
                exact(device, scenario, schedule, &mut watch).map(|ran| Timed { outcome: ran.outcome, wall: ran.wall })
            };
            experiment.run(run, finished)
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

/// The most replications that are added at a time.
const MOST_ADDED: u64 = 16;

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
        let room = (MOST_NODES / network.len() as u64).min(MOST_BYTES / kept.max(1));
        // Those that are added until they are precise come in small groups: what is more than enough is thrown away.
        let adding = matches!(plan.ending, Ending::Precision(_));
        let group = room.min(if adding { MOST_ADDED } else { MOST_TOGETHER }).min(experiment.replications).max(1);
        let simple = network.simple().is_some();
        let looks = plan.most_cells(experiment.horizon) > 1 || plan.fixed_warm_up() > 0;
        let by_events = device.capabilities().native_rows && matches!(schedule, Schedule::Auto | Schedule::Events);
        match schedule {
            Schedule::Sweep => Way::OneByOne,
            _ if !simple || looks || times => Way::Watched(group),
            _ if group > 1 && by_events => Way::SideBySide(group),
            _ if group > 1 => Way::Watched(group),
            _ => Way::OneByOne,
        }
    }
}
