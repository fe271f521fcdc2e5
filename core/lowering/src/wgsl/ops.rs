//! Operations on scalars as text, with the language's total meaning.

use super::Int64;
use super::expr::{Code, Level};
use super::lowering::Lowering;
use imminent_ir::{BinaryOp, Builtin, Scalar, UnaryOp};

impl Lowering<'_> {
    fn is_pair(&self, scalar: Scalar) -> bool {
        matches!(scalar, Scalar::U64 | Scalar::I64) && self.options.int64 == Int64::Emulated
    }

    /// A call of a helper.
    pub(super) fn call(&mut self, helper: &str, args: &[&Code]) -> Code {
        self.helper(helper);
        Code::call(helper, args)
    }

    /// Hides from the compiler that something is a constant, so that operating on it wraps instead of failing.
    pub(super) fn opaque(&mut self, scalar: Scalar, x: Code) -> Code {
        if !x.constant || scalar == Scalar::Bool || self.is_pair(scalar) {
            return x;
        }
        self.call(&format!("opaque_{}", scalar.name()), &[&x])
    }

    pub(super) fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: Code) -> Code {
        let prefixed = |symbol: &str, x: Code| {
            let text = format!("{symbol}{}", x.operand());
            Code { text, level: Level::Unary, constant: x.constant }
        };
        match (op, scalar) {
            (UnaryOp::Not, Scalar::Bool) => prefixed("!", x),
            (UnaryOp::Not, _) => prefixed("~", x),
            (UnaryOp::Neg, Scalar::F32 | Scalar::F64) => self.call(&format!("neg_{}", scalar.name()), &[&x]),
            (UnaryOp::Neg, _) if self.is_pair(scalar) => self.call("neg_u64", &[&x]),
            (UnaryOp::Neg, Scalar::U32 | Scalar::U64) => {
                let zero = if scalar == Scalar::U32 { "0u" } else { "0lu" };
                let x = self.opaque(scalar, x);
                infix("-", Level::Sum, &Code::constant(zero.to_owned()), &x)
            }
            (UnaryOp::Neg, _) => prefixed("-", self.opaque(scalar, x)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code {
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, scalar, a, b),
            BinaryOp::And => infix("&&", Level::Logic, &a, &b),
            BinaryOp::Or => infix("||", Level::Logic, &a, &b),
            BinaryOp::BitAnd => infix("&", Level::Bitwise, &a, &b),
            BinaryOp::BitOr => infix("|", Level::Bitwise, &a, &b),
            BinaryOp::BitXor if scalar == Scalar::Bool => infix("!=", Level::Relation, &a, &b),
            BinaryOp::BitXor => infix("^", Level::Bitwise, &a, &b),
            _ if op.is_comparison() => self.compare(op, scalar, a, b),
            _ if self.is_pair(scalar) => {
                let helper = match op {
                    BinaryOp::Add => "add_u64",
                    BinaryOp::Sub => "sub_u64",
                    _ => "mul_u64",
                };
                self.call(helper, &[&a, &b])
            }
            BinaryOp::Rem => self.call(&format!("rem_{}", scalar.name()), &[&a, &b]),
            _ => {
                let a = if b.constant { self.opaque(scalar, a) } else { a };
                match op {
                    BinaryOp::Add => infix("+", Level::Sum, &a, &b),
                    BinaryOp::Sub => infix("-", Level::Sum, &a, &b),
                    BinaryOp::Mul => infix("*", Level::Product, &a, &b),
                    _ => infix("/", Level::Product, &a, &b),
                }
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, scalar: Scalar, a: Code, n: Code) -> Code {
        if self.is_pair(scalar) {
            let helper = match (op, scalar) {
                (BinaryOp::Shl, _) => "shl_u64",
                (_, Scalar::I64) => "shr_i64",
                _ => "shr_u64",
            };
            return self.call(helper, &[&a, &n]);
        }
        let mask = scalar.bits() - 1;
        let count = match n.text.strip_suffix('u').and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => format!("{}u", n & mask),
            None => format!("({} & {mask}u)", n.within(Level::Unary)),
        };
        let a = if n.constant { self.opaque(scalar, a) } else { a };
        let symbol = if op == BinaryOp::Shl { "<<" } else { ">>" };
        Code::at(Level::Bitwise, format!("{} {symbol} {count}", a.within(Level::Unary)))
    }

    fn compare(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code {
        if self.is_pair(scalar) {
            return self.compare_pairs(op, scalar, &a, &b);
        }
        if scalar == Scalar::Bool {
            let not = |x: &Code| Code::at(Level::Unary, format!("!{}", x.operand()));
            return match op {
                BinaryOp::Eq => infix("==", Level::Relation, &a, &b),
                BinaryOp::Ne => infix("!=", Level::Relation, &a, &b),
                BinaryOp::Lt => infix("&&", Level::Logic, &not(&a), &b),
                BinaryOp::Le => infix("||", Level::Logic, &not(&a), &b),
                BinaryOp::Gt => infix("&&", Level::Logic, &a, &not(&b)),
                _ => infix("||", Level::Logic, &a, &not(&b)),
            };
        }
        let symbol = match op {
            // naga writes `!=` of floats as the comparison that is false for NaN.
            BinaryOp::Ne if scalar.is_float() => {
                let equal = infix("==", Level::Relation, &a, &b);
                return Code::at(Level::Unary, format!("!{}", equal.operand()));
            }
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            _ => ">=",
        };
        infix(symbol, Level::Relation, &a, &b)
    }

    fn compare_pairs(&mut self, op: BinaryOp, scalar: Scalar, a: &Code, b: &Code) -> Code {
        let less = if scalar == Scalar::I64 { "lt_i64" } else { "lt_u64" };
        let not = |code: Code| Code::at(Level::Unary, format!("!{}", code.text));
        match op {
            BinaryOp::Eq => Code::runtime(format!("all({} == {})", a.within(Level::Sum), b.within(Level::Sum))),
            BinaryOp::Ne => Code::runtime(format!("any({} != {})", a.within(Level::Sum), b.within(Level::Sum))),
            BinaryOp::Lt => self.call(less, &[a, b]),
            BinaryOp::Gt => self.call(less, &[b, a]),
            BinaryOp::Le => not(self.call(less, &[b, a])),
            _ => not(self.call(less, &[a, b])),
        }
    }

    pub(super) fn cast(&mut self, from: Scalar, to: Scalar, x: Code) -> Code {
        use Scalar::{Bool, F32, F64, I32, I64, U32, U64};
        let pairs = self.options.int64 == Int64::Emulated;
        let constant = x.constant;
        let wrap = |function: &str, x: &Code| Code { constant, ..Code::call(function, &[x]) };
        match (from, to) {
            _ if from == to => x,
            (Bool | U32, U64 | I64) if pairs => {
                let word = if from == Bool { format!("u32({})", x.argument()) } else { x.text };
                Code { text: format!("vec2<u32>({word}, 0u)"), level: Level::Atom, constant }
            }
            (I32, U64 | I64) if pairs => self.call("u64_from_i32", &[&x]),
            (U64 | I64, U64 | I64) if pairs => x,
            (U64 | I64, U32) if pairs => Code { text: format!("{}.x", x.operand()), level: Level::Atom, constant },
            (U64 | I64, I32) if pairs => {
                Code { text: format!("bitcast<i32>({}.x)", x.operand()), level: Level::Atom, constant }
            }
            (Bool, U32 | I32 | F32) => wrap(to.name(), &x),
            (Bool, _) => wrap(self.scalar_type(to), &wrap(if to == U64 { "u32" } else { "i32" }, &x)),
            (U32, I32) => wrap("bitcast<i32>", &x),
            (I32, U32) => wrap("bitcast<u32>", &x),
            (U32, U64) => wrap("u64", &x),
            (U32, I64) => wrap("bitcast<i64>", &wrap("u64", &x)),
            (I32, I64) => wrap("i64", &x),
            (I32, U64) => self.call("u64_from_i32", &[&x]),
            (U64, I64) => wrap("bitcast<i64>", &x),
            (I64, U64) => wrap("bitcast<u64>", &x),
            (U64, U32) => self.call("low_u64", &[&x]),
            (U64, I32) => wrap("bitcast<i32>", &self.call("low_u64", &[&x])),
            (I64, U32) => self.call("low_u64", &[&wrap("bitcast<u64>", &x)]),
            (I64, I32) => {
                let low = self.call("low_u64", &[&wrap("bitcast<u64>", &x)]);
                Code::call("bitcast<i32>", &[&low])
            }
            (U32 | I32, F32 | F64) | (F32, F64) => Code::call(to.name(), &[&x]),
            (F64, F32) => {
                let x = self.opaque(F64, x);
                Code::call("f32", &[&x])
            }
            _ => self.call(&format!("{}_from_{}", to.name(), from.name()), &[&x]),
        }
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, scalar: Scalar, mut args: Vec<Code>) -> Code {
        use Scalar::{I32, I64, U32};
        if args.iter().all(|a| a.constant)
            && let Some(first) = args.first_mut()
        {
            *first = self.opaque(scalar, first.clone());
        }
        let operands: Vec<&Code> = args.iter().collect();
        let plain = |function: &str| Code::call(function, &operands);
        let small = matches!(scalar, U32 | I32);
        match builtin {
            Builtin::Min if small => plain("min"),
            Builtin::Max if small => plain("max"),
            Builtin::Abs if small => plain("abs"),
            Builtin::Signum if small => plain("sign"),
            Builtin::CountOnes | Builtin::LeadingZeros | Builtin::TrailingZeros => {
                self.bit_count(builtin, scalar, args)
            }
            Builtin::ReverseBits if small => plain("reverseBits"),
            Builtin::Sqrt => plain("sqrt"),
            Builtin::ToBits if scalar == Scalar::F64 => plain("bitcast<u64>"),
            Builtin::ToBits => plain("bitcast<u32>"),
            Builtin::FromBits if scalar == Scalar::U64 => plain("bitcast<f64>"),
            Builtin::FromBits => plain("bitcast<f32>"),
            _ => {
                let signed_matters = matches!(
                    builtin,
                    Builtin::Min
                        | Builtin::Max
                        | Builtin::Abs
                        | Builtin::AbsDiff
                        | Builtin::Signum
                        | Builtin::SaturatingAdd
                        | Builtin::SaturatingSub
                );
                let of = if scalar == I64 && self.is_pair(scalar) && !signed_matters { "u64" } else { scalar.name() };
                self.call(&format!("{}_{of}", helper_of(builtin)), &operands)
            }
        }
    }

    fn bit_count(&mut self, builtin: Builtin, scalar: Scalar, args: Vec<Code>) -> Code {
        let Some(x) = args.into_iter().next() else { return Code::constant("0u".to_owned()) };
        if scalar.bits() == 64 {
            let x = if scalar == Scalar::I64 { self.cast(Scalar::I64, Scalar::U64, x) } else { x };
            return self.call(&format!("{}_u64", helper_of(builtin)), &[&x]);
        }
        let x = if scalar == Scalar::I32 { self.cast(Scalar::I32, Scalar::U32, x) } else { x };
        let function = match builtin {
            Builtin::CountOnes => "countOneBits",
            Builtin::LeadingZeros => "countLeadingZeros",
            _ => "countTrailingZeros",
        };
        Code::call(function, &[&x])
    }
}

/// An operation between two operands; its level is that of what it makes.
fn infix(symbol: &str, level: Level, a: &Code, b: &Code) -> Code {
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
fn helper_of(builtin: Builtin) -> &'static str {
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
