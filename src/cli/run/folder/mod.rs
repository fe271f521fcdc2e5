//! `--out`: a folder with everything that a run found.
//!
//! | file | contents |
//! | --- | --- |
//! | `result.json` | the object that `--json` prints |
//! | `nodes.csv`, `nodes.parquet` | a row for each node: sums and measures, with their intervals |
//! | `classes.csv`, `classes.parquet` | with `--by-class`: a row for each class at each node, in the same form |
//! | `series.csv` | a row for each cell of each replication |
//! | `histogram.csv` | with `--histogram`: how many visits waited, and took, how long |
//! | `report.html` | the report for people, self-contained |

mod columns;
mod csv;
mod error;
#[cfg(feature = "report")]
mod html;
#[cfg(feature = "report")]
mod visits;

pub(super) use error::FolderError;
#[cfg(feature = "report")]
pub(super) use visits::VisitWriter;

use super::engine::Finished;
#[cfg(feature = "report")]
use crate::cli::plot::PlotError;
#[cfg(feature = "report")]
use crate::cli::sheet::parquet;
use crate::cli::sheet::{self, Sheet};
use imminent::models::queueing::experiment::Experiment;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The files that a run writes, and may therefore replace.
pub(super) const OURS: [&str; 8] = [
    "result.json",
    "nodes.csv",
    "nodes.parquet",
    "classes.csv",
    "classes.parquet",
    "series.csv",
    "histogram.csv",
    "report.html",
];

/// A folder that results may be written to.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if need be; one that holds anything but `ours`, results of an earlier run, is only taken by `force`, and then what it
    /// holds otherwise stays.
    ///
    /// This is done before the run, so that no work is lost for a mistyped name.
    pub(super) fn claim(path: &Path, force: bool, ours: &[&str]) -> Result<Self, FolderError> {
        let folder = path.to_owned();
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NotAFolder { folder });
        }
        std::fs::create_dir_all(path).map_err(|error| FolderError::CannotMake { folder: folder.clone(), error })?;
        let entries =
            std::fs::read_dir(path).map_err(|error| FolderError::CannotRead { folder: folder.clone(), error })?;
        let mut foreign: Vec<_> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !ours.contains(&name.as_str()))
            .collect();
        foreign.sort();
        match foreign.first() {
            Some(file) if !force => {
                Err(FolderError::NotEmpty { folder, file: file.clone(), others: foreign.len() - 1 })
            }
            _ => Ok(Self(folder)),
        }
    }

    /// Writes every file of a queueing network.
    pub(super) fn write<C: Serialize>(
        &self,
        finished: &Finished<C>,
        experiment: &Experiment,
    ) -> Result<(), FolderError> {
        self.json(&super::output::json(finished))?;
        let network = &experiment.network;
        let nodes = columns::Nodes::of(network, &finished.findings);
        self.sheet(&nodes.sheet())?;
        if let Some(classes) = &finished.classes {
            self.sheet(&columns::Nodes::by_class(network, &finished.findings, classes).sheet())?;
        }
        self.save("series.csv", |file| csv::series(file, &finished.findings))?;
        if let Some(times) = &finished.times {
            self.save("histogram.csv", |file| csv::histogram(file, times))?;
        }
        #[cfg(feature = "report")]
        self.page(html::page(finished, experiment))?;
        Ok(())
    }

    /// Writes the object that `--json` prints.
    pub(super) fn json(&self, value: &impl Serialize) -> Result<(), FolderError> {
        let json = serde_json::to_vec_pretty(value).map_err(std::io::Error::from);
        self.save("result.json", |file| file.write_all(&json?).and_then(|()| writeln!(file)))
    }

    /// Writes a table in every format, into files of its name.
    pub(super) fn sheet(&self, sheet: &impl Sheet) -> Result<(), FolderError> {
        let name = sheet.name();
        self.save(&format!("{name}.csv"), |file| sheet::csv::write(file, sheet))?;
        #[cfg(feature = "report")]
        self.save(&format!("{name}.parquet"), |file| parquet::write(file, sheet).map_err(std::io::Error::other))?;
        Ok(())
    }

    /// Writes the report for people.
    #[cfg(feature = "report")]
    pub(super) fn page(&self, page: Result<String, PlotError>) -> Result<(), FolderError> {
        self.save("report.html", |file| file.write_all(page.map_err(std::io::Error::other)?.as_bytes()))
    }

    fn save(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<(), FolderError> {
        let path = self.0.join(name);
        let written = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file).and_then(|()| file.flush())
        });
        written.map_err(|error| FolderError::CannotWrite { file: path, error })
    }
}
