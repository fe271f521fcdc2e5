//! Arithmetic that wraps, and division that is defined everywhere.

use crate::fault::{self, At, FaultKind, Operands};

macro_rules! operator_traits {
    ($($(#[$doc:meta])* $trait:ident { $($method:ident($($arg:ident),*));+ })*) => {$(
        $(#[$doc])*
        pub trait $trait: Copy {
            $(
                /// The total form of the operator.
                #[must_use]
                fn $method(self $(, $arg: Self)*) -> Self;
            )+
        }
    )*};
}

operator_traits! {
    /// `+` and `-`.
    Additive { total_add(other); total_sub(other) }
    /// `*`.
    Multiplicative { total_mul(other) }
    /// Unary `-`.
    Negate { total_neg() }
    /// `abs`.
    Abs { total_abs() }
}

/// `/` and `%`.
pub trait Division: Copy {
    /// `self / other`; integers: 0 and a fault for a zero divisor, `least / -1` wraps.
    #[must_use]
    fn total_div(self, other: Self, at: &At) -> Self;
    /// `self % other`; integers: 0 and a fault for a zero divisor, `least % -1` is 0.
    #[must_use]
    fn total_rem(self, other: Self, at: &At) -> Self;
}

/// `<<` and `>>`.
pub trait Shift: Copy {
    /// `self << count`, the count taken modulo the width.
    #[must_use]
    fn total_shl(self, count: u32) -> Self;
    /// `self >> count`, the count taken modulo the width.
    #[must_use]
    fn total_shr(self, count: u32) -> Self;
}

/// An integer that can be a shift count. Its low bits count, so its type does not matter.
pub trait ShiftCount: Copy {
    /// Returns the low 32 bits.
    #[must_use]
    fn count(self) -> u32;
}

/// `pow`.
pub trait Power: Copy {
    /// `self.pow(exponent)`, wrapping.
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

/// `a + b`.
#[must_use]
#[inline(always)]
pub fn add<T: Additive>(a: T, b: T) -> T {
    a.total_add(b)
}

/// `a - b`.
#[must_use]
#[inline(always)]
pub fn sub<T: Additive>(a: T, b: T) -> T {
    a.total_sub(b)
}

/// `a * b`.
#[must_use]
#[inline(always)]
pub fn mul<T: Multiplicative>(a: T, b: T) -> T {
    a.total_mul(b)
}

/// `-a`.
#[must_use]
#[inline(always)]
pub fn neg<T: Negate>(a: T) -> T {
    a.total_neg()
}

/// `a.abs()`.
#[must_use]
#[inline(always)]
pub fn abs<T: Abs>(a: T) -> T {
    a.total_abs()
}

/// `a / b`.
#[must_use]
#[inline(always)]
pub fn div<T: Division>(a: T, b: T, at: &At) -> T {
    a.total_div(b, at)
}

/// `a % b`.
#[must_use]
#[inline(always)]
pub fn rem<T: Division>(a: T, b: T, at: &At) -> T {
    a.total_rem(b, at)
}

/// `a << count`.
#[must_use]
#[inline(always)]
pub fn shl<T: Shift>(a: T, count: impl ShiftCount) -> T {
    a.total_shl(count.count())
}

/// `a >> count`.
#[must_use]
#[inline(always)]
pub fn shr<T: Shift>(a: T, count: impl ShiftCount) -> T {
    a.total_shr(count.count())
}

/// `a.pow(exponent)`.
#[must_use]
#[inline(always)]
pub fn pow<T: Power>(a: T, exponent: u32) -> T {
    a.total_pow(exponent)
}
