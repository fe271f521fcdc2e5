//! Columns as native values.

use super::types::misfit;
use crate::memory::{Contents, CpuBuffer, cpu_buffer};
use imminent_core::backend::{Operand, View};
use imminent_core::ir::Scalar;
use imminent_core::native::{ErasedTable, ErasedTally, NativeTable};
use imminent_core::{Data, Result, Row};
use std::ops::Range;
use std::sync::RwLockReadGuard;

/// Number of rows taken out of a table of structs at a time: they stay in the nearest cache.
pub(super) const BLOCK_ROWS: usize = 1024;

/// A scalar that a column holds in native form.
pub(super) trait Native: Data + Row + PartialOrd + Default + bytemuck::NoUninit {
    const SCALAR: Scalar;
    fn from_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    /// Returns the values as little-endian bytes, if that is their representation in memory.
    fn as_bytes_mut(values: &mut [Self]) -> Option<&mut [u8]>;
}

macro_rules! natives {
    ($($ty:ty => $scalar:ident, |$bits:ident| $from:expr, |$value:ident| $to:expr, |$values:ident| $bytes:expr;)*) => {$(
        impl Native for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            #[inline(always)]
            fn as_bytes_mut($values: &mut [Self]) -> Option<&mut [u8]> { $bytes }
            #[inline(always)]
            fn from_bits($bits: u64) -> Self { $from }
            #[inline(always)]
            fn bits(self) -> u64 { let $value = self; $to }
        }
    )*};
}

natives! {
    bool => Bool, |bits| bits as u32 != 0, |value| u64::from(value), |_values| None;
    u32 => U32, |bits| bits as u32, |value| u64::from(value), |values| pod(values);
    i32 => I32, |bits| bits as i32, |value| u64::from(value as u32), |values| pod(values);
    u64 => U64, |bits| bits, |value| value, |values| pod(values);
    i64 => I64, |bits| bits as i64, |value| value as u64, |values| pod(values);
    f32 => F32, |bits| Self::from_bits(bits as u32), |value| u64::from(value.to_bits()), |values| pod(values);
    f64 => F64, |bits| Self::from_bits(bits), |value| value.to_bits(), |values| pod(values);
}

fn pod<T: bytemuck::Pod>(values: &mut [T]) -> Option<&mut [u8]> {
    cfg!(target_endian = "little").then(|| bytemuck::cast_slice_mut(values))
}

/// A buffer locked for reading.
pub(super) struct Locked<'b> {
    buffer: &'b CpuBuffer,
    table: Option<RwLockReadGuard<'b, Box<dyn ErasedTable>>>,
}

impl<'b> Locked<'b> {
    pub(super) fn new(view: &'b View) -> Result<Self> {
        let buffer = cpu_buffer(&view.buffer)?;
        let table = match &buffer.contents {
            Contents::Table(_) => Some(buffer.table()?),
            _ => None,
        };
        Ok(Locked { buffer, table })
    }

    /// Returns the values of a view of the buffer.
    pub(super) fn values<T: Native>(&self, view: &View) -> Result<Values<'_, T>> {
        let rows = view.span.rows.start as usize..view.span.rows.end as usize;
        if let Contents::Tally(tally) = &self.buffer.contents {
            return Ok(Values::Slots { tally: tally.as_ref(), slots: rows });
        }
        let Some(table) = &self.table else {
            if rows.len() > 1 {
                return Err(misfit());
            }
            let bits = self.buffer.leaf(view.span.rows.start, None, view.span.word);
            return Ok(Values::One(T::from_bits(bits)));
        };
        if rows.start > rows.end || view.span.rows.end > table.rows() {
            return Err(misfit());
        }
        Ok(match table.as_any().downcast_ref::<NativeTable<T>>() {
            Some(native) => Values::Slice(native.as_slice().get(rows).ok_or_else(misfit)?),
            None => Values::Rows { table: table.as_ref(), lane: view.span.lane, word: view.span.word, rows },
        })
    }
}

/// Values of a column.
#[derive(Clone)]
pub(super) enum Values<'a, T> {
    /// Contiguous values: a table of a bare scalar.
    Slice(&'a [T]),
    /// A leaf of every row.
    Rows { table: &'a dyn ErasedTable, lane: Option<u32>, word: u32, rows: Range<usize> },
    /// Slots of a tally.
    Slots { tally: &'a dyn ErasedTally, slots: Range<usize> },
    /// A device scalar.
    One(T),
}

/// Buffer for a block of values.
pub(super) struct Scratch<T> {
    bytes: Vec<u8>,
    values: Vec<T>,
}

impl<T: Native> Default for Scratch<T> {
    fn default() -> Self {
        Scratch { bytes: Vec::new(), values: Vec::new() }
    }
}

impl<T: Native> Scratch<T> {
    /// Takes `rows` values of a column, or as many as it has.
    fn take(&mut self, table: &dyn ErasedTable, first: u32, (lane, word): (Option<u32>, u32), rows: usize) -> &mut [T] {
        let width = T::SCALAR.words() as usize * 4;
        if self.values.len() < rows {
            self.values.resize(rows, T::default());
        }
        let values = &mut self.values[..rows];
        if let Some(bytes) = T::as_bytes_mut(values) {
            let got = table.column(first, lane, word, width, bytes);
            return &mut self.values[..got];
        }
        self.bytes.resize(rows * width, 0);
        let got = table.column(first, lane, word, width, &mut self.bytes);
        let bits =
            self.bytes.chunks_exact(width).map(|bytes| bytes.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b)));
        values.iter_mut().zip(bits).for_each(|(value, bits)| *value = T::from_bits(bits));
        &mut self.values[..got]
    }
}

impl<T: Native> Values<'_, T> {
    pub(super) fn len(&self) -> usize {
        match self {
            Values::Slice(values) => values.len(),
            Values::Rows { rows: range, .. } | Values::Slots { slots: range, .. } => range.len(),
            Values::One(_) => 1,
        }
    }

    /// Returns the number of bytes of a row in memory.
    pub(super) fn row_bytes(&self) -> usize {
        match self {
            Values::Rows { table, .. } => table.row_bytes() as usize,
            _ => size_of::<T>(),
        }
    }

    /// Calls `f` with the values of a range, in order, until it breaks: once if they are contiguous, otherwise in
    /// blocks of [`BLOCK_ROWS`] from the range's start.
    pub(super) fn blocks(&self, range: Range<usize>, mut f: impl FnMut(&[T]) -> std::ops::ControlFlow<()>) {
        match self {
            Values::Slice(values) => {
                let _ = f(values.get(range).unwrap_or_default());
            }
            Values::One(value) => {
                if !range.is_empty() {
                    let _ = f(&[*value]);
                }
            }
            Values::Rows { .. } | Values::Slots { .. } => {
                let mut scratch = Scratch::default();
                let mut start = range.start;
                while start < range.end {
                    let end = (start + BLOCK_ROWS).min(range.end);
                    if f(self.block(start..end, &mut scratch)).is_break() {
                        return;
                    }
                    start = end;
                }
            }
        }
    }

    /// Returns the values of a range of rows, in place or copied.
    pub(super) fn block<'s>(&'s self, range: Range<usize>, scratch: &'s mut Scratch<T>) -> &'s [T] {
        match self {
            Values::Slice(values) => values.get(range).unwrap_or_default(),
            Values::One(value) => {
                scratch.values.clear();
                scratch.values.resize(range.len(), *value);
                &scratch.values
            }
            Values::Rows { table, lane, word, rows } => {
                scratch.take(*table, (rows.start + range.start) as u32, (*lane, *word), range.len())
            }
            Values::Slots { tally, slots } => {
                let range = (slots.start + range.start) as u32..(slots.start + range.end) as u32;
                scratch.values.clear();
                scratch.values.extend(range.map(|slot| T::from_bits(tally.leaf(slot))));
                &scratch.values
            }
        }
    }

    /// Returns all values as a vector.
    pub(super) fn to_vec(&self) -> Vec<T> {
        self.block(0..self.len(), &mut Scratch::default()).to_vec()
    }
}

/// Returns the value of an operand.
pub(super) fn operand<T: Native>(operand: &Operand) -> Result<T> {
    match operand {
        Operand::Constant(bits) => Ok(T::from_bits(*bits)),
        Operand::Device(view) => {
            cpu_buffer(&view.buffer).map(|b| T::from_bits(b.leaf(view.span.rows.start, view.span.lane, view.span.word)))
        }
    }
}

/// Sets the value in the first row of a view.
pub(super) fn put<T: Native>(view: &View, value: T) -> Result<()> {
    cpu_buffer(&view.buffer)?.set_leaf(&view.span, value.bits());
    Ok(())
}

/// Calls `f` with a slice for the new values of a view: in place if they are contiguous, otherwise a copy that is
/// stored afterwards.
pub(super) fn replace<T: Native, U>(view: &View, f: impl FnOnce(&mut [T]) -> Result<U>) -> Result<U> {
    let mut table = cpu_buffer(&view.buffer)?.table_mut()?;
    let rows = view.span.rows.start as usize..view.span.rows.end as usize;
    if let Some(native) = table.as_any_mut().downcast_mut::<NativeTable<T>>() {
        return f(native.as_mut_slice().get_mut(rows).ok_or_else(misfit)?);
    }
    let (first, lane, word) = (view.span.rows.start, view.span.lane, view.span.word);
    let mut scratch = Scratch::<T>::default();
    let values = scratch.take(table.as_ref(), first, (lane, word), rows.len());
    if values.len() != rows.len() {
        return Err(misfit());
    }
    let result = f(values)?;
    let width = T::SCALAR.words() as usize * 4;
    match T::as_bytes_mut(values) {
        Some(bytes) => table.set_column(first, lane, word, width, bytes),
        None => table.set_column(first, lane, word, width, &bytes_of(values, width)),
    };
    Ok(result)
}

/// Returns little-endian values of `width` bytes.
fn bytes_of<T: Native>(values: &[T], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * width);
    for value in values {
        bytes.extend_from_slice(value.bits().to_le_bytes().get(..width).unwrap_or_default());
    }
    bytes
}
