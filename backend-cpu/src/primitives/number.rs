//! Numbers by their order.

use super::column::Native;
use super::keyed::Keyed;
use super::prefix::running_words;

/// A number of a column, by its order.
pub(super) trait Ordered: Native + Keyed {
    /// `true` if the type has values that are not numbers.
    const HAS_NAN: bool;
    /// Minimum of no rows.
    const HIGHEST: Self;
    /// Maximum of no rows.
    const LOWEST: Self;

    /// Computes running sums in a way that is faster for this type, if there is one.
    fn running_sums(_values: &[Self], _out: &mut [Self], _carried: Self, _exclusive: bool) -> Option<Self> {
        None
    }
}

macro_rules! ordered {
    ($($ty:ident: $has_nan:literal, $greatest:ident, $least:ident $(, $running:expr)?;)*) => {$(
        impl Ordered for $ty {
            const HAS_NAN: bool = $has_nan;
            const HIGHEST: $ty = $ty::$greatest;
            const LOWEST: $ty = $ty::$least;
            $(fn running_sums(values: &[$ty], out: &mut [$ty], carried: $ty, exclusive: bool) -> Option<$ty> {
                $running(values, out, carried, exclusive)
            })?
        }
    )*};
}

ordered! {
    u32: false, MAX, MIN, running_words;
    i32: false, MAX, MIN, running_signed;
    u64: false, MAX, MIN;
    i64: false, MAX, MIN;
    f32: true, INFINITY, NEG_INFINITY;
    f64: true, INFINITY, NEG_INFINITY;
}

fn running_signed(values: &[i32], out: &mut [i32], carried: i32, exclusive: bool) -> Option<i32> {
    let (values, out) = (bytemuck::cast_slice(values), bytemuck::cast_slice_mut(out));
    running_words(values, out, carried as u32, exclusive).map(|sum| sum as i32)
}
