//! Visits as a Parquet file.

use imminent::models::queueing::trace::Visit;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::Int64Type;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

const NAMES: [&str; 8] = ["replication", "node", "class", "to", "number", "arrived", "started", "left"];

/// Number of visits in a row group.
const GROUP: usize = 1 << 17;

/// Writer of one row per visit: unsigned 64-bit integers, times in ticks. `to` is missing if the token left the
/// network.
pub(in crate::run) struct VisitWriter<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: [Vec<i64>; NAMES.len()],
    present: Vec<i16>,
}

impl<W: Write + Send> VisitWriter<W> {
    pub(in crate::run) fn new(file: W) -> Result<Self> {
        let field = |name: &str| {
            let repetition = if name == "to" { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            Type::primitive_type_builder(name, Physical::INT64)
                .with_logical_type(Some(LogicalType::integer(64, false)))
                .with_repetition(repetition)
                .build()
                .map(Arc::new)
        };
        let fields = NAMES.iter().map(|name| field(name)).collect::<Result<Vec<_>>>()?;
        let schema = Arc::new(Type::group_type_builder("visits").with_fields(fields).build()?);
        let file = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::new()))?;
        Ok(Self { file, columns: Default::default(), present: vec![] })
    }

    pub(in crate::run) fn write(&mut self, replication: u64, visit: &Visit) -> Result<()> {
        let to = visit.to.map(u64::from);
        let values = [
            Some(replication),
            Some(u64::from(visit.node)),
            Some(u64::from(visit.class)),
            to,
            Some(visit.number),
            Some(visit.arrived),
            Some(visit.started),
            Some(visit.left),
        ];
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.extend(value.map(|value| value as i64));
        }
        self.present.push(i16::from(to.is_some()));
        if self.present.len() == GROUP { self.flush() } else { Ok(()) }
    }

    /// Completes the file and returns it.
    pub(in crate::run) fn finish(mut self) -> Result<W> {
        self.flush()?;
        self.file.into_inner()
    }

    fn flush(&mut self) -> Result<()> {
        if self.present.is_empty() {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for (name, column) in NAMES.iter().zip(&mut self.columns) {
            if let Some(mut chunk) = group.next_column()? {
                let present = (*name == "to").then_some(self.present.as_slice());
                chunk.typed::<Int64Type>().write_batch(column, present, None)?;
                chunk.close()?;
            }
            column.clear();
        }
        self.present.clear();
        group.close().map(drop)
    }
}
