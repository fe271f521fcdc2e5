//! Operations that combine values, and their inner loops.

use super::number::Ordered;
use super::prefix::{Operation, running};
use super::vector::{Kernel, wide};
use imminent_core::reduce::{BLOCK, reduce_block, reduce_levels};

/// The least value, by its key.
#[derive(Clone, Copy)]
pub(super) struct Least;

/// The greatest value, by its key.
#[derive(Clone, Copy)]
pub(super) struct Greatest;

/// The sum.
#[derive(Clone, Copy)]
pub(super) struct Total;

impl<T: Ordered> Operation<T> for Least {
    type Partial = T::Key;
    const NOTHING: T::Key = T::LAST;

    #[inline(always)]
    fn take(value: T) -> T::Key {
        value.key(T::LAST)
    }

    #[inline(always)]
    fn join(a: T::Key, b: T::Key) -> T::Key {
        if b < a { b } else { a }
    }

    #[inline(always)]
    fn give(part: T::Key) -> T {
        T::of_key(part)
    }
}

impl<T: Ordered> Operation<T> for Greatest {
    type Partial = T::Key;
    const NOTHING: T::Key = T::FIRST;

    #[inline(always)]
    fn take(value: T) -> T::Key {
        value.key(T::FIRST)
    }

    #[inline(always)]
    fn join(a: T::Key, b: T::Key) -> T::Key {
        if b > a { b } else { a }
    }

    #[inline(always)]
    fn give(part: T::Key) -> T {
        T::of_key(part)
    }
}

impl<T: Ordered> Operation<T> for Total {
    type Partial = T;
    const NOTHING: T = T::ZERO;

    #[inline(always)]
    fn take(value: T) -> T {
        value
    }

    #[inline(always)]
    fn join(a: T, b: T) -> T {
        a.plus(b)
    }

    #[inline(always)]
    fn give(part: T) -> T {
        part
    }

    fn running(self, values: &[T], out: &mut [T], carried: T, exclusive: bool) -> T {
        let sums = T::running_sums(values, out, carried, exclusive);
        sums.unwrap_or_else(|| running(self, values, out, carried, exclusive))
    }
}

/// Number of independent accumulators: enough to keep the adders of several vectors busy.
const LANES: usize = 32;

/// Folds values in unspecified order.
pub(super) fn fold<T: Copy, O: Operation<T>>(operation: O, values: &[T]) -> O::Partial {
    struct Fold<'v, T, O>(&'v [T], O);
    impl<T: Copy, O: Operation<T>> Kernel for Fold<'_, T, O> {
        type Output = O::Partial;

        #[inline(always)]
        fn run(self) -> O::Partial {
            folded(self.1, self.0)
        }
    }
    wide(Fold(values, operation))
}

/// Folds values in unspecified order, inside a loop that is compiled for several instruction sets.
#[inline(always)]
pub(super) fn folded<T: Copy, O: Operation<T>>(_operation: O, values: &[T]) -> O::Partial {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut folded = O::NOTHING;
    if !chunks.is_empty() {
        let mut lanes = [O::NOTHING; LANES];
        for chunk in chunks {
            for i in 0..LANES {
                lanes[i] = O::join(lanes[i], O::take(chunk[i]));
            }
        }
        for lane in lanes {
            folded = O::join(folded, lane);
        }
    }
    for value in rest {
        folded = O::join(folded, O::take(*value));
    }
    folded
}

/// Sets `out` to the results of the blocks of the fixed tree; the values start at a block's start.
pub(super) fn tree_blocks<T: Ordered>(values: &[T], out: &mut [T]) {
    struct Blocks<'v, T> {
        blocks: &'v [[T; BLOCK]],
        out: &'v mut [T],
    }
    impl<T: Ordered> Kernel for Blocks<'_, T> {
        type Output = ();

        #[inline(always)]
        fn run(self) {
            for (block, out) in self.blocks.iter().zip(self.out) {
                *out = whole_block(block);
            }
        }
    }
    let (blocks, rest) = values.as_chunks::<BLOCK>();
    let (whole, last) = out.split_at_mut(blocks.len().min(out.len()));
    wide(Blocks { blocks, out: whole });
    if let Some(last) = last.first_mut() {
        let mut block = [T::ZERO; BLOCK];
        let block = &mut block[..rest.len()];
        block.copy_from_slice(rest);
        *last = reduce_block(block, T::plus).unwrap_or_default();
    }
}

/// Sums a whole block: its additions are those of whole vectors, down to the last few.
#[inline(always)]
fn whole_block<T: Ordered>(block: &[T; BLOCK]) -> T {
    // Strides 128, 64 and 32 at once: identical additions, without storing intermediate values.
    let mut x = [T::ZERO; 32];
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
    x[0]
}

/// Returns the sum of a slice over the fixed tree.
pub(super) fn tree<T: Ordered>(values: &[T]) -> T {
    if values.len() <= BLOCK {
        let mut one = [T::ZERO];
        tree_blocks(values, &mut one);
        return one[0];
    }
    let mut blocks = vec![T::ZERO; values.len().div_ceil(BLOCK)];
    tree_blocks(values, &mut blocks);
    tree_levels(blocks)
}

/// Combines the levels of the fixed tree above the blocks.
pub(super) fn tree_levels<T: Ordered>(blocks: Vec<T>) -> T {
    if blocks.len() <= BLOCK {
        return reduce_levels(blocks, T::plus).unwrap_or_default();
    }
    tree(&blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blocks_are_those_of_the_fixed_tree() {
        for count in [0, 1, 255, 256, 257, 512, 1000, 65_536, 65_537, 200_000] {
            let values: Vec<f32> = (0..count).map(|i| ((i * 7919) % 1013) as f32 * 0.1).collect();
            let sum = reduce_levels(values.clone(), |a, b| a + b).unwrap_or_default();
            assert_eq!(tree(&values).to_bits(), sum.to_bits(), "{count} values");
        }
    }
}
