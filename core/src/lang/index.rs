//! Array indexing that is defined everywhere.

use crate::data::Data;
use crate::fault::{self, At, FaultKind, Operands};

/// An integer used as an array index.
pub trait IndexValue: Copy {
    /// Returns the position, or `None` if the value cannot be one (negative, or too large for memory).
    #[must_use]
    fn position(self) -> Option<usize>;

    /// Returns the index as a fault reports it.
    #[must_use]
    fn shown(self) -> i128;
}

macro_rules! index_values {
    ($($ty:ty),*) => {$(
        impl IndexValue for $ty {
            #[inline(always)]
            fn position(self) -> Option<usize> { usize::try_from(self).ok() }
            #[inline(always)]
            fn shown(self) -> i128 { self as i128 }
        }
    )*};
}

index_values!(u32, i32, u64, i64, usize);

/// Returns `array[i]`. An index past the end gives zero and raises a fault.
#[must_use]
#[inline(always)]
pub fn index<T: Data, const N: usize>(array: &[T; N], i: impl IndexValue, at: &At) -> T {
    match i.position().and_then(|i| array.get(i)) {
        Some(element) => *element,
        None => {
            fault::raise(FaultKind::IndexOutOfRange, Some(Operands::Index { index: i.shown(), length: N as u64 }), at);
            T::zeroed()
        }
    }
}

/// Returns `&mut array[i]`. An index past the end gives `None` and raises a fault.
#[must_use]
#[inline(always)]
pub fn slot<'a, T, const N: usize>(array: &'a mut [T; N], i: impl IndexValue, at: &At) -> Option<&'a mut T> {
    let element = i.position().and_then(|i| array.get_mut(i));
    if element.is_none() {
        fault::raise(FaultKind::IndexOutOfRange, Some(Operands::Index { index: i.shown(), length: N as u64 }), at);
    }
    element
}
