//! Single columns of a table.

use crate::backend::{HostMemory, Span, StagedColumn};
use crate::data::Data;
use crate::data::pack::bits_of;
use crate::device::{Queue, Storage, Submission};
use crate::error::{Error, Result};
use crate::memory::{Memory, Plain, Room, Staging};
use imminent_ir::{Layout, Scalar};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// One scalar column of a table, a value for each row. Reads and writes move its bytes only, unconverted.
///
/// ```
/// # use imminent_core::{Device, Result, Table};
/// # fn example(device: &Device) -> Result<()> {
/// let times = Table::from_rows(device, &[3.0_f64, 1.0, 2.0])?; // bare numbers are one column
/// let column = times.column::<f64>(0);
/// assert_eq!(column.read_rows(1..3)?, [1.0, 2.0]);
/// let early = device.queue().select(column.below(2.5)?)?; // a list of rows, on the device
/// assert_eq!(early.read()?, [1, 2]);
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column<'t, T: Data> {
    memory: &'t Storage,
    layout: &'static Layout,
    lane: Option<u32>,
    word: u32,
    of: PhantomData<fn() -> T>,
}

impl<'t, T: Data> Column<'t, T> {
    pub(crate) fn new(memory: &'t Storage, layout: &'static Layout, lane: Option<u32>, word: u32) -> Self {
        Column { memory, layout, lane, word, of: PhantomData }
    }

    /// Reads all values.
    ///
    /// # Errors
    /// [`Error::Poisoned`], [`Error::Invalid`] for a column that the table does not have, errors of earlier work and of
    /// the driver.
    pub fn read(&self) -> Result<Vec<T>> {
        self.read_rows(0..self.memory.rows as usize)
    }

    /// Reads the values of some rows.
    ///
    /// # Errors
    /// As for [`Column::read`]; [`Error::Invalid`] for rows past the end.
    pub fn read_rows(&self, rows: Range<usize>) -> Result<Vec<T>> {
        let span = self.span(rows)?;
        let width = span.scalar.words() as usize * 4;
        let (stored, at) = self.stored(&span);
        let row_bytes = stored.words as usize * 4;
        let mut bytes = [vec![0; stored.bytes()]];
        self.memory.read(&[stored], &mut bytes)?;
        let value = |row: &[u8]| decode(row.get(at..at + width).unwrap_or_default());
        Ok(bytes[0].chunks_exact(row_bytes).map(value).collect())
    }

    /// Replaces the values of the rows from `first` on.
    ///
    /// # Errors
    /// [`Error::Invalid`] for rows past the end or a column that the table does not have; errors of the driver.
    pub fn write_rows(&self, first: usize, values: &[T]) -> Result<()> {
        self.memory.check()?;
        let span = self.span(first..first.saturating_add(values.len()))?;
        let width = span.scalar.words() as usize * 4;
        let (stored, at) = self.stored(&span);
        let row_bytes = stored.words as usize * 4;
        let mut bytes = [vec![0; stored.bytes()]];
        if stored != span {
            // The other words of packed rows stay as they are.
            self.memory.read(std::slice::from_ref(&stored), &mut bytes)?;
        }
        for (row, value) in bytes[0].chunks_exact_mut(row_bytes).zip(values) {
            row[at..at + width].copy_from_slice(&value.leaf(0).to_le_bytes()[..width]);
        }
        self.memory.write(&[stored], &bytes)
    }

    /// Starts to replace the values of some rows by those of a staging buffer, on a queue. The transfer runs in
    /// parallel with the host; its submission gives the staging buffer back.
    ///
    /// # Errors
    /// [`Error::Invalid`] for rows past the end, a staging of another length or device, or a queue of another device;
    /// [`Error::Poisoned`], errors of the driver. The staging then goes back to its pool.
    pub fn upload(&self, queue: &Queue, rows: Range<usize>, from: Staging<T>) -> Result<Submission<Staging<T>>>
    where
        T: Plain,
    {
        self.memory.check()?;
        let (span, host) = self.transfer(queue, rows, from)?;
        let (turn, length) = (queue.state().begin_filling([(self.memory(), true)].into_iter())?, span.rows.len());
        let place = StagedColumn { buffer: self.memory.buffer(), span, at: 0 };
        let pending = queue.device().backend().upload(queue.handle(), host, &[place])?;
        let mark = queue.state().note(turn.number(), pending);
        queue.state().mark_use(self.memory, &mark);
        drop(turn);
        Ok(Submission::of_transfer(queue.clone(), mark, Arc::clone(self.memory), length))
    }

    /// Starts to copy the values of some rows to a staging buffer, on a queue. The transfer runs in parallel with the
    /// host; its submission gives the staging buffer back.
    ///
    /// # Errors
    /// As for [`Column::upload`]. The submission's are those of [`Column::read`].
    pub fn download(&self, queue: &Queue, rows: Range<usize>, into: Staging<T>) -> Result<Submission<Staging<T>>>
    where
        T: Plain,
    {
        self.memory.check()?;
        let (span, host) = self.transfer(queue, rows, into)?;
        let (turn, length) = (queue.state().begin([(self.memory(), false)].into_iter())?, span.rows.len());
        let place = StagedColumn { buffer: self.memory.buffer(), span, at: 0 };
        let pending = queue.device().backend().download(queue.handle(), &[place], host)?;
        let mark = queue.state().note(turn.number(), pending);
        queue.state().mark_use(self.memory, &mark);
        drop(turn);
        Ok(Submission::of_transfer(queue.clone(), mark, Arc::clone(self.memory), length))
    }

    /// Returns the span and host memory of a transfer between the column and a staging buffer.
    fn transfer(&self, queue: &Queue, rows: Range<usize>, staging: Staging<T>) -> Result<(Span, HostMemory)>
    where
        T: Plain,
    {
        let span = self.span(rows)?;
        let invalid = |reason: String| Error::invalid(&self.memory.what, reason);
        if self.is_packed() {
            return Err(invalid(
                "its rows are packed, so no column lies in one piece: use `read_rows`, `write_rows`".into(),
            ));
        }
        if staging.len() != span.rows.len() {
            return Err(invalid(format!("{} rows were named, the staging has {}", span.rows.len(), staging.len())));
        }
        if !queue.device().same(self.memory.device()) || !staging.is_of(queue.device().shared()) {
            return Err(invalid("its device, the queue's and the staging's are not the same".to_owned()));
        }
        let host = staging.into_memory().ok_or_else(|| invalid("the staging has no memory".to_owned()))?;
        Ok((span, host))
    }

    /// Returns the span that a device stores these values in, and their first byte in each of its rows: the column
    /// itself, or whole packed rows.
    fn stored(&self, span: &Span) -> (Span, usize) {
        if !self.is_packed() {
            return (span.clone(), 0);
        }
        let words = if self.lane.is_some() { self.layout.lane_words } else { self.layout.fixed_words };
        (Span::packed(self.lane, words, span.rows.clone()), span.word as usize * 4)
    }

    /// Returns `true` if the values lie apart, in packed rows of a device that stores words.
    pub(crate) fn is_packed(&self) -> bool {
        self.layout.packed && !self.memory.device().capabilities().native_rows
    }

    /// Returns the memory of the table.
    pub(crate) fn memory(&self) -> &Arc<Memory> {
        self.memory
    }

    /// Checks that the column exists and has these rows.
    pub(crate) fn span(&self, rows: Range<usize>) -> Result<Span> {
        let invalid = |reason: String| Err(Error::invalid(&self.memory.what, reason));
        let Some(column) = find_column(self.layout, self.lane, self.word) else {
            return invalid(format!("it has no column at word {}", self.word));
        };
        if self.lane.is_some() && matches!(self.memory.room(), Room::Ragged(_)) {
            return invalid("its rows have lanes of their own, which are no columns: read whole rows".to_owned());
        }
        if self.lane.is_some_and(|lane| lane >= self.memory.capacity()) {
            return invalid(format!(
                "lane {} is past its capacity of {}",
                self.lane.unwrap_or(0),
                self.memory.capacity()
            ));
        }
        if T::WORDS != column.scalar.words() {
            return invalid(format!("column `{}` holds {} values", column.name, column.scalar));
        }
        if rows.start > rows.end || rows.end > self.memory.rows as usize {
            return invalid(format!("rows {}..{} are not inside its {} rows", rows.start, rows.end, self.memory.rows));
        }
        let rows = rows.start as u32..rows.end as u32;
        Ok(Span::column(self.lane, self.word, column.scalar, rows))
    }

    /// Returns the type of the values, as the layout has it.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar> {
        find_column(self.layout, self.lane, self.word).map(|column| column.scalar)
    }
}

/// Finds the column that starts at a word, of the lanes or of the fixed part.
pub(super) fn find_column(layout: &Layout, lane: Option<u32>, word: u32) -> Option<&imminent_ir::Column> {
    layout.columns.iter().find(|column| column.lane == lane.is_some() && column.word == word)
}

/// Decodes a scalar of the type from its little-endian bytes.
#[inline]
pub(super) fn decode<T: Data>(bytes: &[u8]) -> T {
    let mut value = T::zeroed();
    value.set_leaf(0, bits_of(bytes));
    value
}
