//! `--out`: a folder with all results of a run.
//!
//! | file | contents |
//! | --- | --- |
//! | `result.json` | the object that `--json` prints |
//! | `nodes.csv`, `nodes.parquet` | a row for each node: sums and measures, with their intervals |
//! | `classes.csv`, `classes.parquet` | with `--by-class`: a row for each class at each node, in the same form |
//! | `end_to_end.csv`, `end_to_end.parquet` | with `--end-to-end`: times from source to exit, a row for each source and class |
//! | `series.csv` | a row for each cell of each replication |
//! | `histogram.csv` | with `--histogram`: numbers of visits by waiting time and by sojourn time |
//! | `report.html` | the report for people, self-contained |

mod columns;
mod csv;
#[cfg(feature = "report")]
mod html;
#[cfg(feature = "parquet")]
mod visits;

#[cfg(feature = "parquet")]
pub(super) use visits::VisitWriter;

use super::engine::Finished;
use imminent::models::queueing::experiment::Experiment;
use imminent::models::sheet::Records;
use imminent_report::folder::{Draft, FolderError, Names};
use serde::Serialize;

/// Names of the files of a run.
pub(super) const NAMES: Names<'_> = Names {
    written: &[
        "result.json",
        "nodes.csv",
        "nodes.parquet",
        "classes.csv",
        "classes.parquet",
        "end_to_end.csv",
        "end_to_end.parquet",
        "series.csv",
        "histogram.csv",
        "report.html",
    ],
    kept: &[],
};

/// Writes all files of a queueing network.
pub(super) fn write<C: Serialize>(
    folder: &Draft,
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
    if let Some(rows) = &finished.report.end_to_end {
        folder.sheet(&Records { name: "end_to_end", columns: &columns::PASSAGES, rows })?;
    }
    folder.save("series.csv", |file| csv::series(file, &finished.findings))?;
    if let Some(times) = &finished.times {
        folder.save("histogram.csv", |file| csv::histogram(file, times, network.tick()))?;
    }
    #[cfg(feature = "report")]
    folder.page(html::page(finished, experiment))?;
    Ok(())
}
