//! Requirements on types.

use crate::ty::Ty;
use proc_macro2::Span;

/// A requirement, to be judged when everything is inferred.
#[derive(Debug)]
pub(super) struct Later {
    pub(super) ty: Ty,
    pub(super) span: Span,
    pub(super) need: Need,
}

/// Requirement on a type.
#[derive(Clone, Debug)]
pub(super) enum Need {
    /// An operand of an arithmetic operator.
    Number(&'static str),
    /// An operand that must be an integer, with the reason.
    Integer(String),
    /// A float, with the reason.
    Float(String),
    /// A signed integer or a float.
    Signed(&'static str),
    /// A signed integer.
    SignedInteger(&'static str),
    /// An unsigned integer.
    Unsigned(&'static str),
    /// An integer or `bool`.
    Bits(&'static str),
    /// Can be compared for equality.
    Equality,
    /// Can be ordered.
    Order,
    /// Can be cast to this type.
    CastTo(Ty),
    /// The literal fits: digits and sign.
    Fits(u128, bool),
    /// A float literal without a suffix.
    FloatLiteral,
    /// A binding of this name.
    Local(String),
    /// A constant of the surrounding crate, under this name.
    Outside(String),
}
