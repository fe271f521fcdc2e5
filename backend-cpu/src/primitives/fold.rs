//! Operations that combine values, and their inner loops.

use super::column::Native;
use super::vector::{Kernel, wide};
use imminent_core::reduce::{BLOCK, reduce_block};

/// A number by its order: a key is an integer whose order is the total order, with NaN at one end.
pub(super) trait Ordered: Native {
    type Key: Copy + Ord + Send + Sync;
    /// Greater than the key of every number: that of NaN in a minimum. Integers: the greatest.
    const LAST: Self::Key;
    /// Less than the key of every number: that of NaN in a maximum. Integers: the least.
    const FIRST: Self::Key;
    /// Whether there are values that are not numbers.
    const HAS_NAN: bool;
    /// What a minimum of no rows is.
    const GREATEST: Self;
    /// What a maximum of no rows is.
    const LEAST: Self;
    fn key(self, nan: Self::Key) -> Self::Key;
    /// The value of a key; NaN for `FIRST` and `LAST` where the type has it.
    fn of_key(key: Self::Key) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! ordered_integers {
    ($($ty:ident),*) => {$(
        impl Ordered for $ty {
            type Key = $ty;
            const LAST: $ty = $ty::MAX;
            const FIRST: $ty = $ty::MIN;
            const HAS_NAN: bool = false;
            const GREATEST: $ty = $ty::MAX;
            const LEAST: $ty = $ty::MIN;
            #[inline(always)]
            fn key(self, _nan: $ty) -> $ty { self }
            #[inline(always)]
            fn of_key(key: $ty) -> $ty { key }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self.wrapping_add(other) }
        }
    )*};
}

ordered_integers!(u32, i32, u64, i64);

macro_rules! ordered_floats {
    ($($ty:ident, $key:ident, $bits:ident, $shift:expr;)*) => {$(
        impl Ordered for $ty {
            type Key = $key;
            const LAST: $key = $key::MAX;
            const FIRST: $key = $key::MIN;
            const HAS_NAN: bool = true;
            const GREATEST: $ty = $ty::INFINITY;
            const LEAST: $ty = $ty::NEG_INFINITY;
            #[inline(always)]
            fn key(self, nan: $key) -> $key {
                // Negative numbers: all bits but the sign turned over.
                let bits = self.to_bits() as $key;
                let key = bits ^ ((bits >> $shift) as $bits >> 1) as $key;
                if self.is_nan() { nan } else { key }
            }
            #[inline(always)]
            fn of_key(key: $key) -> $ty {
                if key == $key::MIN {
                    return $ty::NAN;
                }
                $ty::from_bits((key ^ ((key >> $shift) as $bits >> 1) as $key) as $bits)
            }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self + other }
        }
    )*};
}

ordered_floats! {
    f32, i32, u32, 31;
    f64, i64, u64, 63;
}

/// Independent accumulators: enough to keep the adders of several vectors busy.
const LANES: usize = 32;

/// Folds values in no particular order.
pub(super) fn fold<T: Native, A: Copy>(
    values: &[T],
    first: A,
    take: impl Fn(T) -> A + Copy,
    op: impl Fn(A, A) -> A + Copy,
) -> A {
    struct Fold<'v, T, A, F, G> {
        values: &'v [T],
        first: A,
        take: F,
        op: G,
    }
    impl<T: Copy, A: Copy, F: Fn(T) -> A + Copy, G: Fn(A, A) -> A + Copy> Kernel for Fold<'_, T, A, F, G> {
        type Output = A;

        #[inline(always)]
        fn run(self) -> A {
            let mut lanes = [self.first; LANES];
            let (chunks, rest) = self.values.as_chunks::<LANES>();
            for chunk in chunks {
                for (lane, value) in lanes.iter_mut().zip(chunk) {
                    *lane = (self.op)(*lane, (self.take)(*value));
                }
            }
            for (lane, value) in lanes.iter_mut().zip(rest) {
                *lane = (self.op)(*lane, (self.take)(*value));
            }
            lanes.into_iter().fold(self.first, self.op)
        }
    }
    wide(Fold { values, first, take, op })
}

/// The least key of some values; `LAST` for none.
pub(super) fn least<T: Ordered>(values: &[T]) -> T::Key {
    fold(values, T::LAST, |value| value.key(T::LAST), |a, b| if b < a { b } else { a })
}

/// The greatest key of some values; `FIRST` for none.
pub(super) fn greatest<T: Ordered>(values: &[T]) -> T::Key {
    fold(values, T::FIRST, |value| value.key(T::FIRST), |a, b| if b > a { b } else { a })
}

/// The sum of some values, in no particular order.
pub(super) fn sum<T: Ordered>(values: &[T]) -> T {
    fold(values, T::default(), |value| value, T::plus)
}

/// Appends the results of the blocks of some values by the fixed tree; the values start at a block's start.
pub(super) fn tree_blocks<T: Ordered>(values: &[T], out: &mut Vec<T>) {
    struct Blocks<'v, T> {
        blocks: &'v [[T; BLOCK]],
        out: &'v mut Vec<T>,
    }
    impl<T: Ordered> Kernel for Blocks<'_, T> {
        type Output = ();

        #[inline(always)]
        fn run(self) {
            for block in self.blocks {
                // Strides 128, 64 and 32 at once: the same additions, without storing what lies between.
                let mut x = [T::default(); 32];
                for (i, x) in x.iter_mut().enumerate() {
                    let pair = |i: usize| block[i].plus(block[i + 128]);
                    let four = |i: usize| pair(i).plus(pair(i + 64));
                    *x = four(i).plus(four(i + 32));
                }
                let mut stride = 16;
                while stride > 0 {
                    for i in 0..stride {
                        x[i] = x[i].plus(x[i + stride]);
                    }
                    stride /= 2;
                }
                self.out.push(x[0]);
            }
        }
    }
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    out.reserve(blocks.len() + 1);
    wide(Blocks { blocks, out });
    let mut rest = rest.to_vec();
    out.extend(reduce_block(&mut rest, T::plus));
}

#[cfg(test)]
mod tests {
    use super::*;
    use imminent_core::reduce::reduce_levels;

    #[test]
    fn keys_of_floats_come_back() {
        let ordered = [f32::NEG_INFINITY, -2.5, -f32::from_bits(1), -0.0, 0.0, f32::from_bits(1), 7.0, f32::INFINITY];
        for pair in ordered.windows(2) {
            assert!(pair[0].key(f32::LAST) < pair[1].key(f32::LAST), "{pair:?}");
        }
        for x in ordered {
            assert_eq!(f32::of_key(x.key(f32::LAST)).to_bits(), x.to_bits());
            assert!(x.key(f32::LAST) < f32::LAST && x.key(f32::LAST) > f32::FIRST);
            assert_eq!(f64::of_key(f64::from(x).key(f64::FIRST)).to_bits(), f64::from(x).to_bits());
        }
        assert!(f32::of_key(f32::LAST).is_nan() && f64::of_key(f64::FIRST).is_nan());
    }

    #[test]
    fn the_blocks_are_those_of_the_fixed_tree() {
        for count in [0, 1, 255, 256, 257, 512, 1000] {
            let values: Vec<f32> = (0..count).map(|i| ((i * 7919) % 1013) as f32 * 0.1).collect();
            let mut blocks = Vec::new();
            tree_blocks(&values, &mut blocks);
            let sum = |values: Vec<f32>| reduce_levels(values, |a, b| a + b).map(f32::to_bits);
            assert_eq!(blocks.len(), values.len().div_ceil(BLOCK));
            assert_eq!(sum(blocks), sum(values), "{count} values");
        }
    }
}
