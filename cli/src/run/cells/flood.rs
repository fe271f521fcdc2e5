//! `imminent run flood`: on a plane, or on a terrain.

use super::{CellArgs, Found, GoOn};
use crate::Failure;
use crate::selection::DeviceArgs;
use clap::Args;
use imminent::Device;
use imminent::models::cell::flood::{Flood, FloodError};
use serde::Serialize;

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

impl FloodArgs {
    pub(in crate::run) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(in crate::run) fn run(&self) -> Result<(), Failure> {
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
        let run = |flood: &Flood, device: Option<&Device>, go_on: GoOn<'_>| {
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
            let found =
                Found { engine: ran.engine, spent: ran.spent, steps: ran.steps, events, stats, digest, horizon };
            Ok((found, ran.outcome))
        };
        self.common.run("flood", config, build, run, |_, _outcome, _| {
            #[cfg(feature = "maps")]
            {
                super::pictures::of_flood(_outcome)
            }
            #[cfg(not(feature = "maps"))]
            {
                Err(super::out::without_maps("--out"))
            }
        })
    }
}

fn depth(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(depth) if depth >= 0.0 => Ok(depth),
        _ => Err("give a depth from 0".to_owned()),
    }
}
