//! Order-free accumulation.

use super::{Data, Row};
use crate::fault::{self, At, FaultKind, Operands};
use std::fmt::Debug;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};

/// An integer that a tally can accumulate: `u32`, `i32`, `u64` or `i64`.
pub trait TallyScalar: Data + Row + Ord {
    /// Atomic cell that holds a value.
    type Cell: Debug + Send + Sync;

    /// Creates a cell that holds `value`.
    fn cell(value: Self) -> Self::Cell;
    /// Returns the value in a cell.
    fn load(cell: &Self::Cell) -> Self;
    /// Replaces the value in a cell.
    fn store(cell: &Self::Cell, value: Self);
    /// Replaces the value in a cell, and returns the one before.
    fn exchange(cell: &Self::Cell, value: Self) -> Self;
    /// Adds `value` to a cell, wrapping.
    fn add(cell: &Self::Cell, value: Self);
    /// Keeps the lesser of `value` and a cell.
    fn min(cell: &Self::Cell, value: Self);
    /// Keeps the greater of `value` and a cell.
    fn max(cell: &Self::Cell, value: Self);
    /// Combines `value` and a cell by bitwise or.
    fn or(cell: &Self::Cell, value: Self);
    /// Combines `value` and a cell by bitwise and.
    fn and(cell: &Self::Cell, value: Self);
}

macro_rules! tally_scalar {
    ($($ty:ty => $atomic:ty),*) => {$(
        impl TallyScalar for $ty {
            type Cell = $atomic;

            fn cell(value: Self) -> Self::Cell {
                <$atomic>::new(value)
            }
            fn load(cell: &Self::Cell) -> Self {
                cell.load(Ordering::Relaxed)
            }
            fn store(cell: &Self::Cell, value: Self) {
                cell.store(value, Ordering::Relaxed);
            }
            fn exchange(cell: &Self::Cell, value: Self) -> Self {
                cell.swap(value, Ordering::Relaxed)
            }
            fn add(cell: &Self::Cell, value: Self) {
                cell.fetch_add(value, Ordering::Relaxed);
            }
            fn min(cell: &Self::Cell, value: Self) {
                cell.fetch_min(value, Ordering::Relaxed);
            }
            fn max(cell: &Self::Cell, value: Self) {
                // A plain read first: a maximum rarely changes, and a read does not take the cache line away from other
                // threads.
                if cell.load(Ordering::Relaxed) < value {
                    cell.fetch_max(value, Ordering::Relaxed);
                }
            }
            fn or(cell: &Self::Cell, value: Self) {
                cell.fetch_or(value, Ordering::Relaxed);
            }
            fn and(cell: &Self::Cell, value: Self) {
                cell.fetch_and(value, Ordering::Relaxed);
            }
        }
    )*};
}

tally_scalar!(u32 => AtomicU32, i32 => AtomicI32, u64 => AtomicU64, i64 => AtomicI64);

/// Slots to which every row of a launch may contribute, in no observable order.
///
/// A kernel uses one operation per tally: `add`, `min`, `max`, `or` or `and`. Contributions persist from launch to
/// launch; [`TallyTable::fill`](crate::TallyTable::fill) resets them. A slot past the end drops the contribution and
/// raises a fault.
#[derive(Debug)]
pub struct Tally<T: TallyScalar> {
    cells: Box<[T::Cell]>,
}

impl<T: TallyScalar> Tally<T> {
    /// Creates slots that hold `values`.
    #[must_use]
    pub fn new(values: &[T]) -> Self {
        Tally { cells: values.iter().map(|value| T::cell(*value)).collect() }
    }

    /// Returns the number of slots.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the kernel language has `len` alone")]
    pub fn len(&self) -> u32 {
        self.cells.len() as u32
    }

    /// Returns the value of a slot; zero past the end.
    #[must_use]
    pub fn load(&self, slot: u32) -> T {
        self.cells.get(slot as usize).map_or_else(<T as Data>::zeroed, T::load)
    }

    /// Replaces the value of a slot; does nothing past the end.
    pub fn store(&self, slot: u32, value: T) {
        if let Some(cell) = self.cells.get(slot as usize) {
            T::store(cell, value);
        }
    }

    /// Replaces the value of a slot, and returns the one before; zero past the end, where it does nothing.
    pub fn exchange(&self, slot: u32, value: T) -> T {
        self.cells.get(slot as usize).map_or_else(<T as Data>::zeroed, |cell| T::exchange(cell, value))
    }

    /// Acts like [`Tally::load`], with a fault past the end that reports a source position.
    #[inline]
    pub fn load_at(&self, slot: u32, at: &At) -> T {
        self.cell(slot, at).map_or_else(<T as Data>::zeroed, T::load)
    }

    /// Acts like [`Tally::store`], with a fault past the end that reports a source position.
    #[inline]
    pub fn store_at(&self, slot: u32, value: T, at: &At) {
        if let Some(cell) = self.cell(slot, at) {
            T::store(cell, value);
        }
    }

    /// Acts like [`Tally::exchange`], with a fault past the end that reports a source position.
    #[inline]
    pub fn exchange_at(&self, slot: u32, value: T, at: &At) -> T {
        self.cell(slot, at).map_or_else(<T as Data>::zeroed, |cell| T::exchange(cell, value))
    }

    #[inline]
    fn cell(&self, slot: u32, at: &At) -> Option<&T::Cell> {
        let cell = self.cells.get(slot as usize);
        if cell.is_none() {
            fault::raise(FaultKind::TallyOutOfRange, Operands::index(slot, self.cells.len()), at);
        }
        cell
    }

    #[inline]
    fn with(&self, slot: u32, value: T, at: &At, op: fn(&T::Cell, T)) {
        if let Some(cell) = self.cell(slot, at) {
            op(cell, value);
        }
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident, $name_at:ident;)*) => {
        impl<T: TallyScalar> Tally<T> {
            $(
                $(#[$doc])*
                #[inline]
                #[track_caller]
                pub fn $name(&self, slot: u32, value: T) {
                    self.with(slot, value, &At::caller(), <T as TallyScalar>::$name);
                }

                /// Contributes to a slot, with the source position that a fault reports.
                #[inline]
                pub fn $name_at(&self, slot: u32, value: T, at: &At) {
                    self.with(slot, value, at, <T as TallyScalar>::$name);
                }
            )*
        }
    };
}

operations! {
    /// Adds `value` to a slot, wrapping.
    add, add_at;
    /// Keeps the lesser of `value` and a slot.
    min, min_at;
    /// Keeps the greater of `value` and a slot.
    max, max_at;
    /// Combines `value` and a slot by bitwise or.
    or, or_at;
    /// Combines `value` and a slot by bitwise and.
    and, and_at;
}
