//! Every operation on scalars with what Rust makes of it, and a kernel that does all of one type.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

type Expected = Box<dyn Fn(u64, u64, u32) -> u64>;

/// How the kernel computes a result from `a`, `b` and `n`.
pub enum How {
    Expr(Box<dyn Fn(Expr, Expr, Expr) -> Expr>),
    Divide,
    Remainder,
}

/// An operation.
pub struct Operation {
    pub name: String,
    pub result: Scalar,
    pub how: How,
    /// The bits of the result from those of the operands.
    pub expected: Expected,
    /// By how many units in the last place the device may differ: WGSL says so of division and square roots.
    pub ulps: u64,
}

impl Operation {
    fn within(self, ulps: u64) -> Operation {
        Operation { ulps, ..self }
    }
}

fn op(
    name: impl Into<String>,
    result: Scalar,
    how: impl Fn(Expr, Expr, Expr) -> Expr + 'static,
    expected: impl Fn(u64, u64, u32) -> u64 + 'static,
) -> Operation {
    Operation { name: name.into(), result, how: How::Expr(Box::new(how)), expected: Box::new(expected), ulps: 0 }
}

fn binary(which: BinaryOp, result: Scalar, expected: impl Fn(u64, u64) -> u64 + 'static) -> Operation {
    op(format!("{which:?}"), result, move |a, b, _| bin(which, a, b), move |a, b, _| expected(a, b))
}

fn call2(which: Builtin, result: Scalar, expected: impl Fn(u64, u64) -> u64 + 'static) -> Operation {
    op(format!("{which:?}"), result, move |a, b, _| builtin(which, result, vec![a, b]), move |a, b, _| expected(a, b))
}

fn call1(which: Builtin, result: Scalar, expected: impl Fn(u64) -> u64 + 'static) -> Operation {
    op(format!("{which:?}"), result, move |a, _, _| builtin(which, result, vec![a]), move |a, _, _| expected(a))
}

fn to(result: Scalar, expected: impl Fn(u64) -> u64 + 'static) -> Operation {
    op(format!("as {result}"), result, move |a, _, _| cast(a, result), move |a, _, _| expected(a))
}

/// The operations of all integer types.
macro_rules! integer {
    ($scalar:expr, $t:ty, $u:ty, $unsigned:expr) => {{
        let s = $scalar;
        let f = |f: fn($t, $t) -> $t| move |a: u64, b: u64| f(a as $t, b as $t) as $u as u64;
        let g = |f: fn($t, $t) -> bool| move |a: u64, b: u64| f(a as $t, b as $t) as u64;
        let h = |f: fn($t) -> $t| move |a: u64| f(a as $t) as $u as u64;
        let c = |f: fn($t) -> u32| move |a: u64| u64::from(f(a as $t));
        let shift = |f: fn($t, u32) -> $t| move |a: u64, _: u64, n: u32| f(a as $t, n) as $u as u64;
        let mut ops = vec![
            binary(BinaryOp::Add, s, f(<$t>::wrapping_add)),
            binary(BinaryOp::Sub, s, f(<$t>::wrapping_sub)),
            binary(BinaryOp::Mul, s, f(<$t>::wrapping_mul)),
            binary(BinaryOp::BitAnd, s, f(|a, b| a & b)),
            binary(BinaryOp::BitOr, s, f(|a, b| a | b)),
            binary(BinaryOp::BitXor, s, f(|a, b| a ^ b)),
            binary(BinaryOp::Eq, Scalar::Bool, g(|a, b| a == b)),
            binary(BinaryOp::Ne, Scalar::Bool, g(|a, b| a != b)),
            binary(BinaryOp::Lt, Scalar::Bool, g(|a, b| a < b)),
            binary(BinaryOp::Le, Scalar::Bool, g(|a, b| a <= b)),
            binary(BinaryOp::Gt, Scalar::Bool, g(|a, b| a > b)),
            binary(BinaryOp::Ge, Scalar::Bool, g(|a, b| a >= b)),
            op("Shl", s, |a, _, n| bin(BinaryOp::Shl, a, n), shift(<$t>::wrapping_shl)),
            op("Shr", s, |a, _, n| bin(BinaryOp::Shr, a, n), shift(<$t>::wrapping_shr)),
            op(
                "Shl by 37",
                s,
                |a, _, _| bin(BinaryOp::Shl, a, u32_(37)),
                |a, _, _| (a as $t).wrapping_shl(37) as $u as u64,
            ),
            op(
                "Shr by 37",
                s,
                |a, _, _| bin(BinaryOp::Shr, a, u32_(37)),
                |a, _, _| (a as $t).wrapping_shr(37) as $u as u64,
            ),
            op("Shr by 0", s, |a, _, _| bin(BinaryOp::Shr, a, u32_(0)), |a, _, _| a as $u as u64),
            Operation {
                name: "Divide".to_owned(),
                result: s,
                how: How::Divide,
                expected: Box::new(
                    |a, b, _| if b as $t == 0 { 0 } else { (a as $t).wrapping_div(b as $t) as $u as u64 },
                ),
                ulps: 0,
            },
            Operation {
                name: "Remainder".to_owned(),
                result: s,
                how: How::Remainder,
                expected: Box::new(
                    |a, b, _| if b as $t == 0 { 0 } else { (a as $t).wrapping_rem(b as $t) as $u as u64 },
                ),
                ulps: 0,
            },
            call2(Builtin::Min, s, f(Ord::min)),
            call2(Builtin::Max, s, f(Ord::max)),
            call2(Builtin::AbsDiff, $unsigned, |a, b| (a as $t).abs_diff(b as $t) as u64),
            call2(Builtin::SaturatingAdd, s, f(<$t>::saturating_add)),
            call2(Builtin::SaturatingSub, s, f(<$t>::saturating_sub)),
            call1(Builtin::CountOnes, Scalar::U32, c(<$t>::count_ones)),
            call1(Builtin::LeadingZeros, Scalar::U32, c(<$t>::leading_zeros)),
            call1(Builtin::TrailingZeros, Scalar::U32, c(<$t>::trailing_zeros)),
            call1(Builtin::ReverseBits, s, h(<$t>::reverse_bits)),
            call1(Builtin::SwapBytes, s, h(<$t>::swap_bytes)),
            op(
                "RotateLeft",
                s,
                move |a, _, n| builtin(Builtin::RotateLeft, s, vec![a, n]),
                shift(|a, n| a.rotate_left(n % <$t>::BITS)),
            ),
            op(
                "RotateRight",
                s,
                move |a, _, n| builtin(Builtin::RotateRight, s, vec![a, n]),
                shift(|a, n| a.rotate_right(n % <$t>::BITS)),
            ),
            op("Not", s, |a, _, _| un(UnaryOp::Not, a), |a, _, _| !(a as $t) as $u as u64),
            op("Neg", s, |a, _, _| un(UnaryOp::Neg, a), |a, _, _| (a as $t).wrapping_neg() as $u as u64),
            op(
                "Select",
                s,
                |a, b, n| select(bin(BinaryOp::Lt, n, u32_(16)), a, b),
                |a, b, n| if n < 16 { a } else { b },
            ),
            to(Scalar::U32, |a| u64::from(a as $t as u32)),
            to(Scalar::I32, |a| u64::from(a as $t as i32 as u32)),
            to(Scalar::U64, |a| a as $t as u64),
            to(Scalar::I64, |a| a as $t as i64 as u64),
            to(Scalar::F32, |a| u64::from((a as $t as f32).to_bits())),
            // Operations on literals, which WGSL would evaluate, and reject where they overflow.
            op(
                "literals added",
                s,
                move |_, _, _| bin(BinaryOp::Add, least_or_greatest(s, true), number(s, 1)),
                |_, _, _| <$t>::MIN as $u as u64,
            ),
            op(
                "literals subtracted",
                s,
                move |_, _, _| bin(BinaryOp::Sub, least_or_greatest(s, false), number(s, 1)),
                |_, _, _| <$t>::MAX as $u as u64,
            ),
            op(
                "literals multiplied",
                s,
                move |_, _, _| bin(BinaryOp::Mul, least_or_greatest(s, true), number(s, 3)),
                |_, _, _| <$t>::MAX.wrapping_mul(3) as $u as u64,
            ),
            op(
                "literal shifted",
                s,
                move |_, _, _| bin(BinaryOp::Shl, least_or_greatest(s, true), u32_(5)),
                |_, _, _| (<$t>::MAX << 5) as $u as u64,
            ),
            op(
                "literal negated",
                s,
                move |_, _, _| un(UnaryOp::Neg, least_or_greatest(s, false)),
                |_, _, _| <$t>::MIN.wrapping_neg() as $u as u64,
            ),
        ];
        let _ = &mut ops;
        ops
    }};
}

fn least_or_greatest(s: Scalar, greatest: bool) -> Expr {
    let value = match (s, greatest) {
        (Scalar::U32, true) => Value::U32(u32::MAX),
        (Scalar::U32, false) => Value::U32(0),
        (Scalar::I32, true) => Value::I32(i32::MAX),
        (Scalar::I32, false) => Value::I32(i32::MIN),
        (Scalar::U64, true) => Value::U64(u64::MAX),
        (Scalar::U64, false) => Value::U64(0),
        (Scalar::I64, true) => Value::I64(i64::MAX),
        _ => Value::I64(i64::MIN),
    };
    Expr::literal(value, s)
}

macro_rules! signed {
    ($ops:ident, $s:expr, $t:ty, $u:ty) => {
        $ops.push(call1(Builtin::Abs, $s, |a| (a as $t).wrapping_abs() as $u as u64));
        $ops.push(call1(Builtin::Signum, $s, |a| (a as $t).signum() as $u as u64));
    };
}

/// The operations of the float types. NaN results stand for every NaN.
macro_rules! float {
    ($s:expr, $t:ty, $u:ty, $bits:expr) => {{
        let s = $s;
        let x = |a: u64| <$t>::from_bits(a as $u);
        let f = move |f: fn($t, $t) -> $t| move |a: u64, b: u64| f(x(a), x(b)).to_bits() as u64;
        let g = move |f: fn($t, $t) -> bool| move |a: u64, b: u64| f(x(a), x(b)) as u64;
        let h = move |f: fn($t) -> $t| move |a: u64| f(x(a)).to_bits() as u64;
        vec![
            binary(BinaryOp::Add, s, f(|a, b| a + b)),
            binary(BinaryOp::Sub, s, f(|a, b| a - b)),
            binary(BinaryOp::Mul, s, f(|a, b| a * b)),
            binary(BinaryOp::Rem, s, f(|a, b| a % b)),
            binary(BinaryOp::Eq, Scalar::Bool, g(|a, b| a == b)),
            binary(BinaryOp::Ne, Scalar::Bool, g(|a, b| a != b)),
            binary(BinaryOp::Lt, Scalar::Bool, g(|a, b| a < b)),
            binary(BinaryOp::Le, Scalar::Bool, g(|a, b| a <= b)),
            binary(BinaryOp::Gt, Scalar::Bool, g(|a, b| a > b)),
            binary(BinaryOp::Ge, Scalar::Bool, g(|a, b| a >= b)),
            call2(Builtin::Min, s, f(|a, b| if a.is_nan() || b < a { b } else { a })),
            call2(Builtin::Max, s, f(|a, b| if a.is_nan() || b > a { b } else { a })),
            call2(Builtin::CopySign, s, f(<$t>::copysign)),
            binary(BinaryOp::Div, s, f(|a, b| a / b)).within(3),
            call1(Builtin::Sqrt, s, h(<$t>::sqrt)).within(3),
            call1(Builtin::Abs, s, h(<$t>::abs)),
            call1(Builtin::Floor, s, h(<$t>::floor)),
            call1(Builtin::Ceil, s, h(<$t>::ceil)),
            call1(Builtin::Trunc, s, h(<$t>::trunc)),
            call1(Builtin::RoundTiesEven, s, h(<$t>::round_ties_even)),
            call1(Builtin::IsNan, Scalar::Bool, move |a| u64::from(x(a).is_nan())),
            call1(Builtin::IsFinite, Scalar::Bool, move |a| u64::from(x(a).is_finite())),
            call1(Builtin::ToBits, $bits, |a| a as $u as u64),
            op(
                "FromBits",
                s,
                move |a, _, _| builtin(Builtin::FromBits, s, vec![builtin(Builtin::ToBits, $bits, vec![a])]),
                |a, _, _| a as $u as u64,
            ),
            op("Neg", s, |a, _, _| un(UnaryOp::Neg, a), move |a, _, _| (-x(a)).to_bits() as u64),
            op(
                "Select",
                s,
                |a, b, n| select(bin(BinaryOp::Lt, n, u32_(16)), a, b),
                |a, b, n| if n < 16 { a } else { b },
            ),
            to(Scalar::U32, move |a| u64::from(x(a) as u32)),
            to(Scalar::I32, move |a| u64::from(x(a) as i32 as u32)),
            to(Scalar::U64, move |a| x(a) as u64),
            to(Scalar::I64, move |a| x(a) as i64 as u64),
        ]
    }};
}

/// The operations of a scalar type.
pub fn operations(scalar: Scalar) -> Vec<Operation> {
    match scalar {
        Scalar::U32 => {
            let mut ops = integer!(scalar, u32, u32, Scalar::U32);
            ops.push(call2(Builtin::MulHigh, scalar, |a, b| (u64::from(a as u32) * u64::from(b as u32)) >> 32));
            ops
        }
        Scalar::I32 => {
            let mut ops = integer!(scalar, i32, u32, Scalar::U32);
            signed!(ops, scalar, i32, u32);
            ops
        }
        Scalar::U64 => {
            let mut ops = integer!(scalar, u64, u64, Scalar::U64);
            ops.push(call2(Builtin::MulHigh, scalar, |a, b| ((u128::from(a) * u128::from(b)) >> 64) as u64));
            ops
        }
        Scalar::I64 => {
            let mut ops = integer!(scalar, i64, u64, Scalar::U64);
            signed!(ops, scalar, i64, u64);
            ops
        }
        Scalar::F32 => {
            let mut ops = float!(scalar, f32, u32, Scalar::U32);
            for (name, value) in
                [("NaN", f32::NAN), ("infinity", f32::INFINITY), ("minus zero", -0.0), ("least", f32::from_bits(1))]
            {
                let bits = value.to_bits();
                ops.push(op(
                    name,
                    Scalar::F32,
                    move |_, _, _| f32_(f32::from_bits(bits)),
                    move |_, _, _| u64::from(bits),
                ));
            }
            ops
        }
        Scalar::F64 => {
            let mut ops = float!(scalar, f64, u64, Scalar::U64);
            ops.push(to(Scalar::F32, |a| u64::from((f64::from_bits(a) as f32).to_bits())));
            for (name, value) in [("NaN", f64::NAN), ("minus zero", -0.0), ("tenth", 0.1), ("large", -1.5e300)] {
                ops.push(op(
                    name,
                    Scalar::F64,
                    move |_, _, _| Expr::literal(Value::F64(value.to_bits()), Scalar::F64),
                    move |_, _, _| value.to_bits(),
                ));
            }
            ops
        }
        Scalar::Bool => {
            let mut ops = Vec::new();
            type Pair = (BinaryOp, fn(bool, bool) -> bool);
            let all: [Pair; 11] = [
                (BinaryOp::BitAnd, |a, b| a & b),
                (BinaryOp::BitOr, |a, b| a | b),
                (BinaryOp::BitXor, |a, b| a ^ b),
                (BinaryOp::And, |a, b| a && b),
                (BinaryOp::Or, |a, b| a || b),
                (BinaryOp::Eq, |a, b| a == b),
                (BinaryOp::Ne, |a, b| a != b),
                (BinaryOp::Lt, |a, b| !a & b),
                (BinaryOp::Le, |a, b| a <= b),
                (BinaryOp::Gt, |a, b| a & !b),
                (BinaryOp::Ge, |a, b| a >= b),
            ];
            for (which, f) in all {
                ops.push(binary(which, Scalar::Bool, move |a, b| u64::from(f(a != 0, b != 0))));
            }
            ops.push(op("Not", Scalar::Bool, |a, _, _| un(UnaryOp::Not, a), |a, _, _| u64::from(a == 0)));
            for s in [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64] {
                ops.push(to(s, |a| a));
            }
            ops
        }
    }
}

/// A kernel that does all these operations on fields `a`, `b` and `n` of its row and stores the results in the fields after
/// them.
pub fn kernel(scalar: Scalar, operations: &[Operation]) -> Built {
    let mut b = Builder::new("operations");
    let names: Vec<String> = (0..operations.len()).map(|i| format!("r{i}")).collect();
    let mut fields = vec![("a", value(scalar)), ("b", value(scalar)), ("n", value(Scalar::U32))];
    fields.extend(names.iter().zip(operations).map(|(name, op)| (name.as_str(), value(op.result))));
    let row = b.structure("Case", StructRole::Row, &fields);
    let division = b.site(FaultKind::DivisionByZero, 1);
    let remainder = b.site(FaultKind::RemainderByZero, 2);
    let mut k = Body::new("operate", 10, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let x = k.let_("a", me.field(0).get(scalar));
    let y = k.let_("b", me.field(1).get(scalar));
    let n = k.let_("n", me.field(2).get(Scalar::U32));
    for (op, field) in operations.iter().zip(3..) {
        let (a, b, n) = (get(x, scalar), get(y, scalar), get(n, Scalar::U32));
        let result = match &op.how {
            How::Expr(make) => make(a, b, n),
            How::Divide => {
                let quotient = k.local("quotient", scalar.into());
                k.push(StmtKind::Divide(quotient, a, b, division));
                get(quotient, scalar)
            }
            How::Remainder => {
                let rest = k.local("rest", scalar.into());
                k.push(StmtKind::Remainder(rest, a, b, remainder));
                get(rest, scalar)
            }
        };
        assert_eq!(result.ty, op.result.into(), "{}", op.name);
        k.assign(me.field(field), result);
    }
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}
