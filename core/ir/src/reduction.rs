//! Reductions: how the values that rows return are combined, and the words of the results.

use crate::Scalar;
use serde::{Deserialize, Serialize};

/// Reduction of a kernel's returned values over its rows. An empty launch gives the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reduce {
    /// Least value; identity: the greatest value (floats: infinity). A NaN is ignored, unless all values are NaN.
    Min,
    /// Greatest value; identity: the least value (floats: minus infinity).
    Max,
    /// Sum; identity 0. Integers wrap; floats add over the fixed tree of the determinism chapter.
    Sum,
    /// Number of rows that returned `true`, a `u32`.
    Count,
    /// `true` if any row returned `true`.
    Any,
    /// The least value and the first row that returned it; identity: the greatest value and `u32::MAX`.
    ArgMin,
}

/// Largest number of results of a kernel.
pub const MAX_RESULTS: usize = 4;

/// One result of a kernel: the operation that combines the rows' values, and the type of what it combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The operation.
    pub reduce: Reduce,
    /// Type of the combined value: the returned one, but `u32` for `Count` and `Any`.
    pub scalar: Scalar,
}

impl Reduction {
    /// Creates the reduction of returned values of a type. `None` if they cannot be reduced so: `Count` and `Any` take
    /// `bool`, the others take numbers.
    #[must_use]
    pub fn of(reduce: Reduce, returned: Scalar) -> Option<Reduction> {
        let counts = matches!(reduce, Reduce::Count | Reduce::Any);
        let scalar = if counts { Scalar::U32 } else { returned };
        (counts == (returned == Scalar::Bool)).then_some(Reduction { reduce, scalar })
    }

    /// Returns `true` if rows return `bool`.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self.reduce, Reduce::Count | Reduce::Any)
    }

    /// Returns `true` if the number of a row follows the value.
    #[must_use]
    pub fn with_row(self) -> bool {
        self.reduce == Reduce::ArgMin
    }

    /// Returns the number of words: those of the value, and one for the row of `ArgMin`.
    #[must_use]
    pub fn words(self) -> u32 {
        self.scalar.words() + u32::from(self.with_row())
    }

    /// Returns the words of the identity, the result of an empty launch. The row of `ArgMin` is `u32::MAX`.
    #[must_use]
    pub fn identity(self) -> Vec<u32> {
        let bits = match (self.reduce, self.scalar) {
            (Reduce::Sum | Reduce::Count | Reduce::Any, _) => 0,
            (Reduce::Min | Reduce::ArgMin, Scalar::Bool | Scalar::U32) => u64::from(u32::MAX),
            (Reduce::Min | Reduce::ArgMin, Scalar::I32) => u64::from(i32::MAX.cast_unsigned()),
            (Reduce::Min | Reduce::ArgMin, Scalar::U64) => u64::MAX,
            (Reduce::Min | Reduce::ArgMin, Scalar::I64) => i64::MAX.cast_unsigned(),
            (Reduce::Min | Reduce::ArgMin, Scalar::F32) => u64::from(f32::INFINITY.to_bits()),
            (Reduce::Min | Reduce::ArgMin, Scalar::F64) => f64::INFINITY.to_bits(),
            (Reduce::Max, Scalar::Bool | Scalar::U32 | Scalar::U64) => 0,
            (Reduce::Max, Scalar::I32) => u64::from(i32::MIN.cast_unsigned()),
            (Reduce::Max, Scalar::I64) => i64::MIN.cast_unsigned(),
            (Reduce::Max, Scalar::F32) => u64::from(f32::NEG_INFINITY.to_bits()),
            (Reduce::Max, Scalar::F64) => f64::NEG_INFINITY.to_bits(),
        };
        let mut words = vec![bits as u32];
        words.extend((self.scalar.words() == 2).then_some((bits >> 32) as u32));
        words.extend(self.with_row().then_some(u32::MAX));
        words
    }
}

/// A partial or final result as bits: the value, and the row of an arg-min.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultBits {
    /// Bits of the value, zero-extended.
    pub value: u64,
    /// Row; 0 if the reduction has none.
    pub row: u32,
}

/// The results of a kernel, one after the other: at least one, at most [`MAX_RESULTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reductions([Option<Reduction>; MAX_RESULTS]);

impl Reductions {
    /// Creates the results of returned values, given operations and types. `None` for none or too many of them, and
    /// for types that cannot be reduced so.
    #[must_use]
    pub fn new(of: &[(Reduce, Scalar)]) -> Option<Reductions> {
        let mut all = [None; MAX_RESULTS];
        if of.is_empty() || of.len() > all.len() {
            return None;
        }
        for (place, (reduce, returned)) in all.iter_mut().zip(of) {
            *place = Some(Reduction::of(*reduce, *returned)?);
        }
        Some(Reductions(all))
    }

    /// Returns the results in order.
    pub fn iter(&self) -> impl Iterator<Item = Reduction> {
        self.0.into_iter().flatten()
    }

    /// Returns the result, if there is only one.
    #[must_use]
    pub fn single(&self) -> Option<Reduction> {
        match self.0 {
            [first, None, ..] => first,
            _ => None,
        }
    }

    /// Returns the number of words of all results.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.iter().map(Reduction::words).sum()
    }

    /// Returns the words of all identities, the results of an empty launch.
    #[must_use]
    pub fn identity(&self) -> Vec<u32> {
        self.iter().flat_map(Reduction::identity).collect()
    }

    /// Returns the scalars of the results.
    #[must_use]
    pub fn scalars(&self) -> Scalars {
        let of = |one: Reduction| [Some(one.scalar), one.with_row().then_some(Scalar::U32)];
        let mut scalars = Scalars::default();
        scalars.0.iter_mut().zip(self.iter().flat_map(of).flatten()).for_each(|(place, one)| *place = Some(one));
        scalars
    }
}

/// Scalars that lie side by side in a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalars([Option<Scalar>; MAX_RESULTS]);

impl Scalars {
    /// Creates a list of at most [`MAX_RESULTS`] scalars; further ones are left out.
    #[must_use]
    pub const fn new(of: &[Scalar]) -> Scalars {
        let mut all = [None; MAX_RESULTS];
        let mut at = 0;
        while at < of.len() && at < all.len() {
            all[at] = Some(of[at]);
            at += 1;
        }
        Scalars(all)
    }

    /// Returns each scalar with its first word.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Scalar)> {
        self.0.into_iter().flatten().scan(0, |words, scalar| {
            let word = *words;
            *words += scalar.words();
            Some((word, scalar))
        })
    }

    /// Returns the first scalar.
    #[must_use]
    pub const fn first(&self) -> Option<Scalar> {
        self.0[0]
    }

    /// Returns the scalar, if there is only one.
    #[must_use]
    pub const fn single(&self) -> Option<Scalar> {
        if self.0[1].is_none() { self.0[0] } else { None }
    }

    /// Returns the number of words.
    #[must_use]
    pub fn words(&self) -> u32 {
        self.iter().map(|(_, scalar)| scalar.words()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_lie_side_by_side() {
        let all = [(Reduce::Sum, Scalar::F64), (Reduce::Any, Scalar::Bool), (Reduce::Min, Scalar::I64)];
        let all = Reductions::new(&all).unwrap();
        assert_eq!(all.words(), 5);
        assert_eq!(all.identity(), [0, 0, 0, u32::MAX, 0x7fff_ffff]);
        assert_eq!(all.scalars().iter().map(|(word, _)| word).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(all.single(), None);
    }

    #[test]
    fn an_arg_min_has_a_row() {
        let least = Reductions::new(&[(Reduce::ArgMin, Scalar::U64)]).unwrap();
        assert_eq!(least.identity(), [u32::MAX; 3]);
        assert_eq!(least.scalars(), Scalars::new(&[Scalar::U64, Scalar::U32]));
    }

    #[test]
    fn types_fit_their_operations() {
        assert_eq!(Reductions::new(&[]), None);
        assert_eq!(Reductions::new(&[(Reduce::Sum, Scalar::U32); MAX_RESULTS + 1]), None);
        assert_eq!(Reductions::new(&[(Reduce::Sum, Scalar::Bool)]), None);
        assert_eq!(Reductions::new(&[(Reduce::Any, Scalar::U32)]), None);
    }

    #[test]
    fn identities_are_those_of_the_operations() {
        let identity = |reduce, scalar| Reductions::new(&[(reduce, scalar)]).map(|one| one.identity());
        assert_eq!(identity(Reduce::Min, Scalar::I64), Some(vec![u32::MAX, 0x7fff_ffff]));
        assert_eq!(identity(Reduce::Max, Scalar::F32), Some(vec![f32::NEG_INFINITY.to_bits()]));
        assert_eq!(identity(Reduce::Sum, Scalar::F64), Some(vec![0, 0]));
        assert_eq!(identity(Reduce::Count, Scalar::Bool), Some(vec![0]));
        assert_eq!(identity(Reduce::Any, Scalar::Bool), Some(vec![0]));
    }
}
