//! Histograms.
//!
//! Slots are found by vectors, a chunk of values at a time, then counted in tables private to the task. A value outside
//! the histogram has a slot too, the one past the last, so no branch depends on a value. Successive values go to
//! different tables if these are small: an addition that had to wait for the preceding store would take five times as
//! long.

use super::column::{Locked, Native, Values};
use super::types::misfit;
use super::vector::{Kernel, wide};
use super::workers::Workers;
use crate::memory::{Contents, cpu_buffer};
use imminent_core::backend::View;
use imminent_core::ir::Scalar;
use imminent_core::{Result, Tally};
use std::ops::{ControlFlow, Range};

/// Counts a column's values.
pub(super) fn histogram(workers: Workers<'_>, column: &View, lowest: u64, width: u64, tally: &View) -> Result<()> {
    let tally = match &cpu_buffer(&tally.buffer)?.contents {
        Contents::Tally(tally) => tally.as_any().downcast_ref::<Tally<u32>>().ok_or_else(misfit)?,
        _ => return Err(misfit()),
    };
    match column.scalar() {
        Scalar::U32 => column_of::<u32>(workers, column, lowest, width, tally),
        Scalar::I32 => column_of::<i32>(workers, column, lowest, width, tally),
        Scalar::U64 => column_of::<u64>(workers, column, lowest, width, tally),
        Scalar::I64 => column_of::<i64>(workers, column, lowest, width, tally),
        Scalar::Bool | Scalar::F32 | Scalar::F64 => Err(misfit()),
    }
}

/// An integer with a slot.
trait Binned: Native {
    /// Returns the distance from `lowest` to the value, divided by `1 << shift`; `slots` if the value lies outside.
    fn slot_by_shift(self, lowest: Self, shift: u32, slots: u32) -> u32;
    /// Returns the distance from `lowest` to the value, divided by `width`; `slots` if the value lies outside.
    /// `reciprocal` is 2^64 divided by `width`, rounded up.
    fn slot_by_width(self, lowest: Self, width: u64, reciprocal: u64, slots: u32) -> u32;
}

macro_rules! binned {
    ($($ty:ident as $distance:ident, |$d:ident, $width:ident, $reciprocal:ident| $quotient:expr;)*) => {$(
        impl Binned for $ty {
            #[inline(always)]
            fn slot_by_shift(self, lowest: $ty, shift: u32, slots: u32) -> u32 {
                let slot = (self.wrapping_sub(lowest) as $distance >> shift).min(slots.into()) as u32;
                if self >= lowest { slot } else { slots }
            }

            #[inline(always)]
            fn slot_by_width(self, lowest: $ty, $width: u64, $reciprocal: u64, slots: u32) -> u32 {
                let $d = self.wrapping_sub(lowest) as $distance;
                let slot = u64::min($quotient, slots.into()) as u32;
                if self >= lowest { slot } else { slots }
            }
        }
    )*};
}

binned! {
    // A quotient of 32 bits by a multiplication: the relative error of the reciprocal is below 2^-32.
    u32 as u32, |d, _width, reciprocal| ((u128::from(reciprocal) * u128::from(d)) >> 64) as u64;
    i32 as u32, |d, _width, reciprocal| ((u128::from(reciprocal) * u128::from(d)) >> 64) as u64;
    u64 as u64, |d, width, _reciprocal| d.checked_div(width).unwrap_or(u64::MAX);
    i64 as u64, |d, width, _reciprocal| d.checked_div(width).unwrap_or(u64::MAX);
}

/// Position of a histogram's slots.
#[derive(Clone, Copy)]
struct Bins<T> {
    lowest: T,
    width: u64,
    slots: u32,
}

impl<T: Binned> Bins<T> {
    /// Returns the shift that replaces a division by the width, if there is one.
    fn shift(self) -> Option<u32> {
        let shift = self.width.trailing_zeros();
        (self.width.is_power_of_two() && shift < T::SCALAR.words() * 32).then_some(shift)
    }

    /// Returns 2^64 divided by a width that is no power of two, rounded up.
    fn reciprocal(self) -> u64 {
        // A width above all 32-bit distances: these have slot 0, as with a reciprocal of 0.
        if self.width > u64::from(u32::MAX) { 0 } else { (u64::MAX / self.width.max(1)).wrapping_add(1) }
    }

    fn slot(self, value: T) -> u32 {
        match self.shift() {
            Some(shift) => value.slot_by_shift(self.lowest, shift, self.slots),
            None => value.slot_by_width(self.lowest, self.width, self.reciprocal(), self.slots),
        }
    }
}

/// Number of values whose slots are found before they are counted.
const CHUNK: usize = 64;

/// Counts values in tables of a size that the compiler knows, which removes bounds checks: `slots < N`, a power of two.
struct Counting<'c, T, const TABLES: usize, const N: usize> {
    values: &'c [T],
    bins: Bins<T>,
    tables: &'c mut [[u32; N]; TABLES],
}

impl<T: Binned, const TABLES: usize, const N: usize> Counting<'_, T, TABLES, N> {
    #[inline(always)]
    fn run_with(self, slot: impl Fn(T) -> u32) {
        let (chunks, rest) = self.values.as_chunks::<CHUNK>();
        let mut slots = [0_u32; CHUNK];
        for chunk in chunks {
            for (to, value) in slots.iter_mut().zip(chunk) {
                *to = slot(*value);
            }
            for four in slots.as_chunks::<TABLES>().0 {
                for (slot, table) in four.iter().zip(self.tables.iter_mut()) {
                    let count = &mut table[*slot as usize & (N - 1)];
                    *count = count.wrapping_add(1);
                }
            }
        }
        for value in rest {
            let count = &mut self.tables[0][slot(*value) as usize & (N - 1)];
            *count = count.wrapping_add(1);
        }
    }
}

impl<T: Binned, const TABLES: usize, const N: usize> Kernel for Counting<'_, T, TABLES, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let bins = self.bins;
        let reciprocal = bins.reciprocal();
        match bins.shift() {
            Some(shift) => self.run_with(|value| value.slot_by_shift(bins.lowest, shift, bins.slots)),
            None => self.run_with(|value| value.slot_by_width(bins.lowest, bins.width, reciprocal, bins.slots)),
        }
    }
}

fn column_of<T: Binned>(
    workers: Workers<'_>,
    column: &View,
    lowest: u64,
    width: u64,
    tally: &Tally<u32>,
) -> Result<()> {
    if width == 0 {
        return Ok(());
    }
    let locked = Locked::new(column)?;
    let values = locked.values::<T>(column)?;
    let bins = Bins { lowest: T::from_bits(lowest), width, slots: tally.len() };
    let ranges = workers.ranges(values.len(), values.row_bytes());
    let to = Counts { tally, alone: ranges.len() <= 1 };
    workers.map(ranges, |range| match bins.slots {
        // Clearing and reading a table does not pay for few values.
        slots if range.len() < slots as usize / 8 => one_by_one(bins, &values, range, to),
        0..512 => in_tables::<T, 4, 512>(bins, &values, range, to),
        512..4096 => in_tables::<T, 2, 4096>(bins, &values, range, to),
        4096..16384 => in_tables::<T, 1, 16384>(bins, &values, range, to),
        // Larger tables would not stay in a near cache.
        _ => one_by_one(bins, &values, range, to),
    });
    Ok(())
}

/// Destination of counts.
#[derive(Clone, Copy)]
struct Counts<'t> {
    tally: &'t Tally<u32>,
    /// `true` if no other task adds to the tally meanwhile. Only this primitive's tasks could: the queue's order
    /// ensures that.
    alone: bool,
}

impl Counts<'_> {
    #[inline]
    fn add(self, slot: u32, count: u32) {
        if self.alone {
            self.tally.store(slot, self.tally.load(slot).wrapping_add(count));
        } else {
            self.tally.add(slot, count);
        }
    }
}

fn one_by_one<T: Binned>(bins: Bins<T>, values: &Values<'_, T>, range: Range<usize>, to: Counts<'_>) {
    values.blocks(range, |values| {
        for slot in values.iter().map(|value| bins.slot(*value)).filter(|slot| *slot < bins.slots) {
            to.add(slot, 1);
        }
        ControlFlow::Continue(())
    });
}

fn in_tables<T: Binned, const TABLES: usize, const N: usize>(
    bins: Bins<T>,
    values: &Values<'_, T>,
    range: Range<usize>,
    to: Counts<'_>,
) {
    let mut tables = Box::new([[0_u32; N]; TABLES]);
    values.blocks(range, |values| {
        wide(Counting { values, bins, tables: &mut tables });
        ControlFlow::Continue(())
    });
    for slot in 0..bins.slots {
        let count = tables.iter().fold(0_u32, |sum, table| sum.wrapping_add(table[slot as usize & (N - 1)]));
        if count > 0 {
            to.add(slot, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the counts by the definition.
    fn plain(values: &[i128], lowest: i128, width: u64, slots: u32) -> Vec<u32> {
        let mut counts = vec![0; slots as usize];
        for value in values.iter().filter(|value| **value >= lowest) {
            if let Some(count) =
                counts.get_mut(usize::try_from((value - lowest) / i128::from(width)).unwrap_or(usize::MAX))
            {
                *count += 1;
            }
        }
        counts
    }

    fn counted<T: Binned>(values: &[T], lowest: T, width: u64, slots: u32) -> [Vec<u32>; 2] {
        let (bins, column) = (Bins { lowest, width, slots }, Values::Slice(values));
        let of = |tally: &Tally<u32>| (0..slots).map(|slot| tally.load(slot)).collect();
        let (alone, together) = (Tally::new(&vec![0; slots as usize]), Tally::new(&vec![0; slots as usize]));
        one_by_one(bins, &column, 0..values.len(), Counts { tally: &alone, alone: true });
        let to = Counts { tally: &together, alone: false };
        match slots {
            0..512 => in_tables::<T, 4, 512>(bins, &column, 0..values.len(), to),
            _ => in_tables::<T, 2, 4096>(bins, &column, 0..values.len(), to),
        }
        [of(&alone), of(&together)]
    }

    /// Returns widths and steps whose products span the whole type, with small ones among them.
    fn widths() -> impl Strategy<Value = u64> {
        (0..64_u32, any::<u64>()).prop_map(|(shift, width)| (width >> shift).max(1))
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition(
            words in prop::collection::vec(any::<u64>(), 0..300),
            shift in 0..64_u32,
            lowest in any::<u64>(),
            lowest_shift in 0..64_u32,
            width in prop_oneof![widths(), (0..64_u32).prop_map(|shift| 1 << shift)],
            slots in prop_oneof![0..20_u32, 500..520_u32],
        ) {
            macro_rules! check {
                ($($ty:ty),*) => {$({
                    let values: Vec<$ty> = words.iter().map(|word| (*word as $ty) >> (shift % <$ty>::BITS)).collect();
                    let lowest = (lowest as $ty) >> (lowest_shift % <$ty>::BITS);
                    let wide: Vec<i128> = values.iter().map(|value| i128::from(*value)).collect();
                    let expected = plain(&wide, i128::from(lowest), width, slots);
                    for found in counted(&values, lowest, width, slots) {
                        prop_assert_eq!(&found, &expected);
                    }
                })*};
            }
            check!(u32, i32, u64, i64);
        }
    }
}
