//! Tables through which messages pass from their senders to their receivers.

use super::kernels::delivery::{Envelope, Running, Window};
use imminent_core::{Device, Result, Row, Table};

/// Granularity of the room for messages, and the smallest room.
const LEAST: u32 = 1024;

/// A step that sends less than one part in this many of what there is room for may lower the room.
const SPARSE: u32 = 8;

/// Number of times that the room for messages may be lowered. It bounds the cost of steps that differ much.
const REDUCTIONS: u32 = 4;

/// Messages on their way, and the earliest event of each simulation. The rows of a simulation are side by side.
#[derive(Debug)]
pub struct Exchange {
    /// Number of messages of the modules up to each row.
    pub(super) sent: Table<u32>,
    /// Numbers of `sent`, as kernels read them.
    pub running: Table<Running>,
    /// Messages by their senders.
    pub envelopes: Table<Envelope>,
    /// Messages by their receivers; those of one receiver by their senders.
    pub sorted: Table<Envelope>,
    /// Earliest event of each simulation.
    pub windows: Table<Window>,
    pub(super) earliest: Table<u64>,
    /// First row of each simulation, and the number of rows.
    pub(super) firsts: Table<u32>,
    reductions: u32,
}

/// Words of an exchange for each module, with room for one message of each.
pub(super) fn words_of_a_module() -> u64 {
    Running::layout().row_words(0) + 1 + 2 * Envelope::layout().row_words(0)
}

impl Exchange {
    /// Creates an exchange for simulations with these numbers of modules, with room for one message of each module.
    pub(super) fn new(device: &Device, modules: &[u32]) -> Result<Self> {
        let mut firsts = vec![0];
        for count in modules {
            firsts.push(firsts.last().copied().unwrap_or(0) + count);
        }
        let rows = firsts.last().copied().unwrap_or(0) as usize;
        let room = rows.max(1).next_multiple_of(LEAST as usize);
        Ok(Exchange {
            sent: Table::zeroed(device, rows)?,
            running: Table::zeroed(device, rows)?,
            envelopes: Table::zeroed(device, room)?,
            sorted: Table::zeroed(device, room)?,
            windows: Table::zeroed(device, modules.len())?,
            earliest: Table::zeroed(device, modules.len())?,
            firsts: Table::from_rows(device, &firsts)?,
            reductions: REDUCTIONS,
        })
    }

    /// Number of messages that there is room for.
    pub(super) fn room(&self) -> u32 {
        self.envelopes.len() as u32
    }

    /// Number of messages of a step below which the room should be lowered; 0 if it should not.
    pub(super) fn sparse(&self) -> u32 {
        if self.reductions > 0 && self.room() > LEAST { self.room() / SPARSE } else { 0 }
    }

    /// Makes room for the messages of a step, or lowers it. Returns `true` if it changed.
    pub(super) fn fit(&mut self, messages: u32) -> Result<bool> {
        let is_sparse = messages < self.sparse();
        if messages <= self.room() && !is_sparse {
            return Ok(false);
        }
        self.reductions -= u32::from(is_sparse);
        let ample = messages.saturating_add(messages / 4).checked_next_multiple_of(LEAST).unwrap_or(messages);
        let (device, ample) = (self.envelopes.device().clone(), ample.max(LEAST) as usize);
        // The old tables are freed first.
        (self.envelopes, self.sorted) = (Table::zeroed(&device, 0)?, Table::zeroed(&device, 0)?);
        (self.envelopes, self.sorted) = (Table::zeroed(&device, ample)?, Table::zeroed(&device, ample)?);
        Ok(true)
    }
}
