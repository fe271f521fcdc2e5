//! `imminent run fire`, `flood` and `cells`: cell spaces.

mod files;
mod fire;
mod flood;
#[cfg(feature = "maps")]
mod land;
mod out;
#[cfg(feature = "maps")]
mod pictures;
mod range;
mod record;
mod report;
#[cfg(feature = "maps")]
mod terrain;

pub(super) use files::FileArgs;
pub(super) use fire::FireArgs;
pub(super) use flood::FloodArgs;

use crate::progress::Bar;
use crate::selection::DeviceArgs;
use crate::{Failure, clock, interrupt, print_json, print_text};
use clap::Args;
use imminent::models::cell::{Digest, Engine, Spent};
use imminent::models::free_memory;
use imminent::{Device, Progress};
use out::{Files, OutArgs};
use report::Report;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// Asks whether a run shall go on.
type GoOn<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

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
    #[command(flatten)]
    out: OutArgs,
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
    /// Parts that an interrupted run has; `None` of a whole run.
    partial: Option<String>,
}

/// Sentences about the input of a run, and the goal of its progress.
#[derive(Clone, Copy, Default)]
struct Told<'a> {
    /// Assumptions about the input.
    assumed: &'a [String],
    /// Reasons why results may be wrong.
    warnings: &'a [String],
    /// Number of parts of which the progress of a host tells, and their name.
    goal: Option<(u64, &'static str)>,
}

/// Fails if a run of a size does not fit into memory; `bytes` returns the bytes of a run of a size.
fn fits(option: &str, asked: u32, bytes: impl Fn(u64) -> u64) -> Result<(), Failure> {
    free_memory::fits(option, asked.into(), bytes).map_err(Failure::usage)
}

impl CellArgs {
    /// Returns the device options for replacement.
    pub(in crate::run) fn device_mut(&mut self) -> &mut DeviceArgs {
        &mut self.device
    }

    /// Reads what a model needs while its device opens. Errors of reading come before those of the device.
    #[cfg(feature = "maps")]
    fn opened_while<T>(
        &self,
        read: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<(T, Option<(Device, String)>), Failure> {
        if self.engine == Engine::Sequential {
            return Ok((read()?, None));
        }
        let (read, opened, _) = self.device.open_while(read);
        Ok((read?, Some(opened?)))
    }

    /// Builds a model, runs it, and prints the results. The files that `files` makes of the result go to the folder of
    /// `--out`.
    ///
    /// The folder is made when the model is built, so that a mistake in what was asked for leaves nothing.
    fn run<M, C: Serialize, O>(
        &self,
        name: &'static str,
        config: C,
        build: impl FnOnce() -> Result<M, Failure>,
        run: impl FnOnce(&M, Option<&Device>, GoOn<'_>) -> Result<(Found, O), Failure>,
        files: impl FnOnce(&M, &O, &Report<C>) -> Result<Files, Failure>,
    ) -> Result<(), Failure> {
        self.run_told(name, config, Told::default(), build, run, files)
    }

    /// Runs a model like [`CellArgs::run`], and tells of its input.
    fn run_told<M, C: Serialize, O>(
        &self,
        name: &'static str,
        config: C,
        told: Told<'_>,
        build: impl FnOnce() -> Result<M, Failure>,
        run: impl FnOnce(&M, Option<&Device>, GoOn<'_>) -> Result<(Found, O), Failure>,
        files: impl FnOnce(&M, &O, &Report<C>) -> Result<Files, Failure>,
    ) -> Result<(), Failure> {
        self.out.check()?;
        let model = build()?;
        let opened = (self.engine != Engine::Sequential).then(|| self.device.open()).transpose()?;
        let folder = self.out.folder()?;
        interrupt::watch()?;
        let device = opened.as_ref().map(|(device, _)| device);
        // Steps of devices are launches or rounds, whatever the model.
        let by_parts = device.is_none_or(|device| device.capabilities().native_rows);
        let bar = match told.goal.filter(|_| by_parts) {
            Some((parts, unit)) => Bar::new(parts, unit),
            None => Bar::counting("steps"),
        };
        let mut go_on = |now: Progress| {
            bar.done(now.steps);
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let began = Instant::now();
        let (found, outcome) = run(&model, device, &mut go_on)?;
        let run = began.elapsed();
        drop(bar);
        let mut report = Report::new(name, config, &told, &found, opened.as_ref(), run, clock::elapsed());
        if let Some(folder) = folder {
            let began = Instant::now();
            let files = files(&model, &outcome, &report)?;
            report.filed(began.elapsed(), clock::elapsed());
            folder.replace(|draft| {
                draft.json(&report)?;
                files
                    .iter()
                    .try_for_each(|(name, bytes)| draft.save(name, |file| std::io::Write::write_all(file, bytes)))
            })?;
        }
        if self.json {
            print_json(&report)?
        } else {
            print_text(&report.text())?
        }
        found.partial.map_or(Ok(()), |partial| Err(Failure::run(format!("interrupted: {partial}"))))
    }
}

fn engine(text: &str) -> Result<Engine, String> {
    [Engine::Auto, Engine::Window, Engine::Step, Engine::Sequential]
        .into_iter()
        .find(|engine| engine.to_string() == text)
        .ok_or_else(|| "use `auto`, `window`, `step` or `sequential`".to_owned())
}

fn position(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once(',').map(|(row, column)| (row.trim().parse(), column.trim().parse()));
    match parts {
        Some((Ok(row), Ok(column))) => Ok((row, column)),
        _ => Err("write it as ROW,COLUMN, for instance 1023,0".to_owned()),
    }
}
