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
#[cfg(feature = "report")]
mod html;
#[cfg(feature = "report")]
mod visits;

#[cfg(feature = "report")]
pub(super) use visits::VisitWriter;

use super::engine::Finished;
use crate::cli::folder::{Folder, FolderError};
use imminent::models::queueing::experiment::Experiment;
use serde::Serialize;

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

/// Writes every file of a queueing network.
pub(super) fn write<C: Serialize>(
    folder: &Folder,
    finished: &Finished<C>,
    experiment: &Experiment,
) -> Result<(), FolderError> {
    folder.json(&super::output::json(finished))?;
    let network = &experiment.network;
    let nodes = columns::Nodes::of(network, &finished.findings);
    folder.sheet(&nodes.sheet())?;
    if let Some(classes) = &finished.classes {
        folder.sheet(&columns::Nodes::by_class(network, &finished.findings, classes).sheet())?;
    }
    folder.save("series.csv", |file| csv::series(file, &finished.findings))?;
    if let Some(times) = &finished.times {
        folder.save("histogram.csv", |file| csv::histogram(file, times))?;
    }
    #[cfg(feature = "report")]
    folder.page(html::page(finished, experiment))?;
    Ok(())
}
