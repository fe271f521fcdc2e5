//! Type-erased bindings of a call.

use super::erased::ErasedTable;
use std::any::{Any, TypeId};
use std::marker::PhantomData;

/// A resource bound to a launch.
#[derive(Debug)]
pub struct Slot<'a>(pub(super) Kind<'a>);

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Exclusive { first: *mut u8, rows: u32, of: TypeId, borrow: PhantomData<&'a mut ()> },
    Shared(&'a dyn ErasedTable),
    Value(&'a (dyn Any + Send + Sync)),
}

// SAFETY: an exclusive slot stands for a `&mut` of a `Send + Sync` table, whose rows `Call` hands out only in disjoint
// ranges (the contract of `Call::new`). The other kinds are references to `Sync` values.
unsafe impl Send for Slot<'_> {}
// SAFETY: as above.
unsafe impl Sync for Slot<'_> {}

impl<'a> Slot<'a> {
    /// Binds a table in which every invocation may change its own row.
    #[must_use]
    pub fn exclusive(table: &'a mut dyn ErasedTable) -> Self {
        let of = table.as_any().type_id();
        Slot(Kind::Exclusive { rows: table.rows(), first: table.first_row(), of, borrow: PhantomData })
    }

    /// Binds a table that is only read.
    #[must_use]
    pub fn shared(table: &'a dyn ErasedTable) -> Self {
        Slot(Kind::Shared(table))
    }

    /// Binds a [`Tally`](crate::data::Tally) or a parameter block.
    #[must_use]
    pub fn value(value: &'a (dyn Any + Send + Sync)) -> Self {
        Slot(Kind::Value(value))
    }
}
