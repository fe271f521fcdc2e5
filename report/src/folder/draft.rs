//! Files of a run before they are in place.

use super::FolderError;
use crate::file::sync_folder;
use crate::json;
#[cfg(feature = "plot")]
use crate::plot::PlotError;
use crate::sheet;
#[cfg(feature = "parquet")]
use crate::sheet::parquet;
use imminent_common::sheet::Sheet;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Folder of files that are not in place yet. If dropped before it is done, it leaves nothing.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Final folder of the files, for errors.
    place: PathBuf,
}

impl Draft {
    pub(super) fn begin(path: PathBuf, place: PathBuf) -> Result<Self, FolderError> {
        match fs::create_dir(&path) {
            Ok(()) => Ok(Self { path, place }),
            Err(error) => Err(FolderError::CannotMake { folder: path, error }),
        }
    }

    /// Renames the folder, once its names are on the disk.
    pub(super) fn done(self, to: &Path) -> Result<(), FolderError> {
        sync_folder(Some(&self.path));
        fs::rename(&self.path, to).map_err(|error| FolderError::CannotWrite { file: to.to_owned(), error })?;
        sync_folder(Some(&self.place));
        Ok(())
    }

    /// Writes the object that `--json` prints.
    pub fn json(&self, value: &impl Serialize) -> Result<(), FolderError> {
        self.save("result.json", |file| {
            json::write(&mut *file, value)?;
            writeln!(file)
        })
    }

    /// Writes a table in every compiled-in format, into files with its name.
    pub fn sheet(&self, sheet: &dyn Sheet) -> Result<(), FolderError> {
        self.csv(sheet)?;
        #[cfg(feature = "parquet")]
        self.save(&format!("{}.parquet", sheet.name()), |file| {
            parquet::write(file, sheet).map_err(std::io::Error::other)
        })?;
        Ok(())
    }

    /// Writes a table as comma-separated values, into a file with its name.
    pub fn csv(&self, sheet: &dyn Sheet) -> Result<(), FolderError> {
        self.save(&format!("{}.csv", sheet.name()), |file| sheet::csv::write(file, sheet))
    }

    /// Writes the report for people.
    #[cfg(feature = "plot")]
    pub fn page(&self, page: Result<String, PlotError>) -> Result<(), FolderError> {
        self.save("report.html", |file| file.write_all(page.map_err(std::io::Error::other)?.as_bytes()))
    }

    /// Writes a file and waits until it is on the disk.
    pub fn save(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<(), FolderError> {
        let written = File::create(self.path.join(name)).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()?;
            file.get_ref().sync_all()
        });
        written.map_err(|error| FolderError::CannotWrite { file: self.place.join(name), error })
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After the rename this path does not exist.
        let _ = fs::remove_dir_all(&self.path);
    }
}
