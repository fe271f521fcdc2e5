//! Numbers by their order.

use super::column::Native;
use super::prefix::running_words;

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
    const ZERO: Self;
    fn key(self, nan: Self::Key) -> Self::Key;
    /// The value of a key; NaN for `FIRST` and `LAST` where the type has it.
    fn of_key(key: Self::Key) -> Self;
    fn plus(self, other: Self) -> Self;

    /// Running sums in a way that is quicker for this type than for others, if there is one.
    fn running_sums(_values: &[Self], _out: &mut [Self], _carried: Self, _exclusive: bool) -> Option<Self> {
        None
    }
}

macro_rules! ordered_integers {
    ($($ty:ident $(: $running:expr)?),*) => {$(
        impl Ordered for $ty {
            type Key = $ty;
            const LAST: $ty = $ty::MAX;
            const FIRST: $ty = $ty::MIN;
            const HAS_NAN: bool = false;
            const GREATEST: $ty = $ty::MAX;
            const LEAST: $ty = $ty::MIN;
            const ZERO: $ty = 0;
            #[inline(always)]
            fn key(self, _nan: $ty) -> $ty { self }
            #[inline(always)]
            fn of_key(key: $ty) -> $ty { key }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self.wrapping_add(other) }
            $(fn running_sums(values: &[$ty], out: &mut [$ty], carried: $ty, exclusive: bool) -> Option<$ty> {
                $running(values, out, carried, exclusive)
            })?
        }
    )*};
}

ordered_integers!(u32: running_words, i32: running_signed, u64, i64);

fn running_signed(values: &[i32], out: &mut [i32], carried: i32, exclusive: bool) -> Option<i32> {
    let (values, out) = (bytemuck::cast_slice(values), bytemuck::cast_slice_mut(out));
    running_words(values, out, carried as u32, exclusive).map(|sum| sum as i32)
}

macro_rules! ordered_floats {
    ($($ty:ident, $key:ident, $bits:ident, $shift:expr;)*) => {$(
        impl Ordered for $ty {
            type Key = $key;
            const LAST: $key = $key::MAX;
            const FIRST: $key = $key::MIN;
            const HAS_NAN: bool = true;
            const GREATEST: $ty = $ty::INFINITY;
            const LEAST: $ty = $ty::NEG_INFINITY;
            const ZERO: $ty = 0.0;
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
