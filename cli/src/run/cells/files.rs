//! `imminent run cells`: rule files.

use super::record::{RecordArgs, Recorder, Records, unlisted};
use super::{CellArgs, Found, GoOn, HOUR, Task, pictures};
use clap::Args;
use imminent::models::cell::rules::{CHANGES, Model, Run, RunError};
use imminent::{Device, Progress, Work};
use imminent_console::Failure;
use imminent_console::print::tell;
use imminent_console::selection::DeviceArgs;
use serde::Serialize;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Options of `imminent run cells`.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// Rule file (.ma) of CD++; files that it names are looked for beside it.
    file: PathBuf,
    /// Seed of the random numbers of rules.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Events for the inputs of the top model, from a file as CD++ takes by its option -e: lines
    /// `HH:MM:SS:mmm PORT VALUE`.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Quantum, as CD++'s option -q: a cell emits a new value only if it is another multiple of Q, both rounded toward
    /// zero.
    #[arg(long, value_name = "Q", value_parser = quantum)]
    quantum: Option<f64>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    common: CellArgs,
}

impl FileArgs {
    pub(in crate::run) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(in crate::run) fn run(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config<'a> {
            file: &'a PathBuf,
            seed: u64,
            hours: f64,
            events: Option<&'a PathBuf>,
            quantum: Option<f64>,
        }
        self.common.out.check()?;
        let milliseconds = self.common.hours * HOUR;
        if !(0.0..f64::from(u32::MAX - 1)).contains(&milliseconds) {
            let most = (u32::MAX - 2) / 3_600_000;
            return Err(Failure::usage(format!("--hours {}: give 0 to {most} hours", self.common.hours)));
        }
        let config = Config {
            file: &self.file,
            seed: self.seed,
            hours: self.common.hours,
            events: self.events.as_ref(),
            quantum: self.quantum,
        };
        let (model, records) = self.load()?;
        let horizon = milliseconds as u32;
        // If delays are constants, no cell changes more often than after every shortest one.
        let changes = |delay: u32| model.space().cells() as f64 * (milliseconds / f64::from(delay.max(1)));
        let work = model.lookahead().map(|delay| Work::new(CHANGES, changes(delay)));
        self.common.run(
            Task { work, ..Task::new("cells", config) },
            |device, go_on| match records {
                Some(records) => self.recorded(&model, records, device, horizon, go_on),
                None => self.plain(&model, device, horizon, go_on),
            },
            |outcome| Found {
                events: outcome.outputs,
                stats: vec![("distinct_times", outcome.distinct_times as f64), ("outputs", outcome.outputs as f64)],
                digest: outcome.digest(),
                horizon,
                partial: None,
            },
            |outcome, _, files| pictures::of_cells(outcome, files),
        )
    }

    /// Reads the model and its events, and opens the files of outputs.
    fn load(&self) -> Result<(Model, Option<Records>), Failure> {
        let mut model = Model::read(&self.file).map_err(Failure::usage)?;
        for warning in model.warnings() {
            tell(&format!("warning: {warning}"));
        }
        if let Some(events) = &self.events {
            model.read_events(events).map_err(Failure::usage)?;
        }
        model.set_quantum(self.quantum.unwrap_or(0.0));
        let wanted = self.record.option().is_some();
        let records = wanted.then(|| self.record.open(&model, self.common.engine)).transpose()?;
        Ok((model, records))
    }

    fn plain(&self, model: &Model, device: Option<&Device>, horizon: u32, go_on: GoOn<'_>) -> Result<Run, Failure> {
        let ran = match device {
            Some(device) => model.run(device, self.common.engine, self.seed, horizon, go_on),
            None => model.run_sequentially_observed(self.seed, horizon, go_on, &mut |_| ()),
        };
        ran.map_err(|error| self.failure(error))
    }

    /// Runs a model and writes its outputs.
    fn recorded(
        &self,
        model: &Model,
        records: Records,
        device: Option<&Device>,
        horizon: u32,
        go_on: GoOn<'_>,
    ) -> Result<Run, Failure> {
        let mut recorder = Recorder::new(model, records);
        // A run whose outputs cannot be written ends early.
        let writes = Cell::new(true);
        let mut observe = |output| writes.set(recorder.write(&output));
        let mut go_on = |progress: Progress| if writes.get() { go_on(progress) } else { ControlFlow::Break(()) };
        let ran = match device {
            Some(device) => {
                model.run_observed(device, self.common.engine, self.seed, horizon, &mut go_on, &mut observe)
            }
            None => model.run_sequentially_observed(self.seed, horizon, &mut go_on, &mut observe),
        };
        recorder.finish(ran.map_err(|error| self.failure(error)))
    }

    fn failure(&self, error: RunError) -> Failure {
        match (error, self.record.option()) {
            (RunError::Unlisted { .. }, Some(option)) => unlisted(option),
            (error, _) => Failure::run(error),
        }
    }
}

fn quantum(text: &str) -> Result<f64, String> {
    let quantum = text.parse().ok().filter(|quantum: &f64| *quantum > 0.0 && quantum.is_finite());
    quantum.ok_or_else(|| "give a number above 0".to_owned())
}
