//! The total meaning of the operators, for native kernel functions.
//!
//! `#[kernels]` rewrites every operator whose Rust meaning is partial (overflow, division by zero, an index past the
//! end, a shift too far) into a call of one of these functions. They are generic, so the rewriting needs no types. They
//! are inlined, so they cost no more than the operation.

mod index;
mod operators;
mod prelude;

pub use crate::fault::At;
pub use index::{IndexValue, index, slot};
pub use operators::{
    Abs, Additive, Division, Multiplicative, Negate, Power, Shift, ShiftCount, abs, add, div, mul, neg, pow, rem, shl,
    shr, sub,
};
pub use prelude::{MulHigh, check, mul_high};
