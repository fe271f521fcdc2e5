//! One invocation of a phase.

use super::Extent;
use crate::data::Data;
use crate::fault::{self, At, FaultKind, Operands};

/// An invocation of a phase: its place in the group, and the scratch.
///
/// A phase's closure takes it first; it can be handed on to functions that take `&Lane<S>` or `&mut Lane<S>`.
#[derive(Clone, Debug)]
pub struct Lane<S: Data> {
    /// The elements as the previous phase left them.
    before: Box<[S]>,
    /// The elements as they are being set.
    set: Box<[S]>,
    /// `true` if this phase has set an element.
    changed: bool,
    /// `true` if an element was set since the scratch was zero.
    used: bool,
    index: u32,
    row: u32,
    x: u32,
    y: u32,
}

impl<S: Data> Lane<S> {
    pub(super) fn zeroed(extent: &Extent) -> Self {
        let elements = vec![S::zeroed(); extent.size() as usize].into_boxed_slice();
        let (x, y) = extent.origin();
        Lane {
            before: elements.clone(),
            set: elements,
            changed: false,
            used: false,
            index: 0,
            row: extent.first_row(),
            x,
            y,
        }
    }

    /// Zeroes the scratch for another group.
    pub(super) fn clear(&mut self, extent: &Extent) {
        if self.before.len() != extent.size() as usize {
            *self = Lane::zeroed(extent);
        } else if self.used {
            self.before.fill(S::zeroed());
            self.set.fill(S::zeroed());
            self.used = false;
        }
    }

    /// Becomes the invocation at `x`, `y` of the group's rectangle.
    #[inline]
    pub(super) fn enter(&mut self, extent: &Extent, x: u32, y: u32) {
        self.index = extent.lane(x, y);
        self.row = extent.row(x, y);
        let (left, top) = extent.origin();
        (self.x, self.y) = (left + x, top + y);
        fault::enter_row(self.row);
    }

    /// Ends a phase: all elements set become visible to the whole group.
    #[inline]
    pub(super) fn publish(&mut self) {
        if self.changed {
            self.before.copy_from_slice(&self.set);
            self.changed = false;
            self.used = true;
        }
    }

    /// Returns the position of the invocation in the group.
    #[must_use]
    #[inline]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the number of the invocation's row in the table.
    #[must_use]
    #[inline]
    pub fn row(&self) -> u32 {
        self.row
    }

    /// Returns the column of the invocation's row in the grid. Only for kernels with tiles.
    #[must_use]
    #[inline]
    pub fn x(&self) -> u32 {
        self.x
    }

    /// Returns the line of the invocation's row in the grid. Only for kernels with tiles.
    #[must_use]
    #[inline]
    pub fn y(&self) -> u32 {
        self.y
    }

    /// Returns the invocation's own element as it is now.
    #[must_use]
    #[inline]
    pub fn own(&self) -> S {
        self.set.get(self.index as usize).copied().unwrap_or_else(S::zeroed)
    }

    /// Returns element `index` as the previous phase left it. An index past the size of the group gives zero and raises
    /// a fault.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn get(&self, index: u32) -> S {
        self.get_at(index, &At::caller())
    }

    /// Acts like [`Lane::get`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn get_at(&self, index: u32, at: &At) -> S {
        match self.before.get(index as usize) {
            Some(element) => *element,
            None => {
                fault::raise(FaultKind::ScratchOutOfRange, Operands::index(index, self.before.len()), at);
                S::zeroed()
            }
        }
    }

    /// Sets the invocation's own element. Others read it from the next phase on.
    #[inline]
    pub fn set(&mut self, element: S) {
        if let Some(own) = self.set.get_mut(self.index as usize) {
            *own = element;
            self.changed = true;
        }
    }
}
