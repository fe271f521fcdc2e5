//! The text of an expression, and how tightly it holds together.

use imminent_ir::Builtin;

/// Precedence of the text of an expression, by WGSL's grammar. Operators that C lets mix in surprising ways stand in
/// parentheses there too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// `c ? a : b`, in C.
    Choice,
    /// Shifts and bitwise operations: they mix with nothing.
    Bitwise,
    /// `&&` and `||`.
    Logic,
    /// Comparisons.
    Relation,
    /// `+` and `-`.
    Sum,
    /// `*` and `/`.
    Product,
    /// `!`, `~`, `-`, `*` or a cast before an operand.
    Unary,
    /// Names, literals, calls, members and elements.
    Atom,
}

/// The text of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) level: Level,
    /// `true` if WGSL takes the expression for a constant expression. Operations on those must not overflow.
    pub(crate) constant: bool,
}

impl Code {
    /// A name, a literal or a call, evaluated at run time.
    pub(crate) fn atom(text: impl Into<String>) -> Code {
        Code::at(Level::Atom, text)
    }

    /// A name, a literal or a call that is a constant expression.
    pub(crate) fn constant(text: impl Into<String>) -> Code {
        Code { constant: true, ..Code::atom(text) }
    }

    /// An expression that is evaluated at run time.
    pub(crate) fn at(level: Level, text: impl Into<String>) -> Code {
        Code { text: text.into(), level, constant: false }
    }

    /// The text as an operand where at least this level is needed.
    pub(crate) fn within(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The text as the operand of a unary operation or the base of a member.
    pub(crate) fn operand(&self) -> String {
        self.within(Level::Atom)
    }
}

/// An operation between two operands; its level is that of what it makes.
pub(crate) fn infix(symbol: &str, level: Level, a: &Code, b: &Code) -> Code {
    let (left, right) = match level {
        // Left to right: `a - b - c` needs no parentheses, `a - (b - c)` does. Floats are not reassociated either.
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product => (Level::Product, Level::Unary),
        Level::Relation => (Level::Sum, Level::Sum),
        Level::Logic => (Level::Relation, Level::Relation),
        _ => (Level::Unary, Level::Unary),
    };
    let text = format!("{} {symbol} {}", a.within(left), b.within(right));
    Code { text, level, constant: a.constant && b.constant }
}

/// The helpers' name for an operation, without the type.
pub(crate) fn helper_of(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::Min => "min",
        Builtin::Max => "max",
        Builtin::Abs => "abs",
        Builtin::AbsDiff => "abs_diff",
        Builtin::Signum => "signum",
        Builtin::CountOnes => "count_ones",
        Builtin::LeadingZeros => "leading_zeros",
        Builtin::TrailingZeros => "trailing_zeros",
        Builtin::ReverseBits => "reverse_bits",
        Builtin::SwapBytes => "swap_bytes",
        Builtin::RotateLeft => "rotate_left",
        Builtin::RotateRight => "rotate_right",
        Builtin::SaturatingAdd => "saturating_add",
        Builtin::SaturatingSub => "saturating_sub",
        Builtin::MulHigh => "mul_high",
        Builtin::Sqrt => "sqrt",
        Builtin::Floor => "floor",
        Builtin::Ceil => "ceil",
        Builtin::Trunc => "trunc",
        Builtin::RoundTiesEven => "round",
        Builtin::CopySign => "copysign",
        Builtin::IsNan => "is_nan",
        Builtin::IsFinite => "is_finite",
        Builtin::ToBits => "to_bits",
        Builtin::FromBits => "from_bits",
    }
}
