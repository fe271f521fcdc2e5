//! Floods over a terrain as a [`Model`] of a catalogue: rain on an elevation raster.
//!
//! Runs are executed one after the other, each on the whole device. Nothing in them is random. Determinism class:
//! exact.

#[cfg(test)]
mod tests;

use crate::file;
use crate::landscape::cell_size;
use imminent_cell::Engine;
use imminent_cell::flood::terrain::kernels::runoff;
use imminent_cell::flood::terrain::{Balance, Edge, Rain, Spring, TerrainFlood};
use imminent_core::{Device, ModuleSource};
use imminent_study::description::Measure;
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{Base, Description, GoOn, Keys, Means, Measured, Model, Possible, Single, Singly, Unused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Configuration of a flood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FloodConfig {
    /// Elevation in metres, GeoTIFF or ESRI ASCII grid.
    #[schemars(extend("format" = "path"))]
    pub elevation: String,
    /// Rain on all cells.
    #[schemars(range(min = 0.0, max = 1e4), extend("unit" = "mm/h"))]
    pub rain: f64,
    /// Hours that it rains.
    #[schemars(range(min = 0.0, max = 1e5), extend("unit" = "h"))]
    pub rain_hours: f64,
    /// Cells in which water rises: row, column, and discharge in m3/s.
    pub source: Vec<(u32, u32, f64)>,
    /// `true` if water leaves by the edge of the terrain.
    pub open: bool,
    /// Length of a step; water moves by one cell in it at most.
    #[schemars(range(min = 1e-3, max = 3600.0), extend("unit" = "s"))]
    pub step: f64,
    /// Simulated time.
    #[schemars(range(min = 0.0, max = 1e5), extend("unit" = "h"))]
    pub hours: f64,
}

impl Default for FloodConfig {
    fn default() -> Self {
        FloodConfig {
            elevation: String::new(),
            rain: 0.0,
            rain_hours: 1e5,
            source: vec![],
            open: false,
            step: 1.0,
            hours: 1.0,
        }
    }
}

impl FloodConfig {
    /// Returns the flood, and the side of a cell in metres.
    fn flood(&self) -> Result<(TerrainFlood, f64), Fault> {
        if self.elevation.is_empty() {
            return Err("`elevation` names no raster: give a GeoTIFF or an ESRI ASCII grid".into());
        }
        if self.rain == 0.0 && self.source.is_empty() {
            return Err("no water comes from anywhere: give `rain`, or `source` in a file".into());
        }
        let path = Path::new(&self.elevation);
        let elevation = file::read(path)?;
        let side = cell_size(path, &elevation, &mut vec![])?;
        let edge = if self.open { Edge::Open } else { Edge::Closed };
        let (rows, columns) = (elevation.rows(), elevation.columns());
        let mut flood = TerrainFlood::new(rows, columns, side, elevation.values(), self.hours)?;
        flood = flood.edge(edge).step(self.step)?;
        if self.rain > 0.0 {
            flood = flood.rain(Rain { end: self.rain_hours, ..Rain::everywhere(self.rain) })?;
        }
        for &(row, column, discharge) in &self.source {
            flood = flood.spring(Spring { row, column, discharge, start: 0.0, end: f64::INFINITY })?;
        }
        Ok((flood, side))
    }
}

/// Floods over a terrain.
#[derive(Debug, Clone, Copy)]
pub struct Flood;

impl Model for Flood {
    fn description(&self) -> Description {
        Description::new("flood", "1", "Rain on a terrain, and springs in it.")
            .length("hours")
            .measure(Measure::new("reached", "", "Cells that were 1 cm deep at some time."))
            .measure(Measure::new("deepest", "m", "Greatest depth of any cell at any time."))
            .measure(Measure::new("stored", "m3", "Water on the terrain at the end."))
            .measure(Measure::new("left", "m3", "Water that has left by the edge."))
    }

    fn keys(&self) -> Keys {
        Keys::of::<FloodConfig>()
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        vec![runoff::source()]
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| base.config::<FloodConfig>(point)?.flood().map(drop))
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let rains = base.config::<FloodConfig>(point).is_ok_and(|config| config.rain > 0.0);
        if rains { vec![] } else { vec![Unused::new("rain_hours", "it does not rain: `rain` is 0")] }
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Singly::new(base, Terrain { device: device.clone() })))
    }
}

/// Executor of runs.
struct Terrain {
    device: Device,
}

impl Single for Terrain {
    type Config = FloodConfig;

    fn run(&mut self, config: &FloodConfig, _seed: u64, go_on: GoOn<'_>) -> Result<Measured, Fault> {
        let (flood, side) = config.flood()?;
        let outcome = flood.run(&self.device, Engine::Auto, &mut |_| go_on())?.outcome;
        let volume = |units| Some(Balance::cubic_metres(units, side));
        let (reached, balance) = (outcome.cells_reached(), &outcome.balance);
        let values = vec![Some(reached as f64), Some(outcome.deepest()), volume(balance.stored), volume(balance.left)];
        Ok(Measured { events: reached, values })
    }
}
