//! Tables stored as native structs.

mod ragged;

use super::erased::{ErasedTable, ErasedTally, RunTasks, Task, sealed::Sealed};
use crate::data::Ragged;
use crate::data::pack::{BLOCK, Places, Position, bits_of};
use crate::data::{Data, Gather, Row, Scatter, Tally, TallyScalar};
use imminent_ir::Layout;
use std::any::Any;

/// Largest number of lanes that are traversed faster than one is looked up in each row.
const MAX_TRAVERSED_LANES: u32 = 8;

/// Least number of rows that justifies a separate task.
const TASK_ROWS: usize = 1 << 15;

/// The rows of a table, followed by the zeroed row that an index past the end reads.
#[derive(Debug)]
pub struct NativeTable<R: Row> {
    with_zero: Vec<R>,
    /// Room of each row, if it is individual.
    room: Option<Ragged>,
}

impl<R: Row> NativeTable<R> {
    /// Allocates `rows` zeroed rows of the given lane capacity.
    #[must_use]
    pub fn zeroed(rows: u32, capacity: u32) -> Self {
        NativeTable { with_zero: vec![R::zeroed(capacity); rows as usize + 1], room: None }
    }

    /// Allocates zeroed rows with individual room; the row past the end has none.
    #[must_use]
    pub fn ragged(room: &Ragged) -> Self {
        let with_zero = room.capacities().chain(std::iter::once(0)).map(R::zeroed).collect();
        NativeTable { with_zero, room: Some(room.clone()) }
    }

    /// Acts like [`NativeTable::ragged`], type-erased.
    #[must_use]
    pub fn allocate_ragged(room: &Ragged) -> Box<dyn ErasedTable> {
        Box::new(Self::ragged(room))
    }

    /// Acts like [`NativeTable::zeroed`], type-erased: the form that a backend is given to allocate with.
    #[must_use]
    pub fn allocate(rows: u32, capacity: u32) -> Box<dyn ErasedTable> {
        Box::new(Self::zeroed(rows, capacity))
    }

    /// Returns the rows.
    #[must_use]
    pub fn as_slice(&self) -> &[R] {
        &self.with_zero[..self.with_zero.len() - 1]
    }

    /// Returns the rows for writing.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [R] {
        let rows = self.with_zero.len() - 1;
        &mut self.with_zero[..rows]
    }

    /// Returns the rows and the zeroed row.
    #[must_use]
    pub fn as_slice_with_zero(&self) -> &[R] {
        &self.with_zero
    }
}

/// Returns places for the one column that begins at a word; every other column has none. Returns `None` if there is no
/// such column of values of `width` bytes, or no such lane.
fn only(layout: &Layout, capacity: u32, lane: Option<u32>, word: u32, width: usize) -> Option<Places> {
    let columns = &layout.columns;
    let fixed = columns.iter().filter(|column| !column.lane).count();
    let position = columns.iter().position(|column| column.lane == lane.is_some() && column.word == word)?;
    if columns[position].scalar.words() as usize * 4 != width || lane.is_some_and(|lane| lane >= capacity) {
        return None;
    }
    let position = position + lane.unwrap_or(0) as usize * (columns.len() - fixed);
    let mut places = vec![Position::NONE; position + 1];
    places[position].start = 0;
    Some(places)
}

impl<R: Row> Sealed for NativeTable<R> {}

impl<R: Row> ErasedTable for NativeTable<R> {
    fn layout(&self) -> &'static Layout {
        R::layout()
    }

    fn rows(&self) -> u32 {
        (self.with_zero.len() - 1) as u32
    }

    fn capacity(&self) -> u32 {
        self.with_zero.last().map_or(0, Row::capacity)
    }

    fn set_capacity(&mut self, capacity: u32) {
        for row in &mut self.with_zero {
            row.set_capacity(capacity);
        }
    }

    fn leaf(&self, row: u32, lane: Option<u32>, word: u32) -> u64 {
        let (row, lane) = match &self.room {
            Some(room) => match ragged::leaf(R::layout(), room, row, lane, word) {
                ragged::Leaf::Of(row, lane) => (row, lane),
                ragged::Leaf::Is(bits) => return bits,
            },
            None => (row, lane),
        };
        self.as_slice().get(row as usize).map_or(0, |row| match lane {
            Some(lane) => row.lane_leaf(lane, word),
            None => row.leaf(word),
        })
    }

    fn set_leaf(&mut self, row: u32, lane: Option<u32>, word: u32, bits: u64) {
        let (row, lane) = match &self.room {
            Some(room) => match ragged::leaf(R::layout(), room, row, lane, word) {
                ragged::Leaf::Of(row, lane) => (row, lane),
                ragged::Leaf::Is(_) => return,
            },
            None => (row, lane),
        };
        if let Some(row) = self.as_mut_slice().get_mut(row as usize) {
            match lane {
                Some(lane) => row.set_lane_leaf(lane, word, bits),
                None => row.set_leaf(word, bits),
            }
        }
    }

    fn column(&self, first: u32, lane: Option<u32>, word: u32, width: usize, out: &mut [u8]) -> usize {
        if let Some(room) = &self.room
            && (lane.is_some() || word >= R::layout().fixed_words)
        {
            return ragged::column(R::layout(), room, self, (first, lane, word, width), out);
        }
        let Some(places) = only(R::layout(), self.capacity(), lane, word, width) else { return 0 };
        let rows = self.as_slice().get(first as usize..).unwrap_or_default();
        let rows = &rows[..rows.len().min(out.len() / width)];
        match lane {
            None => R::gather(rows, 0, &mut Gather::new(out, &places, 0)),
            Some(lane) if lane >= MAX_TRAVERSED_LANES => {
                for (row, out) in rows.iter().zip(out.chunks_exact_mut(width)) {
                    out.copy_from_slice(row.lane_leaf(lane, word).to_le_bytes().get(..width).unwrap_or_default());
                }
            }
            // The lanes before it are read too: few rows at a time, which keeps them in the nearest cache.
            Some(lane) => {
                for (rows, out) in rows.chunks(BLOCK).zip(out.chunks_mut(BLOCK * width)) {
                    R::gather(rows, lane + 1, &mut Gather::new(out, &places, 0));
                }
            }
        }
        rows.len()
    }

    fn set_column(&mut self, first: u32, lane: Option<u32>, word: u32, width: usize, values: &[u8]) -> usize {
        if let Some(room) = self.room.clone()
            && (lane.is_some() || word >= R::layout().fixed_words)
        {
            return ragged::set_column(R::layout(), &room, self, (first, lane, word, width), values);
        }
        let Some(places) = only(R::layout(), self.capacity(), lane, word, width) else { return 0 };
        let rows = self.as_mut_slice().get_mut(first as usize..).unwrap_or_default();
        let count = rows.len().min(values.len() / width);
        let rows = &mut rows[..count];
        match lane {
            None => R::scatter(rows, 0, &mut Scatter::new(values, &places, 0)),
            Some(lane) => {
                for (row, value) in rows.iter_mut().zip(values.chunks_exact(width)) {
                    row.set_lane_leaf(lane, word, bits_of(value));
                }
            }
        }
        count
    }

    fn gather(&mut self, rows: &[u32], from: &dyn ErasedTable, run: RunTasks<'_>) -> bool {
        let Some(from) = from.as_any().downcast_ref::<Self>() else { return false };
        let with_zero = from.as_slice_with_zero();
        let last = with_zero.len() - 1;
        let tasks = self.as_mut_slice().chunks_mut(TASK_ROWS).zip(rows.chunks(TASK_ROWS)).map(|(to, rows)| {
            let task = move || {
                for (to, row) in to.iter_mut().zip(rows) {
                    let capacity = to.capacity();
                    to.clone_from(&with_zero[(*row as usize).min(last)]);
                    if to.capacity() != capacity {
                        to.set_capacity(capacity);
                    }
                }
            };
            Box::new(task) as Task<'_>
        });
        run(tasks.collect());
        true
    }

    fn scatter(&mut self, rows: &[u32], from: &dyn ErasedTable) -> bool {
        let Some(from) = from.as_any().downcast_ref::<Self>() else { return false };
        let to = self.as_mut_slice();
        // From the end: of several sources the lowest is written last and stays.
        for (row, value) in rows.iter().zip(from.as_slice()).rev() {
            if let Some(to) = to.get_mut(*row as usize) {
                to.clone_from(value);
            }
        }
        true
    }

    fn clear(&mut self) {
        match &self.room {
            Some(room) => *self = Self::ragged(&room.clone()),
            None => {
                let zero = R::zeroed(self.capacity());
                self.with_zero.fill(zero);
            }
        }
    }

    fn row_bytes(&self) -> u64 {
        R::layout().row_words(self.capacity()).saturating_mul(4)
    }

    fn duplicate(&self) -> Box<dyn ErasedTable> {
        Box::new(NativeTable { with_zero: self.with_zero.clone(), room: self.room.clone() })
    }

    fn copy_from(&mut self, other: &dyn ErasedTable) -> bool {
        match other.as_any().downcast_ref::<Self>() {
            Some(other) if other.with_zero.len() == self.with_zero.len() && other.room == self.room => {
                self.with_zero.clone_from(&other.with_zero);
                true
            }
            _ => false,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn first_row(&mut self) -> *mut u8 {
        self.with_zero.as_mut_ptr().cast()
    }
}

impl<T: TallyScalar> ErasedTally for Tally<T> {
    fn slots(&self) -> u32 {
        self.len()
    }

    fn leaf(&self, slot: u32) -> u64 {
        Data::leaf(&self.load(slot), 0)
    }

    fn set_leaf(&self, slot: u32, bits: u64) {
        let mut value = <T as Data>::zeroed();
        Data::set_leaf(&mut value, 0, bits);
        self.store(slot, value);
    }

    fn as_any(&self) -> &(dyn Any + Send + Sync) {
        self
    }
}
