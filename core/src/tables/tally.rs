//! Tallies on a device.

use super::column::decode;
use super::condition::Condition;
use super::scalar::Output;
use super::table::checked_number;
use crate::backend::{Allocation, Comparison, Span};
use crate::data::{Data, Tally, TallyScalar};
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::limit::Limit;
use crate::native::ErasedTally;
use std::marker::PhantomData;
use std::sync::Arc;

/// Slots of integers on a device, which a kernel sees as [`Tally`]. The order in which rows contribute cannot be
/// observed, since every operation of a tally commutes: the contents of the slots are
/// [`Exact`](crate::Determinism::Exact).
#[derive(Debug)]
pub struct TallyTable<T: TallyScalar + Output> {
    pub(crate) memory: Storage,
    of: PhantomData<fn() -> T>,
}

impl<T: TallyScalar + Output> TallyTable<T> {
    /// Creates slots that hold `values`; at least one.
    ///
    /// # Errors
    /// [`Error::Invalid`] for no slots, [`Error::OutOfMemory`], errors of the driver.
    pub fn new(device: &Device, values: &[T]) -> Result<Self> {
        let (what, Some(scalar)) = (format!("tally of {}", std::any::type_name::<T>()), T::SCALAR) else {
            return Err(Error::invalid("tally", "its type is not a scalar"));
        };
        if values.is_empty() {
            return Err(Error::invalid(what, "it needs at least one slot"));
        }
        let slots = checked_number(values.len(), || Limit::Slots { of: format!("a {what}") })?;
        let native =
            |slots: u32| -> Box<dyn ErasedTally> { Box::new(Tally::new(&vec![<T as Data>::zeroed(); slots as usize])) };
        let allocation = Allocation::Tally { scalar, slots, native };
        let mut table = TallyTable { memory: Storage::new(device, what, slots, 0, &allocation)?, of: PhantomData };
        table.write(values)?;
        Ok(table)
    }

    /// Creates a tally over a memory of as many slots of this type.
    pub(crate) fn of_memory(memory: Storage) -> Self {
        TallyTable { memory, of: PhantomData }
    }

    /// Returns the number of slots.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "there is at least one slot")]
    pub fn len(&self) -> usize {
        self.memory.rows as usize
    }

    /// Returns all slots, after earlier work on the device's queue.
    ///
    /// # Errors
    /// [`Error::Poisoned`], errors of earlier work and of the driver.
    pub fn read(&self) -> Result<Vec<T>> {
        let span = self.span();
        let width = span.scalar.words() as usize * 4;
        let mut bytes = [vec![0; span.bytes()]];
        self.memory.read(&[span], &mut bytes)?;
        Ok(bytes[0].chunks_exact(width).map(decode).collect())
    }

    /// Replaces all slots.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another number of slots; errors of the driver.
    pub fn write(&mut self, values: &[T]) -> Result<()> {
        if values.len() != self.len() {
            let reason = format!("it has {} slots, {} values were given", self.len(), values.len());
            return Err(Error::invalid(&self.memory.what, reason));
        }
        let span = self.span();
        let width = span.scalar.words() as usize * 4;
        let bytes =
            values.iter().flat_map(|value| Data::leaf(value, 0).to_le_bytes().into_iter().take(width)).collect();
        self.memory.write(&[span], &[bytes])?;
        self.memory.overwritten();
        Ok(())
    }

    /// Sets every slot to `value`.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.write(&vec![value; self.len()])
    }

    fn span(&self) -> Span {
        let scalar = T::SCALAR.unwrap_or(imminent_ir::Scalar::U32);
        Span::column(None, 0, scalar, 0..self.memory.rows)
    }

    fn condition(&self, slot: u32, comparison: Comparison, constant: T) -> Condition {
        Condition::new(Some(Arc::clone(&self.memory)), (slot, 0), T::SCALAR, comparison, Data::leaf(&constant, 0))
    }

    /// Holds while slot `slot` is greater than `constant`.
    #[must_use]
    pub fn above(&self, slot: u32, constant: T) -> Condition {
        self.condition(slot, Comparison::Greater, constant)
    }

    /// Holds while slot `slot` is at least `constant`.
    #[must_use]
    pub fn at_least(&self, slot: u32, constant: T) -> Condition {
        self.condition(slot, Comparison::GreaterOrEqual, constant)
    }

    /// Holds while slot `slot` equals `constant`.
    #[must_use]
    pub fn equals(&self, slot: u32, constant: T) -> Condition {
        self.condition(slot, Comparison::Equal, constant)
    }
}
