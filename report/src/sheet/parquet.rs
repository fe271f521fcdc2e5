//! Parquet files, written by the Arrow project's writer without Arrow: plain pages, no compression.

use imminent_common::sheet::{Kind, Sheet, Value};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// Number of rows in a row group, which are held in memory for each column.
const GROUP: usize = 1 << 20;

/// Writes every row. Counts are unsigned 64-bit integers, numbers optional doubles.
pub fn write(file: &mut (impl Write + Send), sheet: &dyn Sheet) -> Result<()> {
    let columns = sheet.columns();
    let fields = columns.iter().map(|(name, kind)| field(name, *kind).map(Arc::new)).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder(sheet.name()).with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::new()))?;
    for first in (0..sheet.rows()).step_by(GROUP) {
        let rows = first..sheet.rows().min(first + GROUP);
        let mut group = writer.next_row_group()?;
        for (column, (_, kind)) in columns.iter().enumerate() {
            if let Some(mut chunk) = group.next_column()? {
                write_column(&mut chunk, *kind, sheet, rows.clone(), column)?;
                chunk.close()?;
            }
        }
        group.close()?;
    }
    writer.close().map(drop)
}

fn field(name: &str, kind: Kind) -> Result<Type> {
    let (physical, logical, repetition) = match kind {
        Kind::Count => (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Kind::Number => (Physical::DOUBLE, None, Repetition::OPTIONAL),
    };
    Type::primitive_type_builder(name, physical).with_logical_type(logical).with_repetition(repetition).build()
}

fn write_column(
    chunk: &mut SerializedColumnWriter<'_>,
    kind: Kind,
    sheet: &dyn Sheet,
    rows: Range<usize>,
    column: usize,
) -> Result<()> {
    let (mut counts, mut numbers, mut present, mut texts) = (vec![], vec![], vec![], vec![]);
    for row in rows {
        match sheet.value(row, column) {
            Value::Count(count) => counts.push(count as i64),
            Value::Number(number) => {
                present.push(i16::from(number.is_some()));
                numbers.extend(number);
            }
            Value::Text(text) => texts.push(ByteArray::from(text.into_bytes())),
        }
    }
    match kind {
        Kind::Count => chunk.typed::<Int64Type>().write_batch(&counts, None, None)?,
        Kind::Text => chunk.typed::<ByteArrayType>().write_batch(&texts, None, None)?,
        Kind::Number => chunk.typed::<DoubleType>().write_batch(&numbers, Some(&present), None)?,
    };
    Ok(())
}
