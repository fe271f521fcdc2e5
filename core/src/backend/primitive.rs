//! Primitives as commands over columns: reductions, scans, sorts and moves.
//!
//! Every primitive has a portable form in `core`, so a backend works without any. A backend with a faster form
//! announces it in [`Backend::overrides`](super::Backend::overrides). The items here define every result bit for bit.
//! Only [`Reduction::SumUnordered`] of floats and running sums of floats leave the order of their additions open.

use super::{Buffer, Comparison, Span};
use imminent_ir::Scalar;

/// A column as a primitive sees it.
#[derive(Clone, Debug)]
pub struct View {
    /// The table, tally or result.
    pub buffer: Buffer,
    /// The column and its rows, which the buffer has.
    pub span: Span,
}

impl View {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.span.rows.end.saturating_sub(self.span.rows.start)
    }

    /// Returns the type of the values.
    #[must_use]
    pub fn scalar(&self) -> Scalar {
        self.span.scalar
    }
}

/// A value that a primitive compares with or writes.
#[derive(Clone, Debug)]
pub enum Operand {
    /// Bits of a constant, zero-extended.
    Constant(u64),
    /// A column of one row, of a table, tally or result: its value at the time when the primitive runs.
    Device(View),
}

/// A test of every row of a column. [`Comparison::holds`] defines it: as IEEE 754 for floats, zeros of both signs being
/// equal. The truth of a `bool` column is the comparison `!= 0`.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The column on the left.
    pub column: View,
    /// The comparison.
    pub comparison: Comparison,
    /// The value on the right, of the column's type.
    pub value: Operand,
}

/// Operation that reduces a column.
///
/// `Min`, `Max` and their arg forms use the total order of [`crate::primitives`]: a NaN is ignored unless all values
/// are NaN, -0 is less than +0, and of equal bits the lowest row wins. So none of them depends on an order of
/// evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The least value; of no rows the greatest (floats: infinity).
    Min,
    /// The greatest value; of no rows the least (floats: negative infinity).
    Max,
    /// The sum: integers wrap, floats add over the [fixed tree](crate::reduce) of the number of rows.
    Sum,
    /// The sum: integers wrap, floats add in any order.
    SumUnordered,
    /// The least value and its row; for no rows the value of `Min`, and row `u32::MAX`.
    ArgMin,
    /// The greatest value and its row; for no rows the value of `Max`, and row `u32::MAX`.
    ArgMax,
}

impl Reduction {
    /// Returns `true` if a row number (a `u32`) follows the value.
    #[must_use]
    pub const fn with_row(self) -> bool {
        matches!(self, Reduction::ArgMin | Reduction::ArgMax)
    }
}

/// Question about the rows that pass a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Census {
    /// Number of rows that pass, a `u32`.
    Count,
    /// `true` if at least one row passes, a `bool`.
    Any,
    /// `true` if all rows pass, a `bool`; also of no rows.
    All,
}

/// The operation of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScanOp {
    /// Running sum: integers wrap, floats add in any order.
    Sum,
    /// Least value so far, as [`Reduction::Min`].
    Min,
    /// Greatest value so far, as [`Reduction::Max`].
    Max,
}

/// One primitive. It writes no buffer that it also reads, unless an item says otherwise.
#[derive(Clone, Debug)]
pub enum Primitive {
    /// Reduces a column.
    Reduce {
        /// Operation.
        op: Reduction,
        /// Column to reduce. Never `bool`.
        column: View,
        /// One row of the column's type.
        into: View,
        /// For the arg forms: one row of `u32`, in the same buffer as `into`.
        row: Option<View>,
    },
    /// Counts the rows that pass a filter.
    Census {
        /// Question to answer.
        what: Census,
        /// The test.
        filter: Filter,
        /// One row, `u32` for a count and `bool` otherwise.
        into: View,
    },
    /// Reduces consecutive segments of a column: segment `s` is the rows `offsets[s] .. offsets[s + 1]`. An end past
    /// the column's end is cut to it. A segment whose start is not below its end is empty. Sums of floats use the fixed
    /// tree of the segment's length.
    SegmentedReduce {
        /// Operation; not an arg form.
        op: Reduction,
        /// Column to reduce. Never `bool`.
        column: View,
        /// `u32`, one row more than `into`.
        offsets: View,
        /// One row for every segment, of the column's type.
        into: View,
    },
    /// Scans a column: row `i` of `into` combines the rows up to `i`, or, if `exclusive`, those before `i`.
    Scan {
        /// Operation.
        op: ScanOp,
        /// `true` if row `i` itself is left out; row 0 is then the operation's value for no rows.
        exclusive: bool,
        /// Column to scan. Never `bool`.
        column: View,
        /// Result column, with as many rows and of the same type.
        into: View,
    },
    /// Lists the rows that pass a filter, in ascending order (stable compaction). Rows of the list from `count` on are
    /// undefined afterwards.
    Select {
        /// The test.
        filter: Filter,
        /// `u32`: at least as many rows as the filter's column. Row numbers count from the start of the column's span.
        rows: View,
        /// `u32`, one row: the number of rows listed.
        count: View,
    },
    /// Sorts by key, ascending, stable. Floats: -infinity, ..., -0, +0, ..., infinity, then NaN of any kind in row
    /// order.
    Sort {
        /// The keys. Never `bool`.
        keys: View,
        /// Values to sort along with the keys, as many rows of any type; the row numbers (`u32`, from 0) if `None`.
        values: Option<View>,
        /// Destination of the sorted keys, if they are wanted. May be the view `keys`.
        sorted_keys: Option<View>,
        /// Destination of the values in the keys' order. May be the view `values`.
        sorted_values: View,
    },
    /// Adds 1 to slot `(x - lowest) / width` for every value `x` for which that is a slot of the tally.
    Histogram {
        /// `u32`, `i32`, `u64` or `i64`.
        column: View,
        /// Bits of the least value of slot 0, zero-extended.
        lowest: u64,
        /// Values in a slot, at least 1.
        width: u64,
        /// A tally of `u32`: the slots.
        tally: View,
    },
    /// Copies row `rows[i]` of `from` to row `i` of `to`, lanes included; a zeroed row if `rows[i]` is past the end of
    /// `from`. A row of `to` may have more lanes than its source row: those become zero.
    Gather {
        /// `u32`, as many rows as `to`.
        rows: View,
        /// A table of the same layout and capacity as `to`. Or both are ragged, and each row of `to` has room for its
        /// source row.
        from: Buffer,
        /// Destination.
        to: Buffer,
    },
    /// Copies row `i` of `from` to row `rows[i]` of `to`, lanes included. Nothing happens where `rows[i]` is past the
    /// end. Of several rows with one destination the lowest wins. Rows of `to` without a source stay as they are.
    Scatter {
        /// `u32`, as many rows as `from`.
        rows: View,
        /// A table of the same layout and capacity as `to`.
        from: Buffer,
        /// Destination.
        to: Buffer,
    },
    /// Copies a column bit by bit to another of as many rows whose values have as many words.
    CopyColumn {
        /// Source.
        from: View,
        /// Destination.
        to: View,
    },
    /// Sets every row of a column to a value of its type.
    Fill {
        /// The column.
        column: View,
        /// The value.
        value: Operand,
    },
}

impl Primitive {
    /// Returns the name for error texts.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Primitive::Reduce { .. } => "reduce",
            Primitive::Census { .. } => "census",
            Primitive::SegmentedReduce { .. } => "segmented reduce",
            Primitive::Scan { .. } => "scan",
            Primitive::Select { .. } => "select",
            Primitive::Sort { .. } => "sort",
            Primitive::Histogram { .. } => "histogram",
            Primitive::Gather { .. } => "gather",
            Primitive::Scatter { .. } => "scatter",
            Primitive::CopyColumn { .. } => "copy of a column",
            Primitive::Fill { .. } => "fill",
        }
    }
}

impl Primitive {
    /// Calls `f` with every buffer that the primitive names, and with `true` if it is written. The order is
    /// unspecified.
    pub fn for_each_buffer(&mut self, f: &mut dyn FnMut(&mut Buffer, bool)) {
        match self {
            Primitive::Reduce { column, into, row, .. } => {
                f(&mut column.buffer, false);
                f(&mut into.buffer, true);
                if let Some(row) = row {
                    f(&mut row.buffer, true);
                }
            }
            Primitive::Census { filter, into, .. } => {
                filter.for_each_buffer(f);
                f(&mut into.buffer, true);
            }
            Primitive::SegmentedReduce { column, offsets, into, .. } => {
                f(&mut column.buffer, false);
                f(&mut offsets.buffer, false);
                f(&mut into.buffer, true);
            }
            Primitive::Scan { column, into, .. } => {
                f(&mut column.buffer, false);
                f(&mut into.buffer, true);
            }
            Primitive::Select { filter, rows, count } => {
                filter.for_each_buffer(f);
                f(&mut rows.buffer, true);
                f(&mut count.buffer, true);
            }
            Primitive::Sort { keys, values, sorted_keys, sorted_values } => {
                f(&mut keys.buffer, false);
                if let Some(values) = values {
                    f(&mut values.buffer, false);
                }
                if let Some(sorted) = sorted_keys {
                    f(&mut sorted.buffer, true);
                }
                f(&mut sorted_values.buffer, true);
            }
            Primitive::Histogram { column, tally, .. } => {
                f(&mut column.buffer, false);
                f(&mut tally.buffer, true);
            }
            Primitive::Gather { rows, from, to } | Primitive::Scatter { rows, from, to } => {
                f(&mut rows.buffer, false);
                f(from, false);
                f(to, true);
            }
            Primitive::CopyColumn { from, to } => {
                f(&mut from.buffer, false);
                f(&mut to.buffer, true);
            }
            Primitive::Fill { column, value } => {
                f(&mut column.buffer, true);
                value.for_each_buffer(f);
            }
        }
    }

    /// Returns the buffer that takes the value of a reduction or census. If it is a [result](super::Allocation::Result)
    /// all of it is written, so nothing has to be cleared before.
    #[must_use]
    pub fn result(&self) -> Option<&Buffer> {
        match self {
            Primitive::Reduce { into, .. } | Primitive::Census { into, .. } => Some(&into.buffer),
            _ => None,
        }
    }

    /// Returns the buffers that the primitive names, each with `true` if it is written. A buffer may occur twice.
    #[must_use]
    pub fn buffers(&self) -> Vec<(Buffer, bool)> {
        let mut buffers = Vec::new();
        self.clone().for_each_buffer(&mut |buffer, written| buffers.push((buffer.clone(), written)));
        buffers
    }
}

impl Filter {
    fn for_each_buffer(&mut self, f: &mut dyn FnMut(&mut Buffer, bool)) {
        f(&mut self.column.buffer, false);
        self.value.for_each_buffer(f);
    }
}

impl Operand {
    fn for_each_buffer(&mut self, f: &mut dyn FnMut(&mut Buffer, bool)) {
        if let Operand::Device(view) = self {
            f(&mut view.buffer, false);
        }
    }
}
