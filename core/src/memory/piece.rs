//! A piece of memory.

use super::room::Room;
use super::shared::Shared;
use super::uses::Uses;
use crate::backend::Buffer;
use crate::error::{Error, Result};
use imminent_ir::Layout;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State that all handles to a piece of device memory share: the memory, and the validity of its contents.
#[derive(Debug)]
pub(crate) struct Memory {
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
    // Stands last: the buffer is dropped before the backend that it belongs to.
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct State {
    buffer: Buffer,
    room: Room,
    bytes: u64,
    poison: Option<Arc<Error>>,
}

/// Contents of a memory, as its user describes them.
pub(crate) struct Description {
    /// Description for error texts: "table of `Facility`".
    pub(crate) what: String,
    pub(crate) rows: u32,
    /// Columns of the grid that the rows form, if they form one.
    pub(crate) width: Option<u32>,
    /// Layout of the rows, for a table.
    pub(crate) layout: Option<&'static Layout>,
    pub(crate) room: Room,
    /// `true` if the accounts list the memory by name.
    pub(crate) listed: bool,
}

impl Memory {
    /// Returns `true` for a tally: neither a table nor a result.
    pub(crate) fn is_tally(&self) -> bool {
        self.layout.is_none() && self.listed
    }

    /// Takes over a buffer, of which the accounts count `bytes` bytes.
    pub(crate) fn new(shared: &Arc<Shared>, of: Description, buffer: Buffer, bytes: u64) -> Arc<Memory> {
        let Description { what, rows, width, layout, room, listed } = of;
        let memory = Arc::new(Memory {
            what,
            rows,
            width,
            layout,
            listed,
            state: Mutex::new(State { buffer, room, bytes, poison: None }),
            poisoned: AtomicBool::new(false),
            remembered: AtomicBool::new(false),
            uses: Mutex::default(),
            shared: shared.clone(),
        });
        let name = listed.then_some(memory.what.as_str());
        shared.accounts.add(Arc::as_ptr(&memory) as usize, name, bytes);
        memory
    }

    /// Returns `true` if the memory belongs to the device with this state.
    pub(crate) fn is_of(&self, shared: &Arc<Shared>) -> bool {
        Arc::ptr_eq(&self.shared, shared)
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

    /// Takes the buffer of a memory of the same shape, which takes another in turn.
    pub(crate) fn exchange(&self, buffer: Buffer) {
        self.lock().buffer = buffer;
        self.shared.moves();
    }

    /// Records that a queue has cached a launch that uses the memory.
    pub(crate) fn remember(&self) {
        self.remembered.store(true, Ordering::Release);
    }

    /// Makes queues drop the cached launches that use the memory, and with them its earlier buffers.
    fn forget(&self) {
        if self.remembered.swap(false, Ordering::AcqRel) {
            self.shared.forget(self.address());
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

    /// Takes a grown copy of the memory in its place, with room for `capacity` lanes in each row.
    pub(crate) fn grown(&self, buffer: Buffer, capacity: u32, bytes: u64) {
        let mut state = self.lock();
        (state.buffer, state.room) = (buffer, Room::Even(capacity));
        self.shared.accounts.change(self.address(), state.bytes, bytes);
        state.bytes = bytes;
        drop(state);
        self.has_moved();
    }

    /// Exchanges buffer and room with another memory of the same rows.
    pub(crate) fn exchange_with(&self, other: &Memory) {
        let (mut own, mut others) = (self.lock(), other.lock());
        let accounts = &self.shared.accounts;
        accounts.change(other.address(), others.bytes, own.bytes);
        accounts.change(self.address(), own.bytes, others.bytes);
        std::mem::swap(&mut own.buffer, &mut others.buffer);
        std::mem::swap(&mut own.room, &mut others.room);
        std::mem::swap(&mut own.bytes, &mut others.bytes);
        drop((own, others));
        self.has_moved();
    }

    fn has_moved(&self) {
        self.shared.moves();
        self.forget();
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Checks that a memory to be copied to this one, or exchanged with it, has the same room for lanes.
    pub(crate) fn same_room(&self, other: &Memory) -> Result<()> {
        let (own, others) = (self.room(), other.room());
        if own == others {
            return Ok(());
        }
        let reason = format!("it has {}, the other table {}: grow one of them", own.described(), others.described());
        Err(Error::invalid(&self.what, reason))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.forget();
        let bytes = self.state.get_mut().unwrap_or_else(PoisonError::into_inner).bytes;
        self.shared.accounts.remove(self.address(), self.listed, bytes);
    }
}
