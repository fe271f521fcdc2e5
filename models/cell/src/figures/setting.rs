//! Runs of fires and floods, and the fastest of several.

use crate::fire::Fire;
use crate::flood::Flood;
use crate::{Engine, Run, Simulation, Spent};
use imminent_core::{Device, Progress};
use imminent_study::figures::Place;
use imminent_study::laboratory::Fault;
use serde::Serialize;
use std::ops::ControlFlow;

/// Model of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Model {
    /// Fire from the south-west corner.
    Fire,
    /// Flood from four sources at the quarter points, with as much water as cells.
    Flood,
}

/// Model, engine and sizes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Setting {
    pub(super) model: Model,
    pub(super) engine: Engine,
    /// Number of cells along a side of the grid.
    pub(super) side: u32,
    pub(super) hours: f64,
}

/// Results of the fastest run of a setting.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Found {
    distinct_times: u64,
    set_up_s: f64,
    simulation_s: f64,
    reading_s: f64,
    digest: String,
}

/// Side and hours of the run that compiles kernels.
const WARM: (u32, f64) = (64, 0.01);

impl Model {
    pub(super) fn name(self) -> &'static str {
        match self {
            Model::Fire => "fire",
            Model::Flood => "flood",
        }
    }
}

/// The event list runs on the host, other engines elsewhere.
pub(super) fn is_for(setting: &Setting, place: &Place, _: &[Place]) -> bool {
    (setting.engine == Engine::Sequential) == place.device.is_none()
}

impl Setting {
    /// Runs the setting several times after kernels are compiled. The fastest run counts.
    pub(super) fn fastest(&self, device: Option<&Device>, runs: u32) -> Result<Found, Fault> {
        if device.is_some() {
            let (side, hours) = WARM;
            Setting { side, hours, ..*self }.run(device)?;
        }
        let mut best = self.run(device)?;
        for _ in 1..runs {
            let next = self.run(device)?;
            if next.seconds() < best.seconds() {
                best = next;
            }
        }
        Ok(best)
    }

    fn run(&self, device: Option<&Device>) -> Result<Found, Fault> {
        let Self { model, engine, side, hours } = *self;
        match model {
            Model::Fire => {
                let run = by(&Fire::new(side, side, &[(side - 1, 0)], hours)?, device, engine)?;
                Ok(Found::of(run.spent, run.outcome.distinct_times, run.outcome.digest().to_string()))
            }
            Model::Flood => {
                let run = by(&Flood::dense(side, side, 1.0, hours)?, device, engine)?;
                Ok(Found::of(run.spent, run.outcome.distinct_times, run.outcome.digest().to_string()))
            }
        }
    }
}

fn by<S: Simulation<Report = Progress>>(
    simulation: &S,
    device: Option<&Device>,
    engine: Engine,
) -> Result<Run<S::Outcome>, S::Error> {
    match device {
        Some(device) => simulation.run(device, engine, &mut |_| ControlFlow::Continue(())),
        None => simulation.run_sequentially(),
    }
}

impl Found {
    fn of(spent: Spent, distinct_times: u64, digest: String) -> Self {
        let [set_up_s, simulation_s, reading_s] =
            [spent.set_up, spent.simulation, spent.reading].map(|time| time.as_secs_f64());
        Found { distinct_times, set_up_s, simulation_s, reading_s, digest }
    }

    /// Returns the wall time of set-up, simulation and reading, without opening the device and compiling.
    pub(super) fn seconds(&self) -> f64 {
        self.set_up_s + self.simulation_s + self.reading_s
    }
}
