//! Operations on scalars as text, with the language's total meaning.

use super::expr::{Code, Level};
use super::lowering::Lowering;
use imminent_ir::{BinaryOp, Builtin, Scalar, UnaryOp};

impl Lowering<'_> {
    /// A call of a helper for operands of this type.
    fn help(&mut self, operation: &str, scalar: Scalar, args: &[&Code]) -> Code {
        let helper = self.helper(&format!("{operation}_{}", scalar.name()));
        Code::call(&helper, args)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: Code) -> Code {
        match (op, scalar) {
            (UnaryOp::Not, Scalar::Bool) => Code::at(Level::Unary, format!("!{}", x.operand())),
            (UnaryOp::Not, _) => Code::at(Level::Unary, format!("~{}", x.operand())),
            (UnaryOp::Neg, Scalar::U32 | Scalar::U64) => infix("-", Level::Sum, &Code::atom("0u"), &x),
            (UnaryOp::Neg, _) => self.help("neg", scalar, &[&x]),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code {
        let symbol = match op {
            BinaryOp::Shl | BinaryOp::Shr => return self.shift(op, scalar, a, b),
            BinaryOp::Div => return self.help("div", scalar, &[&a, &b]),
            BinaryOp::Rem => return self.help("rem", scalar, &[&a, &b]),
            BinaryOp::Add if scalar.is_signed() => return self.help("add", scalar, &[&a, &b]),
            BinaryOp::Sub if scalar.is_signed() => return self.help("sub", scalar, &[&a, &b]),
            BinaryOp::Mul if scalar.is_signed() => return self.help("mul", scalar, &[&a, &b]),
            BinaryOp::Add => return infix("+", Level::Sum, &a, &b),
            BinaryOp::Sub => return infix("-", Level::Sum, &a, &b),
            BinaryOp::Mul => return infix("*", Level::Product, &a, &b),
            // Operands have no effects, so it cannot be observed whether the second is evaluated.
            BinaryOp::And => return infix("&&", Level::Logic, &a, &b),
            BinaryOp::Or => return infix("||", Level::Logic, &a, &b),
            BinaryOp::BitAnd if scalar == Scalar::Bool => return infix("&&", Level::Logic, &a, &b),
            BinaryOp::BitOr if scalar == Scalar::Bool => return infix("||", Level::Logic, &a, &b),
            BinaryOp::BitAnd => return infix("&", Level::Bitwise, &a, &b),
            BinaryOp::BitOr => return infix("|", Level::Bitwise, &a, &b),
            BinaryOp::BitXor if scalar == Scalar::Bool => "!=",
            BinaryOp::BitXor => return infix("^", Level::Bitwise, &a, &b),
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        };
        infix(symbol, Level::Relation, &a, &b)
    }

    fn shift(&mut self, op: BinaryOp, scalar: Scalar, a: Code, n: Code) -> Code {
        if scalar.is_signed() {
            return self.help(if op == BinaryOp::Shl { "shl" } else { "shr" }, scalar, &[&a, &n]);
        }
        let mask = scalar.bits() - 1;
        let count = match n.text.strip_suffix('u').and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => format!("{}u", n & mask),
            None => format!("({} & {mask}u)", n.within(Level::Unary)),
        };
        let symbol = if op == BinaryOp::Shl { "<<" } else { ">>" };
        Code::at(Level::Bitwise, format!("{} {symbol} {count}", a.within(Level::Unary)))
    }

    pub(super) fn cast(&mut self, from: Scalar, to: Scalar, x: Code) -> Code {
        if from == to {
            return x;
        }
        if from.is_float() && to.is_integer() {
            let helper = self.helper(&format!("{}_from_{}", to.name(), from.name()));
            return Code::call(&helper, &[&x]);
        }
        Code::cast(to.name(), &x)
    }

    /// A value as the type of that name, if it is not one already.
    pub(super) fn cast_to(&self, from: Scalar, ty: &str, x: Code) -> Code {
        if from.name() == ty { x } else { Code::cast(ty, &x) }
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, scalar: Scalar, args: &[Code]) -> Code {
        let operands: Vec<&Code> = args.iter().collect();
        match (builtin, scalar) {
            (Builtin::FromBits, Scalar::U64) => self.help("from_bits", Scalar::F64, &operands),
            (Builtin::FromBits, _) => self.help("from_bits", Scalar::F32, &operands),
            _ => self.help(operation_of(builtin), scalar, &operands),
        }
    }
}

/// An operation between two operands; its level is that of what it makes.
pub(super) fn infix(symbol: &str, level: Level, a: &Code, b: &Code) -> Code {
    let (left, right) = match level {
        // Left to right: `a - b - c` needs no parentheses, `a - (b - c)` does. Floats are not reassociated either.
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product => (Level::Product, Level::Unary),
        Level::Relation => (Level::Sum, Level::Sum),
        Level::Logic => (Level::Relation, Level::Relation),
        _ => (Level::Unary, Level::Unary),
    };
    Code::at(level, format!("{} {symbol} {}", a.within(left), b.within(right)))
}

/// The helpers' name for an operation, without the type.
fn operation_of(builtin: Builtin) -> &'static str {
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
