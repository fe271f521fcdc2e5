//! Operations on scalars as text, with the language's total meaning.

use super::state::Lowering;
use crate::walk::{Code, Level, Operations, accessors, helper_of, infix};
use imminent_ir::{BinaryOp, Builtin, Scalar, Type, UnaryOp};

impl Operations for Lowering<'_> {
    fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: Code) -> Code {
        match (op, scalar) {
            (UnaryOp::Not, Scalar::Bool) => Code::at(Level::Unary, format!("!{}", x.operand())),
            (UnaryOp::Not, _) => Code::at(Level::Unary, format!("~{}", x.operand())),
            (UnaryOp::Neg, Scalar::U32 | Scalar::U64) => infix("-", Level::Sum, &Code::atom("0u"), &x),
            (UnaryOp::Neg, _) => self.help("neg", scalar, &[&x]),
        }
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code {
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
        let is_ordering = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        let (a, b) =
            if is_ordering && scalar.is_float() { (self.beside(scalar, a), self.beside(scalar, b)) } else { (a, b) };
        infix(symbol, Level::Relation, &a, &b)
    }

    fn cast(&mut self, from: Scalar, to: Scalar, x: Code) -> Code {
        if from == to {
            return x;
        }
        if from.is_float() && to.is_integer() {
            return self.call(&format!("{}_from_{}", to.name(), from.name()), &[&x]);
        }
        cast_to(to.name(), &x)
    }

    fn builtin(&mut self, builtin: Builtin, scalar: Scalar, args: Vec<Code>) -> Code {
        let operands: Vec<&Code> = args.iter().collect();
        match (builtin, scalar) {
            (Builtin::FromBits, Scalar::U64) => self.help("from_bits", Scalar::F64, &operands),
            (Builtin::FromBits, _) => self.help("from_bits", Scalar::F32, &operands),
            _ => self.help(helper_of(builtin), scalar, &operands),
        }
    }

    /// A conditional operator on structs inside an initializer ends NVRTC 12.9 and 13.0.
    fn select(&mut self, ty: &Type, condition: Code, a: Code, b: Code) -> Code {
        if matches!(ty, Type::Struct(_) | Type::Array(..)) {
            let choose = accessors::choose(self, ty);
            return Code::atom(format!("{choose}({}, {}, {})", a.text, b.text, condition.text));
        }
        let (a, b) = (a.within(Level::Bitwise), b.within(Level::Bitwise));
        Code::at(Level::Choice, format!("{} ? {a} : {b}", condition.within(Level::Relation)))
    }

    fn has_division(&self, _: Scalar) -> bool {
        true
    }

    fn opaque(&mut self, _: Scalar, x: Code) -> Code {
        x
    }

    fn call(&mut self, helper: &str, args: &[&Code]) -> Code {
        let helper = self.helper(helper);
        let args: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
        Code::atom(format!("{helper}({})", args.join(", ")))
    }

    fn clamp(&mut self, index: &Code, last: u32) -> String {
        format!("{}({}, {last}u)", self.helper("min_u32"), index.text)
    }
}

impl Lowering<'_> {
    /// The operand of a comparison of floats. A constant, which may be zero, is hidden from NVIDIA's compilers.
    fn beside(&mut self, scalar: Scalar, x: Code) -> Code {
        let is_constant = ["0.0", "0.0f"].contains(&x.text.as_str())
            || self.consts.values().any(|(name, _)| x.text.strip_prefix(name.as_str()).is_some_and(ends_name));
        if is_constant { self.help("opaque", scalar, &[&x]) } else { x }
    }

    /// A call of a helper for operands of this type.
    fn help(&mut self, operation: &str, scalar: Scalar, args: &[&Code]) -> Code {
        self.call(&format!("{operation}_{}", scalar.name()), args)
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

    /// A value as the type of that name, if it is not one already.
    pub(super) fn cast_to(&self, from: Scalar, ty: &str, x: Code) -> Code {
        if from.name() == ty { x } else { cast_to(ty, &x) }
    }
}

/// A cast in C's notation.
fn cast_to(ty: &str, x: &Code) -> Code {
    Code::at(Level::Unary, format!("({ty}){}", x.operand()))
}

/// Returns `true` if a name ends where this text begins.
fn ends_name(rest: &str) -> bool {
    !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_')
}
