//! The methods of queues and program builders.

use super::{AsColumn, AsPredicate, Float, Integer, Number, SumClass, Threshold, record};
use crate::backend::ScanOp;
use crate::column::Column;
use crate::data::{Data, Row, TallyScalar};
use crate::error::Result;
use crate::program::ProgramBuilder;
use crate::queue::Queue;
use crate::reduce::ArgMin;
use crate::scalar::{Output, Scalar};
use crate::selection::Selection;
use crate::table::Table;
use crate::tally_table::TallyTable;

macro_rules! primitives {
    ($($(#[$doc:meta])* fn $name:ident[$($generics:tt)*]($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// Primitives, put on the queue now. See [`primitives`](crate::primitives).
        impl Queue {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Invalid`](crate::Error::Invalid) when the arguments do not fit together,
                /// [`Error::Poisoned`](crate::Error::Poisoned), [`Error::OutOfMemory`](crate::Error::OutOfMemory), errors of the driver.
                pub fn $name<$($generics)*>(&self, $($arg: $ty),*) -> Result<$result> {
                    self.record(|builder| record::$name(builder, $($arg),*))
                }
            )*
        }

        /// Primitives, recorded: done at every replay. See [`primitives`](crate::primitives).
        impl ProgramBuilder {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As for the method of [`Queue`] of this name.
                pub fn $name<$($generics)*>(&mut self, $($arg: $ty),*) -> Result<$result> {
                    record::$name(self, $($arg),*)
                }
            )*
        }
    };
}

primitives! {
    /// The least value of a column. A NaN is ignored unless all values are NaN; -0 is less than +0. Of no rows: the greatest
    /// value, of floats infinity. Exact.
    fn min['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// The greatest value of a column. A NaN is ignored unless all values are NaN; -0 is less than +0. Of no rows: the least
    /// value, of floats negative infinity. Exact.
    fn max['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// The sum of a column of integers; it wraps. Exact. For floats, see `sum_as`.
    fn sum['t, T: Integer](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// The sum of a column of floats, in a class: [`Reproducible`](crate::Reproducible) or [`Unordered`](crate::Unordered). A device
    /// that cannot give the class refuses with [`Error::Determinism`](crate::Error::Determinism).
    fn sum_as['t, T: Float, C: SumClass](column: impl AsColumn<'t, T>, class: C) -> Scalar<T>;

    /// `min` into the first column of a table of one row, so that later kernels can read it as `&Rows<R>`.
    fn min_into['t, T: Number, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// `max` into the first column of a table of one row.
    fn max_into['t, T: Number, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// `sum` into the first column of a table of one row.
    fn sum_into['t, T: Integer, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// The least value of a column, as by `min`, and the first row that has its bits (of all NaN: row 0). Of no rows: row
    /// `u32::MAX`. Exact.
    fn arg_min['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<ArgMin<T>>;

    /// The greatest value of a column, as by `max`, and the first row that has its bits (of all NaN: row 0). Of no rows:
    /// row `u32::MAX`. Exact.
    fn arg_max['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<ArgMin<T>>;

    /// How many rows pass a test.
    fn count[](rows: impl AsPredicate) -> Scalar<u32>;

    /// Whether a row passes a test; false of no rows.
    fn any[](rows: impl AsPredicate) -> Scalar<bool>;

    /// Whether every row passes a test; true of no rows.
    fn all[](rows: impl AsPredicate) -> Scalar<bool>;

    /// The least value of every segment of a column: segment `s` is the rows `offsets[s] .. offsets[s + 1]`, cut off at the column's
    /// end, and empty where its start is not below its end. `offsets` has one row more than `into`.
    fn segmented_min['t, T: Number](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// The greatest value of every segment; segments are those of `segmented_min`.
    fn segmented_max['t, T: Number](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// The sum of every segment of integers; segments are those of `segmented_min`.
    fn segmented_sum['t, T: Integer](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// The sum of every segment of floats, in a class; segments are those of `segmented_min`. The tree of a reproducible sum is
    /// that of the segment's own length.
    fn segmented_sum_as['t, T: Float, C: SumClass](
        column: impl AsColumn<'t, T>, offsets: &Table<u32>, class: C, into: &mut Table<T>
    ) -> ();

    /// Combines the rows up to each row, itself included. Exact, but for running sums of floats, which are unordered.
    fn inclusive_scan['t, T: Number](column: impl AsColumn<'t, T>, op: ScanOp, into: &mut Table<T>) -> ();

    /// Combines the rows before each row; row 0 gets what a reduction gives of no rows. Classes as for `inclusive_scan`.
    fn exclusive_scan['t, T: Number](column: impl AsColumn<'t, T>, op: ScanOp, into: &mut Table<T>) -> ();

    /// Lists the rows that pass a test, in ascending order; the list and its count stay on the device.
    fn select[](rows: impl AsPredicate) -> Selection;

    /// `select` into a selection made before, with room for every row of the column tested.
    fn select_into[](rows: impl AsPredicate, into: &mut Selection) -> ();

    /// Lists all rows in the order of their keys, ascending and stable: the permutation that sorts. -0 comes before +0, and
    /// every NaN last.
    fn sort['t, K: Number](keys: impl AsColumn<'t, K>) -> Selection;

    /// Lists all rows by their kind, and leaves gaps: those of kind 0 first, and the rows of each kind from a multiple of `width` on, in ascending order.
    /// A launch over the list then runs only rows of one kind in `width` neighbouring places. Kinds from `kinds - 1` on count as one, in which the lower come first. The selection is made
    /// with [`Selection::by_kind`] for as many rows and kinds. Of no kinds or no width: as of 1.
    fn group_by['t](column: impl AsColumn<'t, u32>, kinds: u32, width: u32, into: &mut Selection) -> ();

    /// Puts keys in ascending order, and values along with them; stable. Order as for `sort`.
    fn sort_by_key['t, 'v, K: Number, V: Data + Row + Output](
        keys: impl AsColumn<'t, K>, values: impl AsColumn<'v, V>, sorted_keys: &mut Table<K>, sorted_values: &mut Table<V>
    ) -> ();

    /// Counts a column's values: `x` adds 1 to slot `(x - lowest) / width`, and nothing where there is no such slot. What is
    /// in the slots stays and is added to.
    fn histogram['t, T: Integer + TallyScalar](
        column: impl AsColumn<'t, T>, lowest: T, width: u64, into: &mut TallyTable<u32>
    ) -> ();

    /// Row `i` of `to` becomes row `rows[i]` of `from`, lanes included: zeroed where that is past the end.
    fn gather[R: Row](rows: &Table<u32>, from: &Table<R>, to: &mut Table<R>) -> ();

    /// Row `rows[i]` of `to` becomes row `i` of `from`, lanes included. A destination past the end takes nothing; of several
    /// rows with one destination the lowest wins; other rows of `to` stay.
    fn scatter[R: Row](rows: &Table<u32>, from: &Table<R>, to: &mut Table<R>) -> ();

    /// Sets every row of a column to a constant or a device scalar.
    fn fill['t, T: Number](column: impl AsColumn<'t, T>, value: impl Threshold<T>) -> ();

    /// Copies a column to a column of as many rows.
    fn copy_column['t, T: Data + Row + Output](from: impl AsColumn<'t, T>, to: Column<'_, T>) -> ();

    /// The time of the next event: the least of the times. This is `findMinTime` of the Cell-DEVS papers, and a `min`.
    fn find_min_time['t, T: Number](times: impl AsColumn<'t, T>) -> Scalar<T>;

    /// The rows whose next event is due at `now`, mostly what `find_min_time` found. This is `findImminents` of the Cell-DEVS
    /// papers, and a `select` of the rows that equal a device scalar.
    fn find_imminents['t, T: Number](times: impl AsColumn<'t, T>, now: &Scalar<T>) -> Selection;
}
