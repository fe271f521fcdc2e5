//! Where the results of a run go.

use super::folder::{Folder, FolderError, Names};
use clap::Args;
use std::path::{Path, PathBuf};

/// Options of every run and study.
#[derive(Debug, Args)]
pub(crate) struct ResultsArgs {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write everything that was found into this folder: tables as CSV and Parquet, result.json, report.html. All files of an earlier run are replaced at once, when the new ones are whole.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Let --out write into a folder that holds other files.
    #[arg(long, requires = "out")]
    force: bool,
}

impl ResultsArgs {
    /// The folder that was named, if one was.
    pub(crate) fn named(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// The folder, if one was named, made if need be; files of such names may be replaced.
    pub(crate) fn folder(&self, names: Names) -> Result<Option<Folder>, FolderError> {
        self.out.as_ref().map(|path| Folder::claim(path, self.force, names)).transpose()
    }
}
