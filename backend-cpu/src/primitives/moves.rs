//! Histograms, and moves of rows and columns.

use super::column::{Locked, Native, operand, replace};
use super::{Workers, misfit};
use crate::memory::{Contents, cpu_buffer};
use imminent_core::backend::{Buffer, Operand, View};
use imminent_core::ir::Scalar;
use imminent_core::native::Task;
use imminent_core::{Result, Tally, TallyScalar};
use std::ops::ControlFlow;

/// Slots that a task counts by itself; more would not stay in a near cache.
const OWN_SLOTS: usize = 1 << 14;

/// Counts a column's values.
pub(super) fn histogram(workers: Workers<'_>, column: &View, lowest: u64, width: u64, tally: &View) -> Result<()> {
    let tally = match &cpu_buffer(&tally.buffer)?.contents {
        Contents::Tally(tally) => tally.as_any().downcast_ref::<Tally<u32>>().ok_or_else(misfit)?,
        _ => return Err(misfit()),
    };
    match column.scalar() {
        Scalar::U32 => count::<u32>(workers, column, lowest, width, tally),
        Scalar::I32 => count::<i32>(workers, column, lowest, width, tally),
        Scalar::U64 => count::<u64>(workers, column, lowest, width, tally),
        Scalar::I64 => count::<i64>(workers, column, lowest, width, tally),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => Err(misfit()),
    }
}

/// An integer whose distance to another is told without overflow.
trait Distance: Native + TallyScalar {
    /// `self - from`; nothing where that is negative.
    fn above(self, from: Self) -> Option<u64>;
}

macro_rules! distances {
    ($($ty:ty),*) => {$(
        impl Distance for $ty {
            #[inline(always)]
            fn above(self, from: Self) -> Option<u64> {
                (self >= from).then(|| self.abs_diff(from).into())
            }
        }
    )*};
}

distances!(u32, i32, u64, i64);

fn count<T: Distance>(workers: Workers<'_>, column: &View, lowest: u64, width: u64, tally: &Tally<u32>) -> Result<()> {
    let locked = Locked::new(column)?;
    let values = locked.values::<T>(column)?;
    let (lowest, slots) = (<T as Native>::from_bits(lowest), tally.len() as usize);
    let slot = |value: T| {
        let distance = value.above(lowest)?;
        let slot =
            if width.is_power_of_two() { distance >> width.trailing_zeros() } else { distance.checked_div(width)? };
        (slot < slots as u64).then_some(slot as u32)
    };
    let ranges = workers.ranges(values.len(), values.row_bytes());
    workers.map(ranges, |range| {
        let mut own = vec![0_u32; if slots <= OWN_SLOTS { slots } else { 0 }];
        values.blocks(range, |values| {
            for slot in values.iter().filter_map(|value| slot(*value)) {
                match own.get_mut(slot as usize) {
                    Some(count) => *count = count.wrapping_add(1),
                    None => tally.add(slot, 1),
                }
            }
            ControlFlow::Continue(())
        });
        for (slot, count) in (0..).zip(own).filter(|(_, count)| *count > 0) {
            tally.add(slot, count);
        }
    });
    Ok(())
}

/// Takes rows from anywhere in another table.
pub(super) fn gather(workers: Workers<'_>, rows: &View, from: &Buffer, to: &Buffer) -> Result<()> {
    let rows = Locked::new(rows)?.values::<u32>(rows)?.to_vec();
    let (from, mut to) = (cpu_buffer(from)?.table()?, cpu_buffer(to)?.table_mut()?);
    let run = |tasks: Vec<Task<'_>>| {
        workers.map(tasks, |task| task());
    };
    if to.gather(&rows, from.as_ref(), &run) { Ok(()) } else { Err(misfit()) }
}

/// Puts rows anywhere in another table.
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
