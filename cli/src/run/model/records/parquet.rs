//! Records as a Parquet file: unsigned 64-bit integers.

use imminent::models::study::experiment::{RecordForm, Records};
use imminent::models::study::laboratory::Fault;
use imminent_report::file::{NewFile, WriteError};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::Int64Type;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of records in a row group.
const GROUP: usize = 1 << 17;

/// Writer of one row per record.
pub(super) struct Parquet {
    path: PathBuf,
    file: SerializedFileWriter<NewFile>,
    form: &'static RecordForm,
    /// Values of each column in the row group under construction, and which of them are present.
    columns: Vec<(Vec<i64>, Vec<i16>)>,
}

impl Parquet {
    pub(super) fn new(path: &Path, file: NewFile, form: &'static RecordForm) -> std::result::Result<Self, WriteError> {
        let file = writer(file, form).map_err(|error| WriteError::new(path, &error))?;
        Ok(Self { path: path.to_owned(), file, form, columns: vec![Default::default(); form.columns.len()] })
    }

    /// Number of records in the row group under construction.
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, present)| present.len())
    }

    fn flush(&mut self) -> Result<()> {
        if self.rows() == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for (column, (values, present)) in self.form.columns.iter().zip(&mut self.columns) {
            if let Some(mut chunk) = group.next_column()? {
                let present = column.is_optional.then_some(present.as_slice());
                chunk.typed::<Int64Type>().write_batch(values, present, None)?;
                chunk.close()?;
            }
            values.clear();
            present.clear();
        }
        group.close().map(drop)
    }
}

impl Records for Parquet {
    fn add(&mut self, record: &[Option<u64>]) -> std::result::Result<(), Fault> {
        for ((values, present), value) in self.columns.iter_mut().zip(record) {
            values.extend(value.map(|value| value as i64));
            present.push(i16::from(value.is_some()));
        }
        if self.rows() == GROUP {
            self.flush().map_err(|error| WriteError::new(&self.path, &error))?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, is_whole: bool) -> std::result::Result<PathBuf, Fault> {
        let flushed = self.flush();
        let Self { path, file, .. } = *self;
        let file = flushed.and_then(|()| file.into_inner()).map_err(|error| WriteError::new(&path, &error))?;
        Ok(file.end(is_whole).map_err(|error| WriteError::new(&path, &error))?)
    }
}

fn writer(file: NewFile, form: &RecordForm) -> Result<SerializedFileWriter<NewFile>> {
    let fields = form.columns.iter().map(|column| {
        let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(column.name, Physical::INT64)
            .with_logical_type(Some(LogicalType::integer(64, false)))
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder(form.name).with_fields(fields).build()?);
    SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::new()))
}
