//! Histories on a device.

use super::clock::ClockTable;
use super::table::{Table, checked_rows};
use crate::backend::{Allocation, Span};
use crate::data::pack::bits_of;
use crate::data::{Data, Reach, Ring, Row};
use crate::device::{Device, Storage};
use crate::error::{Error, Result};
use crate::limit::Limit;
use imminent_ir::{Column, Scalar};
use std::any::type_name;
use std::ops::Range;

/// Per-row rings of steps on a device, which a kernel sees as [`History`](crate::data::History). A row writes its own
/// entries from a launch's first step on, and all rows read earlier steps. The two ranges are disjoint, so one launch
/// may take as many steps as the model's delays allow.
///
/// A history has as many rows as the tables of own rows of the launch that writes it. It has `past + ahead` places for
/// each row; step `t` is at place `t mod (past + ahead)`. The entries of all rows at one place are adjacent. Entries
/// are [`Exact`](crate::Determinism::Exact).
#[derive(Debug)]
pub struct HistoryTable<T: Data> {
    pub(crate) rings: Table<Ring<T>>,
    reach: Reach,
}

impl<T: Data> HistoryTable<T> {
    /// Creates histories of `rows` rows, at first zero at every step.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a reach that writes no step. [`Error::Limit`] for more than [`Reach::MAX_STEPS`] steps,
    /// or more than the device can hold. [`Error::OutOfMemory`], errors of the driver.
    pub fn new(device: &Device, rows: usize, reach: Reach) -> Result<Self> {
        let what = format!("history of `{}`", type_name::<T>());
        let places = places(&what, reach)?;
        let rows = checked_rows(&what, rows)?;
        let allocation: Allocation = Table::<Ring<T>>::allocation(rows, places);
        let rings = Table::of_memory(Storage::grid(device, what, rows, None, places, &allocation)?);
        let table = HistoryTable { rings, reach };
        table.write_ahead()?;
        Ok(table)
    }

    /// Stores in the table itself how far ahead it may be written.
    fn write_ahead(&self) -> Result<()> {
        let span = Span::column(None, 0, Scalar::U32, 0..self.rings.memory.rows);
        self.rings.memory.write(&[span], &[self.reach.ahead.to_le_bytes().repeat(self.len())])
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rings.len()
    }

    /// Returns `true` if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rings.is_empty()
    }

    /// Returns the range of steps covered.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Returns the steps that have a place: those that a launch can read or write at the clock's present step.
    ///
    /// # Errors
    /// As for [`ClockTable::first`].
    pub fn window(&self, clock: &ClockTable) -> Result<Range<u64>> {
        let first = clock.first()?;
        Ok(u64::from(first.saturating_sub(self.reach.past))..u64::from(first) + u64::from(self.reach.ahead))
    }

    /// Returns the entries of all rows at each of some steps, after earlier work on the device's queue.
    ///
    /// # Errors
    /// [`Error::Invalid`] for steps outside the [window](Self::window); [`Error::Poisoned`], errors of earlier work and
    /// of the driver.
    pub fn read(&self, clock: &ClockTable, steps: Range<u32>) -> Result<Vec<Vec<T>>> {
        self.inside(clock, &steps)?;
        steps.map(|step| self.read_step(step)).collect()
    }

    /// Replaces the entries of all rows at each of the steps from `first` on.
    ///
    /// # Errors
    /// [`Error::Invalid`] for steps outside the [window](Self::window), or another number of rows; [`Error::Poisoned`],
    /// errors of the driver.
    pub fn write(&mut self, clock: &ClockTable, first: u32, steps: &[Vec<T>]) -> Result<()> {
        self.rings.memory.check()?;
        let what = &self.rings.memory.what;
        let end = u32::try_from(steps.len()).ok().and_then(|count| first.checked_add(count));
        let Some(end) = end else {
            return Err(Error::invalid(what, format!("there are no {} steps from step {first} on", steps.len())));
        };
        if let Some(wrong) = steps.iter().find(|entries| entries.len() != self.len()) {
            let reason = format!("it has {} rows, {} entries were given for a step", self.len(), wrong.len());
            return Err(Error::invalid(what, reason));
        }
        self.inside(clock, &(first..end))?;
        (first..end).zip(steps).try_for_each(|(step, entries)| self.write_step(step, entries))
    }

    /// Replaces the entries of all rows at every step that has a place.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn fill(&mut self, value: T) -> Result<()> {
        let entries = vec![value; self.len()];
        self.write_ahead()?;
        (0..self.rings.capacity()).try_for_each(|place| self.write_step(place, &entries))?;
        self.rings.memory.overwritten();
        Ok(())
    }

    /// Extends the reach of the history to at least `reach`. The entries of its window stay; others are zero. While
    /// they move, the device holds the history twice. They pass through the host, one step at a time.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::OutOfMemory`], [`Error::Poisoned`], errors of the driver; the history is then as it
    /// was.
    pub fn grow(&mut self, clock: &ClockTable, reach: Reach) -> Result<()> {
        self.rings.memory.check()?;
        let grown = Reach { past: self.reach.past.max(reach.past), ahead: self.reach.ahead.max(reach.ahead) };
        if grown == self.reach {
            return Ok(());
        }
        let window = self.window(clock)?;
        let to = Self::new(self.rings.device(), self.len(), grown)?;
        for step in window.start..window.end.min(1 << 32) {
            let step = step as u32;
            to.write_step(step, &self.read_step(step)?)?;
        }
        self.rings.memory.take_over(&to.rings.memory)?;
        self.reach = grown;
        Ok(())
    }

    fn inside(&self, clock: &ClockTable, steps: &Range<u32>) -> Result<()> {
        let window = self.window(clock)?;
        if steps.is_empty() || (u64::from(steps.start) >= window.start && u64::from(steps.end) <= window.end) {
            return Ok(());
        }
        let reason = format!(
            "steps {}..{} were named, and with the clock at step {} it has steps {}..{}",
            steps.start,
            steps.end,
            window.end - u64::from(self.reach.ahead),
            window.start,
            window.end
        );
        Err(Error::invalid(&self.rings.memory.what, reason))
    }

    /// Returns the columns of a step's place.
    fn spans(&self, step: u32) -> Vec<(u32, Span)> {
        let lane = Some(step.checked_rem(self.rings.capacity()).unwrap_or(0));
        let rows = 0..self.rings.memory.rows;
        let span = |column: &Column| Span::column(lane, column.word, column.scalar, rows.clone());
        let columns = Ring::<T>::layout().columns.iter().filter(|column| column.lane);
        columns.map(|column| (column.word, span(column))).collect()
    }

    fn read_step(&self, step: u32) -> Result<Vec<T>> {
        let (words, spans): (Vec<u32>, Vec<Span>) = self.spans(step).into_iter().unzip();
        let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0; span.bytes()]).collect();
        self.rings.memory.read(&spans, &mut bytes)?;
        let mut entries = vec![T::zeroed(); self.len()];
        for ((word, span), bytes) in words.iter().zip(&spans).zip(&bytes) {
            for (entry, value) in entries.iter_mut().zip(bytes.chunks_exact(span.scalar.words() as usize * 4)) {
                entry.set_leaf(*word, bits_of(value));
            }
        }
        Ok(entries)
    }

    fn write_step(&self, step: u32, entries: &[T]) -> Result<()> {
        let (words, spans): (Vec<u32>, Vec<Span>) = self.spans(step).into_iter().unzip();
        let column = |(word, span): (&u32, &Span)| -> Vec<u8> {
            let width = span.scalar.words() as usize * 4;
            entries.iter().flat_map(|entry| entry.leaf(*word).to_le_bytes().into_iter().take(width)).collect()
        };
        let bytes: Vec<Vec<u8>> = words.iter().zip(&spans).map(column).collect();
        self.rings.memory.write(&spans, &bytes)
    }
}

/// Returns the number of places of a history with this reach.
fn places(what: &str, reach: Reach) -> Result<u32> {
    if reach.ahead == 0 {
        return Err(Error::invalid(what, "it reaches no step ahead, so nothing could ever be written to it"));
    }
    let places = u64::from(reach.past) + u64::from(reach.ahead);
    if places > u64::from(Reach::MAX_STEPS) {
        return Err(Error::limit(Limit::HistorySteps { of: format!("a {what}") }, places, Reach::MAX_STEPS));
    }
    Ok(places as u32)
}
