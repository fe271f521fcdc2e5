//! Tables of speculative time windows.

use crate::event_types::EventTypes;
use crate::kernels::list::{EventList, NEAR};
use crate::kernels::speculation::{self, Guess, Lack, Verdict, Work};
use imminent_core::{MailTable, Result, Table, TallyTable};

/// Tables of modules that execute events speculatively.
#[derive(Debug)]
pub struct Guesses<E: EventTypes> {
    /// Rows of modules at the start of the window.
    pub saved: Saved<E>,
    /// Parts of modules in the window.
    pub guesses: Table<Guess>,
    /// Marks at modules whose messages have changed.
    pub marks: TallyTable<u32>,
    /// Lists of the messages for times in the window, by receiver.
    pub near: MailTable,
    /// Verdict of the last round.
    pub verdict: Table<Verdict>,
}

/// Rows of modules at the start of a window, as far as a window changes them.
#[derive(Debug)]
pub struct Saved<E: EventTypes> {
    /// States of the modules.
    pub modules: Table<E::Module>,
    /// Event lists of the modules.
    pub lists: Table<EventList>,
    /// Payloads of the pending events.
    pub payloads: Table<E::Payloads>,
}

impl<E: EventTypes> Guesses<E> {
    /// Creates the tables for windows of modules with these event lists and messages.
    pub(super) fn new(lists: &Table<EventList>, mail: &MailTable) -> Result<Self> {
        let (device, rows, lanes) = (lists.device(), lists.len(), lists.capacity());
        Ok(Guesses {
            saved: Saved {
                modules: Table::zeroed(device, rows)?,
                lists: Table::with_capacity(device, rows, lanes)?,
                payloads: Table::with_capacity(device, rows, NEAR + lanes)?,
            },
            guesses: Table::zeroed(device, rows)?,
            marks: TallyTable::new(device, &vec![speculation::UNMARKED; rows])?,
            near: MailTable::new(device, rows, mail.room())?,
            verdict: Table::zeroed(device, 1)?,
        })
    }

    /// Returns the room that modules lacked in their last executions.
    pub(super) fn lack(&self) -> Result<Lack> {
        self.guesses.device().queue().launch::<speculation::lack>((&self.guesses,))?.read()
    }

    /// Returns the work of all windows so far.
    pub(super) fn work(&self) -> Result<Work> {
        self.guesses.device().queue().launch::<speculation::work>((&self.guesses,))?.read()
    }
}

impl<E: EventTypes> Saved<E> {
    /// Enlarges the lists to a capacity of events.
    pub(super) fn grow(&mut self, capacity: u32) -> Result<()> {
        self.payloads.grow(capacity)?;
        self.lists.grow(capacity - NEAR)
    }
}
