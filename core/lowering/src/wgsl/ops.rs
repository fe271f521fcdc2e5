//! Operations on scalars as text, with the language's total meaning.

use super::options::Int64;
use super::state::Lowering;
use crate::walk::{Code, Level, Operations, accessors, helper_of, infix};
use imminent_ir::{BinaryOp, Builtin, Scalar, Type, UnaryOp};

/// An expression as an argument. In `f(a < b, c > d)` WGSL sees a template `a<b, c>`, so comparisons stand in
/// parentheses.
pub(super) fn argument(code: &Code) -> String {
    if matches!(code.level, Level::Relation | Level::Logic) { format!("({})", code.text) } else { code.text.clone() }
}

/// A call of a function of the shader.
fn invoke(function: &str, args: &[&Code]) -> Code {
    let args: Vec<String> = args.iter().map(|arg| argument(arg)).collect();
    Code::atom(format!("{function}({})", args.join(", ")))
}

/// A constructor.
pub(super) fn construct(ty: &str, parts: &[Code]) -> Code {
    let args: Vec<&Code> = parts.iter().collect();
    Code { constant: parts.iter().all(|p| p.constant), ..invoke(ty, &args) }
}

impl Operations for Lowering<'_> {
    fn unary(&mut self, op: UnaryOp, scalar: Scalar, x: Code) -> Code {
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

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Code, b: Code) -> Code {
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

    fn cast(&mut self, from: Scalar, to: Scalar, x: Code) -> Code {
        use Scalar::{Bool, F32, F64, I32, I64, U32, U64};
        let pairs = self.options.int64 == Int64::Emulated;
        let constant = x.constant;
        let wrap = |function: &str, x: &Code| Code { constant, ..invoke(function, &[x]) };
        match (from, to) {
            _ if from == to => x,
            (Bool | U32, U64 | I64) if pairs => {
                let word = if from == Bool { format!("u32({})", argument(&x)) } else { x.text };
                Code { text: format!("vec2<u32>({word}, 0u)"), level: Level::Atom, constant }
            }
            (I32, U64 | I64) if pairs => self.call("u64_from_i32", &[&x]),
            (U64 | I64, U64 | I64) if pairs => x,
            (U64 | I64, U32) if pairs => Code { text: format!("{}.x", x.operand()), level: Level::Atom, constant },
            (U64 | I64, I32) if pairs => {
                Code { text: format!("bitcast<i32>({}.x)", x.operand()), level: Level::Atom, constant }
            }
            (Bool, U32 | I32 | F32) => wrap(to.name(), &x),
            (Bool, U64 | I64) => {
                let word = wrap("u32", &x);
                self.cast(U32, to, word)
            }
            (Bool, F64) => wrap("f64", &wrap("i32", &x)),
            (U32, I32) => wrap("bitcast<i32>", &x),
            (I32, U32) => wrap("bitcast<u32>", &x),
            (U32, U64) => wrap("u64", &x),
            (U32, I64) => wrap("bitcast<i64>", &wrap("u64", &x)),
            (I32, U64 | I64) => self.call(&format!("{}_from_i32", to.name()), &[&x]),
            (U64, I64) => wrap("bitcast<i64>", &x),
            (I64, U64) => wrap("bitcast<u64>", &x),
            (U64, U32) => self.call("low_u64", &[&x]),
            (U64, I32) => wrap("bitcast<i32>", &self.call("low_u64", &[&x])),
            (I64, U32) => self.call("low_u64", &[&wrap("bitcast<u64>", &x)]),
            (I64, I32) => {
                let low = self.call("low_u64", &[&wrap("bitcast<u64>", &x)]);
                invoke("bitcast<i32>", &[&low])
            }
            (I32, F32) | (U32 | I32, F64) | (F32, F64) => invoke(to.name(), &[&x]),
            (F64, F32) => {
                let x = self.opaque(F64, x);
                invoke("f32", &[&x])
            }
            _ => self.call(&format!("{}_from_{}", to.name(), from.name()), &[&x]),
        }
    }

    fn builtin(&mut self, builtin: Builtin, scalar: Scalar, mut args: Vec<Code>) -> Code {
        use Scalar::{I32, I64, U32};
        if args.iter().all(|a| a.constant)
            && let Some(first) = args.first_mut()
        {
            *first = self.opaque(scalar, first.clone());
        }
        let operands: Vec<&Code> = args.iter().collect();
        let plain = |function: &str| invoke(function, &operands);
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

    fn select(&mut self, ty: &Type, c: Code, a: Code, b: Code) -> Code {
        match ty {
            Type::Struct(_) | Type::Array(..) => {
                let helper = accessors::choose(self, ty);
                invoke(&helper, &[&a, &b, &c])
            }
            Type::Scalar(scalar @ (Scalar::U64 | Scalar::I64)) if self.options.int64 == Int64::Native => {
                self.call(&format!("pick_{}", scalar.name()), &[&b, &a, &c])
            }
            _ => Code { constant: c.constant && a.constant && b.constant, ..invoke("select", &[&b, &a, &c]) },
        }
    }

    fn has_division(&self, scalar: Scalar) -> bool {
        !self.is_pair(scalar)
    }

    fn opaque(&mut self, scalar: Scalar, x: Code) -> Code {
        if !x.constant || scalar == Scalar::Bool || self.is_pair(scalar) {
            return x;
        }
        self.call(&format!("opaque_{}", scalar.name()), &[&x])
    }

    fn call(&mut self, helper: &str, args: &[&Code]) -> Code {
        self.helper(helper);
        invoke(helper, args)
    }

    fn clamp(&mut self, index: &Code, last: u32) -> String {
        format!("min({}, {last}u)", index.text)
    }
}

impl Lowering<'_> {
    fn is_pair(&self, scalar: Scalar) -> bool {
        matches!(scalar, Scalar::U64 | Scalar::I64) && self.options.int64 == Int64::Emulated
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
            None if scalar.bits() == 64 => self.call("count_u64", &[&n]).text,
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
            BinaryOp::Eq => Code::atom(format!("all({} == {})", a.within(Level::Sum), b.within(Level::Sum))),
            BinaryOp::Ne => Code::atom(format!("any({} != {})", a.within(Level::Sum), b.within(Level::Sum))),
            BinaryOp::Lt => self.call(less, &[a, b]),
            BinaryOp::Gt => self.call(less, &[b, a]),
            BinaryOp::Le => not(self.call(less, &[b, a])),
            _ => not(self.call(less, &[a, b])),
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
        invoke(function, &[&x])
    }
}
