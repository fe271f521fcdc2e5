//! One call of a kernel's native entry: over rows, the rows of a list, or groups.

use super::groups::{EachMut, EachRef, Groups};
use super::made::Native;
use super::slot::{Kind, Slot};
use super::table::NativeTable;
use crate::data::{Params, Row, Rows, Tally, TallyScalar};
use crate::reduce::ResultBits;
use imminent_ir::Shape;
use std::any::{TypeId, type_name};
use std::cell::Cell;
use std::ops::Range;

/// Native entry of a kernel: takes its resources from the call and runs the kernel function over the call's rows.
pub type Entry = for<'a> fn(&mut Call<'a>) -> Result<(), NativeError>;

/// A call whose bindings do not fit the kernel. It cannot arise from a typed launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NativeError {
    /// A binding has a different type than the kernel's parameter.
    #[error("binding {slot} is not a {expected}")]
    Type {
        /// Number of the binding.
        slot: usize,
        /// Type that the kernel expects.
        expected: &'static str,
    },
    /// A binding was asked for twice, does not exist, or is shorter than the launch.
    #[error("binding {slot} is missing, taken already, or has fewer rows than the launch")]
    Unavailable {
        /// Number of the binding.
        slot: usize,
    },
    /// A grouped kernel is called for rows.
    #[error("the kernel runs in groups and is called for rows")]
    Groups,
}

/// One call of an entry: its bindings, the rows or groups that it visits, and its results.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) slots: &'a [Slot<'a>],
    /// Rows of the tables of own rows that the call may hand out; for a list, from the least to the greatest.
    pub(super) rows: Range<u32>,
    /// The rows visited, if they are not all of `rows`.
    pub(super) list: Option<&'a [u32]>,
    /// The groups visited, of a grouped kernel.
    pub(super) groups: Option<Groups>,
    taken: u64,
    pub(super) partials: Vec<ResultBits>,
    /// The resource that was taken without being bound.
    missing: Cell<Option<Native>>,
}

impl<'a> Call<'a> {
    /// Creates a call over `rows`. If values are combined in order, as floats are, the start is a multiple of
    /// [`BLOCK`](crate::reduce::BLOCK).
    ///
    /// # Safety
    /// As long as a reference obtained from this call lives, no other call over the same slots may have a row in common
    /// with it. (Calls of one launch run over disjoint ranges; the slots' borrows exclude everything else.)
    #[must_use]
    pub unsafe fn new(slots: &'a [Slot<'a>], rows: Range<u32>) -> Self {
        Call { slots, rows, list: None, groups: None, taken: 0, partials: Vec::new(), missing: Cell::new(None) }
    }

    /// Creates a call over the rows of a list, a part of a launch's list; it starts as in [`Call::new`].
    ///
    /// # Safety
    /// As for [`Call::new`], and no number may occur twice in the list.
    #[must_use]
    pub unsafe fn listed(slots: &'a [Slot<'a>], list: &'a [u32]) -> Self {
        let end = list.iter().max().map_or(0, |last| last.saturating_add(1));
        Call {
            slots,
            rows: 0..end,
            list: Some(list),
            groups: None,
            taken: 0,
            partials: Vec::new(),
            missing: Cell::new(None),
        }
    }

    /// Creates a call over groups of a launch over `rows` rows, a grid of `width` columns if the shape has tiles.
    /// Returns `None` if the groups are not whole bands (see [`band`](super::band)).
    ///
    /// # Safety
    /// As for [`Call::new`], for the rows of the groups and for the rows that belong to a group as a whole.
    #[must_use]
    pub unsafe fn grouped(
        slots: &'a [Slot<'a>],
        shape: Shape,
        numbers: Range<u32>,
        rows: u32,
        width: u32,
    ) -> Option<Self> {
        let groups = Groups { shape, numbers, rows, width };
        let rows = groups.covered()?;
        Some(Call {
            slots,
            rows,
            list: None,
            groups: Some(groups),
            taken: 0,
            partials: Vec::new(),
            missing: Cell::new(None),
        })
    }

    /// Returns the results of the call's blocks, in order, or of each of its groups if their order can be observed.
    /// Empty for a kernel that returns nothing.
    #[must_use]
    pub fn into_partials(self) -> Vec<ResultBits> {
        self.partials
    }

    /// Returns `true` if the call visits a list, so that own rows are taken with [`Call::listed_mut`] and
    /// [`Call::listed_ref`].
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    /// Returns the resource that was taken without being bound.
    pub(super) fn missing(&self) -> Option<Native> {
        self.missing.get()
    }

    fn slot(&self, slot: usize, native: impl Fn() -> Native) -> Result<&'a Kind<'a>, NativeError> {
        self.slots.get(slot).map(|s| &s.0).ok_or_else(|| {
            self.missing.set(Some(native()));
            NativeError::Unavailable { slot }
        })
    }

    /// Returns the first row of a mutable table and its number of rows, if it has all of `wanted` and was not taken
    /// yet.
    pub(super) fn take<R: Row>(&mut self, slot: usize, wanted: &Range<u32>) -> Result<(*mut R, u32), NativeError> {
        let Kind::Exclusive { first, rows, of, .. } = self.slot(slot, || Native::table::<R>(true))? else {
            return Err(NativeError::Type { slot, expected: type_name::<R>() });
        };
        if *of != TypeId::of::<NativeTable<R>>() {
            return Err(NativeError::Type { slot, expected: type_name::<R>() });
        }
        let bit = 1u64.checked_shl(slot as u32).ok_or(NativeError::Unavailable { slot })?;
        if self.taken & bit != 0 || wanted.end > *rows || wanted.start > wanted.end {
            return Err(NativeError::Unavailable { slot });
        }
        self.taken |= bit;
        Ok((first.cast::<R>(), *rows))
    }

    fn range_mut<R: Row>(&mut self, slot: usize, rows: Range<u32>) -> Result<&'a mut [R], NativeError> {
        let (first, _) = self.take::<R>(slot, &rows)?;
        // SAFETY: the slot holds the first row of a `NativeTable<R>` (`take` compared the type) that is borrowed
        // mutably for 'a; the range lies inside its rows; this call hands the slot out once, and by the contract of the
        // constructors, which chose the range, no other call shares a row of it.
        Ok(unsafe { std::slice::from_raw_parts_mut(first.add(rows.start as usize), rows.len()) })
    }

    fn range<R: Row>(&self, slot: usize, rows: &Range<u32>) -> Result<&'a [R], NativeError> {
        let (start, end) = (rows.start as usize, rows.end as usize);
        self.native::<R>(slot)?.as_slice().get(start..end).ok_or(NativeError::Unavailable { slot })
    }

    /// Returns the call's rows of a table bound as `&mut T`. Each binding can be taken once.
    ///
    /// # Errors
    /// [`NativeError`] if the binding has another type, is shorter than the call's range, or was already taken.
    pub fn own_mut<R: Row>(&mut self, slot: usize) -> Result<&'a mut [R], NativeError> {
        if self.is_listed() {
            return Err(NativeError::Unavailable { slot });
        }
        self.range_mut(slot, self.rows.clone())
    }

    /// Returns the call's rows of a table bound as `&T`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn own<R: Row>(&mut self, slot: usize) -> Result<&'a [R], NativeError> {
        self.range(slot, &self.rows)
    }

    /// Acts like [`Call::own_mut`] for a list: one row for each number in it.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn listed_mut<R: Row>(&mut self, slot: usize) -> Result<Vec<&'a mut R>, NativeError> {
        let list = self.list.ok_or(NativeError::Unavailable { slot })?;
        let (first, _) = self.take::<R>(slot, &self.rows.clone())?;
        // SAFETY: as in `range_mut`. `rows` ends after the greatest number of the list. By the contract of `listed` no
        // number occurs twice, so no two of the references are to one row.
        Ok(list.iter().map(|row| unsafe { &mut *first.add(*row as usize) }).collect())
    }

    /// Acts like [`Call::own`] for a list: one row for each number in it.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn listed_ref<R: Row>(&mut self, slot: usize) -> Result<Vec<&'a R>, NativeError> {
        let list = self.list.ok_or(NativeError::Unavailable { slot })?;
        let rows = self.native::<R>(slot)?.as_slice();
        list.iter().map(|row| rows.get(*row as usize).ok_or(NativeError::Unavailable { slot })).collect()
    }

    /// Returns the call's rows of a table bound as `&mut Each<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn each_mut<R: Row>(&mut self, slot: usize) -> Result<EachMut<'a, R>, NativeError> {
        Ok(EachMut { start: self.rows.start, rows: self.range_mut(slot, self.rows.clone())? })
    }

    /// Returns the call's rows of a table bound as `&Each<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn each<R: Row>(&mut self, slot: usize) -> Result<EachRef<'a, R>, NativeError> {
        Ok(EachRef { start: self.rows.start, rows: self.range(slot, &self.rows)? })
    }

    /// Returns the rows of the call's groups, of a table bound as `&mut T` to a grouped kernel.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn group_mut<R: Row>(&mut self, slot: usize) -> Result<&'a mut [R], NativeError> {
        let numbers = self.groups()?.numbers;
        self.range_mut(slot, numbers)
    }

    /// Returns the rows of the call's groups, of a table bound as `&T` to a grouped kernel.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn group_ref<R: Row>(&mut self, slot: usize) -> Result<&'a [R], NativeError> {
        self.range(slot, &self.groups()?.numbers)
    }

    /// Returns the groups that the call visits, for a grouped kernel.
    ///
    /// # Errors
    /// [`NativeError::Groups`] if it visits rows.
    pub fn groups(&self) -> Result<Groups, NativeError> {
        self.groups.clone().ok_or(NativeError::Groups)
    }

    /// Returns the whole of a table bound as `&Rows<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn rows<R: Row>(&mut self, slot: usize) -> Result<&'a Rows<R>, NativeError> {
        Rows::from_slice_with_zero(self.native::<R>(slot)?.as_slice_with_zero())
            .ok_or(NativeError::Unavailable { slot })
    }

    /// Returns a tally.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn tally<T: TallyScalar>(&mut self, slot: usize) -> Result<&'a Tally<T>, NativeError> {
        self.value::<Tally<T>>(slot, Native::tally::<T>)
    }

    /// Returns a parameter block.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn params<P: Params>(&mut self, slot: usize) -> Result<&'a P, NativeError> {
        self.value::<P>(slot, Native::params::<P>)
    }

    pub(super) fn native<R: Row>(&self, slot: usize) -> Result<&'a NativeTable<R>, NativeError> {
        match self.slot(slot, || Native::table::<R>(false))? {
            Kind::Shared(table) => table.as_any().downcast_ref(),
            _ => None,
        }
        .ok_or(NativeError::Type { slot, expected: type_name::<R>() })
    }

    fn value<T: 'static>(&self, slot: usize, native: impl Fn() -> Native) -> Result<&'a T, NativeError> {
        match self.slot(slot, native)? {
            Kind::Value(value) => value.downcast_ref(),
            _ => None,
        }
        .ok_or(NativeError::Type { slot, expected: type_name::<T>() })
    }
}
