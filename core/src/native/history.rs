//! Histories of a call: a view that goes from invocation to invocation.

use super::NativeTable;
use super::call::{Call, NativeError};
use super::clock::row::Now;
use super::slot::Kind;
use crate::data::{Clock, Data, History, Ring};
use std::ops::Range;

/// A history of a call, whose view passes from invocation to invocation.
#[derive(Debug)]
pub struct HistoryOf<'a, T: Data> {
    view: History<'a, T>,
    rows: Range<u32>,
    list: Option<&'a [u32]>,
}

impl<'a, T: Data> HistoryOf<'a, T> {
    /// Returns the view for the invocation at a position among those of the call.
    #[inline]
    pub fn of(&mut self, position: usize) -> &mut History<'a, T> {
        let own = match self.list {
            Some(list) => list[position],
            None => {
                let row = self.rows.start + position as u32;
                assert!(row < self.rows.end, "the call has no such row");
                row
            }
        };
        // SAFETY: the row belongs to this call and no other, and the view was that of another of its rows until now.
        unsafe { self.view.enter(own) };
        &mut self.view
    }
}

impl<'a> Call<'a> {
    /// Returns the clock bound as `&Clock`.
    ///
    /// # Errors
    /// [`NativeError`] if the binding has another type.
    pub fn clock(&mut self, slot: usize) -> Result<Clock, NativeError> {
        let now = self.native::<Now>(slot)?.as_slice().first();
        Ok(Clock::at(now.map_or(0, |now| now.first)))
    }

    /// Returns the first step of the launch, from the clock among its bindings: the same for all of its calls, whatever
    /// an entry asks for.
    fn first(&self, slot: usize) -> Result<u32, NativeError> {
        let clock = self.slots.iter().find_map(|slot| match slot.0 {
            Kind::Shared(table) => table.as_any().downcast_ref::<NativeTable<Now>>(),
            _ => None,
        });
        let now = clock.ok_or(NativeError::Unavailable { slot })?.as_slice().first();
        Ok(now.map_or(0, |now| now.first))
    }

    /// Returns a history bound as `&mut History<T>`. Each binding can be taken once.
    ///
    /// # Errors
    /// [`NativeError`] if the binding has another type, is shorter than the call's range, or was already taken, or if
    /// no clock is bound.
    pub fn history_mut<T: Data>(&mut self, slot: usize) -> Result<HistoryOf<'a, T>, NativeError> {
        let (first, rows) = (self.first(slot)?, self.rows.clone());
        let (rings, count) = self.take::<Ring<T>>(slot, &rows)?;
        // SAFETY: the slot holds the first row of a `NativeTable<Ring<T>>` (`take` compared the type) of `count` rows
        // that is borrowed mutably for 'a. Only this function makes references from such a slot, and only shared ones.
        let rings = unsafe { std::slice::from_raw_parts(rings, count as usize) };
        // SAFETY: this call hands the slot out once, its rows belong to no other call (the contract of its
        // constructors), and every call of the launch finds the same clock. Until its first invocation the view is that
        // of the call's first row.
        let view = unsafe { History::view(rings, rows.start, first, true) };
        Ok(HistoryOf { view, rows, list: self.list })
    }

    /// Returns a history bound as `&History<T>`.
    ///
    /// # Errors
    /// As for [`Call::history_mut`].
    pub fn history<T: Data>(&mut self, slot: usize) -> Result<HistoryOf<'a, T>, NativeError> {
        let rings = self.native::<Ring<T>>(slot)?.as_slice();
        // SAFETY: the slot borrows the table for reading, so nothing writes it.
        let view = unsafe { History::view(rings, self.rows.start, self.first(slot)?, false) };
        Ok(HistoryOf { view, rows: self.rows.clone(), list: self.list })
    }
}
