//! Output options of runs and studies.

use clap::Args;
use imminent_console::Failure;
use imminent_report::folder::{Folder, Names};
use std::path::PathBuf;

/// Options of every run and study.
#[derive(Debug, Args)]
pub(crate) struct ResultsArgs {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write all results into this folder: tables as CSV (and Parquet in programs with its feature), result.json,
    /// report.html. All files of an earlier run are replaced at once, when the new ones are complete.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Let --out write into a folder that holds other files.
    #[arg(long, requires = "out")]
    force: bool,
}

/// Fails with what a command could not do, if there is anything: after it has printed its results.
pub(crate) fn told(failures: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    let told: Vec<String> = failures.into_iter().collect();
    if told.is_empty() { Ok(()) } else { Err(Failure::run(told.join("\n"))) }
}

impl ResultsArgs {
    /// Returns the path given by `--out`, if any.
    pub(crate) fn named(&self) -> Option<&std::path::Path> {
        self.out.as_deref()
    }

    /// Creates or claims the folder given by `--out`, if any; files with these names may be replaced.
    ///
    /// A folder that cannot be begun is an error of the command line, as a file is in every option that names one.
    pub(crate) fn folder<'n>(&self, names: Names<'n>) -> Result<Option<Folder<'n>>, Failure> {
        self.out.as_ref().map(|path| Folder::claim(path, self.force, names)).transpose().map_err(Failure::usage)
    }
}
