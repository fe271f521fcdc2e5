//! Files of records that an option names: binary, or Parquet.

#[cfg(feature = "parquet")]
mod parquet;

use imminent::models::study::experiment::{RecordForm, Records};
use imminent::models::study::laboratory::Fault;
use imminent_report::file::{NewFile, WriteError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Begins a file of records, before the run, so that a mistyped name costs no work.
///
/// # Errors
/// A fault of a file that cannot be created, or whose name ends in neither `.bin` nor `.parquet`.
pub fn begin(option: &'static str, path: &Path, form: &'static RecordForm) -> Result<Box<dyn Records>, Fault> {
    let told = |error: std::io::Error| WriteError::new(path, &error);
    let create = || NewFile::begin(path).map_err(told);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("bin") => {
            let mut file = create()?;
            file.write_all(form.magic).map_err(told)?;
            Ok(Box::new(Binary { path: path.to_owned(), file, form }))
        }
        #[cfg(feature = "parquet")]
        Some("parquet") => Ok(Box::new(parquet::Parquet::new(path, create()?, form)?)),
        #[cfg(not(feature = "parquet"))]
        Some("parquet") => Err(crate::absent::Absent::Parquet { file: path.to_owned() }.into()),
        _ => Err(format!("--{option}: the name of a file of {} ends in .parquet or .bin: rename it", form.name).into()),
    }
}

/// Binary file: the form's first bytes, then its records, little-endian.
struct Binary {
    path: PathBuf,
    file: NewFile,
    form: &'static RecordForm,
}

impl Records for Binary {
    fn add(&mut self, record: &[Option<u64>]) -> Result<(), Fault> {
        for (column, value) in self.form.columns.iter().zip(record) {
            let bytes = value.unwrap_or(u64::MAX).to_le_bytes();
            let written = self.file.write_all(bytes.get(..column.bytes).unwrap_or(&bytes));
            written.map_err(|error| WriteError::new(&self.path, &error))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, is_whole: bool) -> Result<PathBuf, Fault> {
        let Self { path, file, .. } = *self;
        Ok(file.end(is_whole).map_err(|error| WriteError::new(&path, &error))?)
    }
}
