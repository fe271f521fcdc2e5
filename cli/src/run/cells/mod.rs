//! `imminent run fire`, `flood` and `cells`: cell spaces.

mod report;

use crate::selection::DeviceArgs;
use crate::{Failure, clock, interrupt, print_json, print_text};
use clap::Args;
use imminent::models::cell::fire::{Fire, FireError};
use imminent::models::cell::flood::{Flood, FloodError};
use imminent::models::cell::rules::{Model, RunError};
use imminent::models::cell::{Digest, Engine, Spent};
use imminent::{Device, Progress};
use report::Report;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// Options of every cell space.
#[derive(Debug, Args)]
pub(crate) struct CellArgs {
    #[command(flatten)]
    device: DeviceArgs,
    /// Time advance: auto, window, step or sequential. The result is the same.
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engine)]
    engine: Engine,
    /// Simulated time, in hours.
    #[arg(long, default_value_t = 50.0, value_name = "H")]
    hours: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Options of `imminent run fire`.
#[derive(Debug, Args)]
pub(crate) struct FireArgs {
    /// Columns of the grid.
    #[arg(long, default_value_t = 1024)]
    width: u32,
    /// Rows of the grid.
    #[arg(long, default_value_t = 1024)]
    height: u32,
    /// Cell that is lit at the start, as ROW,COLUMN from 0; may be given several times [default: the south-west corner].
    #[arg(long, value_name = "ROW,COLUMN", value_parser = position)]
    ignite: Vec<(u32, u32)>,
    #[command(flatten)]
    common: CellArgs,
}

/// Options of `imminent run flood`.
#[derive(Debug, Args)]
pub(crate) struct FloodArgs {
    /// Columns of the grid.
    #[arg(long, default_value_t = 1024)]
    width: u32,
    /// Rows of the grid.
    #[arg(long, default_value_t = 1024)]
    height: u32,
    /// Water at the four quarter points together, as its depth once it is level.
    #[arg(long, default_value_t = 1.0, value_parser = depth)]
    depth: f64,
    #[command(flatten)]
    common: CellArgs,
}

/// Options of `imminent run cells`.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// Rule file (.ma) of CD++; files that it names are looked for beside it.
    file: PathBuf,
    /// Seed of the random numbers of rules.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    common: CellArgs,
}

/// Results of an engine, whatever the model.
struct Found {
    engine: Engine,
    spent: Spent,
    steps: u64,
    /// Outputs of cells.
    events: u64,
    stats: Vec<(&'static str, f64)>,
    digest: Digest,
    /// Simulated time, in milliseconds.
    horizon: u32,
}

impl CellArgs {
    /// The device, to be replaced.
    #[cfg(feature = "conformance")]
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        &mut self.device
    }

    /// Builds a model, runs it and prints what was found.
    fn run<M, C: Serialize>(
        &self,
        name: &'static str,
        config: C,
        build: impl FnOnce() -> Result<M, Failure>,
        run: impl FnOnce(&M, Option<&Device>, &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Found, Failure>,
    ) -> Result<(), Failure> {
        let model = build()?;
        let opened = (self.engine != Engine::Sequential).then(|| self.device.open()).transpose()?;
        interrupt::watch()?;
        let mut go_on = |_: Progress| match interrupt::requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let began = Instant::now();
        let found = run(&model, opened.as_ref().map(|(device, _)| device), &mut go_on)?;
        let run = began.elapsed();
        let report = Report::new(name, config, &found, opened.as_ref(), run, clock::elapsed());
        if self.json { print_json(&report) } else { print_text(&report.text()) }
    }
}

impl FireArgs {
    #[cfg(feature = "conformance")]
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config<'a> {
            width: u32,
            height: u32,
            ignite: &'a [(u32, u32)],
            hours: f64,
        }
        let corner = [(self.height.saturating_sub(1), 0)];
        let ignite = if self.ignite.is_empty() { &corner[..] } else { &self.ignite[..] };
        let (width, height, hours) = (self.width, self.height, self.common.hours);
        let config = Config { width, height, ignite, hours };
        let build = || Fire::new(height, width, ignite, hours).map_err(Failure::usage);
        self.common.run("fire", config, build, |fire, device, go_on| {
            let ran = match device {
                Some(device) => fire.run(device, self.common.engine, go_on),
                None => fire.run_sequentially(),
            };
            let ran = ran.map_err(|error| match error {
                FireError::Space(_) => Failure::usage(error),
                _ => Failure::run(error),
            })?;
            let stats = vec![
                ("distinct_times", ran.outcome.distinct_times as f64),
                ("outputs", ran.outcome.cells_burnt as f64),
                ("cells_burnt", ran.outcome.cells_burnt as f64),
                ("most_simultaneous", f64::from(ran.outcome.most_simultaneous)),
            ];
            let digest = ran.outcome.digest();
            let (events, horizon) = (ran.outcome.cells_burnt, ran.outcome.horizon);
            Ok(Found { engine: ran.engine, spent: ran.spent, steps: ran.steps, events, stats, digest, horizon })
        })
    }
}

impl FloodArgs {
    #[cfg(feature = "conformance")]
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config {
            width: u32,
            height: u32,
            depth: f64,
            hours: f64,
        }
        let (width, height, depth, hours) = (self.width, self.height, self.depth, self.common.hours);
        let config = Config { width, height, depth, hours };
        let build = || Flood::dense(height, width, depth, hours).map_err(Failure::usage);
        self.common.run("flood", config, build, |flood, device, go_on| {
            let ran = match device {
                Some(device) => flood.run(device, self.common.engine, go_on),
                None => flood.run_sequentially(),
            };
            let ran = ran.map_err(|error| match error {
                FloodError::Space(_) => Failure::usage(error),
                _ => Failure::run(error),
            })?;
            let stats = vec![
                ("distinct_times", ran.outcome.distinct_times as f64),
                ("outputs", ran.outcome.outputs as f64),
                ("volume", ran.outcome.water()),
            ];
            let digest = ran.outcome.digest();
            let (events, horizon) = (ran.outcome.outputs, ran.outcome.horizon);
            Ok(Found { engine: ran.engine, spent: ran.spent, steps: ran.steps, events, stats, digest, horizon })
        })
    }
}

impl FileArgs {
    #[cfg(feature = "conformance")]
    pub(super) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config<'a> {
            file: &'a PathBuf,
            seed: u64,
            hours: f64,
        }
        let milliseconds = self.common.hours * HOUR;
        if !(0.0..f64::from(u32::MAX - 1)).contains(&milliseconds) {
            let most = (u32::MAX - 2) / 3_600_000;
            return Err(Failure::usage(format!("--hours {}: give 0 to {most} hours", self.common.hours)));
        }
        let config = Config { file: &self.file, seed: self.seed, hours: self.common.hours };
        let build = || Model::read(&self.file).map_err(Failure::usage);
        self.common.run("cells", config, build, |model, device, go_on| {
            let horizon = milliseconds as u32;
            let ran = match device {
                Some(device) => model.run(device, self.common.engine, self.seed, horizon, go_on),
                None => model.run_sequentially(self.seed, horizon),
            };
            let ran = ran.map_err(|error| match error {
                RunError::Engine { .. } => Failure::usage(error),
                _ => Failure::run(error),
            })?;
            let stats =
                vec![("distinct_times", ran.outcome.distinct_times as f64), ("outputs", ran.outcome.outputs as f64)];
            let (digest, events) = (ran.outcome.digest(), ran.outcome.outputs);
            Ok(Found { engine: ran.engine, spent: ran.spent, steps: ran.steps, events, stats, digest, horizon })
        })
    }
}

fn engine(text: &str) -> Result<Engine, String> {
    [Engine::Auto, Engine::Window, Engine::Step, Engine::Sequential]
        .into_iter()
        .find(|engine| engine.to_string() == text)
        .ok_or_else(|| "use `auto`, `window`, `step` or `sequential`".to_owned())
}

fn depth(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(depth) if depth >= 0.0 => Ok(depth),
        _ => Err("give a depth from 0".to_owned()),
    }
}

fn position(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once(',').map(|(row, column)| (row.trim().parse(), column.trim().parse()));
    match parts {
        Some((Ok(row), Ok(column))) => Ok((row, column)),
        _ => Err("write it as ROW,COLUMN, for instance 1023,0".to_owned()),
    }
}
