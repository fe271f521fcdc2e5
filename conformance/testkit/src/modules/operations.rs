//! Operations on scalars, and a kernel that performs all of one type.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

/// Function that builds a result from `a`, `b` and `n`.
pub enum How {
    Expr(Box<dyn Fn(Expr, Expr, Expr) -> Expr>),
    Divide,
    Remainder,
}

/// An operation.
pub struct Operation {
    pub result: Scalar,
    pub how: How,
}

fn op(result: Scalar, how: impl Fn(Expr, Expr, Expr) -> Expr + 'static) -> Operation {
    Operation { result, how: How::Expr(Box::new(how)) }
}

fn binary(which: BinaryOp, result: Scalar) -> Operation {
    op(result, move |a, b, _| bin(which, a, b))
}

fn call2(which: Builtin, result: Scalar) -> Operation {
    op(result, move |a, b, _| builtin(which, result, vec![a, b]))
}

fn call1(which: Builtin, result: Scalar) -> Operation {
    op(result, move |a, _, _| builtin(which, result, vec![a]))
}

fn to(result: Scalar) -> Operation {
    op(result, move |a, _, _| cast(a, result))
}

pub const INTEGERS: [Scalar; 4] = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64];
const COMPARISONS: [BinaryOp; 6] = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge];
const BITWISE: [BinaryOp; 3] = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];

/// Returns the operation `if n < 16 { a } else { b }`.
fn choice(s: Scalar) -> Operation {
    op(s, |a, b, n| select(bin(BinaryOp::Lt, n, u32_(16)), a, b))
}

/// Returns the operations of an integer type.
fn integer(s: Scalar, unsigned: Scalar) -> Vec<Operation> {
    let mut ops: Vec<Operation> = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]
        .into_iter()
        .chain(BITWISE)
        .map(|which| binary(which, s))
        .collect();
    ops.extend(COMPARISONS.map(|which| binary(which, Scalar::Bool)));
    for which in [BinaryOp::Shl, BinaryOp::Shr] {
        ops.push(op(s, move |a, _, n| bin(which, a, n)));
        ops.extend([37, 0].map(|by| op(s, move |a, _, _| bin(which, a, u32_(by)))));
    }
    ops.extend([How::Divide, How::Remainder].map(|how| Operation { result: s, how }));
    ops.extend([Builtin::Min, Builtin::Max, Builtin::SaturatingAdd, Builtin::SaturatingSub].map(|f| call2(f, s)));
    ops.push(call2(Builtin::AbsDiff, unsigned));
    ops.extend(
        [Builtin::CountOnes, Builtin::LeadingZeros, Builtin::TrailingZeros].map(|count| call1(count, Scalar::U32)),
    );
    ops.extend([Builtin::ReverseBits, Builtin::SwapBytes].map(|f| call1(f, s)));
    for which in [Builtin::RotateLeft, Builtin::RotateRight] {
        ops.push(op(s, move |a, _, n| builtin(which, s, vec![a, n])));
    }
    ops.extend([UnaryOp::Not, UnaryOp::Neg].map(|which| op(s, move |a, _, _| un(which, a))));
    ops.push(choice(s));
    ops.extend([Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64, Scalar::F32].map(to));
    // Operations on literals, which WGSL would evaluate at compile time and reject on overflow.
    ops.push(op(s, move |_, _, _| bin(BinaryOp::Add, least_or_greatest(s, true), number(s, 1))));
    ops.push(op(s, move |_, _, _| bin(BinaryOp::Sub, least_or_greatest(s, false), number(s, 1))));
    ops.push(op(s, move |_, _, _| bin(BinaryOp::Mul, least_or_greatest(s, true), number(s, 3))));
    ops.push(op(s, move |_, _, _| bin(BinaryOp::Shl, least_or_greatest(s, true), u32_(5))));
    ops.push(op(s, move |_, _, _| un(UnaryOp::Neg, least_or_greatest(s, false))));
    if s == unsigned {
        ops.push(call2(Builtin::MulHigh, s));
    } else {
        ops.extend([Builtin::Abs, Builtin::Signum].map(|f| call1(f, s)));
    }
    ops
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

/// Returns the operations of a float type, whose bits are integers of type `bits`, and literals without a decimal text.
fn float(s: Scalar, bits: Scalar, literals: [Value; 4]) -> Vec<Operation> {
    let arithmetic = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Rem, BinaryOp::Div];
    let mut ops: Vec<Operation> = arithmetic.map(|which| binary(which, s)).into();
    ops.extend(COMPARISONS.map(|which| binary(which, Scalar::Bool)));
    ops.extend([Builtin::Min, Builtin::Max, Builtin::CopySign].map(|f| call2(f, s)));
    let rounding = [Builtin::Floor, Builtin::Ceil, Builtin::Trunc, Builtin::RoundTiesEven];
    ops.extend([Builtin::Sqrt, Builtin::Abs].into_iter().chain(rounding).map(|f| call1(f, s)));
    ops.extend([Builtin::IsNan, Builtin::IsFinite].map(|f| call1(f, Scalar::Bool)));
    ops.push(call1(Builtin::ToBits, bits));
    ops.push(op(s, move |a, _, _| builtin(Builtin::FromBits, s, vec![builtin(Builtin::ToBits, bits, vec![a])])));
    ops.push(op(s, |a, _, _| un(UnaryOp::Neg, a)));
    ops.push(choice(s));
    ops.extend([Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64].map(to));
    ops.extend(literals.map(|literal| op(s, move |_, _, _| Expr::literal(literal.clone(), s))));
    // Choices beside zero, which compilers take for minima and maxima.
    for which in [BinaryOp::Lt, BinaryOp::Gt] {
        ops.push(op(s, move |a, _, _| select(bin(which, a.clone(), number(s, 0)), a, number(s, 0))));
    }
    ops
}

/// Returns the operations of a scalar type.
pub fn operations(scalar: Scalar) -> Vec<Operation> {
    match scalar {
        Scalar::U32 | Scalar::I32 => integer(scalar, Scalar::U32),
        Scalar::U64 | Scalar::I64 => integer(scalar, Scalar::U64),
        Scalar::F32 => {
            let literals = [f32::NAN, f32::INFINITY, -0.0, f32::from_bits(1)];
            float(scalar, Scalar::U32, literals.map(|x| Value::F32(x.to_bits())))
        }
        Scalar::F64 => {
            let literals = [f64::NAN, -0.0, 0.1, -1.5e300].map(|x| Value::F64(x.to_bits()));
            float(scalar, Scalar::U64, literals).into_iter().chain([to(Scalar::F32)]).collect()
        }
        Scalar::Bool => {
            let logic = BITWISE.into_iter().chain([BinaryOp::And, BinaryOp::Or]).chain(COMPARISONS);
            let mut ops: Vec<Operation> = logic.map(|which| binary(which, scalar)).collect();
            ops.push(op(scalar, |a, _, _| un(UnaryOp::Not, a)));
            ops.extend(INTEGERS.map(to));
            ops
        }
    }
}

/// Builds a kernel that performs these operations on fields `a`, `b` and `n` of its row and stores the results in the
/// following fields.
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
        assert_eq!(result.ty, op.result.into());
        k.assign(me.field(field), result);
    }
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}
