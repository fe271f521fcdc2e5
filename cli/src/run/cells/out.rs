//! `--out` of cell spaces: a folder of rasters and pictures.
//!
//! | file | contents |
//! | --- | --- |
//! | `result.json` | the object that `--json` prints |
//! | `arrival.tif` or `.asc` | hours until fire or water came to a cell; of an ensemble `arrival_10`, `_50` and `_90`, by quantiles of the fires |
//! | `flame_length`, `intensity`, `spread_rate`, `horizontal_rate` | m, kW/m, m/min along the ground and m/min on the map at the arrival of a fire; `crown` is 1 for a passive, 2 for an active crown fire |
//! | `burn_probability` | share of the fires of an ensemble that burn a cell |
//! | `depth`, `peak_depth` | metres of water at the end, and at most |
//! | `values` | values of the cells of a rule file |
//! | `*.prj` | coordinate system of an ASCII grid, where the input had one |
//! | `*.png`, `*.apng` | pictures, and a film of the arrival |
//! | `isochrones.geojson` | lines that the fire had reached at round times |
//! | `growth.csv`, `sizes.csv` | burnt area over time; burnt area of each fire of an ensemble, with its ignition and weather |
//! | `weathers.csv` | weathers of an ensemble, how many fires had them, and how large these were |
//! | `report.html` | the report for people, self-contained |

use crate::absent::Absent;
use clap::Args;
use imminent_console::Failure;
use imminent_report::folder::{Folder, Names};
use std::path::PathBuf;

/// Names and contents of files.
pub(super) struct Files {
    /// `true` if pictures and films are among them.
    pub(super) pictures: bool,
    list: Vec<(String, Vec<u8>)>,
}

#[cfg_attr(not(feature = "maps"), expect(dead_code, reason = "no file is made without maps"))]
impl Files {
    pub(super) fn push(&mut self, file: (String, Vec<u8>)) {
        self.list.push(file);
    }

    /// Returns the contents of a file.
    #[cfg(feature = "report")]
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.list.iter().find(|(file, _)| file == name).map(|(_, bytes)| &bytes[..])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &(String, Vec<u8>)> {
        self.list.iter()
    }
}

/// The files of a run.
const NAMES: Names<'_> = Names {
    written: &[
        "result.json",
        "arrival.tif",
        "arrival.asc",
        "arrival.prj",
        "arrival.png",
        "arrival.apng",
        "arrival_10.tif",
        "arrival_10.asc",
        "arrival_10.prj",
        "arrival_50.tif",
        "arrival_50.asc",
        "arrival_50.prj",
        "arrival_90.tif",
        "arrival_90.asc",
        "arrival_90.prj",
        "burn_probability.tif",
        "burn_probability.asc",
        "burn_probability.prj",
        "burn_probability.png",
        "crown.tif",
        "crown.asc",
        "crown.prj",
        "depth.tif",
        "depth.asc",
        "depth.prj",
        "depth.png",
        "flame_length.tif",
        "flame_length.asc",
        "flame_length.prj",
        "growth.csv",
        "horizontal_rate.tif",
        "horizontal_rate.asc",
        "horizontal_rate.prj",
        "intensity.tif",
        "intensity.asc",
        "intensity.prj",
        "isochrones.geojson",
        "peak_depth.tif",
        "peak_depth.asc",
        "peak_depth.prj",
        "peak_depth.png",
        "report.html",
        "sizes.csv",
        "spread_rate.tif",
        "spread_rate.asc",
        "spread_rate.prj",
        "values.asc",
        "values.png",
        "water.apng",
        "weathers.csv",
    ],
    kept: &[],
};

/// Options for the output files of a run.
#[derive(Debug, Args)]
pub(super) struct OutArgs {
    /// Write rasters, pictures, isochrones, result.json and report.html into this folder. All files of an earlier run
    /// are replaced at once, when the new ones are whole.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave pictures and films out of --out: only rasters, tables and reports are written.
    #[arg(long, requires = "out")]
    no_pictures: bool,
    /// Let --out write into a folder that holds other files.
    #[arg(long, requires = "out")]
    force: bool,
}

impl OutArgs {
    /// Fails if files are asked for that this program cannot write.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.out.is_some() && cfg!(not(feature = "maps")) { Err(without_maps("--out")) } else { Ok(()) }
    }

    /// Returns an empty list of files.
    pub(super) fn files(&self) -> Files {
        Files { pictures: !self.no_pictures, list: Vec::new() }
    }

    /// Returns the folder, created if need be, if one was named.
    pub(super) fn folder(&self) -> Result<Option<Folder<'static>>, Failure> {
        Ok(self.out.as_ref().map(|path| Folder::claim(path, self.force, NAMES)).transpose()?)
    }
}

/// Returns the failure of an option that needs maps.
pub(super) fn without_maps(option: &'static str) -> Failure {
    Failure::usage(Absent::Maps { option })
}
