//! Running an experiment by the engine that was asked for.

use super::Common;
use crate::cli::Failure;
use crate::cli::memory::MemoryFigures;
use crate::cli::progress::Bar;
use imminent::models::queueing::config::Engine;
use imminent::models::queueing::engine::{clustered, exact};
use imminent::models::queueing::experiment::{Experiment, Findings, Timed};
use imminent::models::queueing::report::Provenance;
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
    let bar = Bar::new(experiment.replications, "replications");
    let (findings, device, why) = if engine == Engine::Sequential {
        let run = |scenario: &Scenario<'_>| {
            let began = Instant::now();
            sequential::run(scenario).map(|outcome| Timed { outcome, wall: began.elapsed() })
        };
        (experiment.run(run, |done| bar.done(done)).map_err(Failure::run)?, None, None)
    } else {
        let (device, why) = common.device.open()?;
        (on_device(&device, experiment, engine, common, &bar)?, Some(device), Some(why))
    };
    drop(bar);
    let set_up = began.elapsed().saturating_sub(findings.wall);
    let (backend, name) = device.as_ref().map_or(("none", "one thread of the host"), |device| {
        let info = device.info();
        (info.backend.as_str(), info.name.as_str())
    });
    let provenance = Provenance { model, backend, device: name, engine: engine.name() };
    let report = Report::new(&provenance, config, experiment, &findings, set_up);
    Ok(Finished { report, findings, why, memory: device.as_ref().map(MemoryFigures::of) })
}

fn on_device(
    device: &Device,
    experiment: &Experiment,
    engine: Engine,
    common: &Common,
    bar: &Bar,
) -> Result<Findings, Failure> {
    let mut watch = |progress: Progress| {
        bar.say(format!("{} steps", progress.steps));
        ControlFlow::Continue(())
    };
    let run = |scenario: &Scenario<'_>| match experiment.interval {
        Some(interval) if engine == Engine::Interval => {
            clustered(device, scenario, interval, &mut watch).map(|ran| Timed { outcome: ran.outcome, wall: ran.wall })
        }
        _ => exact(device, scenario, common.run.schedule, &mut watch)
            .map(|ran| Timed { outcome: ran.outcome, wall: ran.wall }),
    };
    experiment.run(run, |done| bar.done(done)).map_err(Failure::run)
}
