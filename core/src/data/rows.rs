//! A whole table, read-only, as a kernel sees it.

use super::Row;
use crate::fault::{self, At, FaultKind, Operands};
use std::ops::Deref;

/// The whole of a table, read-only.
///
/// One zeroed row always follows it in memory, which [`Rows::get`] gives for an index past the end.
#[derive(Debug)]
#[repr(transparent)]
pub struct Rows<T: Row> {
    /// The rows and the zeroed row: never empty.
    with_zero: [T],
}

impl<T: Row> Rows<T> {
    /// Views a slice whose last element is the zeroed row; `None` for an empty slice.
    #[must_use]
    pub fn from_slice_with_zero(with_zero: &[T]) -> Option<&Rows<T>> {
        if with_zero.is_empty() {
            return None;
        }
        let pointer: *const [T] = with_zero;
        // SAFETY: `Rows<T>` is a transparent wrapper of `[T]`, so the pointer cast keeps address, length and
        // validity, and the lifetime of the result is that of the argument.
        Some(unsafe { &*(pointer as *const Rows<T>) })
    }

    /// Returns the number of rows.
    #[must_use]
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "the kernel language has `len` alone")]
    pub fn len(&self) -> u32 {
        (self.with_zero.len() - 1) as u32
    }

    /// Returns row `index`. An index past the end gives a zeroed row and raises a fault.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn get(&self, index: u32) -> &T {
        self.get_at(index, &At::caller())
    }

    /// Acts like [`Rows::get`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn get_at(&self, index: u32, at: &At) -> &T {
        let last = self.with_zero.len() - 1;
        let position = index as usize;
        if position >= last {
            fault::raise(FaultKind::RowOutOfRange, Operands::index(index, last), at);
        }
        &self.with_zero[position.min(last)]
    }
}

/// Rows made on the host, to call a kernel function from a test.
#[derive(Clone, Debug)]
pub struct RowsBuf<T: Row> {
    with_zero: Vec<T>,
}

impl<T: Row> From<Vec<T>> for RowsBuf<T> {
    fn from(mut rows: Vec<T>) -> Self {
        let capacity = rows.first().map_or(0, Row::capacity);
        rows.push(T::zeroed(capacity));
        RowsBuf { with_zero: rows }
    }
}

impl<T: Row> Deref for RowsBuf<T> {
    type Target = Rows<T>;

    fn deref(&self) -> &Rows<T> {
        let pointer: *const [T] = self.with_zero.as_slice();
        // SAFETY: as in `from_slice_with_zero`; the vector holds at least the zeroed row.
        unsafe { &*(pointer as *const Rows<T>) }
    }
}
