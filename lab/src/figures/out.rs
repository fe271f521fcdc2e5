//! Folder into which a command writes its figures: a table and a page.

use clap::Args;
use imminent_console::Failure;
use imminent_report::folder::{Draft, Folder, FolderError, Names};
use imminent_report::plot::PlotError;
use std::io::Write;
use std::path::PathBuf;

/// Output options of figures.
#[derive(Debug, Args)]
pub(super) struct OutArgs {
    /// Write figures.csv and figures.html into this folder, in place of those of an earlier run.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Let --out write into a folder that holds other files.
    #[arg(long, requires = "out")]
    force: bool,
}

impl OutArgs {
    /// Opens the folder, which is made before measuring begins.
    pub(super) fn folder(&self) -> Result<Option<Folder<'_>>, Failure> {
        const NAMES: Names<'_> = Names { written: &["figures.csv", "figures.html"], kept: &[] };
        self.out.as_ref().map(|path| Folder::claim(path, self.force, NAMES)).transpose().map_err(Failure::usage)
    }
}

pub(super) fn save(folder: &Draft, name: &str, text: &str) -> Result<(), FolderError> {
    folder.save(name, |file| file.write_all(text.as_bytes()))
}

/// Writes the page with the drawings.
pub(super) fn draw(folder: &Draft, page: Result<String, PlotError>) -> Result<(), FolderError> {
    folder.save("figures.html", |file| file.write_all(page.map_err(std::io::Error::other)?.as_bytes()))
}
