//! `imminent run fire`: on a plane with published rates of spread, or on a landscape.

use super::range::Range;
use super::{CellArgs, Found, Task, no_grid, pictures};
use clap::Args;
use imminent::Work;
use imminent::models::cell::fire::{Fire, FireError, IGNITIONS};
use imminent::models::cell::landscape::Corners;
use imminent::models::cell::memory;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use serde::Serialize;
use std::path::PathBuf;

/// Options of `imminent run fire`.
#[derive(Debug, Args)]
pub(crate) struct FireArgs {
    /// Columns of the grid.
    #[arg(long, default_value_t = 1024, conflicts_with = "LandArgs")]
    width: u32,
    /// Rows of the grid.
    #[arg(long, default_value_t = 1024, conflicts_with = "LandArgs")]
    height: u32,
    /// Cell that is lit at the start, as ROW,COLUMN from 0; may be given several times [default: the south-west
    /// corner].
    #[arg(long, value_name = "ROW,COLUMN", value_parser = super::position)]
    pub(super) ignite: Vec<(u32, u32)>,
    #[command(flatten)]
    pub(super) land: LandArgs,
    #[command(flatten)]
    pub(super) common: CellArgs,
}

/// Landscape and weather of a fire.
#[derive(Debug, Args)]
#[command(next_help_heading = "Landscape")]
pub(super) struct LandArgs {
    /// Elevation in metres, GeoTIFF (.tif) or ESRI ASCII grid (.asc): the fire burns on this landscape.
    #[arg(long, value_name = "FILE", requires = "fuel")]
    pub(super) elevation: Option<PathBuf>,
    /// Numbers of fuel models: Anderson's 1 to 13, Scott and Burgan's 101 to 204; 91 to 99 do not burn.
    #[arg(long, value_name = "FILE", requires = "elevation")]
    pub(super) fuel: Option<PathBuf>,
    /// Slope in percent [default: from the elevation].
    #[arg(long, value_name = "FILE", requires_all = ["elevation", "aspect"])]
    pub(super) slope: Option<PathBuf>,
    /// Aspect: the direction that a slope faces, in degrees clockwise from true north [default: from the elevation].
    #[arg(long, value_name = "FILE", requires_all = ["elevation", "slope"])]
    pub(super) aspect: Option<PathBuf>,
    /// Canopy cover in percent.
    #[arg(long, value_name = "FILE", requires_all = ["elevation", "canopy_height", "base_height", "bulk_density"])]
    pub(super) cover: Option<PathBuf>,
    /// Canopy height in tenths of a metre, as LANDFIRE has it.
    #[arg(long, value_name = "FILE", requires = "cover")]
    pub(super) canopy_height: Option<PathBuf>,
    /// Height of the canopy's base in tenths of a metre, as LANDFIRE has it.
    #[arg(long, value_name = "FILE", requires = "cover")]
    pub(super) base_height: Option<PathBuf>,
    /// Bulk density of the canopy in hundredths of kg/m3, as LANDFIRE has it.
    #[arg(long, value_name = "FILE", requires = "cover")]
    pub(super) bulk_density: Option<PathBuf>,
    /// Degrees clockwise from true north, from which aspects and winds count, to the north of the maps' grid [default:
    /// from the projection of the elevation].
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true, requires = "elevation")]
    pub(super) grid_declination: Option<f64>,
    /// Fire through a corner between two cells that do not burn: closed or open.
    #[arg(long, default_value = "closed", value_name = "RULE", value_parser = corners, requires = "elevation")]
    pub(super) corners: Corners,
    /// Weather over time: a CSV file with the columns hour, wind (m/s), from (degrees), 1h, 10h, 100h, herb, wood and,
    /// if known, foliar (percent). With --fires it may be given several times: each fire has one of the files, all
    /// equally likely.
    #[arg(long, value_name = "FILE", requires = "elevation", conflicts_with_all = ["wind", "wind_from", "moisture", "foliar", "weathers"])]
    pub(super) weather: Vec<PathBuf>,
    /// Wind at 20 ft above the vegetation, in m/s; with --fires it, and each value of the next three options, may be a
    /// range LOW..HIGH.
    #[arg(long, default_value = "5", value_name = "M/S", allow_hyphen_values = true, requires = "elevation")]
    pub(super) wind: Range,
    /// Direction from which the wind blows, in degrees clockwise from true north; a range across north is -45..45.
    #[arg(long, default_value = "270", value_name = "DEGREES", allow_hyphen_values = true, requires = "elevation")]
    pub(super) wind_from: Range,
    /// Moistures of 1-h, 10-h, 100-h, live herbaceous and live woody fuel, in percent of dry weight.
    #[arg(long, default_value = "6,7,8,60,90", value_name = "PERCENT,...", value_parser = moisture, requires = "elevation")]
    pub(super) moisture: [Range; 5],
    /// Moisture of the leaves or needles of trees, in percent.
    #[arg(long, default_value = "100", value_name = "PERCENT", requires = "cover")]
    pub(super) foliar: Range,
    /// Point that is lit at the start, in coordinates of the map; may be given several times.
    #[arg(long, value_name = "X,Y", value_parser = point, requires = "elevation", allow_hyphen_values = true)]
    pub(super) ignite_at: Vec<(f64, f64)>,
    /// GeoJSON file with points that are lit at the start, in coordinates of the map.
    #[arg(long, value_name = "FILE", requires = "elevation")]
    pub(super) ignite_file: Option<PathBuf>,
    /// Burn an ensemble of so many fires, each lit in one cell that is drawn at random.
    #[arg(long, value_name = "N", requires = "elevation", conflicts_with_all = ["ignite", "ignite_at", "ignite_file"], value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) fires: Option<u32>,
    /// Number of weathers that are drawn from ranges; each fire has one of them, all equally likely [default: 50, or
    /// the number of fires if it is less].
    #[arg(long, value_name = "K", requires = "fires", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) weathers: Option<u32>,
    /// Seed of the cells and weathers that are drawn [default: 1].
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
}

impl LandArgs {
    /// Returns the seed, given or not.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
}

impl FireArgs {
    pub(in crate::run) fn device_mut(&mut self) -> &mut DeviceArgs {
        self.common.device_mut()
    }

    pub(in crate::run) fn run(self) -> Result<(), Failure> {
        self.common.out.check()?;
        // The parser lets an option off that requires --fires beside --ignite, with which --fires cannot be.
        if self.land.seed.is_some() && self.land.fires.is_none() {
            return Err(Failure::option(
                "--seed",
                "only --fires draws cells and weathers: give it too, or leave this out",
            ));
        }
        if self.land.elevation.is_some() {
            #[cfg(feature = "maps")]
            return super::land::run(self);
            #[cfg(not(feature = "maps"))]
            return Err(super::out::without_maps("--elevation"));
        }
        self.on_a_plane()
    }

    fn on_a_plane(&self) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Config<'a> {
            width: u32,
            height: u32,
            ignite: &'a [(u32, u32)],
            hours: f64,
        }
        let corner = [(self.height.saturating_sub(1), 0)];
        let ignite = if self.ignite.is_empty() { &corner[..] } else { &self.ignite[..] };
        let (width, height, hours) = (self.width, self.height, self.common.hours);
        super::fits("--width", width, |width| memory::fire(height.into(), width, self.common.engine))?;
        let config = Config { width, height, ignite, hours };
        let work = Work::new(IGNITIONS, f64::from(width) * f64::from(height));
        let fire = Fire::new(height, width, ignite, hours).map_err(failure)?;
        self.common.run(
            Task { work: Some(work), ..Task::new("fire", config) },
            self.common.by(&fire, Fire::run, Fire::run_sequentially_while, failure),
            |outcome| Found {
                events: outcome.cells_burnt,
                stats: vec![
                    ("distinct_times", outcome.distinct_times as f64),
                    ("outputs", outcome.cells_burnt as f64),
                    ("cells_burnt", outcome.cells_burnt as f64),
                    ("most_simultaneous", f64::from(outcome.most_simultaneous)),
                ],
                digest: outcome.digest(),
                horizon: outcome.horizon,
                partial: None,
            },
            |outcome, _, files| pictures::of_fire(outcome, ignite, files),
        )
    }
}

fn failure(error: FireError) -> Failure {
    match error {
        FireError::Space(error) => no_grid(&error),
        FireError::Outside { .. } => Failure::option("--ignite", error),
        FireError::Hours { .. } => Failure::option("--hours", error),
        FireError::Device(_) | FireError::Rule(_) | FireError::Cancelled { .. } => Failure::run(error),
    }
}

fn corners(text: &str) -> Result<Corners, String> {
    match text {
        "closed" => Ok(Corners::Closed),
        "open" => Ok(Corners::Open),
        _ => Err("use `closed` or `open`".to_owned()),
    }
}

fn moisture(text: &str) -> Result<[Range; 5], String> {
    let parts: Vec<Range> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    parts.try_into().map_err(|_| {
        "write five numbers or ranges of percent: 1-h, 10-h, 100-h, herbs, wood; for instance 6,7,8,60,90 or 3..8,4..9,5..10,60,90".to_owned()
    })
}

fn point(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(',').map(|(x, y)| (x.trim().parse(), y.trim().parse()));
    match parts {
        Some((Ok(x), Ok(y))) => Ok((x, y)),
        _ => Err("write it as X,Y in coordinates of the map, for instance 1836000,2610000".to_owned()),
    }
}
