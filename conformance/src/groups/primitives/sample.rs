//! Test columns for primitives, and the order of their values, written independently of the library.

use crate::case::{Stop, Verdict, fail};
use crate::context::Context;
use crate::kernels::primitives::cells::{Cell, CellColumns as _};
use crate::operands::Operand;
use imminent_core::primitives::Number;
use imminent_core::{Column, Device, Row, Table};
use rand_core::Rng;
use std::cmp::Ordering;

/// Returns lengths around the sizes of blocks, and one that is not a multiple of any.
pub(super) fn lengths(context: &Context<'_>) -> Vec<usize> {
    vec![0, 1, 2, 255, 256, 257, 1000, context.scaled(65_537, 1_000_003)]
}

/// A number with an independently defined order.
pub(super) trait Sample: Number + Operand + Default {
    const NAME: &'static str;

    /// Compares two numbers; for floats -0 is before +0.
    fn order(&self, other: &Self) -> Ordering;
    fn nan(&self) -> bool;
    fn bits(&self) -> u64;
    /// Returns one of few values, some of which are equal.
    fn few(random: u32) -> Self;
    /// Returns the column of this type in a table of cells.
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

/// Returns random values of every magnitude, including edge values. Every third sample has few values, many of them
/// equal.
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

/// Returns values many of which are equal.
pub(super) fn few<T: Sample>(context: &Context<'_>, count: usize) -> Vec<T> {
    let mut rng = context.random(402 + count as u64);
    (0..count).map(|_| T::few(rng.next_u32())).collect()
}

/// Table whose column holds the values: bare, or one of several columns of a struct.
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

/// Runs a test on the values as a bare table, and as a column between others.
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

/// Fails unless two lists have the same bits; all NaN are equal.
pub(super) fn same_list<T: Sample>(what: &str, found: &[T], expected: &[T]) -> Verdict {
    if found.len() != expected.len() {
        return fail(format!("{what}: expected {} rows, found {}", expected.len(), found.len()));
    }
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        same(&format!("{what}, row {row}"), *found, *expected)?;
    }
    Ok(())
}

/// Returns the least (or greatest) of the numbers, and the first row that has it. If all values are NaN, returns the
/// first; `None` without values.
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

/// Returns the minimum (or maximum) of no rows.
pub(super) fn of_none<T: Sample>(greatest: bool) -> T {
    if greatest { T::LOWEST } else { T::HIGHEST }
}

/// Skips types without arithmetic on the device. Primitives that only compare `f64` do not need it; sums do.
pub(super) fn needs_arithmetic<T: Sample>(context: &Context<'_>) -> Result<(), Stop> {
    if T::NAME == "f64" { context.needs_float64() } else { Ok(()) }
}
