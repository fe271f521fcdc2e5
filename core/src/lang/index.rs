//! Array indexing that is defined everywhere.

use crate::data::Data;
use crate::fault::{self, At, FaultKind};

/// An integer used as an array index.
pub trait IndexValue: Copy {
    /// The position, or `None` where it cannot be one (negative, or past what memory can hold).
    #[must_use]
    fn position(self) -> Option<usize>;
}

macro_rules! index_values {
    ($($ty:ty),*) => {$(
        impl IndexValue for $ty {
            #[inline(always)]
            fn position(self) -> Option<usize> { usize::try_from(self).ok() }
        }
    )*};
}

index_values!(u32, i32, u64, i64, usize);

/// `array[i]`; past the end zero, and a fault.
#[must_use]
#[inline(always)]
pub fn index<T: Data, const N: usize>(array: &[T; N], i: impl IndexValue, at: &At) -> T {
    match i.position().and_then(|i| array.get(i)) {
        Some(element) => *element,
        None => {
            fault::raise(FaultKind::IndexOutOfRange, at);
            T::zeroed()
        }
    }
}

/// `&mut array[i]`; past the end `None`, and a fault.
#[must_use]
#[inline(always)]
pub fn slot<'a, T, const N: usize>(array: &'a mut [T; N], i: impl IndexValue, at: &At) -> Option<&'a mut T> {
    let element = i.position().and_then(|i| array.get_mut(i));
    if element.is_none() {
        fault::raise(FaultKind::IndexOutOfRange, at);
    }
    element
}
