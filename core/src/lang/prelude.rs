//! Operations that Rust's primitive types do not have as methods.

use crate::fault::{self, At, FaultKind};

/// An unsigned integer whose full product can be formed.
pub trait MulHigh: Copy {
    /// Returns the high half of the full product.
    #[must_use]
    fn high_of_product(self, other: Self) -> Self;
}

impl MulHigh for u32 {
    #[inline(always)]
    fn high_of_product(self, other: Self) -> Self {
        ((u64::from(self) * u64::from(other)) >> 32) as u32
    }
}

impl MulHigh for u64 {
    #[inline(always)]
    fn high_of_product(self, other: Self) -> Self {
        ((u128::from(self) * u128::from(other)) >> 64) as u64
    }
}

/// Returns the high half of the full product of two `u32` or two `u64`. Every kernel module has it in scope.
#[must_use]
#[inline(always)]
pub fn mul_high<T: MulHigh>(a: T, b: T) -> T {
    a.high_of_product(b)
}

/// Implements `assert!(condition)` in a kernel: a false condition raises a fault, and execution continues.
#[inline(always)]
pub fn check(condition: bool, at: &At) {
    if !condition {
        fault::raise(FaultKind::Assertion, None, at);
    }
}
