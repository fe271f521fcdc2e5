//! Room of a memory's rows for lanes.

use super::Memory;
use crate::backend::{Ragged, Shape, Span};
use crate::error::{Error, Result};
use imminent_ir::Scalar;
use std::sync::Arc;

/// Room for the elements of lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Equal room in every row.
    Even(u32),
    /// Individual room for each row.
    Ragged(Ragged),
}

impl Room {
    /// Returns the number of elements in each lane array of the largest row.
    pub(crate) fn most(&self) -> u32 {
        match self {
            Room::Even(capacity) => *capacity,
            Room::Ragged(room) => room.most(),
        }
    }

    /// Returns the number of elements in each lane array of a row.
    pub(crate) fn of(&self, row: u32) -> u32 {
        match self {
            Room::Even(capacity) => *capacity,
            Room::Ragged(room) => room.of(row).len() as u32,
        }
    }

    /// Returns a description for error texts: "5 lanes", or "12 lanes in all".
    pub(crate) fn told(&self) -> String {
        match self {
            Room::Even(capacity) => format!("{capacity} lanes"),
            Room::Ragged(room) => format!("{} lanes in all, shared out in their own way", room.places()),
        }
    }
}

impl Memory {
    /// Writes the position of each row's places, for the kernels of devices that store words. Only ragged tables have
    /// such words.
    pub(crate) fn tell_room(self: &Arc<Self>) -> Result<()> {
        let (Room::Ragged(room), Some(layout)) = (self.room(), self.layout) else { return Ok(()) };
        if self.device.capabilities().native_rows || room.rows() == 0 {
            return Ok(());
        }
        let span = |word| Span { lane: None, word, scalar: Scalar::U32, rows: 0..room.rows() };
        let before = Shape::columns_before_pool(layout);
        let starts = room.starts().iter().flat_map(|start| start.to_le_bytes()).collect();
        let capacities = room.capacities().flat_map(u32::to_le_bytes).collect();
        self.write(&[span(before - 2), span(before - 1)], &[starts, capacities])
    }

    /// Exchanges buffer and room with another memory of the same rows, which is then dropped. Work of the device's own
    /// queue has filled the other.
    pub(crate) fn take_over(self: &Arc<Self>, other: &Arc<Memory>) -> Result<()> {
        // The next user of this memory comes after the work that filled the other.
        drop(self.device.queue().state().begin([(self, true), (other, true)].into_iter())?);
        let (mut own, mut others) = (self.lock(), other.lock());
        let accounts = &self.device.shared().accounts;
        accounts.change(Arc::as_ptr(other) as usize, others.bytes, own.bytes);
        accounts.change(Arc::as_ptr(self) as usize, own.bytes, others.bytes);
        std::mem::swap(&mut own.buffer, &mut others.buffer);
        std::mem::swap(&mut own.room, &mut others.room);
        std::mem::swap(&mut own.bytes, &mut others.bytes);
        drop((own, others));
        self.device.shared().moves();
        self.forget();
        Ok(())
    }

    /// Checks that a memory to be copied to this one, or exchanged with it, has the same room for lanes.
    pub(crate) fn same_room(&self, other: &Memory) -> Result<()> {
        let (own, others) = (self.room(), other.room());
        if own == others {
            return Ok(());
        }
        let reason = format!("it has {}, the other table {}: grow one of them", own.told(), others.told());
        Err(Error::invalid(&self.what, reason))
    }
}
