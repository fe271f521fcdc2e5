//! `imminent run flood --elevation`: water on a terrain from a map.

use super::flood::{FloodArgs, TerrainArgs};
use super::out::Files;
use super::pictures::{Place, Window, add};
use super::report::Report;
use super::{Found, Task};
use imminent::Work;
use imminent::models::cell::flood::CELL_STEPS;
use imminent::models::cell::flood::terrain::{Balance, Edge, Outcome, Rain, Spring, TerrainError, TerrainFlood};
use imminent::models::cell::memory;
use imminent::models::maps::file::{self, Format};
use imminent::models::maps::landscape::cell_size;
use imminent::models::maps::picture::{Colour, Map, Ramp};
use imminent::models::maps::{MapError, Raster};
use imminent_console::Failure;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Seconds of an hour.
const HOUR: f64 = 3600.0;
/// Depth below which pictures show the ground, in metres.
const DRY: f64 = 0.005;
/// Colour of cells without data.
const OUTSIDE: Colour = [206, 204, 198];

/// Options as they were given, for the report.
#[derive(Debug, Serialize)]
struct Config<'a> {
    elevation: &'a Path,
    rain: f64,
    rain_hours: Option<f64>,
    source: &'a [(u32, u32, f64)],
    open: bool,
    step: f64,
    hours: f64,
    assumed: &'a [String],
}

/// Water of a run, in cubic metres.
#[derive(Debug, Clone, Copy)]
struct Volumes {
    received: f64,
    stored: f64,
    left: f64,
}

impl Volumes {
    fn of(balance: &Balance, cell_size: f64) -> Self {
        let volume = |units| Balance::cubic_metres(units, cell_size);
        Self { received: volume(balance.received), stored: volume(balance.stored), left: volume(balance.left) }
    }
}

pub(super) fn run(args: &FloodArgs, path: &PathBuf) -> Result<(), Failure> {
    let land = &args.terrain;
    let format = Format::of(path).map_err(Failure::usage)?;
    let elevation = file::read(path).map_err(Failure::usage)?;
    file::room(path, memory::terrain(elevation.values().len() as u64)).map_err(Failure::usage)?;
    let mut assumed = Vec::new();
    let cell = cell_size(path, &elevation, &mut assumed).map_err(Failure::usage)?;
    if elevation.no_data.is_some() && elevation.values().iter().any(|value| value.is_nan()) {
        assumed.push("cells without data are outside of the terrain".to_owned());
    }
    assumed.extend(
        elevation.scaling.map(|(scale, offset)| {
            format!("{}: numbers times {scale} plus {offset}, as the file tells", path.display())
        }),
    );
    if land.rain == 0.0 && land.source.is_empty() {
        return Err(Failure::usage("say where water comes from: --rain MM_PER_HOUR, or --source ROW,COLUMN,M3_PER_S"));
    }
    if land.rain == 0.0 && land.rain_hours.is_some() {
        return Err(Failure::option(
            "--rain-hours",
            "it does not rain: give --rain MM_PER_HOUR above 0, or leave this out",
        ));
    }
    let config = Config {
        elevation: path,
        rain: land.rain,
        rain_hours: land.rain_hours,
        source: &land.source,
        open: land.open,
        step: land.step,
        hours: args.common.hours,
        assumed: &assumed,
    };
    let flood = flood(land, args.common.hours, &elevation, cell, path)?;
    let goal = Some((flood.steps().into(), "steps"));
    let amount = elevation.values().len() as f64 * f64::from(flood.steps());
    let work = Work::new(CELL_STEPS, amount);
    args.common.run(
        Task { assumed: &assumed, goal, work: Some(work), ..Task::new("flood", config) },
        args.common.by(&flood, TerrainFlood::run, TerrainFlood::run_sequentially_while, failure),
        |outcome| {
            let volumes = Volumes::of(&outcome.balance, cell);
            Found {
                events: outcome.cells_reached(),
                stats: vec![
                    ("cells_reached", outcome.cells_reached() as f64),
                    ("deepest_m", outcome.deepest()),
                    ("received_m3", volumes.received),
                    ("stored_m3", volumes.stored),
                    ("left_m3", volumes.left),
                ],
                digest: outcome.digest(),
                horizon: (f64::from(outcome.steps) * outcome.step * 1000.0) as u32,
                partial: None,
            }
        },
        |outcome, report, list| files(&elevation, format, outcome, report, list),
    )
}

fn failure(error: TerrainError) -> Failure {
    match error {
        TerrainError::TooMuch { .. } => Failure::option("--hours", error),
        _ => Failure::run(error),
    }
}

fn flood(land: &TerrainArgs, hours: f64, elevation: &Raster, cell: f64, path: &Path) -> Result<TerrainFlood, Failure> {
    let option = |option: &'static str| move |error: TerrainError| Failure::option(option, error);
    let edge = if land.open { Edge::Open } else { Edge::Closed };
    let end = land.rain_hours.unwrap_or(f64::INFINITY);
    let flood = TerrainFlood::new(elevation.rows(), elevation.columns(), cell, elevation.values(), hours);
    let flood = flood.map_err(|error| match error {
        TerrainError::Number { .. } => Failure::option("--hours", error),
        _ => Failure::usage(format!("{}: {error}", path.display())),
    });
    let mut flood = flood?.edge(edge).step(land.step).map_err(option("--step"))?;
    if land.rain > 0.0 {
        flood = flood.rain(Rain { end, ..Rain::everywhere(land.rain) }).map_err(option("--rain"))?;
    }
    for &(row, column, discharge) in &land.source {
        let spring = Spring { row, column, discharge, start: 0.0, end: f64::INFINITY };
        flood = flood.spring(spring).map_err(option("--source"))?;
    }
    Ok(flood)
}

fn files(
    elevation: &Raster,
    format: Format,
    outcome: &Outcome,
    report: &Report<Config<'_>>,
    mut files: Files,
) -> Result<Files, Failure> {
    let fault = |error: MapError| Failure::run(error);
    let depth = elevation.with_values(outcome.depths_in_metres()).map_err(fault)?;
    let peak = elevation.with_values(outcome.peaks_in_metres()).map_err(fault)?;
    let hours = outcome.arrivals_in_seconds().iter().map(|seconds| seconds / HOUR).collect();
    let arrival = elevation.with_values(hours).map_err(fault)?;
    for (name, raster) in [("depth", &depth), ("peak_depth", &peak), ("arrival", &arrival)] {
        add(name, raster, format, &mut files)?;
    }
    // Ground without data is darker than the terrain.
    let outside = |cell: usize| elevation.values().get(cell).is_some_and(|value| value.is_nan()).then_some(OUTSIDE);
    let map = Map::new(elevation, outside);
    let place = Place {
        title: "Depth of the water",
        map: &map,
        window: Window::whole(elevation),
        points: &[],
        keys: Vec::new(),
    };
    place.quantity("depth", &depth, ("metres", Ramp::Water, DRY, None), &mut files)?;
    let place = Place { title: "Greatest depth of the water", ..place };
    place.quantity("peak_depth", &peak, ("metres", Ramp::Water, DRY, None), &mut files)?;
    let place = Place { title: "Arrival of the water", ..place };
    place.quantity("arrival", &arrival, ("hours until\nwater came", Ramp::Heat, -1.0, None), &mut files)?;
    place.film("water", &arrival, &peak, &mut files)?;
    #[cfg(feature = "report")]
    {
        let page = page(elevation, &files, report);
        files.push(("report.html".to_owned(), page.into_bytes()));
    }
    #[cfg(not(feature = "report"))]
    let _ = report;
    Ok(files)
}

/// Returns the HTML page: picture, film and assumptions.
#[cfg(feature = "report")]
fn page(elevation: &Raster, files: &Files, report: &Report<Config<'_>>) -> String {
    use imminent_report::digits::three;
    use imminent_report::page::{self, Answer};
    let mut text = page::begin("Flood on a terrain");
    let [received, stored, left] = ["received_m3", "stored_m3", "left_m3"].map(|name| report.stat(name));
    let answer = Answer {
        question: format!("How deep does water stand, where, and when does it come, within {} h?", report.hours()),
        results: vec![
            format!("At most {} m.", three(report.stat("deepest_m"))),
            format!("{} cells have 1 cm of water or more at some time. The maps show where and when.", report.stat("cells_reached")),
            format!("Of {} m³ received, {} m³ are on the ground at the end, and {} m³ have left.", three(received), three(stored), three(left)),
        ],
        certainty: "The model is deterministic: the same inputs always give this flood, and no water is lost. It is as good as the elevation and the rain, and as the rows “assumed”.".to_owned(),
    };
    page::answer(&mut text, &answer);
    let mut facts = report.facts();
    facts.push((
        "terrain",
        format!(
            "{} rows x {} columns of {}, in {}",
            elevation.rows(),
            elevation.columns(),
            elevation.place.cell_width,
            elevation.place.system.name()
        ),
    ));
    facts.extend(report.config().assumed.iter().map(|assumed| ("assumed", assumed.clone())));
    text.push_str(&report.cautions());
    page::summary(&mut text, &facts);
    let mut figure = |name: &str, caption: &str| {
        text.push_str(&files.get(name).map_or_else(String::new, |bytes| page::picture(bytes, caption)));
    };
    figure("peak_depth.png", "Greatest depth of the water at each place.");
    figure("arrival.png", "Hours until water of 1 cm came.");
    figure("depth.png", "Depth of the water at the end.");
    figure("water.apng", "Cells that water of 1 cm has reached, in the colour of their greatest depth.");
    text + "</body></html>\n"
}
