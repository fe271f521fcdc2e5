//! One run of a fire or a flood in one place.

use imminent::models::cell::fire::{Fire, FireError};
use imminent::models::cell::flood::{Flood, FloodError};
use imminent::models::cell::{Engine, Simulation, Spent};
use imminent::{Device, Error, Result};
use std::fmt::Display;
use std::ops::ControlFlow;

/// Model of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Model {
    /// Fire from the south-west corner.
    Fire,
    /// Flood from four sources at the quarter points, with as much water as cells.
    Flood,
}

/// Model, engine and sizes of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) model: Model,
    pub(super) engine: Engine,
    /// Number of cells along a side of the grid.
    pub(super) side: u32,
    pub(super) hours: f64,
}

/// Results of the fastest run of a setting.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FastestRun {
    /// Number of threads of a place on the host.
    pub(super) threads: Option<u32>,
    pub(super) spent: Spent,
    pub(super) distinct_times: u64,
    pub(super) digest: String,
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

impl Setting {
    pub(super) fn name(&self) -> String {
        let Self { model, engine, side, hours } = self;
        format!("{} by {engine}, {side} x {side} cells, {hours} h", model.name())
    }

    /// Returns `true` if the setting is run in a place: the event list on the host, other engines elsewhere.
    pub(super) fn is_for(&self, device: Option<&Device>) -> bool {
        (self.engine == Engine::Sequential) == device.is_none()
    }

    /// Runs the setting several times after kernels are compiled. The fastest run counts.
    pub(super) fn measure(&self, device: Option<&Device>, threads: Option<u32>, runs: u32) -> Result<FastestRun> {
        if device.is_some() {
            let (side, hours) = WARM;
            Setting { side, hours, ..*self }.run(device, threads)?;
        }
        let mut best = self.run(device, threads)?;
        for _ in 1..runs {
            let next = self.run(device, threads)?;
            if next.seconds() < best.seconds() {
                best = next;
            }
        }
        Ok(best)
    }

    fn run(&self, device: Option<&Device>, threads: Option<u32>) -> Result<FastestRun> {
        let Self { model, engine, side, hours } = *self;
        let mut on = |_| ControlFlow::Continue(());
        match model {
            Model::Fire => {
                let fire = Fire::new(side, side, &[(side - 1, 0)], hours).map_err(of_fire)?;
                let run = match device {
                    Some(device) => fire.run(device, engine, &mut on),
                    None => fire.run_sequentially(),
                }
                .map_err(of_fire)?;
                let (distinct_times, digest) = (run.outcome.distinct_times, run.outcome.digest().to_string());
                Ok(FastestRun { threads, spent: run.spent, distinct_times, digest })
            }
            Model::Flood => {
                let flood = Flood::dense(side, side, 1.0, hours).map_err(of_flood)?;
                let run = match device {
                    Some(device) => flood.run(device, engine, &mut on),
                    None => flood.run_sequentially(),
                }
                .map_err(of_flood)?;
                let (distinct_times, digest) = (run.outcome.distinct_times, run.outcome.digest().to_string());
                Ok(FastestRun { threads, spent: run.spent, distinct_times, digest })
            }
        }
    }
}

impl FastestRun {
    /// Returns the wall time of set-up, simulation and reading, without opening the device and compiling.
    pub(super) fn seconds(&self) -> f64 {
        let Spent { set_up, simulation, reading } = self.spent;
        (set_up + simulation + reading).as_secs_f64()
    }
}

fn of_fire(error: FireError) -> Error {
    match error {
        FireError::Device(error) => error,
        other => invalid(other),
    }
}

fn of_flood(error: FloodError) -> Error {
    match error {
        FloodError::Device(error) => error,
        other => invalid(other),
    }
}

fn invalid(error: impl Display) -> Error {
    Error::invalid("cells", error.to_string())
}
