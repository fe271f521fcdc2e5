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
mod parquet;
#[cfg(feature = "report")]
mod visits;

pub(super) use error::FolderError;
#[cfg(feature = "report")]
pub(super) use visits::VisitWriter;

use super::engine::Finished;
use imminent::models::queueing::experiment::Experiment;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The files that a run writes, and may therefore replace.
const OURS: [&str; 8] = [
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
    /// Makes the folder if need be; one that holds anything but results of an earlier run is only taken by `force`, and then what it
    /// holds otherwise stays.
    ///
    /// This is done before the run, so that no work is lost for a mistyped name.
    pub(super) fn claim(path: &Path, force: bool) -> Result<Self, FolderError> {
        let folder = path.to_owned();
        if path.exists() && !path.is_dir() {
            return Err(FolderError::NotAFolder { folder });
        }
        std::fs::create_dir_all(path).map_err(|error| FolderError::CannotMake { folder: folder.clone(), error })?;
        let entries =
            std::fs::read_dir(path).map_err(|error| FolderError::CannotRead { folder: folder.clone(), error })?;
        let mut foreign: Vec<_> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| !OURS.contains(&name.as_str()))
            .collect();
        foreign.sort();
        match foreign.first() {
            Some(file) if !force => {
                Err(FolderError::NotEmpty { folder, file: file.clone(), others: foreign.len() - 1 })
            }
            _ => Ok(Self(folder)),
        }
    }

    /// Writes every file.
    pub(super) fn write<C: Serialize>(
        &self,
        finished: &Finished<C>,
        experiment: &Experiment,
    ) -> Result<(), FolderError> {
        let json = serde_json::to_vec_pretty(&super::output::json(finished)).map_err(std::io::Error::from);
        self.save("result.json", |file| file.write_all(&json?).and_then(|()| writeln!(file)))?;
        let network = &experiment.network;
        let nodes = columns::Nodes::of(network, &finished.findings);
        let classes = finished.classes.as_ref();
        let classes = classes.map(|classes| columns::Nodes::by_class(network, &finished.findings, classes));
        self.save("nodes.csv", |file| csv::nodes(file, &nodes))?;
        if let Some(classes) = &classes {
            self.save("classes.csv", |file| csv::nodes(file, classes))?;
        }
        self.save("series.csv", |file| csv::series(file, &finished.findings))?;
        if let Some(times) = &finished.times {
            self.save("histogram.csv", |file| csv::histogram(file, times))?;
        }
        #[cfg(feature = "report")]
        {
            self.save("nodes.parquet", |file| parquet::nodes(file, &nodes).map_err(std::io::Error::other))?;
            if let Some(classes) = &classes {
                self.save("classes.parquet", |file| parquet::nodes(file, classes).map_err(std::io::Error::other))?;
            }
            let page = html::page(finished, experiment).map_err(|error| FolderError::CannotWrite {
                file: self.0.join("report.html"),
                error: std::io::Error::other(error),
            })?;
            self.save("report.html", |file| file.write_all(page.as_bytes()))?;
        }
        Ok(())
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
