//! Device memory: its holders, the validity of its contents, and its users.

mod accounts;
mod address;
mod room;
mod staging;

pub(crate) use accounts::Accounts;
pub use accounts::MemoryStatistics;
pub(crate) use address::ByAddress;
pub(crate) use room::Room;
pub(crate) use staging::StagingPool;
pub use staging::{Plain, Staging};

use crate::backend::{Allocation, Buffer, Read, Span, Write};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::queue::{Queue, Uses};
use imminent_ir::Layout;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State that all handles to a piece of device memory share: the memory, and the validity of its contents.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) device: Device,
    /// Description for error texts: "table of `Facility`".
    pub(crate) what: String,
    pub(crate) rows: u32,
    /// Columns of the grid that the rows form, if they form one.
    pub(crate) width: Option<u32>,
    /// Layout of the rows, for a table.
    pub(crate) layout: Option<&'static Layout>,
    /// `true` if the accounts list the memory by name: results are too many and too small.
    listed: bool,
    state: Mutex<State>,
    /// `true` if the state has a poison: every call asks, and nearly none finds one.
    poisoned: AtomicBool,
    /// `true` if a queue has cached a launch that uses the memory.
    remembered: AtomicBool,
    uses: Mutex<Uses>,
}

#[derive(Debug)]
struct State {
    buffer: Buffer,
    room: Room,
    bytes: u64,
    poison: Option<Arc<Error>>,
}

impl Memory {
    /// Allocates memory that the device's own queue clears.
    pub(crate) fn new(
        device: &Device,
        what: String,
        rows: u32,
        capacity: u32,
        allocation: &Allocation,
    ) -> Result<Arc<Memory>> {
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
    ) -> Result<Arc<Memory>> {
        Self::on(&device.queue(), what, (rows, width), capacity, allocation)
    }

    /// Allocates one row for a result, which the device's own queue clears. The accounts do not list it.
    pub(crate) fn result(device: &Device, allocation: &Allocation) -> Result<Arc<Memory>> {
        Self::made(&device.queue(), "result of a primitive".to_owned(), (1, None), 0, (allocation, false))
    }

    /// Allocates memory that a queue clears: rows, which may be a grid.
    pub(crate) fn on(
        queue: &Queue,
        what: String,
        shape: (u32, Option<u32>),
        capacity: u32,
        allocation: &Allocation,
    ) -> Result<Arc<Memory>> {
        let listed = !matches!(allocation, Allocation::Result { .. });
        Self::made(queue, what, shape, capacity, (allocation, listed))
    }

    fn made(
        queue: &Queue,
        what: String,
        (rows, width): (u32, Option<u32>),
        capacity: u32,
        (allocation, listed): (&Allocation, bool),
    ) -> Result<Arc<Memory>> {
        let device = queue.device();
        let (accounts, bytes) = (&device.shared().accounts, allocation.bytes());
        accounts.check(device, &what, bytes)?;
        let buffer =
            device.backend().allocate(queue.handle(), allocation).map_err(|error| accounts.explain(&what, error))?;
        let (layout, room) = match allocation {
            Allocation::Table { layout, .. } => (Some(*layout), Room::Even(capacity)),
            Allocation::Ragged { layout, room, .. } => (Some(*layout), Room::Ragged(room.clone())),
            _ => (None, Room::Even(capacity)),
        };
        let state = Mutex::new(State { buffer, room, bytes, poison: None });
        let (device_of, uses) = (device.clone(), Mutex::default());
        let (poisoned, remembered) = (AtomicBool::new(false), AtomicBool::new(false));
        let memory = Arc::new(Memory {
            device: device_of,
            what,
            rows,
            width,
            layout,
            listed,
            state,
            poisoned,
            remembered,
            uses,
        });
        accounts.add(Arc::as_ptr(&memory) as usize, listed.then_some(memory.what.as_str()), bytes);
        queue.state().allocated(&memory)?;
        memory.tell_room()?;
        Ok(memory)
    }

    /// Wraps another library's memory, which no account counts.
    pub(crate) fn adopted(
        device: &Device,
        layout: &'static Layout,
        rows: u32,
        capacity: u32,
        buffer: Buffer,
    ) -> Arc<Memory> {
        let (what, layout) = (format!("adopted table of `{}`", layout.name), Some(layout));
        let state = Mutex::new(State { buffer, room: Room::Even(capacity), bytes: 0, poison: None });
        let (device, poisoned, remembered) = (device.clone(), AtomicBool::new(false), AtomicBool::new(false));
        let (width, listed, uses) = (None, false, Mutex::default());
        let memory = Arc::new(Memory { device, what, rows, width, layout, listed, state, poisoned, remembered, uses });
        memory.device.shared().accounts.add(0, None, 0);
        memory
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn buffer(&self) -> Buffer {
        self.lock().buffer.clone()
    }

    /// Returns `true` if `buffer` is the memory's present buffer.
    pub(crate) fn is_in(&self, buffer: &Buffer) -> bool {
        self.lock().buffer.is(buffer)
    }

    /// Replaces an earlier buffer of the memory by the present one.
    pub(crate) fn renew(&self, buffer: &mut Buffer) {
        let state = self.lock();
        if !state.buffer.is(buffer) {
            *buffer = state.buffer.clone();
        }
    }

    /// Returns the number of elements in each lane array; for a ragged table, of the largest row.
    pub(crate) fn capacity(&self) -> u32 {
        self.lock().room.most()
    }

    pub(crate) fn room(&self) -> Room {
        self.lock().room.clone()
    }

    /// Exchanges buffers with a memory of the same shape.
    pub(crate) fn exchange(&self, buffer: Buffer) {
        self.lock().buffer = buffer;
        self.device.shared().moves();
    }

    /// Records that a queue has cached a launch that uses the memory.
    pub(crate) fn remember(&self) {
        self.remembered.store(true, Ordering::Release);
    }

    /// Makes queues drop the cached launches that use the memory, and with them its earlier buffers.
    pub(super) fn forget(&self) {
        if self.remembered.swap(false, Ordering::AcqRel) {
            self.device.shared().forget(std::ptr::from_ref(self) as usize);
        }
    }

    /// Returns `true` if the contents are valid.
    #[inline]
    pub(crate) fn is_valid(&self) -> bool {
        !self.poisoned.load(Ordering::Acquire)
    }

    pub(crate) fn poison(&self, cause: &Arc<Error>) {
        let mut state = self.lock();
        state.poison.get_or_insert_with(|| cause.clone());
        self.poisoned.store(true, Ordering::Release);
    }

    pub(crate) fn cure(&self) {
        if self.poisoned.load(Ordering::Acquire) {
            let mut state = self.lock();
            state.poison = None;
            self.poisoned.store(false, Ordering::Release);
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.is_valid() {
            return Ok(());
        }
        match &self.lock().poison {
            Some(cause) => Err(Error::Poisoned { what: self.what.clone(), cause: cause.clone() }),
            None => Ok(()),
        }
    }

    /// Raises the lane capacity to that of `allocation`.
    pub(crate) fn grow(self: &Arc<Self>, capacity: u32, allocation: &Allocation) -> Result<()> {
        let (queue, bytes) = (self.device.queue(), allocation.bytes());
        let accounts = &self.device.shared().accounts;
        // The old memory exists until the rows have been copied.
        accounts.check(&self.device, &self.what, bytes)?;
        let turn = queue.state().begin_filling([(self, true)].into_iter())?;
        let grown = self
            .device
            .backend()
            .grow(queue.handle(), &self.buffer(), capacity)
            .map_err(|error| accounts.explain(&self.what, error))?;
        drop(turn);
        let mut state = self.lock();
        (state.buffer, state.room) = (grown, Room::Even(capacity));
        accounts.change(Arc::as_ptr(self) as usize, state.bytes, bytes);
        state.bytes = bytes;
        drop(state);
        self.device.shared().moves();
        self.forget();
        Ok(())
    }

    pub(crate) fn read(self: &Arc<Self>, spans: &[Span], bytes: &mut [Vec<u8>]) -> Result<()> {
        self.check()?;
        let queue = self.device.queue();
        let turn = queue.state().begin([(self, false)].into_iter())?;
        let buffer = self.buffer();
        let mut reads: Vec<Read<'_>> =
            spans.iter().zip(bytes).map(|(span, bytes)| Read { buffer: &buffer, span: span.clone(), bytes }).collect();
        let read = self.device.backend().read(queue.handle(), &mut reads);
        queue.state().settle_waited(turn, read)?;
        self.check()
    }

    pub(crate) fn write(self: &Arc<Self>, spans: &[Span], bytes: &[Vec<u8>]) -> Result<()> {
        let queue = self.device.queue();
        let _turn = queue.state().begin_filling([(self, true)].into_iter())?;
        let buffer = self.buffer();
        let writes: Vec<Write<'_>> =
            spans.iter().zip(bytes).map(|(span, bytes)| Write { buffer: &buffer, span: span.clone(), bytes }).collect();
        self.device.backend().write(queue.handle(), &writes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.forget();
        let address = std::ptr::from_ref(self) as usize;
        let bytes = self.state.get_mut().unwrap_or_else(PoisonError::into_inner).bytes;
        self.device.shared().accounts.remove(address, self.listed, bytes);
    }
}
