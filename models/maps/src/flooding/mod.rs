//! Floods over a terrain as a model of a catalogue: rain on an elevation raster, and springs.
//!
//! Runs are executed one after the other, each on the whole device. Nothing in them is random. Determinism class:
//! exact.

mod config;
#[cfg(test)]
mod tests;

pub use config::FloodConfig;

use crate::Raster;
use crate::file::{self, Format};
use crate::landscape::cell_size;
use crate::picture::{Colour, Map, Ramp};
use crate::plate::{Files, Plate, Window, add};
use imminent_cell::flood;
use imminent_cell::flood::terrain::kernels::runoff;
use imminent_cell::flood::terrain::{Balance, Edge, Outcome, Rain, Spring, TerrainError, TerrainFlood};
use imminent_cell::runner::Watch;
use imminent_cell::study::{
    Account, CellSimulation, Exhibits, Findings, Misfit, Setting, SingleSimulation, failed, interrupted,
};
use imminent_cell::time::SECONDS_PER_HOUR;
use imminent_cell::{Run, memory};
use imminent_common::answer::Answer;
use imminent_core::{ModuleSource, Work};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::experiment::ExperimentError;
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Section};
use std::path::Path;

/// Depth below which pictures show the ground, in metres.
const DRY: f64 = 0.005;

/// Colour of cells without data.
const OUTSIDE: Colour = [206, 204, 198];

/// A flood over the terrain of a raster.
#[derive(Debug)]
pub struct Flood {
    flood: TerrainFlood,
    elevation: Raster,
    /// Format of the elevation, in which results are written.
    format: Format,
    /// Side of a cell in metres.
    side: f64,
    assumed: Vec<String>,
}

impl Flood {
    /// Returns a volume of water in cubic metres.
    fn volume(&self, units: i128) -> f64 {
        Balance::cubic_metres(units, self.side)
    }
}

impl SingleSimulation for Flood {
    fn description() -> Description {
        Description::new("flood", "1", "Rain on a terrain, and springs in it.")
            .length("horizon")
            .measure(Measure::new("reached", "", "Cells that were 1 cm deep at some time."))
            .measure(Measure::new("deepest", "m", "Greatest depth of any cell at any time."))
            .measure(Measure::new("stored", "m3", "Water on the terrain at the end."))
            .measure(Measure::new("left", "m3", "Water that has left by the edge."))
            .measure(Measure::new("received", "m3", "Water that came by rain and springs."))
    }

    fn kernels() -> Vec<&'static ModuleSource> {
        vec![runoff::source()]
    }

    fn unused(config: &FloodConfig) -> Vec<(&'static str, &'static str)> {
        if config.rain > 0.0 { vec![] } else { vec![("rain_hours", "it does not rain: `rain` is 0")] }
    }

    fn moved() -> &'static [(&'static str, &'static [&'static str])] {
        &[("levelling", &["width", "height", "depth"])]
    }

    fn files() -> &'static [&'static str] {
        &[
            "arrival.asc",
            "arrival.png",
            "arrival.prj",
            "arrival.tif",
            "depth.asc",
            "depth.png",
            "depth.prj",
            "depth.tif",
            "peak_depth.asc",
            "peak_depth.png",
            "peak_depth.prj",
            "peak_depth.tif",
            "water.apng",
        ]
    }

    fn new(config: &mut FloodConfig) -> Result<Self, Misfit> {
        if config.elevation.is_empty() {
            return Err(Misfit::other("`elevation` names no raster: give a GeoTIFF or an ESRI ASCII grid"));
        }
        if config.rain == 0.0 && config.source.is_empty() {
            return Err(Misfit::other("no water comes from anywhere: give `rain` or `source`"));
        }
        let path = Path::new(&config.elevation);
        let (format, elevation) = (Format::of(path)?, file::read(path)?);
        file::room(path, memory::terrain(elevation.values().len() as u64))?;
        let mut assumed = vec![];
        let side = cell_size(path, &elevation, &mut assumed)?;
        if elevation.no_data.is_some() && elevation.values().iter().any(|value| value.is_nan()) {
            assumed.push("cells without data are outside of the terrain".to_owned());
        }
        assumed.extend(elevation.scaling.map(|(scale, offset)| {
            format!("{}: numbers times {scale} plus {offset}, as the file tells", path.display())
        }));
        let (rows, columns) = (elevation.rows(), elevation.columns());
        let flood = TerrainFlood::new(rows, columns, side, elevation.values(), config.horizon);
        let flood = flood.map_err(|error| match error {
            TerrainError::Number { .. } => Misfit::of("horizon", error),
            _ => Misfit::other(format!("{}: {error}", path.display())),
        })?;
        let at = |key: &'static str| move |error: TerrainError| Misfit::of(key, error);
        let edge = if config.open { Edge::Open } else { Edge::Closed };
        let mut flood = flood.edge(edge).step(config.step).map_err(at("step"))?;
        if config.rain > 0.0 {
            let end = config.rain_hours.unwrap_or(f64::INFINITY);
            flood = flood.rain(Rain { end, ..Rain::everywhere(config.rain) }).map_err(at("rain"))?;
        }
        for &(row, column, discharge) in &config.source {
            let spring = Spring { row, column, discharge, start: 0.0, end: f64::INFINITY };
            flood = flood.spring(spring).map_err(at("source"))?;
        }
        Ok(Flood { flood, elevation, format, side, assumed })
    }
}

impl CellSimulation for Flood {
    type Config = FloodConfig;
    type Outcome = Outcome;
    type Records = ();

    fn measures(&self) -> Vec<Measure> {
        Self::description().measures
    }

    fn work(&self) -> Option<Work> {
        Some(flood::work(self.elevation.values().len() as f64, self.flood.steps().into()))
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (Some(self.flood.steps().into()), "steps")
    }

    fn run(&self, setting: Setting<'_, Self>, watch: Watch<'_>) -> Result<Run<Outcome>, ExperimentError> {
        setting.run(&self.flood, watch).map_err(|error| match error {
            TerrainError::Cancelled(_) => interrupted(),
            TerrainError::TooMuch { .. } => ExperimentError::Invalid(format!("--horizon: {error}").into()),
            error => failed(error),
        })
    }

    fn findings(&self, outcome: &Outcome) -> Findings {
        let (reached, balance) = (outcome.cells_reached(), &outcome.balance);
        let [stored, left, received] = [balance.stored, balance.left, balance.received].map(|of| self.volume(of));
        Findings {
            events: reached,
            values: [reached as f64, outcome.deepest(), stored, left, received].map(Some).to_vec(),
            digest: outcome.digest(),
            simulated: (f64::from(outcome.steps) * outcome.step * 1000.0) as u64,
        }
    }

    fn account(&self, outcome: &Outcome) -> Account {
        let balance = &outcome.balance;
        let [received, stored, left] = [balance.received, balance.stored, balance.left].map(|of| self.volume(of));
        let (hours, place) = (f64::from(outcome.steps) * outcome.step / SECONDS_PER_HOUR, &self.elevation.place);
        let results = vec![
            format!("At most {:.3} m.", outcome.deepest()),
            format!(
                "{} cells have 1 cm of water or more at some time. The maps show where and when.",
                outcome.cells_reached()
            ),
            format!(
                "Of {received:.1} m³ received, {stored:.1} m³ are on the ground at the end, and {left:.1} m³ have left."
            ),
        ];
        let terrain = format!(
            "{} rows x {} columns of {}, in {}",
            self.elevation.rows(),
            self.elevation.columns(),
            place.cell_width,
            place.system.name()
        );
        Account {
            title: "Flood on a terrain",
            answer: Answer {
                question: format!("How deep does water stand, where, and when does it come, within {hours} h?"),
                results,
                certainty: "The model is deterministic: the same inputs always give this flood, and no water is lost. It is as good as the elevation and the rain, and as the rows “assumed”.".to_owned(),
            },
            facts: vec![("terrain", terrain)],
            assumed: self.assumed.clone(),
            ..Account::default()
        }
    }

    fn exhibits(&self, outcome: &Outcome, with_pictures: bool) -> Result<Exhibits, Fault> {
        let (elevation, mut files) = (&self.elevation, Files::new(with_pictures));
        let depth = elevation.with_values(outcome.depths_in_metres())?;
        let peak = elevation.with_values(outcome.peaks_in_metres())?;
        let hours = outcome.arrivals_in_seconds().iter().map(|seconds| seconds / SECONDS_PER_HOUR).collect();
        let arrival = elevation.with_values(hours)?;
        for (name, raster) in [("depth", &depth), ("peak_depth", &peak), ("arrival", &arrival)] {
            add(name, raster, self.format, &mut files)?;
        }
        // Ground without data is darker than the terrain.
        let outside = |cell: usize| elevation.values().get(cell).is_some_and(|value| value.is_nan()).then_some(OUTSIDE);
        let map = Map::new(elevation, outside);
        let plate = |title| Plate { title, map: &map, window: Window::whole(elevation), points: &[], keys: vec![] };
        let metres = ("metres", Ramp::Water, DRY, None);
        plate("Depth of the water").quantity("depth", &depth, metres, &mut files)?;
        plate("Greatest depth of the water").quantity("peak_depth", &peak, metres, &mut files)?;
        let hours = ("hours until\nwater came", Ramp::Heat, -1.0, None);
        plate("Arrival of the water").quantity("arrival", &arrival, hours, &mut files)?;
        plate("Arrival of the water").film("water", &arrival, &peak, &mut files)?;
        let picture = |heading: &str, file: &str, caption: &str| {
            Section::new(heading, Content::Picture { file: file.to_owned(), caption: caption.to_owned() })
        };
        let sections = vec![
            picture("Greatest depth", "peak_depth.png", "Greatest depth of the water at each place."),
            picture("Arrival", "arrival.png", "Hours until water of 1 cm came."),
            picture("Depth at the end", "depth.png", "Depth of the water at the end."),
            picture(
                "Film",
                "water.apng",
                "Cells that water of 1 cm has reached, in the colour of their greatest depth.",
            ),
        ];
        Ok(Exhibits { sections, files: files.list, ..Exhibits::default() })
    }
}
