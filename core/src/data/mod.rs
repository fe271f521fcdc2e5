//! Contents of tables: values of a fixed number of words, rows, and lanes.

mod group;
mod histories;
mod history;
mod lanes;
pub(crate) mod pack;
mod ragged;
mod reach;
mod rows;
mod scalar;
mod tally;

pub use group::{Each, Extent, Group, Lane, Own, OwnRows};
pub use histories::Histories;
pub(crate) use history::Ring;
pub use history::{Clock, History};
pub use lanes::Lanes;
#[doc(hidden)]
pub use pack::{Gather, Scatter};
pub use ragged::Ragged;
pub use reach::Reach;
pub use rows::{Rows, RowsBuf};
pub use tally::{Tally, TallyScalar};

use imminent_ir::{Layout, Scalar};
use std::fmt::Debug;

/// A value that takes a fixed number of 32-bit words in a table: a scalar, an array, a struct or enum of a kernel
/// module.
///
/// The words follow the canonical layout of [`imminent_ir::Layout`]. A *leaf* is a scalar inside the value, named by
/// its first word.
pub trait Data: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Number of words.
    const WORDS: u32;

    /// Returns the value whose words are all zero.
    fn zeroed() -> Self;

    /// Returns the bits of the leaf that starts at `word`, zero-extended; 0 if no leaf starts there.
    fn leaf(&self, word: u32) -> u64;

    /// Sets the leaf that starts at `word` from its bits; does nothing if no leaf starts there.
    fn set_leaf(&mut self, word: u32, bits: u64);

    /// Appends name (prefixed by `name`) and type of every leaf, in order.
    #[doc(hidden)]
    fn columns(name: &str, leaves: &mut Vec<(String, Scalar)>);

    /// Fills one column for every leaf, in order, from the values that `of` finds in a block of rows.
    #[doc(hidden)]
    fn gather<R>(rows: &[R], of: impl Fn(&R) -> &Self + Copy, columns: &mut Gather<'_>);

    /// Sets the values that `of` finds in a block of rows from one column for every leaf, in order.
    #[doc(hidden)]
    fn scatter<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut Self + Copy, columns: &mut Scatter<'_>);
}

/// A row of a table: a struct with `#[derive(Row)]`, or a bare scalar.
pub trait Row: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// Returns the division of the row into columns.
    fn layout() -> &'static Layout;

    /// Returns a row whose words are all zero, with room for `capacity` elements in each of its lanes.
    fn zeroed(capacity: u32) -> Self;

    /// Returns the bits of the fixed leaf that starts at `word`, zero-extended; 0 if no leaf starts there.
    fn leaf(&self, word: u32) -> u64;

    /// Sets the fixed leaf that starts at `word`; does nothing if no leaf starts there.
    fn set_leaf(&mut self, word: u32, bits: u64);

    /// Returns the bits of the leaf that starts at `word` of lane `lane`; 0 if there is none.
    fn lane_leaf(&self, lane: u32, word: u32) -> u64;

    /// Sets the leaf that starts at `word` of lane `lane`; does nothing if there is none.
    fn set_lane_leaf(&mut self, lane: u32, word: u32, bits: u64);

    /// Changes the capacity of every lane array: new lanes are zero, surplus ones are cut off.
    fn set_capacity(&mut self, capacity: u32);

    /// Returns the elements in each lane array; 0 if the row has none.
    fn capacity(&self) -> u32;

    /// Fills columns from a block of rows: the fixed ones, then those of each of `capacity` lanes.
    #[doc(hidden)]
    fn gather(rows: &[Self], capacity: u32, columns: &mut Gather<'_>);

    /// Fills a block of rows, which have `capacity` lanes, from columns in that order.
    #[doc(hidden)]
    fn scatter(rows: &mut [Self], capacity: u32, columns: &mut Scatter<'_>);

    /// Fills the columns of a pool from a block of rows; `capacities` gives the places of each row.
    #[doc(hidden)]
    fn gather_pool(_rows: &[Self], _capacities: &[u32], _columns: &mut Gather<'_>) {}

    /// Fills the lanes of a block of rows, as many as each has, from the columns of a pool.
    #[doc(hidden)]
    fn scatter_pool(_rows: &mut [Self], _columns: &mut Scatter<'_>) {}
}

/// A parameter block: a struct with `#[derive(Params)]`.
pub trait Params: Data {
    /// Returns the division of the block into words.
    fn layout() -> &'static Layout;
}
