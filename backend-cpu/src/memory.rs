//! Memory behind a buffer handle.

use imminent_core::backend::{Allocation, Buffer, Shape, Span};
use imminent_core::host_memory;
use imminent_core::ir::Scalar;
use imminent_core::native::{ErasedTable, ErasedTally};
use imminent_core::{Error, Result};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Number of rows from which on a column is moved as one rather than value by value.
const MIN_ROWS_AS_ONE: usize = 16;

/// A table, tally or result in the host's memory. Its bytes count as allocated until it is dropped.
#[derive(Debug)]
pub(crate) struct CpuBuffer {
    pub(crate) contents: Contents,
    bytes: u64,
    total: Arc<AtomicU64>,
}

#[derive(Debug)]
pub(crate) enum Contents {
    Table(RwLock<Box<dyn ErasedTable>>),
    Tally(Box<dyn ErasedTally>),
    /// Bits of each scalar, by its first word.
    Result(Mutex<Vec<(u32, u64)>>),
}

impl Drop for CpuBuffer {
    fn drop(&mut self) {
        self.total.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Returns the rest of a limit, or what the process may still allocate if that is less. Small allocations do not ask
/// the system.
fn rest(bytes: u64, rest: u64) -> u64 {
    if bytes < host_memory::WORTH_ASKING {
        rest
    } else {
        host_memory::available().map_or(rest, |available| available.min(rest))
    }
}

impl CpuBuffer {
    pub(crate) fn new(contents: Contents, bytes: u64, total: &Arc<AtomicU64>) -> Self {
        total.fetch_add(bytes, Ordering::Relaxed);
        CpuBuffer { contents, bytes, total: total.clone() }
    }

    pub(crate) fn allocate(allocation: &Allocation, limit: u64, total: &Arc<AtomicU64>) -> Result<Self> {
        let bytes = match allocation {
            Allocation::Table { layout, rows, capacity, .. } => {
                layout.row_words(*capacity).saturating_mul(u64::from(*rows) + 1).saturating_mul(4)
            }
            Allocation::Ragged { layout, room, .. } => {
                let fixed = u64::from(layout.fixed_words).saturating_mul(u64::from(room.rows()) + 1);
                let lanes = u64::from(layout.lane_words).saturating_mul(u64::from(room.places()));
                fixed.saturating_add(lanes).saturating_mul(4)
            }
            Allocation::Tally { scalar, slots, .. } => u64::from(*slots) * u64::from(scalar.words()) * 4,
            Allocation::Result { .. } => 32,
        };
        let rest = rest(bytes, limit.saturating_sub(total.load(Ordering::Relaxed)));
        if bytes > rest {
            let what = match allocation {
                Allocation::Table { layout, rows, .. } => format!("a table of {rows} rows of `{}`", layout.name),
                Allocation::Ragged { .. } => format!("a {}", Shape::of(allocation).name()),
                Allocation::Tally { slots, .. } => format!("a tally of {slots} slots"),
                Allocation::Result { .. } => "a result".to_owned(),
            };
            return Err(Error::OutOfMemory {
                backend: "cpu".to_owned(),
                device: "host".to_owned(),
                what,
                requested: bytes,
                limit: Some(rest),
                holders: Vec::new(),
            });
        }
        let contents = match allocation {
            Allocation::Table { rows, capacity, native, .. } => Contents::Table(RwLock::new(native(*rows, *capacity))),
            Allocation::Ragged { room, native, .. } => Contents::Table(RwLock::new(native(room))),
            Allocation::Tally { slots, native, .. } => Contents::Tally(native(*slots)),
            Allocation::Result { scalars } => {
                Contents::Result(Mutex::new(scalars.iter().map(|(word, _)| (word, 0)).collect()))
            }
        };
        Ok(CpuBuffer::new(contents, bytes, total))
    }

    /// Locks the table for writing. A panic elsewhere does not make its rows invalid: kernels are total.
    pub(crate) fn table_mut(&self) -> Result<RwLockWriteGuard<'_, Box<dyn ErasedTable>>> {
        match &self.contents {
            Contents::Table(table) => Ok(table.write().unwrap_or_else(PoisonError::into_inner)),
            _ => Err(wrong_kind("a table")),
        }
    }

    /// Locks the table for reading.
    pub(crate) fn table(&self) -> Result<RwLockReadGuard<'_, Box<dyn ErasedTable>>> {
        match &self.contents {
            Contents::Table(table) => Ok(table.read().unwrap_or_else(PoisonError::into_inner)),
            _ => Err(wrong_kind("a table")),
        }
    }

    /// Sets the scalars of a result, or the first column of a table of one row.
    pub(crate) fn set_result(&self, bits: &[u64]) -> Result<()> {
        match &self.contents {
            Contents::Result(scalars) => {
                let mut scalars = scalars.lock().unwrap_or_else(PoisonError::into_inner);
                scalars.iter_mut().zip(bits).for_each(|((_, scalar), bits)| *scalar = *bits);
                Ok(())
            }
            Contents::Table(table) => {
                let first = bits.first().copied().unwrap_or_default();
                table.write().unwrap_or_else(PoisonError::into_inner).set_leaf(0, None, 0, first);
                Ok(())
            }
            Contents::Tally(_) => Err(wrong_kind("a result")),
        }
    }

    /// Returns the bits of one scalar.
    pub(crate) fn leaf(&self, row: u32, lane: Option<u32>, word: u32) -> u64 {
        match &self.contents {
            Contents::Table(table) => table.read().unwrap_or_else(PoisonError::into_inner).leaf(row, lane, word),
            Contents::Tally(tally) => tally.leaf(row),
            Contents::Result(scalars) => {
                let scalars = scalars.lock().unwrap_or_else(PoisonError::into_inner);
                scalars.iter().find(|(first, _)| *first == word).map_or(0, |(_, bits)| *bits)
            }
        }
    }

    /// Sets the scalar in the first row of a span.
    pub(crate) fn set_leaf(&self, span: &Span, bits: u64) {
        self.write(
            &Span { rows: span.rows.start..span.rows.start + 1, ..span.clone() },
            &bits.to_le_bytes()[..width(span.scalar)],
        );
    }

    pub(crate) fn read(&self, span: &Span, bytes: &mut [u8]) {
        if span.words != span.scalar.words() {
            self.each_packed(span, |column, places| {
                let mut values = vec![0; column.bytes()];
                self.read(column, &mut values);
                for (place, value) in places.zip(values.chunks_exact(width(column.scalar))) {
                    if let Some(to) = bytes.get_mut(place) {
                        to.copy_from_slice(value);
                    }
                }
            });
            return;
        }
        let width = width(span.scalar);
        let rows = span.rows.len();
        let put = |bytes: &mut [u8], leaf: &dyn Fn(u32) -> u64| {
            for (row, chunk) in span.rows.clone().zip(bytes.chunks_exact_mut(width)) {
                chunk.copy_from_slice(&leaf(row).to_le_bytes()[..width]);
            }
        };
        match &self.contents {
            Contents::Table(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                let whole = rows >= MIN_ROWS_AS_ONE && rows * width == bytes.len();
                if !whole || table.column(span.rows.start, span.lane, span.word, width, bytes) < rows {
                    put(bytes, &|row| table.leaf(row, span.lane, span.word));
                }
            }
            _ => put(bytes, &|row| self.leaf(row, span.lane, span.word)),
        }
    }

    /// Calls `f` with every column of a span of packed rows, and the places of its values among the rows' bytes.
    fn each_packed(&self, span: &Span, mut f: impl FnMut(&Span, &mut dyn Iterator<Item = Range<usize>>)) {
        let Contents::Table(table) = &self.contents else { return };
        let layout = table.read().unwrap_or_else(PoisonError::into_inner).layout();
        for column in layout.columns.iter().filter(|column| column.lane == span.lane.is_some()) {
            let first = (0..span.rows.len()).map(|row| (row * span.words as usize + column.word as usize) * 4);
            let mut places = first.map(|first| first..first + width(column.scalar));
            f(&Span::column(span.lane, column.word, column.scalar, span.rows.clone()), &mut places);
        }
    }

    pub(crate) fn write(&self, span: &Span, bytes: &[u8]) {
        if span.words != span.scalar.words() {
            self.each_packed(span, |column, places| {
                let values: Vec<u8> = places.filter_map(|place| bytes.get(place)).flatten().copied().collect();
                self.write(column, &values);
            });
            return;
        }
        let width = width(span.scalar);
        let mut values = span.rows.clone().zip(bytes.chunks_exact(width).map(bits_of));
        match &self.contents {
            Contents::Table(table) => {
                let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
                let rows = span.rows.len();
                let whole = rows >= MIN_ROWS_AS_ONE && rows * width == bytes.len();
                if whole && table.set_column(span.rows.start, span.lane, span.word, width, bytes) == rows {
                    return;
                }
                values.for_each(|(row, bits)| table.set_leaf(row, span.lane, span.word, bits));
            }
            Contents::Tally(tally) => values.for_each(|(slot, bits)| tally.set_leaf(slot, bits)),
            Contents::Result(scalars) => {
                let mut scalars = scalars.lock().unwrap_or_else(PoisonError::into_inner);
                let scalar = scalars.iter_mut().find(|(first, _)| *first == span.word);
                if let (Some((_, scalar)), Some((_, bits))) = (scalar, values.next_back()) {
                    *scalar = bits;
                }
            }
        }
    }

    pub(crate) fn clear(&self) {
        match &self.contents {
            Contents::Table(table) => table.write().unwrap_or_else(PoisonError::into_inner).clear(),
            Contents::Tally(tally) => (0..tally.slots()).for_each(|slot| tally.set_leaf(slot, 0)),
            Contents::Result(scalars) => {
                let mut scalars = scalars.lock().unwrap_or_else(PoisonError::into_inner);
                scalars.iter_mut().for_each(|(_, bits)| *bits = 0);
            }
        }
    }
}

fn width(scalar: Scalar) -> usize {
    scalar.words() as usize * 4
}

fn bits_of(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
}

/// Returns the backend's object behind a handle.
pub(crate) fn cpu_buffer(buffer: &Buffer) -> Result<&CpuBuffer> {
    buffer.get().ok_or_else(|| wrong_kind("memory of the cpu backend"))
}

pub(crate) fn wrong_kind(expected: &str) -> Error {
    Error::invalid("handle", format!("it is not {expected}"))
}
