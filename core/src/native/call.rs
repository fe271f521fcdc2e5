//! One call of a kernel's native entry over a range of rows.

use super::{ErasedTable, NativeTable};
use crate::data::{Data, Params, Row, Rows, Tally, TallyScalar};
use crate::fault;
use crate::reduce::{ArgMin, BLOCK, Reducible, ResultBits, arg_lesser, reduce_block};
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

/// One call of an entry: its bindings, its rows, and what it returned.
#[derive(Debug)]
pub struct Call<'a> {
    slots: &'a [Slot<'a>],
    rows: Range<u32>,
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
        Call { slots, rows, taken: 0, partials: Vec::new() }
    }

    /// The results of the call's blocks, in order: empty for a kernel that returns nothing.
    #[must_use]
    pub fn into_partials(self) -> Vec<ResultBits> {
        self.partials
    }

    fn slot(&self, slot: usize) -> Result<&'a Kind<'a>, NativeError> {
        self.slots.get(slot).map(|s| &s.0).ok_or(NativeError::Unavailable { slot })
    }

    /// The call's rows of a table bound as `&mut T`. Each binding can be taken once.
    ///
    /// # Errors
    /// [`NativeError`] when the binding is of another type, shorter than the call's range, or taken already.
    pub fn own_mut<R: Row>(&mut self, slot: usize) -> Result<&'a mut [R], NativeError> {
        let Kind::Exclusive { first, rows, of, .. } = self.slot(slot)? else {
            return Err(NativeError::Type { slot, expected: type_name::<R>() });
        };
        if *of != TypeId::of::<NativeTable<R>>() {
            return Err(NativeError::Type { slot, expected: type_name::<R>() });
        }
        let bit = 1u64.checked_shl(slot as u32).ok_or(NativeError::Unavailable { slot })?;
        if self.taken & bit != 0 || self.rows.end > *rows || self.rows.start > self.rows.end {
            return Err(NativeError::Unavailable { slot });
        }
        self.taken |= bit;
        let (start, len) = (self.rows.start as usize, self.rows.len());
        // SAFETY: the slot holds the first of `rows` rows of a `NativeTable<R>` (the type was compared) that is borrowed
        // mutably for 'a; start + len is at most `rows`; this call hands the range out once (`taken`), and by the
        // contract of `new` no other call shares a row of it.
        Ok(unsafe { std::slice::from_raw_parts_mut(first.cast::<R>().add(start), len) })
    }

    /// The call's rows of a table bound as `&T`.
    ///
    /// # Errors
    /// As for [`Call::own_mut`].
    pub fn own<R: Row>(&mut self, slot: usize) -> Result<&'a [R], NativeError> {
        let (start, end) = (self.rows.start as usize, self.rows.end as usize);
        self.native::<R>(slot)?.as_slice().get(start..end).ok_or(NativeError::Unavailable { slot })
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

    fn each(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        self.rows.clone().enumerate().inspect(|(_, row)| fault::enter_row(*row))
    }

    /// Runs a kernel that returns nothing: `f(position in the range, row)`.
    pub fn run(&mut self, mut f: impl FnMut(usize, u32)) {
        self.each().for_each(|(i, row)| f(i, row));
    }

    fn reduce<T: Copy>(
        &mut self,
        order_free: bool,
        mut f: impl FnMut(usize, u32) -> T,
        op: impl Fn(T, T) -> T,
        bits: impl Fn(T) -> ResultBits,
    ) {
        let mut values = self.each().map(|(i, row)| f(i, row));
        let mut partials = Vec::new();
        if order_free {
            partials.extend(values.reduce(op).map(bits));
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
