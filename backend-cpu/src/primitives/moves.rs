//! Moves of rows and columns.

use super::column::{Locked, Native, operand, replace};
use super::types::misfit;
use super::workers::Workers;
use crate::memory::cpu_buffer;
use imminent_core::Result;
use imminent_core::backend::{Buffer, Operand, View};
use imminent_core::ir::Scalar;
use imminent_core::native::Task;

/// Gathers rows of another table.
pub(super) fn gather(workers: Workers<'_>, rows: &View, from: &Buffer, to: &Buffer) -> Result<()> {
    let rows = Locked::new(rows)?.values::<u32>(rows)?.to_vec();
    let (from, mut to) = (cpu_buffer(from)?.table()?, cpu_buffer(to)?.table_mut()?);
    let run = |tasks: Vec<Task<'_>>| {
        workers.map(tasks, |task| task());
    };
    if to.gather(&rows, from.as_ref(), &run) { Ok(()) } else { Err(misfit()) }
}

/// Scatters rows to another table.
pub(super) fn scatter(rows: &View, from: &Buffer, to: &Buffer) -> Result<()> {
    let rows = Locked::new(rows)?.values::<u32>(rows)?.to_vec();
    let (from, mut to) = (cpu_buffer(from)?.table()?, cpu_buffer(to)?.table_mut()?);
    if to.scatter(&rows, from.as_ref()) { Ok(()) } else { Err(misfit()) }
}

/// Copies a column, bit by bit.
pub(super) fn copy_column(from: &View, to: &View) -> Result<()> {
    fn copy<T: Native>(from: &View, to: &View) -> Result<()> {
        let bits = {
            let locked = Locked::new(from)?;
            let values = locked.values::<T>(from)?;
            values.to_vec()
        };
        match to.scalar().words() {
            1 if to.scalar() != from.scalar() => write::<T, u32>(&bits, to),
            2 if to.scalar() != from.scalar() => write::<T, u64>(&bits, to),
            _ => write::<T, T>(&bits, to),
        }
    }
    fn write<T: Native, U: Native>(values: &[T], to: &View) -> Result<()> {
        replace::<U, ()>(to, |to| {
            if to.len() != values.len() || T::WORDS != U::WORDS {
                return Err(misfit());
            }
            to.iter_mut().zip(values).for_each(|(to, value)| *to = U::from_bits(value.bits()));
            Ok(())
        })
    }
    if from.scalar() == Scalar::Bool {
        return copy::<bool>(from, to);
    }
    super::for_number!(from.scalar(), copy(from, to))
}

/// Sets every row of a column.
pub(super) fn fill(column: &View, value: &Operand) -> Result<()> {
    fn fill<T: Native>(column: &View, value: &Operand) -> Result<()> {
        let value = operand::<T>(value)?;
        replace::<T, ()>(column, |column| {
            column.fill(value);
            Ok(())
        })
    }
    super::for_number!(column.scalar(), fill(column, value))
}
