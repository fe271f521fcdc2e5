//! Pure expressions, without calls, faults or effects, and the places that they read.

use crate::{GroupQuery, LocalId, ParamId, Scalar, Type, Value};
use serde::{Deserialize, Serialize};

/// A typed, pure expression. Its evaluation order cannot be observed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expr {
    /// Type of the value.
    pub ty: Type,
    /// Operation.
    pub kind: ExprKind,
}

/// Kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ExprKind {
    /// A constant.
    Literal(Value),
    /// The value of a place. Its indices are in range: either constant or already checked by a
    /// [`StmtKind::Load`](crate::StmtKind::Load).
    Load(Place),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands of one type (shifts: the count is a `u32` expression).
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `x as T`, between scalars and from an enum or bool to an integer: integers wrap or extend by the
    /// source's signedness, float to integer saturates (NaN gives 0), integer to float rounds to nearest even,
    /// `bool` gives 0 or 1.
    Cast(Box<Expr>),
    /// A built-in operation on scalars.
    Builtin(Builtin, Vec<Expr>),
    /// A struct, its fields in declaration order.
    Struct(Vec<Expr>),
    /// An array of listed elements.
    Array(Vec<Expr>),
    /// `[x; N]`.
    Repeat(Box<Expr>),
    /// `if c { a } else { b }` where both are pure: both may be evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Number of rows of a table (`Rows::len`), a `u32`.
    RowsLen(Base),
    /// Capacity of the lanes of a table (`Lanes::capacity`), a `u32`.
    LanesCapacity(Place),
    /// Number of slots of a tally (`Tally::len`), a `u32`.
    TallyLen(Base),
    /// A fact about the group, a `u32`.
    Group(GroupQuery),
    /// The launch's first step (`Clock::first`), a `u32`.
    ClockFirst(Base),
}

impl Expr {
    /// Creates a literal of a scalar type.
    #[must_use]
    pub fn literal(value: Value, scalar: Scalar) -> Expr {
        Expr { ty: Type::Scalar(scalar), kind: ExprKind::Literal(value) }
    }
}

/// Operations on one operand; the result has the operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-x`: wraps on integers, flips the sign bit of floats.
    Neg,
    /// `!x`: bitwise on integers, logical on `bool`.
    Not,
}

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `a + b`: integers wrap; floats round to nearest even and are never fused.
    Add,
    /// `a - b`, likewise.
    Sub,
    /// `a * b`, likewise.
    Mul,
    /// `a / b` of floats. (Integer division may fault: see [`StmtKind::Divide`](crate::StmtKind::Divide).)
    Div,
    /// `a % b` of floats, as Rust's: the sign of `a`, exact.
    Rem,
    /// `a & b` on integers or `bool` (no short circuit).
    BitAnd,
    /// `a | b`.
    BitOr,
    /// `a ^ b`.
    BitXor,
    /// `a << n`, `n` taken modulo the width of `a`.
    Shl,
    /// `a >> n`, `n` taken modulo the width of `a`; arithmetic for signed types.
    Shr,
    /// `a && b`; both operands are pure, so evaluating both is allowed.
    And,
    /// `a || b`.
    Or,
    /// `a == b` on scalars and enums; gives `bool`, as do the five below. NaN compares as in IEEE 754.
    Eq,
    /// `a != b`.
    Ne,
    /// `a < b`.
    Lt,
    /// `a <= b`.
    Le,
    /// `a > b`.
    Gt,
    /// `a >= b`.
    Ge,
}

impl BinaryOp {
    /// Returns `true` if the result is `bool` whatever the operands are.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }
}

/// Built-in operations, named and defined as the methods of Rust's primitive types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Builtin {
    /// `a.min(b)`. Floats: the other operand if one is NaN; the sign of a zero result is that of `a` if they compare
    /// equal.
    Min,
    /// `a.max(b)`, likewise.
    Max,
    /// `x.abs()`: wraps at the least integer; clears the sign bit of floats.
    Abs,
    /// `a.abs_diff(b)`: the distance, in the unsigned type of the same width.
    AbsDiff,
    /// `x.signum()` of signed integers: -1, 0 or 1.
    Signum,
    /// `x.count_ones()`, a `u32`.
    CountOnes,
    /// `x.leading_zeros()`, a `u32`; the width for zero.
    LeadingZeros,
    /// `x.trailing_zeros()`, a `u32`; the width for zero.
    TrailingZeros,
    /// `x.reverse_bits()`.
    ReverseBits,
    /// `x.swap_bytes()`.
    SwapBytes,
    /// `x.rotate_left(n)`, `n: u32` modulo the width.
    RotateLeft,
    /// `x.rotate_right(n)`, `n: u32` modulo the width.
    RotateRight,
    /// `a.saturating_add(b)`.
    SaturatingAdd,
    /// `a.saturating_sub(b)`.
    SaturatingSub,
    /// The high half of the full product of two unsigned integers, `mul_high(a, b)` of the prelude.
    MulHigh,
    /// `x.sqrt()` of a float.
    Sqrt,
    /// `x.floor()`.
    Floor,
    /// `x.ceil()`.
    Ceil,
    /// `x.trunc()`.
    Trunc,
    /// `x.round_ties_even()`.
    RoundTiesEven,
    /// `a.copysign(b)`.
    CopySign,
    /// `x.is_nan()`, a `bool`.
    IsNan,
    /// `x.is_finite()`, a `bool`.
    IsFinite,
    /// `x.to_bits()`: `f32` to `u32`, `f64` to `u64`. A NaN keeps its bits where the device keeps them.
    ToBits,
    /// `f32::from_bits(x)`, `f64::from_bits(x)`.
    FromBits,
}

/// Start of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Base {
    /// A parameter of the function.
    Param(ParamId),
    /// A local of the function (a value, or a row reference).
    Local(LocalId),
    /// A constant of the module.
    Const(crate::ConstId),
    /// Only after [`flatten`](fn@crate::flatten): the row of a bound table whose number is in a `u32` local.
    Row {
        /// Number of the binding.
        binding: u32,
        /// The local that holds the row number.
        index: LocalId,
    },
    /// Only after [`flatten`](fn@crate::flatten): a whole binding (a table, tally or parameter block).
    Binding(u32),
    /// Only after [`flatten`](fn@crate::flatten): the scratch of the group.
    Scratch,
}

/// A location that can be read or assigned: a base and a path into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Start of the place.
    pub base: Base,
    /// Steps from the base, outermost first.
    pub path: Vec<Step>,
}

impl Place {
    /// Returns the place of a whole local.
    #[must_use]
    pub const fn local(local: LocalId) -> Place {
        Place { base: Base::Local(local), path: Vec::new() }
    }
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Step {
    /// A field of a struct, by position.
    Field(u32),
    /// An element of an array; the index is an integer expression of any integer type. A negative value is out of
    /// range.
    Index(Box<Expr>),
}
