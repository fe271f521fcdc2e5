//! Tests of values, and the loops that count and list passing values.

use super::column::Native;
use super::vector::{Kernel, wide};
use std::marker::PhantomData;

/// A comparison, as a type rather than a closure: the loops are compiled for several instruction sets.
pub(super) trait Test: Copy + Send + Sync {
    fn holds<T: Native>(value: T, right: T) -> bool;
}

macro_rules! tests {
    ($($name:ident: $op:tt;)*) => {$(
        #[derive(Clone, Copy)]
        pub(super) struct $name;

        impl Test for $name {
            #[inline(always)]
            fn holds<T: Native>(value: T, right: T) -> bool {
                value $op right
            }
        }
    )*};
}

tests! {
    Equal: ==;
    NotEqual: !=;
    Less: <;
    LessOrEqual: <=;
    Greater: >;
    GreaterOrEqual: >=;
}

/// Counts the values that pass.
pub(super) fn passing<T: Native, C: Test>(test: C, values: &[T], right: T) -> usize {
    struct Count<'v, T, C>(&'v [T], T, C);
    impl<T: Native, C: Test> Kernel for Count<'_, T, C> {
        type Output = usize;

        #[inline(always)]
        fn run(self) -> usize {
            // Counts of 32 bits allow wider vectors than those of 64, and a piece cannot overflow them.
            let pieces = self.0.chunks(1 << 20);
            pieces.map(|p| p.iter().map(|x| u32::from(C::holds(*x, self.1))).sum::<u32>() as usize).sum()
        }
    }
    wide(Count(values, right, test))
}

/// Number of values tested at once: a bit for each.
const WORD: usize = 64;

/// Lists the rows of the passing values, the first of which is `row`, while there is room. Returns the number listed.
pub(super) fn list<T: Native, C: Test>(_test: C, values: &[T], right: T, row: u32, out: &mut [u32]) -> usize {
    wide(List { values, right, row, out, of: PhantomData::<C> })
}

struct List<'v, T, C> {
    values: &'v [T],
    right: T,
    row: u32,
    out: &'v mut [u32],
    of: PhantomData<C>,
}

impl<T: Native, C: Test> Kernel for List<'_, T, C> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let List { values, right, mut row, out, of: _ } = self;
        let (words, rest) = values.as_chunks::<WORD>();
        let mut count = 0;
        for values in words {
            let mut passed = 0;
            for (i, value) in values.iter().enumerate() {
                passed |= u64::from(C::holds(*value, right)) << i;
            }
            count += list_bits(passed, row, &mut out[count..]);
            row += WORD as u32;
        }
        let mut passed = 0;
        for (i, value) in rest.iter().enumerate() {
            passed |= u64::from(C::holds(*value, right)) << i;
        }
        count + list_bits(passed, row, &mut out[count..])
    }
}

/// Lists the bits that are set.
#[inline(always)]
fn list_bits(mut bits: u64, row: u32, out: &mut [u32]) -> usize {
    if bits == 0 {
        return 0;
    }
    let count = bits.count_ones() as usize;
    if let Some(out) = out.first_chunk_mut::<WORD>() {
        // In groups of four, with places after the last that later rows overwrite: few branches, all predictable.
        let mut place = 0;
        while place < count {
            for next in place..place + 4 {
                out[next % WORD] = row.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            place += 4;
        }
        return count;
    }
    let listed = count.min(out.len());
    for place in out.iter_mut().take(listed) {
        *place = row + bits.trailing_zeros();
        bits &= bits - 1;
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_listed_in_order_as_far_as_there_is_room() {
        for length in [0, 1, 63, 64, 65, 1000] {
            let values: Vec<u32> = (0..length).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            for limit in [0, 1 << 26, 1 << 31, u32::MAX] {
                let expected: Vec<u32> = (7..).zip(&values).filter(|(_, x)| **x < limit).map(|(row, _)| row).collect();
                assert_eq!(passing(Less, &values, limit), expected.len());
                for room in [values.len(), expected.len(), expected.len() / 2] {
                    let mut rows = vec![u32::MAX; room];
                    let listed = list(Less, &values, limit, 7, &mut rows);
                    assert_eq!(listed, expected.len().min(room));
                    assert_eq!(rows[..listed], expected[..listed], "{length} values below {limit}, room for {room}");
                }
            }
        }
    }
}
