//! Columns and values of primitives.

use crate::backend::Span;
use crate::data::{Data, Row};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::tables::{Column, Output, Scalar, Table};
use imminent_ir::Scalar as ScalarType;
use std::sync::Arc;

/// A column of a table, tally or result.
#[derive(Clone, Debug)]
pub(crate) struct ColumnRef {
    pub(crate) memory: Arc<Memory>,
    pub(crate) span: Span,
}

impl ColumnRef {
    pub(crate) fn new(memory: &Arc<Memory>, scalar: ScalarType, word: u32) -> ColumnRef {
        let span = Span::column(None, word, scalar, 0..memory.rows);
        ColumnRef { memory: memory.clone(), span }
    }

    /// Returns the column of a table of a bare scalar.
    pub(crate) fn of<T: Data + Row + Output>(table: &Table<T>) -> ColumnRef {
        ColumnRef::new(&table.memory, T::SCALAR.unwrap_or(ScalarType::U32), 0)
    }

    /// Returns the value of a device scalar.
    pub(crate) fn of_scalar<T: Output>(scalar: &Scalar<T>) -> Result<ColumnRef> {
        match (&scalar.memory, T::SCALAR) {
            (Some(memory), Some(ty)) => {
                memory.check()?;
                let span = Span::column(None, scalar.word, ty, 0..1);
                Ok(ColumnRef { memory: Arc::clone(memory), span })
            }
            _ => Err(Error::invalid("device scalar", "its kernel returns nothing")),
        }
    }

    /// Returns `true` if a device stores the values apart from one another, in packed rows.
    pub(crate) fn is_apart(&self, device: &Device) -> bool {
        let packed = self.memory.layout.is_some_and(|layout| layout.packed);
        packed && self.rows() > 1 && !device.capabilities().native_rows
    }

    pub(crate) fn rows(&self) -> u32 {
        self.span.rows.end - self.span.rows.start
    }
}

/// Right side of a comparison, or a value to write.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Constant(u64),
    Device(ColumnRef),
}

/// Columns of primitives.
impl<T: Output> Column<'_, T> {
    /// Returns the whole column.
    pub(crate) fn source(&self) -> Result<ColumnRef> {
        let memory = self.memory();
        memory.check()?;
        let span = self.span(0..memory.rows as usize)?;
        if T::SCALAR != Some(span.scalar) {
            let reason = format!("its column at word {} holds {} values", span.word, span.scalar);
            return Err(Error::invalid(&memory.what, reason));
        }
        Ok(ColumnRef { memory: memory.clone(), span })
    }
}
