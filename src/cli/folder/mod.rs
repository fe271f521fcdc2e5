//! `--out`: a folder that results are written to.

mod error;

pub(crate) use error::FolderError;

#[cfg(feature = "report")]
use super::plot::PlotError;
#[cfg(feature = "report")]
use super::sheet::parquet;
use super::sheet::{self, Sheet};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A folder that results may be written to.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if need be; one that holds anything but `ours`, results of an earlier run, is only taken by `force`, and then what it
    /// holds otherwise stays.
    ///
    /// This is done before the run, so that no work is lost for a mistyped name.
    pub(crate) fn claim(path: &Path, force: bool, ours: &[&str]) -> Result<Self, FolderError> {
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

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes the object that `--json` prints.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), FolderError> {
        let json = serde_json::to_vec_pretty(value).map_err(std::io::Error::from);
        self.save("result.json", |file| file.write_all(&json?).and_then(|()| writeln!(file)))
    }

    /// Writes a table in every format, into files of its name.
    pub(crate) fn sheet(&self, sheet: &impl Sheet) -> Result<(), FolderError> {
        let name = sheet.name();
        self.save(&format!("{name}.csv"), |file| sheet::csv::write(file, sheet))?;
        #[cfg(feature = "report")]
        self.save(&format!("{name}.parquet"), |file| parquet::write(file, sheet).map_err(std::io::Error::other))?;
        Ok(())
    }

    /// Writes the report for people.
    #[cfg(feature = "report")]
    pub(crate) fn page(&self, page: Result<String, PlotError>) -> Result<(), FolderError> {
        self.save("report.html", |file| file.write_all(page.map_err(std::io::Error::other)?.as_bytes()))
    }

    /// Writes a file.
    pub(crate) fn save(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<(), FolderError> {
        let path = self.file(name);
        let written = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file).and_then(|()| file.flush())
        });
        written.map_err(|error| FolderError::CannotWrite { file: path, error })
    }
}
