//! Tables and tallies whose types are not known.

use std::any::Any;
use std::fmt::Debug;

/// Only [`NativeTable`](super::NativeTable) implements [`ErasedTable`]: a call relies on its first row being what its type says.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// Work that touches nothing that other tasks touch.
pub type Task<'t> = Box<dyn FnOnce() + Send + 't>;

/// Runs tasks, in any order or at once, and returns when all are done.
pub type RunTasks<'r> = &'r dyn Fn(Vec<Task<'_>>);

/// A table of native structs whose type is not known, as a backend keeps it.
pub trait ErasedTable: sealed::Sealed + Any + Debug + Send + Sync {
    /// Number of rows.
    fn rows(&self) -> u32;
    /// Elements in each lane array, where all rows have the same; else 0.
    fn capacity(&self) -> u32;
    /// Changes the number of elements in each lane array; new ones are zero.
    fn set_capacity(&mut self, capacity: u32);
    /// Bits of a leaf: of lane `lane` if given, else of the fixed words; 0 where there is none.
    fn leaf(&self, row: u32, lane: Option<u32>, word: u32) -> u64;
    /// Sets a leaf; does nothing where there is none.
    fn set_leaf(&mut self, row: u32, lane: Option<u32>, word: u32, bits: u64);
    /// Fills `out` with the little-endian values of one column from row `first` on, and gives how many of the rows there are.
    /// Nothing is filled where there is no such column of values of `width` bytes.
    fn column(&self, first: u32, lane: Option<u32>, word: u32, width: usize, out: &mut [u8]) -> usize;
    /// Sets one column from row `first` on to little-endian values of `width` bytes, and gives how many of the rows there are.
    /// Nothing is set where there is no such column.
    fn set_column(&mut self, first: u32, lane: Option<u32>, word: u32, width: usize, values: &[u8]) -> usize;
    /// Row `i` becomes row `rows[i]` of a table of the same type and capacity: zero where there is none. `false`, with nothing
    /// done, if it is not of that type.
    fn gather(&mut self, rows: &[u32], from: &dyn ErasedTable, run: RunTasks<'_>) -> bool;
    /// Row `rows[i]` becomes row `i` of a table of the same type and capacity; of several, the lowest `i` counts. `false`, with
    /// nothing done, if it is not of that type.
    fn scatter(&mut self, rows: &[u32], from: &dyn ErasedTable) -> bool;
    /// Sets every row to zero.
    fn clear(&mut self);
    /// Bytes that a row takes, lanes included.
    fn row_bytes(&self) -> u64;
    /// A copy.
    fn duplicate(&self) -> Box<dyn ErasedTable>;
    /// Takes over the rows of another table of the same type and size; `false` if it is not.
    fn copy_from(&mut self, other: &dyn ErasedTable) -> bool;
    /// The table as its concrete type.
    fn as_any(&self) -> &dyn Any;
    /// The table as its concrete type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// The first row, for [`Slot::exclusive`](super::Slot::exclusive).
    fn first_row(&mut self) -> *mut u8;
}

/// A tally whose type is not known, as a backend keeps it.
pub trait ErasedTally: Any + Debug + Send + Sync {
    /// Number of slots.
    fn slots(&self) -> u32;
    /// Bits of a slot, zero-extended; 0 past the end.
    fn leaf(&self, slot: u32) -> u64;
    /// Sets a slot; does nothing past the end.
    fn set_leaf(&self, slot: u32, bits: u64);
    /// The tally as its concrete type.
    fn as_any(&self) -> &(dyn Any + Send + Sync);
}
