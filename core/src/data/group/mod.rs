//! Groups of rows that run together, as a grouped kernel sees them.

mod each;
mod extent;
mod lane;
#[cfg(test)]
mod tests;

pub use each::{Each, Own, OwnRows};
pub use extent::Extent;
pub use lane::Lane;

use super::Data;
use crate::fault::{self, At};

/// A group of rows that share scratch: one element of type `S` for each of its invocations, zero at first.
///
/// A grouped kernel takes one, as `&mut Group<S>`. Its body runs once per group; [`Group::phase`] and the votes
/// [`Group::any`], [`Group::all`] and [`Group::count`] run a closure for every row of the group. In a phase an
/// invocation sets its own element and reads any as the previous phase left it.
///
/// The kernel function itself can be called from a test:
///
/// ```
/// use imminent_core::data::{Each, Extent, Group};
///
/// let mut rows = [3_u32, 1, 2];
/// let mut group = Group::<u32>::new(Extent::group(4, 0, 3));
/// let mut each = Each::of(&mut rows, group.extent());
/// group.phase(&each, |lane, row| lane.set(*row));
/// group.phase(&mut each, |lane, row| *row = lane.get(lane.index() + 1));
/// assert_eq!(rows, [1, 2, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Group<S: Data> {
    extent: Extent,
    lane: Lane<S>,
}

impl<S: Data> Group<S> {
    /// Creates a group with zeroed scratch.
    #[must_use]
    pub fn new(extent: Extent) -> Self {
        Group { extent, lane: Lane::zeroed(&extent) }
    }

    /// Reuses the memory for another group of the same shape; its scratch is zero again.
    pub fn enter(&mut self, extent: Extent) {
        self.extent = extent;
        self.lane.clear(&extent);
        fault::enter_row(extent.first_row());
    }

    /// Returns the rows of the group.
    #[must_use]
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Returns the number of the group in the launch.
    #[must_use]
    #[inline]
    pub fn index(&self) -> u32 {
        self.extent.index()
    }

    /// Returns the number of rows of this group: fewer than [`Group::size`] where the table or the grid ends inside it.
    #[must_use]
    #[inline]
    #[expect(clippy::len_without_is_empty, reason = "the kernel language has `len` alone; a group has a row")]
    pub fn len(&self) -> u32 {
        self.extent.len()
    }

    /// Returns the number of rows of a full group.
    #[must_use]
    #[inline]
    pub fn size(&self) -> u32 {
        self.extent.size()
    }

    /// Returns element `index` of the scratch as the last phase left it. An index past the size of the group gives zero
    /// and raises a fault.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn get(&self, index: u32) -> S {
        self.get_at(index, &At::caller())
    }

    /// Acts like [`Group::get`], with the source position that a fault reports.
    #[must_use]
    #[inline]
    pub fn get_at(&self, index: u32, at: &At) -> S {
        self.lane.get_at(index, at)
    }

    /// Runs `f` for every row of the group, with that row of each of the `own` tables.
    #[inline]
    pub fn phase<O: Own>(&mut self, mut own: O, mut f: impl for<'l> FnMut(&mut Lane<S>, <O as OwnRows<'l>>::Row)) {
        let extent = self.extent;
        for y in 0..extent.lines() {
            let mut line = own.line(y);
            for x in 0..extent.columns() {
                let Some(row) = O::next(&mut line) else { break };
                self.lane.enter(&extent, x, y);
                f(&mut self.lane, row);
            }
        }
        self.lane.publish();
        fault::enter_row(extent.first_row());
    }

    /// Runs a phase and returns `true` if `f` is true of any row.
    #[inline]
    pub fn any<O: Own>(
        &mut self,
        own: O,
        mut f: impl for<'l> FnMut(&mut Lane<S>, <O as OwnRows<'l>>::Row) -> bool,
    ) -> bool {
        let mut any = false;
        self.phase(own, |lane, row| any |= f(lane, row));
        any
    }

    /// Runs a phase and returns `true` if `f` is true of all rows.
    #[inline]
    pub fn all<O: Own>(
        &mut self,
        own: O,
        mut f: impl for<'l> FnMut(&mut Lane<S>, <O as OwnRows<'l>>::Row) -> bool,
    ) -> bool {
        let mut all = true;
        self.phase(own, |lane, row| all &= f(lane, row));
        all
    }

    /// Runs a phase and returns the number of rows of which `f` is true.
    #[inline]
    pub fn count<O: Own>(
        &mut self,
        own: O,
        mut f: impl for<'l> FnMut(&mut Lane<S>, <O as OwnRows<'l>>::Row) -> bool,
    ) -> u32 {
        let mut count = 0;
        self.phase(own, |lane, row| count += u32::from(f(lane, row)));
        count
    }
}
