//! Portable form of every primitive, in the kernel language.

pub(super) mod kinds;
mod mirror;
mod patterns;
mod reals;
mod scans;
mod segments;
mod sorting;
mod stage;
mod steps;
mod values;
mod words;

use crate::backend::{Operand, Primitive, Reduction, ScanOp, Span};
use crate::data::Row;
use crate::device::{Device, Storage};
use crate::error::Result;
use crate::program::{ColumnRef, ProgramBuilder, Request, Value};
use crate::tables::Table;
use imminent_ir::Scalar;
use words::rows::Index;

/// Result of an arg reduction: a value of one or two words, with the row where it was found.
#[crate::kernels]
mod results {
    #[derive(Row)]
    pub struct FoundNarrow {
        pub value: u32,
        pub row: u32,
    }

    #[derive(Row)]
    pub struct FoundWide {
        pub value: u64,
        pub row: u32,
    }
}

/// Allocates a table of one row for the result of an arg reduction over a column of this type.
pub(super) fn found(device: &Device, scalar: Scalar) -> Result<Storage> {
    fn one<R: Row>(device: &Device) -> Result<Storage> {
        Storage::result(device, &Table::<R>::allocation(1, 0))
    }
    if scalar.words() == 2 { one::<results::FoundWide>(device) } else { one::<results::FoundNarrow>(device) }
}

/// Returns a column that lies in one piece: the column itself, or a copy, recorded, if it lies in packed rows.
pub(super) fn in_one_piece(builder: &mut ProgramBuilder, column: ColumnRef) -> Result<ColumnRef> {
    if !column.is_apart(&builder.device) {
        return Ok(column);
    }
    let copy = mirror::column_of(builder, column.span.words, column.rows())?;
    stage::copy_column(builder, &column, &copy)?;
    let span = Span::column(None, 0, column.span.scalar, 0..column.rows());
    Ok(ColumnRef { memory: copy.memory, span })
}

/// Calls a function of the steps for words as wide as a type.
macro_rules! by_width {
    ($scalar:expr, $function:ident($($arg:expr),*)) => {
        if $scalar.words() == 2 { steps::wide::$function($($arg),*) } else { steps::narrow::$function($($arg),*) }
    };
}

/// Records the launches of a primitive.
pub(super) fn record(builder: &mut ProgramBuilder, request: &Request) -> Result<()> {
    match request.primitive() {
        Primitive::Reduce { op, column, into, row } => {
            let (column, into) = (request.source(column)?, request.source(into)?);
            let row = row.as_ref().map(|row| request.source(row)).transpose()?;
            reduce(builder, *op, &column, &into, row.as_ref())
        }
        Primitive::Census { what, filter, into } => {
            let (column, value) = (request.source(&filter.column)?, value(request, &filter.value)?);
            let test = (&column, filter.comparison, &value);
            by_width!(column.span.scalar, census(builder, *what, test, &request.source(into)?))
        }
        Primitive::SegmentedReduce { op, column, offsets, into } => {
            let (column, offsets, into) = (request.source(column)?, request.source(offsets)?, request.source(into)?);
            let of_sum = matches!(op, Reduction::Sum | Reduction::SumUnordered);
            match column.span.scalar {
                Scalar::F32 if of_sum => steps::single::segments(builder, &column, &offsets, &into),
                Scalar::F64 if of_sum => steps::double::segments(builder, &column, &offsets, &into),
                scalar => {
                    let op = (of_sum, *op == Reduction::Max);
                    by_width!(scalar, segments(builder, op, &column, &offsets, &into))
                }
            }
        }
        Primitive::Scan { op, exclusive, column, into } => {
            let (column, into) = (request.source(column)?, request.source(into)?);
            match (column.span.scalar, op) {
                (Scalar::F32, ScanOp::Sum) => steps::single::scan(builder, *exclusive, &column, &into),
                (Scalar::F64, ScanOp::Sum) => steps::double::scan(builder, *exclusive, &column, &into),
                (scalar, op) => {
                    let op = (*op == ScanOp::Sum, *op == ScanOp::Max, *exclusive);
                    by_width!(scalar, scan(builder, op, &column, &into))
                }
            }
        }
        Primitive::Select { filter, rows, count } => {
            let (column, value) = (request.source(&filter.column)?, value(request, &filter.value)?);
            let test = (&column, filter.comparison, &value);
            let flags = by_width!(column.span.scalar, flags(builder, test))?;
            list(builder, &flags, &request.source(rows)?, &request.source(count)?)
        }
        Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
            let (keys, sorted_values) = (request.source(keys)?, request.source(sorted_values)?);
            let order = by_width!(keys.span.scalar, sort(builder, &keys))?;
            if let Some(sorted_keys) = sorted_keys {
                let to = request.source(sorted_keys)?;
                by_width!(keys.span.scalar, move_column(builder, &order, &keys, &to))?;
            }
            match values {
                Some(values) => {
                    let values = request.source(values)?;
                    by_width!(values.span.scalar, move_column(builder, &order, &values, &sorted_values))
                }
                None => stage::copy_column(builder, &stage::whole(&order)?, &sorted_values),
            }
        }
        Primitive::Histogram { column, lowest, width, tally } => {
            let (column, tally) = (request.source(column)?, request.source(tally)?);
            by_width!(column.span.scalar, histogram(builder, &column, *lowest, *width, &tally))
        }
        Primitive::Gather { rows, from, to } => {
            let rows = stage::input::<Index>(builder, &request.source(rows)?)?;
            mirror::gather(builder, &rows, &request.memory(from)?, &request.memory(to)?, true)
        }
        Primitive::Scatter { rows, from, to } => {
            let destinations = stage::input::<Index>(builder, &request.source(rows)?)?;
            let order = steps::narrow::sort(builder, &stage::whole(&destinations)?)?;
            let to = request.memory(to)?;
            let mut sources = Table::<Index>::zeroed(&builder.device, to.rows as usize)?;
            builder.launch::<words::rows::wanted>((&mut sources, &order, &destinations))?;
            mirror::gather(builder, &sources, &request.memory(from)?, &to, false)
        }
        Primitive::CopyColumn { from, to } => {
            mirror::copy_column(builder, &request.source(from)?, &request.source(to)?)
        }
        Primitive::Fill { column, value: operand } => {
            let (column, value) = (request.source(column)?, value(request, operand)?);
            mirror::fill(builder, &column, &value)
        }
    }
}

fn value(request: &Request, operand: &Operand) -> Result<Value> {
    match operand {
        Operand::Constant(bits) => Ok(Value::Constant(*bits)),
        Operand::Device(view) => request.source(view).map(Value::Device),
    }
}

fn reduce(
    builder: &mut ProgramBuilder,
    op: Reduction,
    column: &ColumnRef,
    into: &ColumnRef,
    row: Option<&ColumnRef>,
) -> Result<()> {
    let scalar = column.span.scalar;
    match (op, row, scalar) {
        (Reduction::ArgMin | Reduction::ArgMax, Some(row), _) => {
            by_width!(scalar, arg(builder, op == Reduction::ArgMax, column, into, row))
        }
        (Reduction::Min | Reduction::ArgMin, ..) => by_width!(scalar, extreme(builder, false, column, into)),
        (Reduction::Max | Reduction::ArgMax, ..) => by_width!(scalar, extreme(builder, true, column, into)),
        (_, _, Scalar::F32) => steps::single::sum(builder, column, into),
        (_, _, Scalar::F64) => steps::double::sum(builder, column, into),
        _ => by_width!(scalar, sum(builder, column, into)),
    }
}

/// Lists the rows whose flag is set.
fn list(builder: &mut ProgramBuilder, flags: &Table<Index>, rows: &ColumnRef, count: &ColumnRef) -> Result<()> {
    let ranks = steps::counts::ranks(builder, flags)?;
    let mut number = stage::output::<Index>(builder, count)?;
    builder.launch::<words::rows::last>((&mut number, &ranks))?;
    stage::deliver(builder, &number, count)?;
    let mut listed = stage::output::<Index>(builder, rows)?;
    builder.launch::<words::rows::list>((&mut listed, &ranks))?;
    stage::deliver(builder, &listed, rows)
}

/// Sets a column to a value, as a separate primitive, since the backend may override it.
fn fill(builder: &mut ProgramBuilder, column: &ColumnRef, value: &Value) -> Result<()> {
    builder.primitive(|naming| Primitive::Fill { column: naming.view(column), value: naming.operand(value) })
}
