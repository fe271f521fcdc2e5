//! `imminent run fire`, `flood` and `cells`: cell spaces.

mod files;
mod fire;
mod flood;
#[cfg(feature = "maps")]
mod land;
mod out;
#[cfg(feature = "maps")]
mod pictures;
#[cfg(not(feature = "maps"))]
#[path = "no_pictures.rs"]
mod pictures;
mod range;
mod record;
mod report;
#[cfg(feature = "maps")]
mod terrain;

pub(super) use files::FileArgs;
pub(super) use fire::FireArgs;
pub(super) use flood::FloodArgs;

use clap::Args;
use imminent::models::cell::space::SpaceError;
use imminent::models::cell::{Digest, Engine, Run};
use imminent::models::free_memory;
use imminent::{Device, Progress, Work};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure, clock, interrupt,
    print::{print_json, print_text},
};
use out::{Files, OutArgs};
use report::Report;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;

/// Asks whether a run shall go on.
type GoOn<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Method that runs a simulation on a device.
type OnDevice<S, O, E> = fn(&S, &Device, Engine, GoOn<'_>) -> Result<O, E>;

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

/// Figures of an outcome that a command tells, whatever the model.
struct Found {
    /// Outputs of cells.
    events: u64,
    stats: Vec<(&'static str, f64)>,
    digest: Digest,
    /// Simulated time, in milliseconds.
    horizon: u32,
    /// Parts that an interrupted run has; `None` of a whole run.
    partial: Option<String>,
}

/// A run that a command is to make, and what it tells besides results.
struct Task<'a, C> {
    /// Name of the model.
    name: &'static str,
    /// Options as they were given.
    config: C,
    /// Assumptions about the input.
    assumed: &'a [String],
    /// Reasons why results may be wrong.
    warnings: &'a [String],
    /// Number of parts of which the progress tells, and their name; `None` if the number is not known before.
    goal: Option<(u64, &'static str)>,
    /// Work that decides about the device, if it is known.
    work: Option<Work>,
}

impl<C> Task<'_, C> {
    /// Describes a run whose input needs no remarks.
    fn new(name: &'static str, config: C) -> Self {
        Task { name, config, assumed: &[], warnings: &[], goal: None, work: None }
    }
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

    /// Reads what a model needs while its device opens, or before if the work decides about the device. Errors of
    /// reading come before those of the device.
    #[cfg(feature = "maps")]
    fn opened_while<T>(
        &self,
        read: impl FnOnce() -> Result<T, Failure>,
        work: impl FnOnce(&T) -> Work,
    ) -> Result<(T, Option<(Device, String)>), Failure> {
        if self.engine == Engine::Sequential {
            return Ok((read()?, None));
        }
        if self.device.is_free() {
            let read = read()?;
            let opened = self.device.open_for(Some(work(&read)))?;
            return Ok((read, Some(opened)));
        }
        let (read, opened, _) = self.device.open_while(read);
        Ok((read?, Some(opened?)))
    }

    /// Returns the run of a simulation by one of its two methods: on a device, or without one in the sequential engine.
    fn by<'s, S, O, E>(
        &'s self,
        simulation: &'s S,
        on_device: OnDevice<S, O, E>,
        sequentially: fn(&S, GoOn<'_>) -> Result<O, E>,
        failure: impl FnOnce(E) -> Failure + 's,
    ) -> impl FnOnce(Option<&Device>, GoOn<'_>) -> Result<O, Failure> + 's
    where
        O: 's,
        E: 's,
    {
        move |device, go_on| {
            let ran = match device {
                Some(device) => on_device(simulation, device, self.engine, go_on),
                None => sequentially(simulation, go_on),
            };
            ran.map_err(failure)
        }
    }

    /// Runs a model with a bar of its progress, and prints what `found` tells of the outcome. The files that `files`
    /// makes of the outcome go to the folder of `--out`.
    ///
    /// The folder is made when the model stands, so that a mistake in what was asked for leaves nothing.
    fn run<C: Serialize, O>(
        &self,
        task: Task<'_, C>,
        run: impl FnOnce(Option<&Device>, GoOn<'_>) -> Result<Run<O>, Failure>,
        found: impl FnOnce(&O) -> Found,
        files: impl FnOnce(&O, &Report<C>, Files) -> Result<Files, Failure>,
    ) -> Result<(), Failure> {
        let opened = if self.engine == Engine::Sequential {
            self.device.warn_unused("sequential");
            None
        } else {
            Some(self.device.open_for(task.work)?)
        };
        let folder = self.out.folder()?;
        let bar = task.goal.map_or_else(|| Bar::counting("steps"), |(parts, unit)| Bar::new(parts, unit));
        let mut go_on = |now: Progress| {
            bar.done(now.steps);
            if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let began = Instant::now();
        let ran = interrupt::watched(|| run(opened.as_ref().map(|(device, _)| device), &mut go_on))?;
        let found = found(&ran.outcome);
        let took = began.elapsed();
        drop(bar);
        let mut report = Report::new(task, &found, &ran, opened.as_ref(), took, clock::elapsed());
        if let Some(folder) = folder {
            let began = Instant::now();
            let files = files(&ran.outcome, &report, self.out.files())?;
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

/// Returns the failure of a grid whose size is that of the options `--height` and `--width`.
fn no_grid(error: &SpaceError) -> Failure {
    let option = if *error == SpaceError::Empty(0) { "--height" } else { "--width" };
    Failure::option(option, error)
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
