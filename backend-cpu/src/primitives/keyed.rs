//! Numbers with integer keys in the total order, as native types that loops over columns combine.

/// A number with a key: an integer of its width whose order is the total order, with NaN at one end.
pub(super) trait Keyed: Copy + Send + Sync + 'static {
    /// The type of keys.
    type Key: Copy + Ord + Send + Sync;
    /// Key above that of every number, for NaN in a minimum. For integers: the greatest.
    const LAST: Self::Key;
    /// Key below that of every number, for NaN in a maximum. For integers: the least.
    const FIRST: Self::Key;
    /// The sum of no numbers.
    const ZERO: Self;
    /// Returns the key; NaN has the given one.
    fn key(self, nan: Self::Key) -> Self::Key;
    /// Returns the value of a key; NaN for `FIRST` and `LAST` if the type has it.
    fn of_key(key: Self::Key) -> Self;
    /// Returns the sum; that of integers wraps.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ident),*) => {$(
        impl Keyed for $ty {
            type Key = $ty;
            const LAST: $ty = $ty::MAX;
            const FIRST: $ty = $ty::MIN;
            const ZERO: $ty = 0;
            #[inline(always)]
            fn key(self, _nan: $ty) -> $ty { self }
            #[inline(always)]
            fn of_key(key: $ty) -> $ty { key }
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self.wrapping_add(other) }
        }
    )*};
}

integers!(u32, i32, u64, i64);

macro_rules! floats {
    ($($ty:ident, $key:ident, $bits:ident, $shift:expr;)*) => {$(
        impl Keyed for $ty {
            type Key = $key;
            const LAST: $key = $key::MAX;
            const FIRST: $key = $key::MIN;
            const ZERO: $ty = 0.0;
            #[inline(always)]
            fn key(self, nan: $key) -> $key {
                // Negative numbers: all bits except the sign are inverted.
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

floats! {
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
