//! Reductions of returned values: the operations, their identities, and the fixed tree.
//!
//! **The tree, version 1.** The values of rows `256 b .. 256 b + 256` form block `b`. A block is reduced in place: for
//! `stride` = 128, 64, …, 1, `x[i] = op(x[i], x[i + stride])` for every `i < stride` with `i + stride` inside the
//! block's rows. The results of the blocks are the values of the next level, until one is left. The shape depends on
//! the number of rows alone, so float reductions repeat bit for bit wherever the device rounds correctly. Integer
//! reductions do not depend on the order, and a backend may form them in any.

pub mod order;

use crate::data::{Data, Gather, Scatter, TallyScalar};
pub use imminent_ir::ResultBits;
use imminent_ir::{Reduce, Reductions, Scalar};

/// Rows in a block of the fixed tree.
pub const BLOCK: usize = 256;

/// Result of an arg-min reduction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArgMin<T: Data> {
    /// Least value.
    pub value: T,
    /// First row that returned it; `u32::MAX` for an empty launch.
    pub row: u32,
}

impl<T: Data> Data for ArgMin<T> {
    const WORDS: u32 = T::WORDS + 1;

    fn zeroed() -> Self {
        ArgMin { value: T::zeroed(), row: 0 }
    }

    fn leaf(&self, word: u32) -> u64 {
        if word == T::WORDS { u64::from(self.row) } else { self.value.leaf(word) }
    }

    fn set_leaf(&mut self, word: u32, bits: u64) {
        if word == T::WORDS {
            self.row = bits as u32;
        } else {
            self.value.set_leaf(word, bits);
        }
    }

    fn columns(name: &str, leaves: &mut Vec<(String, Scalar)>) {
        T::columns(&format!("{name}.value"), leaves);
        <u32 as Data>::columns(&format!("{name}.row"), leaves);
    }

    fn gather<R>(rows: &[R], of: impl Fn(&R) -> &Self + Copy, columns: &mut Gather<'_>) {
        T::gather(rows, |row| &of(row).value, columns);
        <u32 as Data>::gather(rows, |row| &of(row).row, columns);
    }

    fn scatter<R>(rows: &mut [R], of: impl Fn(&mut R) -> &mut Self + Copy, columns: &mut Scatter<'_>) {
        T::scatter(rows, |row| &mut of(row).value, columns);
        <u32 as Data>::scatter(rows, |row| &mut of(row).row, columns);
    }
}

/// A scalar that a kernel may return for a reduction.
pub trait Reducible: Data + PartialOrd {
    /// `true` if the order of the operands cannot be observed.
    const ORDER_FREE: bool;
    /// Identity of `min`.
    const HIGHEST: Self;
    /// Identity of `max`.
    const LOWEST: Self;
    /// Returns the lesser value, as the type's `min`.
    #[must_use]
    fn lesser(self, other: Self) -> Self;
    /// Returns the greater value, as the type's `max`.
    #[must_use]
    fn greater(self, other: Self) -> Self;
    /// Returns the sum; integers wrap.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

macro_rules! reducible_integers {
    ($($ty:ty),*) => {$(
        impl Reducible for $ty {
            const ORDER_FREE: bool = true;
            const HIGHEST: Self = <$ty>::MAX;
            const LOWEST: Self = <$ty>::MIN;
            #[inline]
            fn lesser(self, other: Self) -> Self { Ord::min(self, other) }
            #[inline]
            fn greater(self, other: Self) -> Self { Ord::max(self, other) }
            #[inline]
            fn plus(self, other: Self) -> Self { self.wrapping_add(other) }
        }
    )*};
}

reducible_integers!(u32, i32, u64, i64);

macro_rules! reducible_floats {
    ($($ty:ty),*) => {$(
        impl Reducible for $ty {
            const ORDER_FREE: bool = false;
            const HIGHEST: Self = <$ty>::INFINITY;
            const LOWEST: Self = <$ty>::NEG_INFINITY;
            #[inline]
            fn lesser(self, other: Self) -> Self {
                if self.is_nan() || other < self { other } else { self }
            }
            #[inline]
            fn greater(self, other: Self) -> Self {
                if self.is_nan() || other > self { other } else { self }
            }
            #[inline]
            fn plus(self, other: Self) -> Self { self + other }
        }
    )*};
}

reducible_floats!(f32, f64);

/// Returns the lesser of two values, the lower row if they are equal; a NaN loses to every number.
#[must_use]
#[inline]
pub fn arg_lesser<T: Reducible>(a: ArgMin<T>, b: ArgMin<T>) -> ArgMin<T> {
    let a_is_nan = a.value.partial_cmp(&a.value).is_none();
    let b_is_nan = b.value.partial_cmp(&b.value).is_none();
    let b_wins = if a_is_nan || b_is_nan {
        (a_is_nan && !b_is_nan) || (a_is_nan == b_is_nan && b.row < a.row)
    } else {
        b.value < a.value || (b.value == a.value && b.row < a.row)
    };
    if b_wins { b } else { a }
}

/// Reduces one block of at most [`BLOCK`] values in place by the fixed tree; `None` for no values.
pub fn reduce_block<T: Copy>(values: &mut [T], op: impl Fn(T, T) -> T) -> Option<T> {
    let mut stride = BLOCK / 2;
    while stride > 0 {
        for i in 0..stride {
            let Some(other) = values.get(i + stride).copied() else { break };
            values[i] = op(values[i], other);
        }
        stride /= 2;
    }
    values.first().copied()
}

/// Reduces the results of blocks to one value by the fixed tree; `None` for no values.
pub fn reduce_levels<T: Copy>(mut values: Vec<T>, op: impl Fn(T, T) -> T) -> Option<T> {
    while values.len() > 1 {
        values = values.chunks_mut(BLOCK).filter_map(|block| reduce_block(block, &op)).collect();
    }
    values.first().copied()
}

/// Combines the results of blocks, in block order, each block with one for every reduction. Returns the bits of the
/// scalars that the result holds, in order: the identities for no blocks.
#[must_use]
pub fn combine_all(results: &Reductions, partials: &[ResultBits]) -> Vec<u64> {
    let count = results.iter().count();
    let combined = results.iter().enumerate().map(|(at, one)| {
        let own: Vec<ResultBits> = partials.iter().skip(at).step_by(count).copied().collect();
        (one.with_row(), combine(one.reduce, one.scalar, &own))
    });
    combined.flat_map(|(with_row, bits)| [Some(bits.value), with_row.then(|| bits.row.into())]).flatten().collect()
}

/// Combines the results of blocks, in block order. Returns the identity for no blocks.
#[must_use]
pub fn combine(reduce: Reduce, scalar: Scalar, partials: &[ResultBits]) -> ResultBits {
    match (reduce, scalar) {
        (Reduce::Count, _) => fold::<u32>(Reduce::Sum, partials),
        (Reduce::Any, _) => ResultBits { value: u64::from(partials.iter().any(|p| p.value != 0)), row: 0 },
        (_, Scalar::I32) => fold::<i32>(reduce, partials),
        (_, Scalar::U64) => fold::<u64>(reduce, partials),
        (_, Scalar::I64) => fold::<i64>(reduce, partials),
        (_, Scalar::F32) => fold::<f32>(reduce, partials),
        (_, Scalar::F64) => fold::<f64>(reduce, partials),
        (_, Scalar::U32 | Scalar::Bool) => fold::<u32>(reduce, partials),
    }
}

fn from_bits<T: Data>(bits: u64) -> T {
    let mut value = T::zeroed();
    value.set_leaf(0, bits);
    value
}

fn fold<T: Reducible>(reduce: Reduce, partials: &[ResultBits]) -> ResultBits {
    let values = partials.iter().map(|p| from_bits::<T>(p.value));
    let plain = |value: T| ResultBits { value: value.leaf(0), row: 0 };
    match reduce {
        Reduce::Min => plain(reduce_levels(values.collect(), T::lesser).unwrap_or(T::HIGHEST)),
        Reduce::Max => plain(reduce_levels(values.collect(), T::greater).unwrap_or(T::LOWEST)),
        Reduce::Sum | Reduce::Count | Reduce::Any => {
            plain(reduce_levels(values.collect(), T::plus).unwrap_or_else(T::zeroed))
        }
        Reduce::ArgMin => {
            let pairs = partials.iter().map(|p| ArgMin { value: from_bits::<T>(p.value), row: p.row }).collect();
            let least = reduce_levels(pairs, arg_lesser).unwrap_or(ArgMin { value: T::HIGHEST, row: u32::MAX });
            ResultBits { value: least.value.leaf(0), row: least.row }
        }
    }
}

/// Returns the identity of a tally operation, as the value to fill the slots with before the first contribution.
#[must_use]
pub fn tally_identity<T: TallyScalar + Reducible>(op: imminent_ir::TallyOp) -> T {
    use imminent_ir::TallyOp;
    match op {
        TallyOp::Add | TallyOp::Or => <T as Data>::zeroed(),
        TallyOp::Min => T::HIGHEST,
        TallyOp::Max => T::LOWEST,
        TallyOp::And => from_bits(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reduces by the definition of the tree, with absent values as `None`.
    fn by_definition(values: &[f32]) -> Option<f32> {
        let mut level = values.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(BLOCK)
                .map(|block| {
                    let mut x: Vec<Option<f32>> = (0..BLOCK).map(|i| block.get(i).copied()).collect();
                    for stride in [128, 64, 32, 16, 8, 4, 2, 1] {
                        for i in 0..stride {
                            x[i] = match (x[i], x[i + stride]) {
                                (Some(a), Some(b)) => Some(a + b),
                                (a, _) => a,
                            };
                        }
                    }
                    x[0].unwrap()
                })
                .collect();
        }
        level.first().copied()
    }

    #[test]
    fn the_tree_has_the_shape_that_is_documented() {
        for count in [0, 1, 2, 3, 127, 128, 129, 255, 256, 257, 1000, 65_536, 65_537, 70_001] {
            let values: Vec<f32> = (0..count).map(|i| ((i * 7919) % 1013) as f32 * 0.1).collect();
            let sum = reduce_levels(values.clone(), f32::plus);
            assert_eq!(sum.map(f32::to_bits), by_definition(&values).map(f32::to_bits), "{count} values");
        }
    }

    #[test]
    fn a_nan_loses_unless_all_are() {
        let nan = f32::NAN;
        assert_eq!(nan.lesser(1.0), 1.0);
        assert_eq!(1.0_f32.greater(nan), 1.0);
        assert!(nan.lesser(nan).is_nan());
        let least = |values: &[f32]| {
            let pairs = values.iter().zip(0..).map(|(&value, row)| ArgMin { value, row }).collect();
            reduce_levels(pairs, arg_lesser).map(|least| least.row)
        };
        assert_eq!(least(&[nan, 2.0, 1.0, 1.0]), Some(2));
        assert_eq!(least(&[nan, nan]), Some(0));
        assert_eq!(least(&[0.0, -0.0]), Some(0));
    }

    #[test]
    fn nothing_gives_the_identity() {
        let identity = |reduce, scalar| combine(reduce, scalar, &[]);
        assert_eq!(identity(Reduce::Min, Scalar::I32).value, u64::from(i32::MAX as u32));
        assert_eq!(identity(Reduce::Max, Scalar::F32).value, u64::from(f32::NEG_INFINITY.to_bits()));
        assert_eq!(identity(Reduce::Sum, Scalar::U64).value, 0);
        assert_eq!(identity(Reduce::ArgMin, Scalar::U64), ResultBits { value: u64::MAX, row: u32::MAX });
        assert_eq!(identity(Reduce::Any, Scalar::Bool).value, 0);
    }

    #[test]
    fn an_empty_launch_gives_what_no_partials_combine_to() {
        for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin, Reduce::Count, Reduce::Any] {
            for scalar in Scalar::ALL {
                let ResultBits { value, row } = combine(reduce, scalar, &[]);
                let Some(results) = Reductions::new(&[(reduce, scalar)]) else { continue };
                let mut words = vec![value as u32, (value >> 32) as u32];
                words.truncate(results.single().unwrap().scalar.words() as usize);
                words.extend((reduce == Reduce::ArgMin).then_some(row));
                assert_eq!(results.identity(), words, "{reduce:?} {scalar}");
            }
        }
    }
}
