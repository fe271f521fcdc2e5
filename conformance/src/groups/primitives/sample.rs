//! Columns to try primitives on, and the order of their values, written independently of the library.

use crate::case::{Stop, Verdict, fail};
use crate::context::Context;
use crate::kernels::primitives::cells::{Cell, CellColumns as _};
use crate::operands::Operand;
use imminent_core::primitives::Number;
use imminent_core::{Column, Device, Row, Table};
use rand_core::Rng;
use std::cmp::Ordering;

/// Lengths around the sizes of blocks, and one that is a multiple of nothing.
pub(super) fn lengths(context: &Context<'_>) -> Vec<usize> {
    vec![0, 1, 2, 255, 256, 257, 1000, context.scaled(65_537, 1_000_003)]
}

/// A number with an order that the cases trust.
pub(super) trait Sample: Number + Operand + Default {
    const NAME: &'static str;

    /// The order of numbers; of floats -0 is before +0.
    fn order(&self, other: &Self) -> Ordering;
    fn nan(&self) -> bool;
    fn bits(&self) -> u64;
    /// One of few values, of which some are equal.
    fn few(random: u32) -> Self;
    /// The column of this type in a table of cells.
    fn column(table: &Table<Cell>) -> Column<'_, Self>;
    fn set(cell: &mut Cell, value: Self);
}

macro_rules! samples {
    ($($ty:ident, $column:ident, $order:expr, $nan:expr, $few:expr;)*) => {$(
        impl Sample for $ty {
            const NAME: &'static str = stringify!($ty);

            fn order(&self, other: &Self) -> Ordering {
                let order: fn(&$ty, &$ty) -> Ordering = $order;
                order(self, other)
            }
            fn nan(&self) -> bool {
                let nan: fn(&$ty) -> bool = $nan;
                nan(self)
            }
            fn bits(&self) -> u64 {
                Row::leaf(self, 0)
            }
            fn few(random: u32) -> Self {
                let few: fn(u32) -> $ty = $few;
                few(random % 7)
            }
            fn column(table: &Table<Cell>) -> Column<'_, Self> {
                table.$column()
            }
            fn set(cell: &mut Cell, value: Self) {
                cell.$column = value;
            }
        }
    )*};
}

samples! {
    u32, unsigned, Ord::cmp, |_| false, |x| [0, 1, u32::MAX, 1 << 31, 77, 256, 65_536][x as usize];
    i32, signed, Ord::cmp, |_| false, |x| [0, -1, i32::MAX, i32::MIN, 77, -256, 65_536][x as usize];
    u64, wide, Ord::cmp, |_| false, |x| [0, 1, u64::MAX, 1 << 32, (1 << 32) - 1, 256, 1 << 63][x as usize];
    i64, wide_signed, Ord::cmp, |_| false, |x| [0, -1, i64::MAX, i64::MIN, 1 << 32, -(1 << 33), 5][x as usize];
    f32, single, f32::total_cmp, |x| x.is_nan(), |x| [0.0, -0.0, f32::NAN, -1.5, f32::INFINITY, 1e-40, -f32::NAN][x as usize];
    f64, double, f64::total_cmp, |x| x.is_nan(), |x| [0.0, -0.0, f64::NAN, -1.5, f64::NEG_INFINITY, 1e-310, 2.0][x as usize];
}

/// Random values of every magnitude, edge values among them; every third sample has few values, many of them equal.
pub(super) fn values<T: Sample>(context: &Context<'_>, count: usize) -> Vec<T> {
    let mut rng = context.random(401 + count as u64);
    let edges = T::edges();
    (0..count)
        .map(|_| match rng.next_u32() % 8 {
            0 => edges[rng.next_u32() as usize % edges.len()],
            1 => T::few(rng.next_u32()),
            _ => T::random(&mut rng),
        })
        .collect()
}

/// Values of which many are equal.
pub(super) fn few<T: Sample>(context: &Context<'_>, count: usize) -> Vec<T> {
    let mut rng = context.random(402 + count as u64);
    (0..count).map(|_| T::few(rng.next_u32())).collect()
}

/// The table whose column holds the values: bare, or one of several columns of a struct.
pub(super) enum Holder<T: Sample> {
    Bare(Table<T>),
    Struct(Table<Cell>),
}

impl<T: Sample> Holder<T> {
    pub(super) fn column(&self) -> Column<'_, T> {
        match self {
            Holder::Bare(table) => table.column(0),
            Holder::Struct(table) => T::column(table),
        }
    }
}

/// Tries something on the values as a bare table, and as a column between others.
pub(super) fn both_ways<T: Sample>(
    device: &Device,
    values: &[T],
    mut with: impl FnMut(&str, Column<'_, T>) -> Verdict,
) -> Verdict {
    let bare = Holder::Bare(Table::from_rows(device, values)?);
    with(&format!("{} {}", values.len(), T::NAME), bare.column())?;
    let mut cells = vec![Cell::zeroed(0); values.len()];
    for (row, (cell, value)) in cells.iter_mut().zip(values).enumerate() {
        cell.before = !(row as u32);
        T::set(cell, *value);
    }
    let table = Holder::<T>::Struct(Table::from_rows(device, &cells)?);
    with(&format!("{} {} in a struct", values.len(), T::NAME), table.column())
}

/// Fails unless two values have the same bits, or both are NaN.
pub(super) fn same<T: Sample>(what: &str, found: T, expected: T) -> Verdict {
    if found.bits() == expected.bits() || (found.nan() && expected.nan()) {
        return Ok(());
    }
    fail(format!("{what}: expected {expected:?} ({:#x}), found {found:?} ({:#x})", expected.bits(), found.bits()))
}

/// Fails unless two lists have the same bits, NaN being all one.
pub(super) fn same_list<T: Sample>(what: &str, found: &[T], expected: &[T]) -> Verdict {
    if found.len() != expected.len() {
        return fail(format!("{what}: expected {} rows, found {}", expected.len(), found.len()));
    }
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        same(&format!("{what}, row {row}"), *found, *expected)?;
    }
    Ok(())
}

/// The least (or greatest) of the numbers, and the first row that has it; of NaN alone the first; nothing of no values.
pub(super) fn extreme<T: Sample>(values: &[T], greatest: bool) -> Option<(usize, T)> {
    let mut best: Option<(usize, T)> = None;
    for (row, value) in values.iter().enumerate() {
        let better = match &best {
            None => true,
            Some((_, best)) if best.nan() => !value.nan(),
            Some(_) if value.nan() => false,
            Some((_, best)) => value.order(best) == if greatest { Ordering::Greater } else { Ordering::Less },
        };
        if better {
            best = Some((row, *value));
        }
    }
    best
}

/// What a minimum (or maximum) of no rows is.
pub(super) fn of_none<T: Sample>(greatest: bool) -> T {
    if greatest { T::LEAST } else { T::GREATEST }
}

/// What the device holds of `f64` does not matter to primitives that compare; sums need its arithmetic.
pub(super) fn needs_arithmetic<T: Sample>(context: &Context<'_>) -> Result<(), Stop> {
    if T::NAME == "f64" { context.needs_float64() } else { Ok(()) }
}
