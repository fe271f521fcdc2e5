//! Memory with the device whose own queue clears, fills and reads it.

use super::{Device, Queue};
use crate::backend::{Allocation, Buffer, Read, Shape, Span, Write};
use crate::error::Result;
use crate::memory::{Description, Memory, Room};
use imminent_ir::{Layout, Scalar};
use std::ops::Deref;
use std::sync::Arc;

/// A memory, and the device whose own queue clears, fills and reads it.
#[derive(Clone, Debug)]
pub(crate) struct Storage {
    // Stands before `memory`: a device's queue waits for its work before the memory that it uses is dropped.
    device: Device,
    memory: Arc<Memory>,
}

impl Deref for Storage {
    type Target = Arc<Memory>;

    fn deref(&self) -> &Arc<Memory> {
        &self.memory
    }
}

impl Storage {
    /// Allocates memory that the device's own queue clears.
    pub(crate) fn new(
        device: &Device,
        what: String,
        rows: u32,
        capacity: u32,
        allocation: &Allocation,
    ) -> Result<Storage> {
        Self::on(&device.queue(), what, (rows, None), capacity, allocation)
    }

    /// Allocates rows that may be a grid of `width` columns.
    pub(crate) fn grid(
        device: &Device,
        what: String,
        rows: u32,
        width: Option<u32>,
        capacity: u32,
        allocation: &Allocation,
    ) -> Result<Storage> {
        Self::on(&device.queue(), what, (rows, width), capacity, allocation)
    }

    /// Allocates one row for a result, which the device's own queue clears. The accounts do not list it.
    pub(crate) fn result(device: &Device, allocation: &Allocation) -> Result<Storage> {
        Self::made(&device.queue(), "result of a primitive".to_owned(), (1, None), 0, (allocation, false))
    }

    /// Allocates memory that a queue clears: rows, which may be a grid.
    pub(crate) fn on(
        queue: &Queue,
        what: String,
        shape: (u32, Option<u32>),
        capacity: u32,
        allocation: &Allocation,
    ) -> Result<Storage> {
        let listed = !matches!(allocation, Allocation::Result { .. });
        Self::made(queue, what, shape, capacity, (allocation, listed))
    }

    fn made(
        queue: &Queue,
        what: String,
        (rows, width): (u32, Option<u32>),
        capacity: u32,
        (allocation, listed): (&Allocation, bool),
    ) -> Result<Storage> {
        let device = queue.device();
        let (accounts, bytes) = (&device.shared().accounts, allocation.bytes());
        accounts.check(device.info(), &what, bytes)?;
        let buffer =
            device.backend().allocate(queue.handle(), allocation).map_err(|error| accounts.explain(&what, error))?;
        let (layout, room) = match allocation {
            Allocation::Table { layout, .. } => (Some(*layout), Room::Even(capacity)),
            Allocation::Ragged { layout, room, .. } => (Some(*layout), Room::Ragged(room.clone())),
            _ => (None, Room::Even(capacity)),
        };
        let of = Description { what, rows, width, layout, room, listed };
        let storage = Storage { device: device.clone(), memory: Memory::new(device.shared(), of, buffer, bytes) };
        queue.state().allocated(&storage)?;
        storage.write_room()?;
        Ok(storage)
    }

    /// Wraps another library's memory, which no account counts.
    pub(crate) fn adopted(
        device: &Device,
        layout: &'static Layout,
        rows: u32,
        capacity: u32,
        buffer: Buffer,
    ) -> Storage {
        let (what, room) = (format!("adopted table of `{}`", layout.name), Room::Even(capacity));
        let of = Description { what, rows, width: None, layout: Some(layout), room, listed: false };
        Storage { device: device.clone(), memory: Memory::new(device.shared(), of, buffer, 0) }
    }

    /// Returns a memory of the device together with it.
    pub(crate) fn of(device: &Device, memory: &Arc<Memory>) -> Storage {
        Storage { device: device.clone(), memory: memory.clone() }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Raises the lane capacity to that of `allocation`.
    pub(crate) fn grow(&self, capacity: u32, allocation: &Allocation) -> Result<()> {
        let (queue, bytes) = (self.device.queue(), allocation.bytes());
        let accounts = &self.device.shared().accounts;
        // The old memory exists until the rows have been copied.
        accounts.check(self.device.info(), &self.what, bytes)?;
        let turn = queue.state().begin_filling([(&self.memory, true)].into_iter())?;
        let grown = self
            .device
            .backend()
            .grow(queue.handle(), &self.buffer(), capacity)
            .map_err(|error| accounts.explain(&self.what, error))?;
        drop(turn);
        self.grown(grown, capacity, bytes);
        Ok(())
    }

    /// Reads columns, after earlier work on the device's own queue.
    pub(crate) fn read(&self, spans: &[Span], bytes: &mut [Vec<u8>]) -> Result<()> {
        let queue = self.device.queue();
        queue.state().undeferred(self.check())?;
        let turn = queue.state().begin([(&self.memory, false)].into_iter())?;
        let buffer = self.buffer();
        let mut reads: Vec<Read<'_>> =
            spans.iter().zip(bytes).map(|(span, bytes)| Read { buffer: &buffer, span: span.clone(), bytes }).collect();
        let mut read = || self.device.backend().read(queue.handle(), &mut reads);
        queue.state().using(|| self.check(), || queue.state().settle_waited(turn.number(), read()))
    }

    /// Records that values of the host have replaced all contents: no work before, failed or not, counts any more.
    pub(crate) fn overwritten(&self) {
        self.device.queue().state().overwritten(&self.memory);
        self.cure();
    }

    /// Writes columns, after earlier work on the device's own queue.
    pub(crate) fn write(&self, spans: &[Span], bytes: &[Vec<u8>]) -> Result<()> {
        let queue = self.device.queue();
        let _turn = queue.state().begin_filling([(&self.memory, true)].into_iter())?;
        let buffer = self.buffer();
        let writes: Vec<Write<'_>> =
            spans.iter().zip(bytes).map(|(span, bytes)| Write { buffer: &buffer, span: span.clone(), bytes }).collect();
        self.device.backend().write(queue.handle(), &writes)
    }

    /// Writes the position of each row's places, for the kernels of devices that store words. Only ragged tables have
    /// such words.
    pub(crate) fn write_room(&self) -> Result<()> {
        let (Room::Ragged(room), Some(layout)) = (self.room(), self.layout) else { return Ok(()) };
        if self.device.capabilities().native_rows || room.rows() == 0 {
            return Ok(());
        }
        let span = |word| Span::column(None, word, Scalar::U32, 0..room.rows());
        let before = Shape::columns_before_pool(layout);
        let starts = room.starts().iter().flat_map(|start| start.to_le_bytes()).collect();
        let capacities = room.capacities().flat_map(u32::to_le_bytes).collect();
        self.write(&[span(before - 2), span(before - 1)], &[starts, capacities])
    }

    /// Exchanges buffer and room with another memory of the same rows, which is then dropped. Work of the device's own
    /// queue has filled the other.
    pub(crate) fn take_over(&self, other: &Arc<Memory>) -> Result<()> {
        // The next user of this memory comes after the work that filled the other.
        drop(self.device.queue().state().begin([(&self.memory, true), (other, true)].into_iter())?);
        self.exchange_with(other);
        Ok(())
    }
}
