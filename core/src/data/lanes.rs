//! Per-row arrays whose capacity belongs to the table, or to the row.

use super::{Data, Gather, Scatter};
use crate::fault::{self, At, FaultKind, Operands};

/// A per-row array whose capacity belongs to the table, not to the code: a future event list, a waiting line.
///
/// Every row of a table has the same capacity; [`Table::grow`](crate::Table::grow) raises it without moving elements.
/// In a ragged table ([`Table::ragged`](crate::Table::ragged)) each row has its own capacity. The row itself keeps the
/// number of elements in use. Access past the capacity raises a fault: a read gives zero, a write is dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes<T: Data> {
    slots: Box<[T]>,
}

impl<T: Data> Lanes<T> {
    /// Creates `capacity` zeroed elements.
    #[must_use]
    pub fn zeroed(capacity: u32) -> Self {
        Lanes { slots: vec![T::zeroed(); capacity as usize].into_boxed_slice() }
    }

    /// Returns the number of elements.
    #[must_use]
    #[inline]
    pub fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Returns the element in lane `index`.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn get(&self, index: u32) -> T {
        self.get_at(index, &At::caller())
    }

    /// Replaces the element in lane `index`.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, index: u32, value: T) {
        self.set_at(index, value, &At::caller());
    }

    /// Acts like [`Lanes::get`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn get_at(&self, index: u32, at: &At) -> T {
        match self.slots.get(index as usize) {
            Some(value) => *value,
            None => {
                fault::raise(FaultKind::LaneOutOfRange, Operands::index(index, self.slots.len()), at);
                T::zeroed()
            }
        }
    }

    /// Acts like [`Lanes::set`], with the source position that a fault reports.
    #[inline]
    pub fn set_at(&mut self, index: u32, value: T, at: &At) {
        let length = self.slots.len();
        match self.slots.get_mut(index as usize) {
            Some(slot) => *slot = value,
            None => fault::raise(FaultKind::LaneOutOfRange, Operands::index(index, length), at),
        }
    }

    /// Changes the capacity: new elements are zero, surplus ones are cut off.
    pub fn set_capacity(&mut self, capacity: u32) {
        let mut slots = std::mem::take(&mut self.slots).into_vec();
        slots.resize(capacity as usize, T::zeroed());
        self.slots = slots.into_boxed_slice();
    }

    /// Returns the bits of the leaf that starts at `word` of lane `lane`; 0 if there is none.
    #[must_use]
    pub fn leaf(&self, lane: u32, word: u32) -> u64 {
        self.slots.get(lane as usize).map_or(0, |element| element.leaf(word))
    }

    /// Sets the leaf that starts at `word` of lane `lane`; does nothing if there is none.
    pub fn set_leaf(&mut self, lane: u32, word: u32, bits: u64) {
        if let Some(element) = self.slots.get_mut(lane as usize) {
            element.set_leaf(word, bits);
        }
    }

    /// Fills the columns of one lane from a block of rows; a row without that lane gives zeros.
    #[doc(hidden)]
    pub fn gather<R>(rows: &[R], lane: u32, of: impl Fn(&R) -> &Self + Copy, columns: &mut Gather<'_>) {
        let element = |row| of(row).slots.get(lane as usize).copied().unwrap_or_else(T::zeroed);
        let elements: Vec<T> = rows.iter().map(element).collect();
        T::gather(&elements, |element| element, columns);
    }

    /// Sets one lane of a block of rows from its columns.
    #[doc(hidden)]
    pub fn scatter<R>(rows: &mut [R], lane: u32, of: impl Fn(&mut R) -> &mut Self + Copy, columns: &mut Scatter<'_>) {
        let mut elements = vec![T::zeroed(); rows.len()];
        T::scatter(&mut elements, |element| element, columns);
        for (row, element) in rows.iter_mut().zip(elements) {
            if let Some(slot) = of(row).slots.get_mut(lane as usize) {
                *slot = element;
            }
        }
    }

    /// Fills the columns of a pool from a block of rows; `capacities` gives the places of each row.
    #[doc(hidden)]
    pub fn gather_pool<R>(rows: &[R], capacities: &[u32], of: impl Fn(&R) -> &Self, columns: &mut Gather<'_>) {
        let mut elements = Vec::with_capacity(capacities.iter().map(|capacity| *capacity as usize).sum());
        for (row, capacity) in rows.iter().zip(capacities) {
            let (slots, end) = (&of(row).slots, elements.len() + *capacity as usize);
            elements.extend_from_slice(slots.get(..*capacity as usize).unwrap_or(slots));
            elements.resize(end, T::zeroed());
        }
        T::gather(&elements, |element| element, columns);
    }

    /// Fills the lanes of a block of rows, as many as each has, from the columns of a pool.
    #[doc(hidden)]
    pub fn scatter_pool<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut Self, columns: &mut Scatter<'_>) {
        let places = rows.iter_mut().map(|row| of(row).slots.len()).sum();
        let mut elements = vec![T::zeroed(); places];
        T::scatter(&mut elements, |element| element, columns);
        let mut rest = elements.as_slice();
        for row in rows {
            let slots = &mut of(row).slots;
            let (own, others) = rest.split_at(slots.len().min(rest.len()));
            slots.copy_from_slice(own);
            rest = others;
        }
    }

    /// Returns the elements.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.slots
    }
}

impl<T: Data> Default for Lanes<T> {
    fn default() -> Self {
        Lanes { slots: Box::default() }
    }
}

impl<T: Data> From<Vec<T>> for Lanes<T> {
    fn from(elements: Vec<T>) -> Self {
        Lanes { slots: elements.into_boxed_slice() }
    }
}
