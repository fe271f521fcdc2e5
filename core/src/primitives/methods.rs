//! The methods of queues and program builders.

use super::{AsColumn, AsPredicate, Float, Integer, Number, SumClass, Threshold, record};
use crate::backend::ScanOp;
use crate::data::{Data, Row, TallyScalar};
use crate::device::Queue;
use crate::error::Result;
use crate::program::ProgramBuilder;
use crate::reduce::ArgMin;
use crate::tables::{Column, Output, Scalar, Selection, Table, TallyTable};

macro_rules! primitives {
    ($($(#[$doc:meta])* fn $name:ident[$($generics:tt)*]($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// Primitives, put on the queue immediately. See [`primitives`](crate::primitives).
        impl Queue {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// [`Error::Invalid`](crate::Error::Invalid) if the arguments do not fit together,
                /// [`Error::Poisoned`](crate::Error::Poisoned), [`Error::OutOfMemory`](crate::Error::OutOfMemory),
                /// errors of the driver.
                pub fn $name<$($generics)*>(&self, $($arg: $ty),*) -> Result<$result> {
                    self.record(|builder| record::$name(builder, $($arg),*))
                }
            )*
        }

        /// Primitives, recorded and executed at every replay. See [`primitives`](crate::primitives).
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
    /// Finds the least value of a column. A NaN is ignored unless all values are NaN; -0 is less than +0. Gives the
    /// greatest value for no rows, infinity for floats. Exact.
    fn min['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// Finds the greatest value of a column. A NaN is ignored unless all values are NaN; -0 is less than +0. Gives the
    /// least value for no rows, negative infinity for floats. Exact.
    fn max['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// Sums a column of integers; the sum wraps. Exact. For floats, see `sum_as`.
    fn sum['t, T: Integer](column: impl AsColumn<'t, T>) -> Scalar<T>;

    /// Sums a column of floats, in a class: [`Reproducible`](crate::Reproducible) or [`Unordered`](crate::Unordered). A
    /// device that cannot give the class refuses with [`Error::Determinism`](crate::Error::Determinism).
    fn sum_as['t, T: Float, C: SumClass](column: impl AsColumn<'t, T>, class: C) -> Scalar<T>;

    /// Stores the result of `min` in the first column of a table of one row, so that later kernels can read it as
    /// `&Rows<R>`.
    fn min_into['t, T: Number, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// Stores the result of `max` in the first column of a table of one row.
    fn max_into['t, T: Number, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// Stores the result of `sum` in the first column of a table of one row.
    fn sum_into['t, T: Integer, R: Row](column: impl AsColumn<'t, T>, into: &mut Table<R>) -> Scalar<T>;

    /// Finds the least value of a column, as by `min`, and the first row that has its bits (of all NaN: row 0). Gives
    /// row `u32::MAX` for no rows. Exact.
    fn arg_min['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<ArgMin<T>>;

    /// Finds the greatest value of a column, as by `max`, and the first row that has its bits (of all NaN: row 0).
    /// Gives row `u32::MAX` for no rows. Exact.
    fn arg_max['t, T: Number](column: impl AsColumn<'t, T>) -> Scalar<ArgMin<T>>;

    /// Counts the rows that pass a test.
    fn count[](rows: impl AsPredicate) -> Scalar<u32>;

    /// Tests for a row that passes; false of no rows.
    fn any[](rows: impl AsPredicate) -> Scalar<bool>;

    /// Tests that every row passes; true of no rows.
    fn all[](rows: impl AsPredicate) -> Scalar<bool>;

    /// Finds the least value of every segment of a column. Segment `s` is the rows `offsets[s] .. offsets[s + 1]`, cut
    /// off at the column's end, and empty if its start is not below its end. `offsets` has one row more than `into`.
    fn segmented_min['t, T: Number](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// Finds the greatest value of every segment; segments are those of `segmented_min`.
    fn segmented_max['t, T: Number](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// Sums every segment of integers; segments are those of `segmented_min`.
    fn segmented_sum['t, T: Integer](column: impl AsColumn<'t, T>, offsets: &Table<u32>, into: &mut Table<T>) -> ();

    /// Sums every segment of floats, in a class; segments are those of `segmented_min`. The tree of a reproducible sum
    /// is that of the segment's own length.
    fn segmented_sum_as['t, T: Float, C: SumClass](
        column: impl AsColumn<'t, T>, offsets: &Table<u32>, class: C, into: &mut Table<T>
    ) -> ();

    /// Combines the rows up to each row, itself included. Exact, except for running sums of floats, which are
    /// unordered.
    fn inclusive_scan['t, T: Number](column: impl AsColumn<'t, T>, op: ScanOp, into: &mut Table<T>) -> ();

    /// Combines the rows before each row; row 0 gets the value of a reduction over no rows. Classes as for
    /// `inclusive_scan`.
    fn exclusive_scan['t, T: Number](column: impl AsColumn<'t, T>, op: ScanOp, into: &mut Table<T>) -> ();

    /// Lists the rows that pass a test, in ascending order; the list and its count stay on the device.
    fn select[](rows: impl AsPredicate) -> Selection;

    /// Stores the result of `select` in an existing selection with room for every row of the column tested.
    fn select_into[](rows: impl AsPredicate, into: &mut Selection) -> ();

    /// Lists all rows in the order of their keys, ascending and stable: the permutation that sorts. -0 comes before +0,
    /// and every NaN last.
    fn sort['t, K: Number](keys: impl AsColumn<'t, K>) -> Selection;

    /// Lists all rows by their kind, with gaps: kind 0 first, and the rows of each kind from a multiple of `width` on,
    /// in ascending order. A launch over the list then runs rows of only one kind in `width` neighbouring places. Kinds
    /// from `kinds - 1` on count as one, in which the lower kinds come first. Make the selection with
    /// [`Selection::by_kind`] for as many rows and kinds. A number of kinds or a width of 0 counts as 1.
    fn group_by['t](column: impl AsColumn<'t, u32>, kinds: u32, width: u32, into: &mut Selection) -> ();

    /// Sorts keys in ascending order, and values along with them; stable. Order as for `sort`.
    fn sort_by_key['t, 'v, K: Number, V: Data + Row + Output](
        keys: impl AsColumn<'t, K>, values: impl AsColumn<'v, V>, sorted_keys: &mut Table<K>, sorted_values: &mut Table<V>
    ) -> ();

    /// Counts a column's values: `x` adds 1 to slot `(x - lowest) / width`, or to none if there is no such slot. Counts
    /// are added to the present contents of the slots.
    fn histogram['t, T: Integer + TallyScalar](
        column: impl AsColumn<'t, T>, lowest: T, width: u64, into: &mut TallyTable<u32>
    ) -> ();

    /// Copies row `rows[i]` of `from` to row `i` of `to`, lanes included; zeroed if `rows[i]` is past the end.
    fn gather[R: Row](rows: &Table<u32>, from: &Table<R>, to: &mut Table<R>) -> ();

    /// Copies row `i` of `from` to row `rows[i]` of `to`, lanes included. Nothing happens for a destination past the
    /// end. Of several rows with one destination the lowest wins. Other rows of `to` stay.
    fn scatter[R: Row](rows: &Table<u32>, from: &Table<R>, to: &mut Table<R>) -> ();

    /// Sets every row of a column to a constant or a device scalar.
    fn fill['t, T: Number](column: impl AsColumn<'t, T>, value: impl Threshold<T>) -> ();

    /// Copies a column to a column of as many rows.
    fn copy_column['t, T: Data + Row + Output](from: impl AsColumn<'t, T>, to: Column<'_, T>) -> ();

    /// Finds the time of the next event: the least of the times. This is `findMinTime` of the Cell-DEVS papers, and a
    /// `min`.
    fn find_min_time['t, T: Number](times: impl AsColumn<'t, T>) -> Scalar<T>;

    /// Lists the rows whose next event is due at `now`, usually the result of `find_min_time`. This is `findImminents`
    /// of the Cell-DEVS papers, and a `select` of the rows that equal a device scalar.
    fn find_imminents['t, T: Number](times: impl AsColumn<'t, T>, now: &Scalar<T>) -> Selection;
}
