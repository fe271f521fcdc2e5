//! Arithmetic that wraps, and division that is defined everywhere.

use crate::fault::{self, At, FaultKind, Operands};

macro_rules! operator_traits {
    ($($(#[$doc:meta])* $trait:ident { $($method:ident($($arg:ident),*));+ })*) => {$(
        $(#[$doc])*
        pub trait $trait: Copy {
            $(
                /// Computes the total form of the operator.
                #[must_use]
                fn $method(self $(, $arg: Self)*) -> Self;
            )+
        }
    )*};
}

operator_traits! {
    /// `+` and `-`; integers wrap.
    Additive { total_add(other); total_sub(other) }
    /// `*`; integers wrap.
    Multiplicative { total_mul(other) }
    /// Unary `-`; integers wrap.
    Negate { total_neg() }
    /// `abs`; integers wrap.
    Abs { total_abs() }
}

/// `/` and `%`, defined for every divisor.
pub trait Division: Copy {
    /// Returns `self / other`. Integers: 0 and a fault for a zero divisor; `least / -1` wraps.
    #[must_use]
    fn total_div(self, other: Self, at: &At) -> Self;
    /// Returns `self % other`. Integers: 0 and a fault for a zero divisor; `least % -1` is 0.
    #[must_use]
    fn total_rem(self, other: Self, at: &At) -> Self;
}

/// `<<` and `>>`, defined for every count.
pub trait Shift: Copy {
    /// Returns `self << count`, the count taken modulo the width.
    #[must_use]
    fn total_shl(self, count: u32) -> Self;
    /// Returns `self >> count`, the count taken modulo the width.
    #[must_use]
    fn total_shr(self, count: u32) -> Self;
}

/// An integer that can be a shift count. Its low bits count, so its type does not matter.
pub trait ShiftCount: Copy {
    /// Returns the low 32 bits.
    #[must_use]
    fn count(self) -> u32;
}

/// `pow`, wrapping.
pub trait Power: Copy {
    /// Returns `self.pow(exponent)`, wrapping.
    #[must_use]
    fn total_pow(self, exponent: u32) -> Self;
}

macro_rules! integers {
    ($($ty:ty: $abs:ident),*) => {$(
        impl Additive for $ty {
            #[inline(always)]
            fn total_add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn total_sub(self, other: Self) -> Self { self.wrapping_sub(other) }
        }
        impl Multiplicative for $ty {
            #[inline(always)]
            fn total_mul(self, other: Self) -> Self { self.wrapping_mul(other) }
        }
        impl Negate for $ty {
            #[inline(always)]
            fn total_neg(self) -> Self { self.wrapping_neg() }
        }
        impl Division for $ty {
            #[inline(always)]
            fn total_div(self, other: Self, at: &At) -> Self {
                if other == 0 {
                    fault::raise(FaultKind::DivisionByZero, Some(Operands::Dividend(i128::from(self))), at);
                    return 0;
                }
                self.wrapping_div(other)
            }
            #[inline(always)]
            fn total_rem(self, other: Self, at: &At) -> Self {
                if other == 0 {
                    fault::raise(FaultKind::RemainderByZero, Some(Operands::Dividend(i128::from(self))), at);
                    return 0;
                }
                self.wrapping_rem(other)
            }
        }
        impl Shift for $ty {
            #[inline(always)]
            fn total_shl(self, count: u32) -> Self { self.wrapping_shl(count) }
            #[inline(always)]
            fn total_shr(self, count: u32) -> Self { self.wrapping_shr(count) }
        }
        impl ShiftCount for $ty {
            #[inline(always)]
            fn count(self) -> u32 { self as u32 }
        }
        impl Power for $ty {
            #[inline(always)]
            fn total_pow(self, exponent: u32) -> Self { self.wrapping_pow(exponent) }
        }
        impl Abs for $ty {
            #[inline(always)]
            fn total_abs(self) -> Self { integers!(@abs self $abs) }
        }
    )*};
    (@abs $x:ident signed) => { $x.wrapping_abs() };
    (@abs $x:ident unsigned) => { $x };
}

integers!(u32: unsigned, i32: signed, u64: unsigned, i64: signed);

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Additive for $ty {
            #[inline(always)]
            fn total_add(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn total_sub(self, other: Self) -> Self { self - other }
        }
        impl Multiplicative for $ty {
            #[inline(always)]
            fn total_mul(self, other: Self) -> Self { self * other }
        }
        impl Negate for $ty {
            #[inline(always)]
            fn total_neg(self) -> Self { -self }
        }
        impl Division for $ty {
            #[inline(always)]
            fn total_div(self, other: Self, _at: &At) -> Self { self / other }
            #[inline(always)]
            fn total_rem(self, other: Self, _at: &At) -> Self { self % other }
        }
        impl Abs for $ty {
            #[inline(always)]
            fn total_abs(self) -> Self { self.abs() }
        }
    )*};
}

floats!(f32, f64);

/// Returns `a + b`.
#[must_use]
#[inline(always)]
pub fn add<T: Additive>(a: T, b: T) -> T {
    a.total_add(b)
}

/// Returns `a - b`.
#[must_use]
#[inline(always)]
pub fn sub<T: Additive>(a: T, b: T) -> T {
    a.total_sub(b)
}

/// Returns `a * b`.
#[must_use]
#[inline(always)]
pub fn mul<T: Multiplicative>(a: T, b: T) -> T {
    a.total_mul(b)
}

/// Returns `-a`.
#[must_use]
#[inline(always)]
pub fn neg<T: Negate>(a: T) -> T {
    a.total_neg()
}

/// Returns `a.abs()`.
#[must_use]
#[inline(always)]
pub fn abs<T: Abs>(a: T) -> T {
    a.total_abs()
}

/// Returns `a / b`.
#[must_use]
#[inline(always)]
pub fn div<T: Division>(a: T, b: T, at: &At) -> T {
    a.total_div(b, at)
}

/// Returns `a % b`.
#[must_use]
#[inline(always)]
pub fn rem<T: Division>(a: T, b: T, at: &At) -> T {
    a.total_rem(b, at)
}

/// Returns `a << count`.
#[must_use]
#[inline(always)]
pub fn shl<T: Shift>(a: T, count: impl ShiftCount) -> T {
    a.total_shl(count.count())
}

/// Returns `a >> count`.
#[must_use]
#[inline(always)]
pub fn shr<T: Shift>(a: T, count: impl ShiftCount) -> T {
    a.total_shr(count.count())
}

/// Returns `a.pow(exponent)`.
#[must_use]
#[inline(always)]
pub fn pow<T: Power>(a: T, exponent: u32) -> T {
    a.total_pow(exponent)
}
