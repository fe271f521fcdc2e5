//! Messages between rows, on a device.

use crate::backend::Comparison;
use crate::data::Row;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::library::mail::{self, InboxArgs, OutboxArgs, Receiver};
use crate::limit::Limit;
use crate::primitives::Predicate;
use crate::program::{ColumnRef, ProgramBuilder, Value};
use crate::tables::{Table, TallyTable};
use imminent_ir::Scalar;

/// Lists of the messages that rows send to one another, by receiver: see [`mail`](crate::mail).
///
/// A launch sends by an [`outbox`](Self::outbox), and walks the lists of an [`inbox`](Self::inbox).
/// [`deliver`](Self::deliver) turns the outbox into the inbox, and discards the inbox's former messages. Inbox and
/// outbox are pairs of tallies: a message to each row, and the message after each.
///
/// Determinism class: exact. Memory: 12 bytes for each row, and 8 for each message that a row has room for.
#[derive(Debug)]
pub struct MailTable {
    receivers: Table<Receiver>,
    heads: [TallyTable<u32>; 2],
    links: [TallyTable<u32>; 2],
    room: u32,
}

impl MailTable {
    /// Creates lists without messages for `rows` rows, each of which can send `room` messages between two deliveries.
    ///
    /// # Errors
    /// [`Error::Limit`] for more than `u32::MAX - 1` messages, [`Error::OutOfMemory`], errors of the driver.
    pub fn new(device: &Device, rows: usize, room: u32) -> Result<Self> {
        let messages = (rows as u64).saturating_mul(u64::from(room));
        let limit = u64::from(u32::MAX) - 1;
        if messages > limit {
            return Err(Error::limit(Limit::Messages, messages, limit));
        }
        let tally = |slots: usize| TallyTable::new(device, &vec![0; slots.max(1)]);
        Ok(MailTable {
            receivers: Table::zeroed(device, rows)?,
            heads: [tally(rows)?, tally(rows)?],
            links: [tally(messages as usize)?, tally(messages as usize)?],
            room,
        })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.receivers.len()
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.receivers.is_empty()
    }

    /// Returns the number of messages that a row can send between two deliveries.
    #[must_use]
    pub fn room(&self) -> u32 {
        self.room
    }

    /// Returns the argument of a launch that sends messages.
    #[must_use]
    pub fn outbox(&self) -> OutboxArgs<'_> {
        OutboxArgs { heads: &self.heads[1], links: &self.links[1] }
    }

    /// Returns the argument of a launch that receives the messages of the last delivery.
    #[must_use]
    pub fn inbox(&self) -> InboxArgs<'_> {
        InboxArgs { heads: &self.heads[0], links: &self.links[0] }
    }

    /// Returns the argument of a launch that continues to walk lists that were begun before the last delivery: from a
    /// message on, since their first messages are forgotten. They are there until another launch sends.
    #[must_use]
    pub fn before(&self) -> InboxArgs<'_> {
        InboxArgs { heads: &self.heads[1], links: &self.links[1] }
    }

    /// Returns the argument of a launch that receives messages without a delivery: those sent since the last one, in no
    /// defined order. The launch [forgets](crate::mail::Inbox::forget) them. Its result must not depend on their order.
    #[must_use]
    pub fn undelivered(&self) -> InboxArgs<'_> {
        InboxArgs { heads: &self.heads[1], links: &self.links[1] }
    }

    /// Returns the test of the rows that have messages without a delivery: those sent since the last one, and not
    /// [forgotten](crate::mail::Inbox::forget).
    ///
    /// # Errors
    /// [`Error::Poisoned`].
    pub fn addressed(&self) -> Result<Predicate> {
        let memory = &self.heads[1].memory;
        memory.check()?;
        let column = ColumnRef::new(memory, Scalar::U32, 0);
        Ok(Predicate { column, comparison: Comparison::NotEqual, value: Value::Constant(0) })
    }

    /// Delivers what was sent since the last delivery, on the device's queue.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn deliver(&mut self) -> Result<()> {
        let queue = self.receivers.device().queue().clone();
        queue.launch::<mail::deliver>((&self.receivers, self.outbox(), &self.heads[0]))?;
        // Programs know the sides by their tallies, so the tallies stay and exchange what they hold.
        for [received, sent] in [&self.heads, &self.links] {
            received.memory.exchange_with(&sent.memory);
        }
        Ok(())
    }

    /// Records a [delivery](Self::deliver). In a program it stands where a [swap](ProgramBuilder::swap) may.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn record_delivery(&mut self, builder: &mut ProgramBuilder) -> Result<()> {
        builder.launch::<mail::deliver>((&self.receivers, self.outbox(), &self.heads[0]))?;
        let ([heads, sent], [links, linked]) = (&mut self.heads, &mut self.links);
        builder.swap_tallies(heads, sent)?;
        builder.swap_tallies(links, linked)
    }

    /// Returns the bytes of the lists of `rows` rows with this room.
    #[must_use]
    pub fn bytes(rows: u64, room: u32) -> u64 {
        let words = Receiver::layout().row_words(0) + 2 + 2 * u64::from(room);
        rows.saturating_mul(4 * words)
    }
}
