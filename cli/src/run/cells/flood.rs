//! `imminent run flood`: on a plane, or on a terrain.

use super::{CellArgs, Found, Task, no_grid, pictures};
use clap::Args;
use imminent::Work;
use imminent::models::cell::flood::{CELL_STEPS, Flood, FloodError};
use imminent::models::cell::memory;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `imminent run flood`.
#[derive(Debug, Args)]
pub(crate) struct FloodArgs {
    /// Columns of the grid.
    #[arg(long, default_value_t = 1024, conflicts_with = "TerrainArgs")]
    width: u32,
    /// Rows of the grid.
    #[arg(long, default_value_t = 1024, conflicts_with = "TerrainArgs")]
    height: u32,
    /// Water at the four quarter points together, as its depth once it is level.
    #[arg(long, default_value_t = 1.0, value_parser = depth, conflicts_with = "TerrainArgs")]
    depth: f64,
    #[command(flatten)]
    pub(super) terrain: TerrainArgs,
    #[command(flatten)]
    pub(super) common: CellArgs,
}

/// Terrain and water of a flood.
#[derive(Debug, Args)]
#[command(next_help_heading = "Terrain")]
pub(super) struct TerrainArgs {
    /// Elevation in metres, GeoTIFF (.tif) or ESRI ASCII grid (.asc): the water flows over this terrain.
    #[arg(long, value_name = "FILE")]
    pub(super) elevation: Option<PathBuf>,
    /// Rain on all cells.
    #[arg(long, default_value_t = 0.0, value_name = "MM_PER_HOUR", value_parser = depth, requires = "elevation")]
    pub(super) rain: f64,
    /// Hours that it rains [default: all].
    #[arg(long, value_name = "H", value_parser = depth, requires = "rain")]
    pub(super) rain_hours: Option<f64>,
    /// Cell in which water rises, and its discharge; may be given several times.
    #[arg(long, value_name = "ROW,COLUMN,M3_PER_S", value_parser = source, requires = "elevation")]
    pub(super) source: Vec<(u32, u32, f64)>,
    /// Let water leave by the edge of the terrain.
    #[arg(long, requires = "elevation")]
    pub(super) open: bool,
    /// Length of a step, in seconds; water moves by one cell in it at most.
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", requires = "elevation")]
    pub(super) step: f64,
}

impl FloodArgs {
    pub(in crate::run) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(in crate::run) fn run(&self) -> Result<(), Failure> {
        self.common.out.check()?;
        if let Some(_elevation) = &self.terrain.elevation {
            #[cfg(feature = "maps")]
            return super::terrain::run(self, _elevation);
            #[cfg(not(feature = "maps"))]
            return Err(super::out::without_maps("--elevation"));
        }
        self.on_a_plane()
    }

    fn on_a_plane(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config {
            width: u32,
            height: u32,
            depth: f64,
            hours: f64,
        }
        let (width, height, depth, hours) = (self.width, self.height, self.depth, self.common.hours);
        super::fits("--width", width, |width| memory::flood(height.into(), width, self.common.engine))?;
        let config = Config { width, height, depth, hours };
        let flood = Flood::dense(height, width, depth, hours).map_err(failure)?;
        let amount = f64::from(width) * f64::from(height) * flood.steps() as f64;
        let work = Work::new(CELL_STEPS, amount);
        self.common.run(
            Task { goal: Some((flood.steps(), "steps")), work: Some(work), ..Task::new("flood", config) },
            self.common.by(&flood, Flood::run, Flood::run_sequentially_while, failure),
            |outcome| Found {
                events: outcome.outputs,
                stats: vec![
                    ("distinct_times", outcome.distinct_times as f64),
                    ("outputs", outcome.outputs as f64),
                    ("volume", outcome.water()),
                ],
                digest: outcome.digest(),
                horizon: outcome.horizon,
                partial: None,
            },
            |outcome, _, files| pictures::of_flood(outcome, files),
        )
    }
}

fn failure(error: FloodError) -> Failure {
    match error {
        FloodError::Space(error) => no_grid(&error),
        FloodError::TooMuch { .. } => Failure::option("--depth", error),
        FloodError::Hours { .. } => Failure::option("--hours", error),
        _ => Failure::run(error),
    }
}

fn depth(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(depth) if depth >= 0.0 && f64::is_finite(depth) => Ok(depth),
        _ => Err("give a finite number from 0".to_owned()),
    }
}

fn source(text: &str) -> Result<(u32, u32, f64), String> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let numbers = match parts[..] {
        [row, column, discharge] => row.parse().ok().zip(column.parse().ok()).zip(discharge.parse().ok()),
        _ => None,
    };
    let Some(((row, column), discharge)) = numbers else {
        return Err("write it as ROW,COLUMN,M3_PER_S, for instance 3,40,0.5".to_owned());
    };
    Ok((row, column, discharge))
}
