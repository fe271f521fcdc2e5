//! `imminent run cells`: rule files.

use super::{CellArgs, Found, GoOn, HOUR};
use crate::Failure;
use crate::selection::DeviceArgs;
use clap::Args;
use imminent::Device;
use imminent::models::cell::rules::Model;
use serde::Serialize;
use std::path::PathBuf;

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
        }
        let milliseconds = self.common.hours * HOUR;
        if !(0.0..f64::from(u32::MAX - 1)).contains(&milliseconds) {
            let most = (u32::MAX - 2) / 3_600_000;
            return Err(Failure::usage(format!("--hours {}: give 0 to {most} hours", self.common.hours)));
        }
        let config = Config { file: &self.file, seed: self.seed, hours: self.common.hours };
        let build = || Model::read(&self.file).map_err(Failure::usage);
        let run = |model: &Model, device: Option<&Device>, go_on: GoOn<'_>| {
            let horizon = milliseconds as u32;
            let ran = match device {
                Some(device) => model.run(device, self.common.engine, self.seed, horizon, go_on),
                None => model.run_sequentially(self.seed, horizon),
            };
            let ran = ran.map_err(Failure::run)?;
            let stats =
                vec![("distinct_times", ran.outcome.distinct_times as f64), ("outputs", ran.outcome.outputs as f64)];
            let (digest, events) = (ran.outcome.digest(), ran.outcome.outputs);
            let found =
                Found { engine: ran.engine, spent: ran.spent, steps: ran.steps, events, stats, digest, horizon };
            Ok((found, ran.outcome))
        };
        self.common.run("cells", config, build, run, |_, _outcome, _| {
            #[cfg(feature = "maps")]
            {
                super::pictures::of_cells(_outcome)
            }
            #[cfg(not(feature = "maps"))]
            {
                Err(super::out::without_maps("--out"))
            }
        })
    }
}
