//! `imminent run fire --elevation`: fires on a landscape from maps.

mod ignition;
mod layers;
mod many;
mod one;
#[cfg(feature = "report")]
mod page;
mod sheets;
mod weather;

use super::fire::{FireArgs, LandArgs};
use super::pictures::{Place, Window, middles};
use super::range::Range;
use super::{Task, fits};
use imminent::Work;
use imminent::models::cell::fire::IGNITIONS;
use imminent::models::cell::landscape::{Corners, Landscape, WildfireError};
use imminent::models::cell::memory;
use imminent::models::maps::Raster;
use imminent::models::maps::file::Format;
use imminent::models::maps::landscape::MappedLandscape;
use imminent::models::maps::picture::{Colour, Map};
use imminent_console::Failure;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use weather::Scenario;

/// Maps and weather of a run, and what was assumed.
struct Scene {
    landscape: Arc<Landscape>,
    elevation: Raster,
    /// Format of the elevation, in which results are written.
    format: Format,
    scenarios: Vec<Scenario>,
    lit: Vec<(u32, u32)>,
    assumed: Vec<String>,
    warnings: Vec<String>,
}

/// Options as they were given, for the report.
#[derive(Debug, Serialize)]
struct Config<'a> {
    elevation: &'a Option<PathBuf>,
    fuel: &'a Option<PathBuf>,
    slope: &'a Option<PathBuf>,
    aspect: &'a Option<PathBuf>,
    cover: &'a Option<PathBuf>,
    canopy_height: &'a Option<PathBuf>,
    base_height: &'a Option<PathBuf>,
    bulk_density: &'a Option<PathBuf>,
    weather: &'a [PathBuf],
    wind: Option<Range>,
    wind_from: Option<Range>,
    moisture: Option<[Range; 5]>,
    foliar: Option<Range>,
    /// Weathers of which each fire has one.
    weathers: usize,
    /// Degrees clockwise from true north to the north of the grid, in its middle.
    grid_declination: f64,
    corners: &'static str,
    ignite: &'a [(u32, u32)],
    fires: Option<u32>,
    seed: Option<u64>,
    hours: f64,
    assumed: &'a [String],
}

impl<'a> Config<'a> {
    fn of(args: &'a FireArgs, scene: &'a Scene) -> Self {
        let land = &args.land;
        let constant = land.weather.is_empty();
        Config {
            elevation: &land.elevation,
            fuel: &land.fuel,
            slope: &land.slope,
            aspect: &land.aspect,
            cover: &land.cover,
            canopy_height: &land.canopy_height,
            base_height: &land.base_height,
            bulk_density: &land.bulk_density,
            weather: &land.weather,
            wind: constant.then_some(land.wind),
            wind_from: constant.then_some(land.wind_from),
            moisture: constant.then_some(land.moisture),
            foliar: constant.then_some(land.foliar),
            weathers: scene.scenarios.len(),
            grid_declination: scene.landscape.declination().at(0.5, 0.5),
            corners: if land.corners == Corners::Open { "open" } else { "closed" },
            ignite: &scene.lit,
            fires: land.fires,
            seed: land.fires.map(|_| land.seed()),
            hours: args.common.hours,
            assumed: &scene.assumed,
        }
    }
}

pub(super) fn run(mut args: FireArgs) -> Result<(), Failure> {
    let (scene, opened) = args.common.opened_while(|| Scene::read(&args), |scene| scene.work(args.land.fires))?;
    args.common.device.opened = opened;
    match args.land.fires {
        None => one::run(&args, &scene),
        Some(fires) => many::run(&args, &scene, fires),
    }
}

impl Scene {
    fn read(args: &FireArgs) -> Result<Self, Failure> {
        let land = &args.land;
        let (MappedLandscape { landscape, elevation, mut assumed, mut warnings }, format) = layers::read(land)?;
        let cells = landscape.cells() as u64;
        if let Some(fires) = land.fires {
            fits("--fires", fires, |fires| memory::fires(cells, 1, fires, 1))?;
        }
        if let Some(weathers) = land.weathers {
            fits("--weathers", weathers, |weathers| memory::fires(cells, weathers, 1, 1))?;
        }
        let scenarios = weather::of(land, args.common.hours, &mut assumed, &mut warnings)?;
        let lit = ignition::cells(args, &elevation)?;
        if lit.is_empty() && land.fires.is_none() {
            return Err(Failure::usage(
                "say where the fire begins: --ignite ROW,COLUMN, --ignite-at X,Y or --ignite-file points.geojson; --fires N draws cells at random",
            ));
        }
        Ok(Scene { landscape: Arc::new(landscape), elevation, format, scenarios, lit, assumed, warnings })
    }

    /// Returns the work of one fire, or of an ensemble: each cell burns once at most.
    fn work(&self, fires: Option<u32>) -> Work {
        Work::new(IGNITIONS, f64::from(fires.unwrap_or(1)) * self.landscape.cells() as f64)
    }

    fn task<'a>(&'a self, args: &'a FireArgs) -> Task<'a, Config<'a>> {
        let config = Config::of(args, self);
        Task { assumed: &self.assumed, warnings: &self.warnings, ..Task::new("fire", config) }
    }

    /// Draws pictures of the part of the landscape in which a raster has data.
    fn with_place(
        &self,
        title: &str,
        shown: &Raster,
        draw: impl FnOnce(&Place<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let layers = self.landscape.layers();
        let cover = layers.canopy.as_ref().map(|canopy| &canopy.cover);
        let window = Window::around(shown);
        let ground = |cell: usize| {
            let cell = window.cell(cell, layers.columns);
            let fuel = layers.fuel.get(cell).copied().unwrap_or(0);
            let cover = cover.and_then(|cover| cover.get(cell)).copied().unwrap_or(0.0);
            ground(fuel).or((cover > 0.1).then_some(FOREST))
        };
        let map = Map::new(&window.cut(&self.elevation)?, ground);
        let mut keys: Vec<(Colour, String)> = KEYS
            .iter()
            .filter(|(number, _, _)| layers.fuel.contains(number))
            .map(|(_, colour, name)| (*colour, (*name).to_owned()))
            .collect();
        if cover.is_some() {
            keys.push((FOREST, "forest".to_owned()));
        }
        let (left, top) = (f64::from(window.column), f64::from(window.row));
        let points: Vec<_> = middles(&self.lit).into_iter().map(|(x, y)| (x - left, y - top)).collect();
        draw(&Place { title, map: &map, window, points: &points, keys })
    }
}

const FOREST: Colour = [204, 218, 190];

/// Ground that does not burn: numbers, colours, names.
const KEYS: [(u16, Colour, &str); 5] = [
    (91, [196, 188, 186], "built-up"),
    (92, [250, 252, 255], "snow, ice"),
    (93, [232, 222, 176], "agriculture"),
    (98, [142, 186, 214], "water"),
    (99, [214, 204, 190], "bare ground"),
];

fn ground(fuel: u16) -> Option<Colour> {
    KEYS.iter().find(|(number, _, _)| *number == fuel).map(|(_, colour, _)| *colour)
}

/// A failure that is a mistake in what was asked for, or else one of the run.
fn failure(error: WildfireError) -> Failure {
    match error {
        WildfireError::Device(_) | WildfireError::Cancelled { .. } | WildfireError::Memory { .. } => {
            Failure::run(error)
        }
        WildfireError::TooLarge { .. } => Failure::run(error),
        WildfireError::Hours { .. } => Failure::option("--hours", error),
        WildfireError::Fires { .. } => Failure::option("--fires", error),
        _ => Failure::usage(error),
    }
}

/// A failure to start a fire, which names the layer of fuels.
fn unlit(land: &LandArgs, error: WildfireError) -> Failure {
    match (&error, &land.fuel) {
        (
            WildfireError::Outside { .. } | WildfireError::Unburnable { .. } | WildfireError::NothingBurns,
            Some(file),
        ) => Failure::usage(format!("{}: {error}", file.display())),
        (WildfireError::Weather(error), _) if land.weather.is_empty() => weather::refused(error),
        _ => failure(error),
    }
}
