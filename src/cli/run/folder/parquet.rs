//! Parquet, by the Arrow project's own writer without Arrow: plain pages, no compression.

use super::columns::{Column, Nodes, Value};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;
use std::io::Write;
use std::sync::Arc;

/// Rows in a row group: what is held in memory of a column.
const GROUP: usize = 1 << 20;

/// One row for each node, or class at a node. Counts are unsigned 64-bit integers, measures optional doubles.
pub(super) fn nodes(file: &mut (impl Write + Send), nodes: &Nodes<'_>) -> Result<()> {
    let columns = nodes.columns();
    let fields = columns.iter().map(|column| field(*column).map(Arc::new)).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("nodes").with_fields(fields).build()?);
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(WriterProperties::new()))?;
    for places in nodes.places().chunks(GROUP) {
        let mut group = writer.next_row_group()?;
        for column in &columns {
            if let Some(mut chunk) = group.next_column()? {
                write(&mut chunk, *column, nodes, places)?;
                chunk.close()?;
            }
        }
        group.close()?;
    }
    writer.close().map(drop)
}

fn field(column: Column) -> Result<Type> {
    let (physical, logical, repetition) = match column {
        Column::Node | Column::Sum(..) => {
            (Physical::INT64, Some(LogicalType::integer(64, false)), Repetition::REQUIRED)
        }
        Column::Label | Column::Class => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Column::MostWaiting | Column::Mean(_) | Column::HalfWidth(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
    };
    Type::primitive_type_builder(&column.name(), physical)
        .with_logical_type(logical)
        .with_repetition(repetition)
        .build()
}

fn write(chunk: &mut SerializedColumnWriter<'_>, column: Column, nodes: &Nodes<'_>, places: &[usize]) -> Result<()> {
    let (mut counts, mut numbers, mut present, mut texts) = (vec![], vec![], vec![], vec![]);
    for &place in places {
        match column.value(nodes, place) {
            Value::Count(count) => counts.push(count as i64),
            Value::Number(number) => {
                present.push(i16::from(number.is_some()));
                numbers.extend(number);
            }
            Value::Text(text) => texts.push(ByteArray::from(text.into_bytes())),
        }
    }
    match column {
        Column::Node | Column::Sum(..) => chunk.typed::<Int64Type>().write_batch(&counts, None, None)?,
        Column::Label | Column::Class => chunk.typed::<ByteArrayType>().write_batch(&texts, None, None)?,
        Column::MostWaiting | Column::Mean(_) | Column::HalfWidth(_) => {
            chunk.typed::<DoubleType>().write_batch(&numbers, Some(&present), None)?
        }
    };
    Ok(())
}
