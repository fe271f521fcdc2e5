//! Outcome of a run, for Python.

use crate::errors::Trouble;
use crate::raster::Raster;
use crate::table::Table;
use crate::typed::{Dictionary, Named};
use crate::words::Words;
use imminent::models::estimate::Confidence;
use imminent::models::study::experiment::RunsOn;
use imminent::models::study::outcome::{self, Content, Grid};
use imminent::{Device, DeviceInfo};
use pyo3::prelude::*;
use serde_json::{Map, Value as Json, json};

/// Outcome of a run.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Name of the model.
    #[pyo3(get)]
    model: String,
    /// Title.
    #[pyo3(get)]
    title: String,
    /// Names and values of what was simulated.
    #[pyo3(get)]
    facts: Vec<(String, String)>,
    /// Part that ended, if the run was interrupted.
    #[pyo3(get)]
    partial: Option<String>,
    /// Replications that failed, each with the reason.
    #[pyo3(get)]
    failures: Vec<String>,
    /// Tables and sentences for people: heading, columns, and rows of texts. A sentence is a row without columns.
    #[pyo3(get)]
    sections: Vec<(String, Vec<String>, Vec<Vec<String>>)>,
    /// Remarks.
    #[pyo3(get)]
    notes: Vec<String>,
    /// Warnings.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// Speed of the run, for people.
    #[pyo3(get)]
    speed: String,
    /// Digest of the results.
    #[pyo3(get)]
    digest: String,
    /// Values of each replication by measure.
    #[pyo3(get)]
    replications: Vec<(String, Vec<Option<f64>>)>,
    /// Tables.
    #[pyo3(get)]
    tables: Vec<Table>,
    /// Name of the backend; `None` for an engine that uses none.
    #[pyo3(get)]
    backend: Option<String>,
    /// Name of the device, or of the part of the host.
    #[pyo3(get)]
    device: String,
    /// Reason for the choice of the device.
    #[pyo3(get)]
    why: Option<String>,
    /// Wall times of the phases, in seconds: set-up, simulation, reading; `None` if the model does not measure them.
    #[pyo3(get)]
    seconds: Option<(f64, f64, f64)>,
    /// Results as the program's `--json` prints them.
    values: Map<String, Json>,
    /// Curves of estimates: caption, labels of both axes, and points with the half-widths of their intervals.
    #[pyo3(get)]
    curves: Vec<Curve>,
    /// Other files of results.
    files: Vec<(String, Vec<u8>)>,
    /// Values over grids.
    grids: Vec<Grid>,
}

type Curve = (String, [String; 2], Vec<(f64, f64, Option<f64>)>);

/// Place where a run was executed.
#[derive(Debug, Default)]
pub(crate) struct Place {
    backend: Option<String>,
    device: String,
    why: Option<String>,
}

impl Place {
    /// Returns the place of a run on a device, which was chosen for this reason.
    pub(crate) fn device(device: &Device, why: String) -> Self {
        let DeviceInfo { backend, name, .. } = device.info();
        Self { backend: Some(backend.clone()), device: name.clone(), why: Some(why) }
    }

    /// Returns the place of a run without a device.
    pub(crate) fn host(place: &RunsOn) -> Self {
        let threads = if matches!(place, RunsOn::Host(_)) { "one thread" } else { "the threads" };
        Self { device: format!("{threads} of the host"), ..Self::default() }
    }
}

impl Outcome {
    /// Converts an outcome, and copies its tables.
    pub(crate) fn new(model: String, place: Place, outcome: outcome::Outcome) -> Result<Self, Trouble> {
        let tables = outcome.tables.iter().map(|sheet| Table::of(&**sheet)).collect::<Result<Vec<_>, _>>();
        let (mut curves, mut grids) = (vec![], vec![]);
        let sections = outcome.sections.into_iter().filter_map(|section| {
            Some(match section.content {
                Content::Curve { points, labels, caption } => {
                    let points = points.into_iter().map(|point| (point.x, point.y, point.half_width));
                    curves.push((caption, labels, points.collect()));
                    return None;
                }
                Content::Grid(grid) => {
                    grids.push(grid);
                    return None;
                }
                Content::Table { columns, rows } | Content::Excerpt { columns, rows } => {
                    (section.heading, columns, rows)
                }
                Content::Counts(counts) => {
                    let rows = counts.into_iter().map(|(name, count)| vec![name, count.to_string()]).collect();
                    (section.heading, vec!["".to_owned(), "number".to_owned()], rows)
                }
                Content::Listing(listing) if listing.printed > 0 => {
                    let (columns, rows) = listing.shown(|count| count.to_string());
                    (section.heading, columns, rows)
                }
                Content::Text(text) => (section.heading, vec![], vec![vec![text]]),
                _ => return None,
            })
        });
        let sections = sections.collect();
        let phases = outcome.phases;
        Ok(Self {
            model,
            sections,
            title: outcome.title,
            facts: outcome.facts,
            partial: outcome.partial,
            failures: outcome.failures,
            notes: outcome.notes,
            warnings: outcome.warnings,
            speed: outcome.speed,
            digest: outcome.digest,
            replications: outcome.replications,
            tables: tables.map_err(Trouble::run)?,
            backend: place.backend,
            device: place.device,
            why: place.why,
            seconds: phases.map(|of| {
                let [set_up, simulation, reading] =
                    [of.set_up, of.simulation, of.reading].map(|time| time.as_secs_f64());
                (set_up, simulation, reading)
            }),
            values: outcome.values,
            files: outcome.files.into_iter().map(|file| (file.name, file.bytes)).collect(),
            curves,
            grids,
        })
    }

    /// Names arguments as Python does in all that people read.
    pub(crate) fn worded(mut self, words: &Words<'_>) -> Self {
        let rows = self.sections.iter_mut().flat_map(|(_, _, rows)| rows).flatten();
        let remarks = self.notes.iter_mut().chain(&mut self.warnings).chain(&mut self.failures);
        rows.chain(remarks).for_each(|text| words.apply(text));
        self
    }
}

#[pymethods]
impl Outcome {
    /// Returns the results as a dictionary, as the program's `--json` prints them.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Dictionary<'py>> {
        Dictionary::of(py, &self.values)
    }

    /// Returns the other files of results by name, such as rasters.
    fn files(&self) -> Named<Vec<u8>> {
        Named(self.files.clone())
    }

    /// Returns the rasters of results by name: grids, and files of rasters.
    fn rasters(&self) -> PyResult<Named<Raster>> {
        let grids = self.grids.iter().map(|grid| Ok((grid.name.to_owned(), Raster::of_grid(grid)?)));
        let files = self.files.iter().filter_map(|(name, bytes)| match name.rsplit_once('.') {
            Some((stem, "tif" | "asc")) => Some(Raster::of_file(name, bytes).map(|raster| (stem.to_owned(), raster))),
            _ => None,
        });
        Ok(Named(grids.chain(files).collect::<Result<_, Trouble>>()?))
    }

    /// Confidence of the intervals, from 0.5 to 0.999999.
    #[getter]
    fn confidence(&self) -> f64 {
        let of_run = self.values.get("confidence").unwrap_or(&json!(null)).as_f64();
        of_run.unwrap_or(Confidence::DEFAULT.level())
    }
}
