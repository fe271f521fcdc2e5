//! One call of a kernel's native entry over a range of rows.

use super::groups::{EachMut, EachRef, Groups};
use super::{ErasedTable, NativeTable};
use crate::data::{Data, Params, Row, Rows, Tally, TallyScalar};
use crate::fault;
use crate::reduce::{ArgMin, BLOCK, Reducible, ResultBits, arg_lesser, reduce_block};
use imminent_ir::Shape;
use std::any::{Any, TypeId, type_name};
use std::marker::PhantomData;
use std::ops::Range;

/// The native entry of a kernel: takes its resources from the call and runs the kernel function over the call's rows.
pub type Entry = for<'a> fn(&mut Call<'a>) -> Result<(), NativeError>;

/// A call whose bindings do not fit the kernel. It cannot arise from a typed launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NativeError {
    /// A binding has another type than the kernel's parameter.
    #[error("binding {slot} is not a {expected}")]
    Type {
        /// Number of the binding.
        slot: usize,
        /// The type that the kernel wants.
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

/// A resource bound to a launch.
#[derive(Debug)]
pub struct Slot<'a>(Kind<'a>);

#[derive(Debug)]
enum Kind<'a> {
    Exclusive { first: *mut u8, rows: u32, of: TypeId, borrow: PhantomData<&'a mut ()> },
    Shared(&'a dyn ErasedTable),
    Value(&'a (dyn Any + Send + Sync)),
}

// SAFETY: an exclusive slot stands for a `&mut` of a `Send + Sync` table, whose rows `Call` hands out in disjoint ranges
// only (the contract of `Call::new`); the other kinds are references to `Sync` values.
unsafe impl Send for Slot<'_> {}
// SAFETY: as above.
unsafe impl Sync for Slot<'_> {}

impl<'a> Slot<'a> {
    /// A table of which every invocation may change its own row.
    #[must_use]
    pub fn exclusive(table: &'a mut dyn ErasedTable) -> Self {
        let of = table.as_any().type_id();
        Slot(Kind::Exclusive { rows: table.rows(), first: table.first_row(), of, borrow: PhantomData })
    }

    /// A table that is only read.
    #[must_use]
    pub fn shared(table: &'a dyn ErasedTable) -> Self {
        Slot(Kind::Shared(table))
    }

    /// A [`Tally`] or a parameter block.
    #[must_use]
    pub fn value(value: &'a (dyn Any + Send + Sync)) -> Self {
        Slot(Kind::Value(value))
    }
}

/// One call of an entry: its bindings, what it visits, and what it returned.
#[derive(Debug)]
pub struct Call<'a> {
    slots: &'a [Slot<'a>],
    /// The rows whose own rows the call may hand out; of a list, from the least to the greatest.
    rows: Range<u32>,
    /// The rows visited, if they are not all of `rows`.
    list: Option<&'a [u32]>,
    /// The groups visited, of a grouped kernel.
    groups: Option<Groups>,
    taken: u64,
    partials: Vec<ResultBits>,
}

impl<'a> Call<'a> {
    /// A call over `rows`; their start is a multiple of [`BLOCK`].
    ///
    /// # Safety
    /// As long as a reference obtained from this call lives, no other call over the same slots may have a row in
    /// common with it. (Calls of one launch run over disjoint ranges; the slots' borrows exclude everything else.)
    #[must_use]
    pub unsafe fn new(slots: &'a [Slot<'a>], rows: Range<u32>) -> Self {
        Call { slots, rows, list: None, groups: None, taken: 0, partials: Vec::new() }
    }

    /// A call over the rows of a list, a part of a launch's list that starts at a multiple of [`BLOCK`].
    ///
    /// # Safety
    /// As for [`Call::new`], and no number may occur twice in the list.
    #[must_use]
    pub unsafe fn listed(slots: &'a [Slot<'a>], list: &'a [u32]) -> Self {
        let end = list.iter().max().map_or(0, |last| last.saturating_add(1));
        Call { slots, rows: 0..end, list: Some(list), groups: None, taken: 0, partials: Vec::new() }
    }

    /// A call over groups of a launch over `rows` rows, a grid of `width` columns if the shape has tiles. The groups are
    /// whole bands (see [`band`](super::band)); `None` if they are not.
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
        Some(Call { slots, rows, list: None, groups: Some(groups), taken: 0, partials: Vec::new() })
    }

    /// The results of the call's blocks, in order, or of each of its groups where their order can be observed: empty for a
    /// kernel that returns nothing.
    #[must_use]
    pub fn into_partials(self) -> Vec<ResultBits> {
        self.partials
    }

    /// Whether the call visits a list, so that own rows are taken with [`Call::listed_mut`] and [`Call::listed_ref`].
    #[must_use]
    pub const fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    fn slot(&self, slot: usize) -> Result<&'a Kind<'a>, NativeError> {
        self.slots.get(slot).map(|s| &s.0).ok_or(NativeError::Unavailable { slot })
    }

    /// The first row of a table bound to be changed, if it has all of `rows` and was not taken yet.
    fn take<R: Row>(&mut self, slot: usize, wanted: &Range<u32>) -> Result<*mut R, NativeError> {
        let Kind::Exclusive { first, rows, of, .. } = self.slot(slot)? else {
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
        Ok(first.cast::<R>())
    }

    fn range_mut<R: Row>(&mut self, slot: usize, rows: Range<u32>) -> Result<&'a mut [R], NativeError> {
        let first = self.take::<R>(slot, &rows)?;
        // SAFETY: the slot holds the first row of a `NativeTable<R>` (`take` compared the type) that is borrowed mutably
        // for 'a; the range lies inside its rows; this call hands the slot out once, and by the contract of the
        // constructors, which chose the range, no other call shares a row of it.
        Ok(unsafe { std::slice::from_raw_parts_mut(first.add(rows.start as usize), rows.len()) })
    }

    fn range<R: Row>(&self, slot: usize, rows: &Range<u32>) -> Result<&'a [R], NativeError> {
        let (start, end) = (rows.start as usize, rows.end as usize);
        self.native::<R>(slot)?.as_slice().get(start..end).ok_or(NativeError::Unavailable { slot })
    }

    /// The call's rows of a table bound as `&mut T`. Each binding can be taken once.
    ///
    /// # Errors
    /// [`NativeError`] when the binding is of another type, shorter than the call's range, or taken already.
    pub fn own_mut<R: Row>(&mut self, slot: usize) -> Result<&'a mut [R], NativeError> {
        if self.is_listed() {
            return Err(NativeError::Unavailable { slot });
        }
        self.range_mut(slot, self.rows.clone())
    }

    /// The call's rows of a table bound as `&T`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn own<R: Row>(&mut self, slot: usize) -> Result<&'a [R], NativeError> {
        self.range(slot, &self.rows)
    }

    /// [`Call::own_mut`] of a list: one row for each number in it.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn listed_mut<R: Row>(&mut self, slot: usize) -> Result<Vec<&'a mut R>, NativeError> {
        let list = self.list.ok_or(NativeError::Unavailable { slot })?;
        let first = self.take::<R>(slot, &self.rows.clone())?;
        // SAFETY: as in `range_mut`; `rows` ends after the greatest number of the list, and by the contract of `listed` no
        // number occurs twice, so no two of the references are to one row.
        Ok(list.iter().map(|row| unsafe { &mut *first.add(*row as usize) }).collect())
    }

    /// [`Call::own`] of a list: one row for each number in it.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn listed_ref<R: Row>(&mut self, slot: usize) -> Result<Vec<&'a R>, NativeError> {
        let list = self.list.ok_or(NativeError::Unavailable { slot })?;
        let rows = self.native::<R>(slot)?.as_slice();
        list.iter().map(|row| rows.get(*row as usize).ok_or(NativeError::Unavailable { slot })).collect()
    }

    /// The call's rows of a table bound as `&mut Each<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn each_mut<R: Row>(&mut self, slot: usize) -> Result<EachMut<'a, R>, NativeError> {
        Ok(EachMut { start: self.rows.start, rows: self.range_mut(slot, self.rows.clone())? })
    }

    /// The call's rows of a table bound as `&Each<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn each<R: Row>(&mut self, slot: usize) -> Result<EachRef<'a, R>, NativeError> {
        Ok(EachRef { start: self.rows.start, rows: self.range(slot, &self.rows)? })
    }

    /// The rows of the call's groups, of a table bound as `&mut T` to a grouped kernel.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn group_mut<R: Row>(&mut self, slot: usize) -> Result<&'a mut [R], NativeError> {
        let numbers = self.groups()?.numbers;
        self.range_mut(slot, numbers)
    }

    /// The rows of the call's groups, of a table bound as `&T` to a grouped kernel.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn group_ref<R: Row>(&mut self, slot: usize) -> Result<&'a [R], NativeError> {
        self.range(slot, &self.groups()?.numbers)
    }

    /// The groups that the call visits, of a grouped kernel.
    ///
    /// # Errors
    /// [`NativeError::Groups`] when it visits rows.
    pub fn groups(&self) -> Result<Groups, NativeError> {
        self.groups.clone().ok_or(NativeError::Groups)
    }

    /// The whole of a table bound as `&Rows<T>`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn rows<R: Row>(&mut self, slot: usize) -> Result<&'a Rows<R>, NativeError> {
        Rows::from_slice_with_zero(self.native::<R>(slot)?.as_slice_with_zero())
            .ok_or(NativeError::Unavailable { slot })
    }

    /// A tally.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn tally<T: TallyScalar>(&mut self, slot: usize) -> Result<&'a Tally<T>, NativeError> {
        self.value::<Tally<T>>(slot)
    }

    /// A parameter block.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn params<P: Params>(&mut self, slot: usize) -> Result<&'a P, NativeError> {
        self.value::<P>(slot)
    }

    fn native<R: Row>(&self, slot: usize) -> Result<&'a NativeTable<R>, NativeError> {
        match self.slot(slot)? {
            Kind::Shared(table) => table.as_any().downcast_ref(),
            _ => None,
        }
        .ok_or(NativeError::Type { slot, expected: type_name::<R>() })
    }

    fn value<T: 'static>(&self, slot: usize) -> Result<&'a T, NativeError> {
        match self.slot(slot)? {
            Kind::Value(value) => value.downcast_ref(),
            _ => None,
        }
        .ok_or(NativeError::Type { slot, expected: type_name::<T>() })
    }

    /// Position and number of every row or group visited, in order. A row is entered for faults; a group enters its own.
    fn visited(&self) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let list = self.list;
        let numbers = self.groups.as_ref().map_or_else(|| self.rows.clone(), |groups| groups.numbers.clone());
        let count = list.map_or(numbers.len(), <[u32]>::len);
        (0..count).map(move |position| {
            let number = match list {
                Some(list) => list.get(position).copied().unwrap_or_default(),
                None => numbers.start + position as u32,
            };
            fault::enter_row(number);
            (position, number)
        })
    }

    /// Runs a kernel that returns nothing: `f(position in the call, number of the row or group)`.
    pub fn run(&mut self, mut f: impl FnMut(usize, u32)) {
        self.visited().for_each(|(i, number)| f(i, number));
    }

    fn reduce<T: Copy>(
        &mut self,
        order_free: bool,
        mut f: impl FnMut(usize, u32) -> T,
        op: impl Fn(T, T) -> T,
        bits: impl Fn(T) -> ResultBits,
    ) {
        let mut values = self.visited().map(|(i, number)| f(i, number));
        let mut partials = Vec::new();
        if order_free {
            partials.extend(values.reduce(op).map(bits));
        } else if self.groups.is_some() {
            // Calls are cut at bands of tiles rather than at blocks of groups.
            partials.extend(values.map(bits));
        } else {
            let mut block = Vec::with_capacity(BLOCK);
            loop {
                block.clear();
                block.extend(values.by_ref().take(BLOCK));
                let Some(value) = reduce_block(&mut block, &op) else { break };
                partials.push(bits(value));
            }
        }
        self.partials = partials;
    }

    /// Runs a kernel with `reduce = min`.
    pub fn reduce_min<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::lesser, plain);
    }

    /// Runs a kernel with `reduce = max`.
    pub fn reduce_max<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::greater, plain);
    }

    /// Runs a kernel with `reduce = sum`.
    pub fn reduce_sum<T: Reducible>(&mut self, f: impl FnMut(usize, u32) -> T) {
        self.reduce(T::ORDER_FREE, f, T::plus, plain);
    }

    /// Runs a kernel with `reduce = count`.
    pub fn reduce_count(&mut self, mut f: impl FnMut(usize, u32) -> bool) {
        self.reduce(true, |i, row| u32::from(f(i, row)), u32::wrapping_add, plain);
    }

    /// Runs a kernel with `reduce = any`.
    pub fn reduce_any(&mut self, f: impl FnMut(usize, u32) -> bool) {
        self.reduce(true, f, |a, b| a | b, plain);
    }

    /// Runs a kernel with `reduce = argmin`.
    pub fn reduce_arg_min<T: Reducible>(&mut self, mut f: impl FnMut(usize, u32) -> T) {
        self.reduce(
            true,
            |i, row| ArgMin { value: f(i, row), row },
            arg_lesser,
            |least| ResultBits { value: least.value.leaf(0), row: least.row },
        );
    }
}

fn plain<T: Data>(value: T) -> ResultBits {
    ResultBits { value: value.leaf(0), row: 0 }
}
