//! Translation of primitives over words into launches.

macro_rules! word_steps {
    ($(#[$doc:meta])* $module:ident, $t:ident) => {
        $(#[$doc])*
        pub(super) mod $module {
            use super::super::sorting::pairs::$module::{Pair, Run, merge, pair_rows, sort_groups};
            use super::super::words::keys::$module::{
                Indexed, Order, Slots, Word, any, any_fails, count, first_row, flag, found, histogram as count_slots, least,
                moved, sum as sum_words, unkey,
            };
            use super::super::words::rows::{Index, Truth, negate};
            use super::super::{fill, scans, segments, stage};
            use crate::backend::{Census, Comparison};
            use crate::device::Storage;
            use crate::error::Result;
            use crate::reduce::order;
            use crate::program::{ProgramBuilder, ColumnRef, Value};
            use crate::tables::{Table, TallyTable};
            use imminent_ir::Scalar;

            fn order(scalar: Scalar, reverse: bool) -> Order {
                let kind = match scalar {
                    Scalar::Bool | Scalar::U32 | Scalar::U64 => 0,
                    Scalar::I32 | Scalar::I64 => 1,
                    Scalar::F32 | Scalar::F64 => 2,
                };
                Order { kind, reverse, test: 0, op: 1, exclusive: false, none: 0 }
            }

            fn one(builder: &ProgramBuilder) -> Result<Table<Word>> {
                Table::zeroed(&builder.device, 1)
            }

            /// Returns the extreme of no rows.
            fn of_none(scalar: Scalar, greatest: bool) -> u64 {
                if greatest { order::least(scalar) } else { order::greatest(scalar) }
            }

            /// Finds the least key, in a table of one row.
            fn least_key(builder: &mut ProgramBuilder, words: &Table<Word>, order: &Order) -> Result<Table<Word>> {
                let mut key = one(builder)?;
                builder.launch_into::<least, _>((words, order), &mut key)?;
                Ok(key)
            }

            pub(in super::super) fn extreme(
                builder: &mut ProgramBuilder,
                greatest: bool,
                column: &ColumnRef,
                into: &ColumnRef,
            ) -> Result<()> {
                let scalar = column.span.scalar;
                if column.rows() == 0 {
                    return fill(builder, into, &Value::Constant(of_none(scalar, greatest)));
                }
                let words = stage::input(builder, column)?;
                let order = order(scalar, greatest);
                let key = least_key(builder, &words, &order)?;
                let mut value = stage::output(builder, into)?;
                builder.launch::<unkey>((&mut value, &key, &order))?;
                stage::deliver(builder, &value, into)
            }

            pub(in super::super) fn arg(
                builder: &mut ProgramBuilder,
                greatest: bool,
                column: &ColumnRef,
                into: &ColumnRef,
                row: &ColumnRef,
            ) -> Result<()> {
                let scalar = column.span.scalar;
                if column.rows() == 0 {
                    fill(builder, into, &Value::Constant(of_none(scalar, greatest)))?;
                    return fill(builder, row, &Value::Constant(u64::from(u32::MAX)));
                }
                let words = stage::input(builder, column)?;
                let order = order(scalar, greatest);
                let key = least_key(builder, &words, &order)?;
                let mut first = Table::<Index>::zeroed(&builder.device, 1)?;
                builder.launch_into::<first_row, _>((&words, &key, &order), &mut first)?;
                let mut pair = Table::<Indexed>::zeroed(&builder.device, 1)?;
                builder.launch::<found>((&mut pair, &key, &first, &order))?;
                let word = if $t::BITS == 64 { Scalar::U64 } else { Scalar::U32 };
                stage::copy_column(builder, &ColumnRef::new(&pair.memory, word, 0), into)?;
                stage::copy_column(builder, &ColumnRef::new(&pair.memory, Scalar::U32, word.words()), row)
            }

            pub(in super::super) fn sum(builder: &mut ProgramBuilder, column: &ColumnRef, into: &ColumnRef) -> Result<()> {
                let words = stage::input(builder, column)?;
                let mut total = stage::output::<Word>(builder, into)?;
                builder.launch_into::<sum_words, _>((&words,), &mut total)?;
                stage::deliver(builder, &total, into)
            }

            fn test(
                builder: &mut ProgramBuilder,
                column: &ColumnRef,
                comparison: Comparison,
                value: &Value,
            ) -> Result<(Table<Word>, Table<Word>, Order)> {
                let test = match comparison {
                    Comparison::Equal => 0,
                    Comparison::NotEqual => 1,
                    Comparison::Less => 2,
                    Comparison::LessOrEqual => 3,
                    Comparison::Greater => 4,
                    Comparison::GreaterOrEqual => 5,
                };
                let right = match value {
                    Value::Constant(bits) => Table::from_rows(&builder.device, &[Word { value: *bits as $t }])?,
                    Value::Device(source) => stage::input(builder, source)?,
                };
                Ok((stage::input(builder, column)?, right, Order { test, ..order(column.span.scalar, false) }))
            }

            pub(in super::super) fn census(
                builder: &mut ProgramBuilder,
                what: Census,
                (column, comparison, value): (&ColumnRef, Comparison, &Value),
                into: &ColumnRef,
            ) -> Result<()> {
                let (words, right, order) = test(builder, column, comparison, value)?;
                if what == Census::Count {
                    let mut number = stage::output::<Index>(builder, into)?;
                    builder.launch_into::<count, _>((&words, &right, &order), &mut number)?;
                    return stage::deliver(builder, &number, into);
                }
                let mut truth = stage::output::<Truth>(builder, into)?;
                if what == Census::Any {
                    builder.launch_into::<any, _>((&words, &right, &order), &mut truth)?;
                } else {
                    let mut fails = Table::<Truth>::zeroed(&builder.device, 1)?;
                    builder.launch_into::<any_fails, _>((&words, &right, &order), &mut fails)?;
                    builder.launch::<negate>((&mut truth, &fails))?;
                }
                stage::deliver(builder, &truth, into)
            }

            /// Sets 1 for every row that passes.
            pub(in super::super) fn flags(
                builder: &mut ProgramBuilder,
                (column, comparison, value): (&ColumnRef, Comparison, &Value),
            ) -> Result<Table<Index>> {
                let (words, right, order) = test(builder, column, comparison, value)?;
                let mut flags = Table::zeroed(&builder.device, words.len())?;
                builder.launch::<flag>((&words, &mut flags, &right, &order))?;
                Ok(flags)
            }

            pub(in super::super) fn scan(
                builder: &mut ProgramBuilder,
                (of_sum, greatest, exclusive): (bool, bool, bool),
                column: &ColumnRef,
                into: &ColumnRef,
            ) -> Result<()> {
                let words = stage::input(builder, column)?;
                let none = if of_sum { 0 } else { of_none(column.span.scalar, greatest) as $t };
                let order = order(column.span.scalar, greatest);
                let order = Order { op: if of_sum { 0 } else { 1 }, exclusive, none, ..order };
                let mut out = stage::output(builder, into)?;
                let identity = if of_sum { 0 } else { $t::MAX };
                let inner = Order { kind: 0, reverse: false, exclusive: true, none: identity, ..order };
                super::$module::scan_words(builder, &words, &mut out, &order, &inner)?;
                stage::deliver(builder, &out, into)
            }

            super::scan_steps!($module);

            pub(in super::super) fn segments(
                builder: &mut ProgramBuilder,
                (of_sum, greatest): (bool, bool),
                column: &ColumnRef,
                offsets: &ColumnRef,
                into: &ColumnRef,
            ) -> Result<()> {
                let none = if of_sum { 0 } else { of_none(column.span.scalar, greatest) as $t };
                let order = Order { op: if of_sum { 0 } else { 1 }, none, ..order(column.span.scalar, greatest) };
                super::$module::segment_words(builder, column, offsets, into, &order)
            }

            super::segment_steps!($module);

            /// Returns the rows of a column in the order of their keys.
            pub(in super::super) fn sort(builder: &mut ProgramBuilder, keys: &ColumnRef) -> Result<Table<Index>> {
                let words = stage::input::<Word>(builder, keys)?;
                let rows = words.len();
                let mut sorted = Table::<Pair>::zeroed(&builder.device, rows)?;
                builder.launch::<sort_groups>((&words, &mut sorted, &order(keys.span.scalar, false)))?;
                let mut width = 256;
                if rows > width {
                    let mut other = Table::<Pair>::zeroed(&builder.device, rows)?;
                    while width < rows {
                        builder.launch::<merge>((&mut other, &sorted, &Run { width: width as u32 }))?;
                        std::mem::swap(&mut sorted, &mut other);
                        width *= 2;
                    }
                }
                let mut order = Table::zeroed(&builder.device, rows)?;
                builder.launch::<pair_rows>((&mut order, &sorted))?;
                Ok(order)
            }

            /// Reorders a column.
            pub(in super::super) fn move_column(
                builder: &mut ProgramBuilder,
                order: &Table<Index>,
                from: &ColumnRef,
                to: &ColumnRef,
            ) -> Result<()> {
                let words = stage::input::<Word>(builder, from)?;
                // The column may be sorted in place: the source must not be the destination.
                let mut out = Table::zeroed(&builder.device, words.len())?;
                builder.launch::<moved>((&mut out, order, &words))?;
                stage::copy_column(builder, &stage::whole(&out)?, to)
            }

            pub(in super::super) fn histogram(
                builder: &mut ProgramBuilder,
                column: &ColumnRef,
                lowest: u64,
                width: u64,
                tally: &ColumnRef,
            ) -> Result<()> {
                let kind = order(column.span.scalar, false).kind;
                // A slot wider than the whole range of values is the only one.
                let width = <$t>::try_from(width).unwrap_or(0);
                let words = stage::input(builder, column)?;
                let tally = TallyTable::<u32>::of_memory(Storage::of(&builder.device, &tally.memory));
                builder.launch::<count_slots>((&words, &Slots { kind, lowest: lowest as $t, width }, &tally))?;
                Ok(())
            }
        }
    };
}

/// Steps of a scan over tables of words: the totals of groups are scanned recursively.
macro_rules! scan_steps {
    ($module:ident) => {
        /// Scans; `inner` is the order for the totals of groups, which are combined already.
        pub(in super::super) fn scan_words(
            builder: &mut ProgramBuilder,
            words: &Table<Word>,
            into: &mut Table<Word>,
            order: &Order,
            inner: &Order,
        ) -> Result<()> {
            let groups = words.len().div_ceil(256);
            let before = if groups > 1 {
                let mut totals = Table::zeroed(&builder.device, groups)?;
                builder.launch::<scans::scan::$module::totals>((words, &mut totals, order))?;
                let mut before = Table::zeroed(&builder.device, groups)?;
                scan_words(builder, &totals, &mut before, inner, inner)?;
                before
            } else {
                Table::from_rows(&builder.device, &vec![Word { value: inner.none }; groups])?
            };
            builder.launch::<scans::scan::$module::scan>((words, into, &before, order))?;
            Ok(())
        }
    };
}

/// Steps of reductions of segments: a group of 32 rows for each.
macro_rules! segment_steps {
    ($module:ident) => {
        pub(in super::super) fn segment_words(
            builder: &mut ProgramBuilder,
            column: &ColumnRef,
            offsets: &ColumnRef,
            into: &ColumnRef,
            order: &Order,
        ) -> Result<()> {
            let words = stage::input::<Word>(builder, column)?;
            let offsets = stage::input::<Index>(builder, offsets)?;
            let rows = (into.rows() as usize).saturating_mul(32);
            let mut lanes = Table::<Word>::zeroed(&builder.device, rows)?;
            builder.launch::<segments::segment::$module::segment>((&mut lanes, &words, &offsets, order))?;
            let mut out = stage::output(builder, into)?;
            builder.launch::<segments::segment::$module::results>((&mut out, &lanes))?;
            stage::deliver(builder, &out, into)
        }
    };
}

macro_rules! real_steps {
    ($(#[$doc:meta])* $module:ident) => {
        $(#[$doc])*
        pub(super) mod $module {
            use super::super::reals::sums::$module::{Order, Word, sum as sum_words};
            use super::super::words::rows::Index;
            use super::super::{scans, segments, stage};
            use crate::error::Result;
            use crate::program::{ProgramBuilder, ColumnRef};
            use crate::tables::Table;

            pub(in super::super) fn sum(builder: &mut ProgramBuilder, column: &ColumnRef, into: &ColumnRef) -> Result<()> {
                let words = stage::input(builder, column)?;
                let mut total = stage::output::<Word>(builder, into)?;
                builder.launch_into::<sum_words, _>((&words,), &mut total)?;
                stage::deliver(builder, &total, into)
            }

            pub(in super::super) fn scan(
                builder: &mut ProgramBuilder,
                exclusive: bool,
                column: &ColumnRef,
                into: &ColumnRef,
            ) -> Result<()> {
                let words = stage::input(builder, column)?;
                let mut out = stage::output(builder, into)?;
                let order = |exclusive| Order { op: 0, exclusive, none: 0.0 };
                scan_words(builder, &words, &mut out, &order(exclusive), &order(true))?;
                stage::deliver(builder, &out, into)
            }

            super::scan_steps!($module);

            pub(in super::super) fn segments(
                builder: &mut ProgramBuilder,
                column: &ColumnRef,
                offsets: &ColumnRef,
                into: &ColumnRef,
            ) -> Result<()> {
                let order = Order { op: 0, exclusive: false, none: 0.0 };
                segment_words(builder, column, offsets, into, &order)
            }

            super::segment_steps!($module);
        }
    };
}

use {scan_steps, segment_steps};

word_steps! {
    /// Columns of one word.
    narrow, u32
}

word_steps! {
    /// Columns of two words.
    wide, u64
}

real_steps! {
    /// Sums of `f32`.
    single
}

real_steps! {
    /// Sums of `f64`.
    double
}

/// Running counts.
pub(super) mod counts {
    use super::super::scans;
    use super::super::words::counts::{Order, Word};
    use crate::error::Result;
    use crate::program::ProgramBuilder;
    use crate::tables::Table;

    /// Returns the running count of flags.
    pub(in super::super) fn ranks(builder: &mut ProgramBuilder, flags: &Table<Word>) -> Result<Table<Word>> {
        let mut ranks = Table::zeroed(&builder.device, flags.len())?;
        let order = |exclusive| Order { op: 0, exclusive, none: 0 };
        scan_words(builder, flags, &mut ranks, &order(false), &order(true))?;
        Ok(ranks)
    }

    super::scan_steps!(counts);
}
