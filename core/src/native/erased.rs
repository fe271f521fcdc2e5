//! Type-erased tables and tallies.

use imminent_ir::Layout;
use std::any::Any;
use std::fmt::Debug;

/// Seals [`ErasedTable`] to [`NativeTable`](super::NativeTable): a call relies on its first row having the claimed
/// type.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// Work that touches no data of other tasks.
pub type Task<'t> = Box<dyn FnOnce() + Send + 't>;

/// Runs tasks, in any order or in parallel, and returns when all are done.
pub type RunTasks<'r> = &'r dyn Fn(Vec<Task<'_>>);

/// A type-erased table of native structs, as a backend keeps it.
pub trait ErasedTable: sealed::Sealed + Any + Debug + Send + Sync {
    /// Returns the layout of the rows.
    fn layout(&self) -> &'static Layout;
    /// Returns the number of rows.
    fn rows(&self) -> u32;
    /// Returns the number of elements in each lane array, if it is the same in all rows; otherwise 0.
    fn capacity(&self) -> u32;
    /// Changes the number of elements in each lane array; new ones are zero.
    fn set_capacity(&mut self, capacity: u32);
    /// Returns the bits of a leaf: of lane `lane` if given, otherwise of the fixed words; 0 if there is none.
    fn leaf(&self, row: u32, lane: Option<u32>, word: u32) -> u64;
    /// Sets a leaf; does nothing if there is none.
    fn set_leaf(&mut self, row: u32, lane: Option<u32>, word: u32, bits: u64);
    /// Fills `out` with the little-endian values of one column from row `first` on. Returns the number of these rows
    /// that exist. Fills nothing if there is no such column of values of `width` bytes.
    fn column(&self, first: u32, lane: Option<u32>, word: u32, width: usize, out: &mut [u8]) -> usize;
    /// Sets one column from row `first` on to little-endian values of `width` bytes. Returns the number of these rows
    /// that exist. Sets nothing if there is no such column.
    fn set_column(&mut self, first: u32, lane: Option<u32>, word: u32, width: usize, values: &[u8]) -> usize;
    /// Copies row `rows[i]` of a table of the same type and capacity to row `i`: zero if it does not exist. Returns
    /// `false`, with nothing done, if the type differs.
    fn gather(&mut self, rows: &[u32], from: &dyn ErasedTable, run: RunTasks<'_>) -> bool;
    /// Copies row `i` of a table of the same type and capacity to row `rows[i]`; of several sources, the lowest `i`
    /// wins. Returns `false`, with nothing done, if the type differs.
    fn scatter(&mut self, rows: &[u32], from: &dyn ErasedTable) -> bool;
    /// Sets every row to zero.
    fn clear(&mut self);
    /// Returns the number of bytes of a row, lanes included.
    fn row_bytes(&self) -> u64;
    /// Returns a copy.
    fn duplicate(&self) -> Box<dyn ErasedTable>;
    /// Copies the rows of another table of the same type and size; returns `false` if it is not.
    fn copy_from(&mut self, other: &dyn ErasedTable) -> bool;
    /// Returns the table as its concrete type.
    fn as_any(&self) -> &dyn Any;
    /// Returns the table as its concrete type.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Returns the first row, for [`Slot::exclusive`](super::Slot::exclusive).
    fn first_row(&mut self) -> *mut u8;
}

/// A type-erased tally, as a backend keeps it.
pub trait ErasedTally: Any + Debug + Send + Sync {
    /// Returns the number of slots.
    fn slots(&self) -> u32;
    /// Returns the bits of a slot, zero-extended; 0 past the end.
    fn leaf(&self, slot: u32) -> u64;
    /// Sets a slot; does nothing past the end.
    fn set_leaf(&self, slot: u32, bits: u64);
    /// Returns the tally as its concrete type.
    fn as_any(&self) -> &(dyn Any + Send + Sync);
}
