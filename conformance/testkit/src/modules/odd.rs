//! Legal IR that is difficult for C compilers.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

const U32: Scalar = Scalar::U32;

/// Builds a module of unusual IR. It has names that C, CUDA and OpenCL reserve, code after a `return`, an endless loop,
/// and functions that end in a loop. A parameter is assigned, and comparisons as arguments look like those of a
/// template. There are structs and arrays in arrays, discriminants that do not fit `int`, and floats without an exact
/// decimal text.
pub fn odd() -> Built {
    let mut b = Builder::new("odd");
    let kind = b.enumeration("union", &["Null", "private"]);
    b.module.enums[0].variants.push(("Last".to_owned(), u32::MAX));
    let inner = b.structure("float4", StructRole::Value, &[("x", value(Scalar::F32)), ("int", value(Scalar::Bool))]);
    let list = array(Type::Struct(inner), 2);
    let outer = b.structure(
        "kernel",
        StructRole::Value,
        &[
            ("template", value(list.clone())),
            ("M_PI", value(Type::Enum(kind))),
            ("default", value(array(array(U32, 2), 3))),
        ],
    );
    let pair = |x: f32, flag| Value::Struct(vec![Value::F32(x.to_bits()), Value::Bool(flag)]);
    let grid = Value::Array((0..3).map(|i| Value::Array(vec![Value::U32(i), Value::U32(i * 7)])).collect());
    let constant = |x: f32| {
        Value::Struct(vec![Value::Array(vec![pair(x, true), pair(1.5, false)]), Value::Enum(u32::MAX), grid.clone()])
    };
    let plain = b.constant("INFINITY", Type::Struct(outer), constant(-2.25));
    let special = b.constant("NAN", Type::Struct(outer), constant(f32::NEG_INFINITY));
    let long =
        b.constant("TABLE", array(Scalar::I64, 40), Value::Array((0..40).map(|i| Value::I64(i64::MIN >> i)).collect()));
    let row = b.structure("image2d_t", StructRole::Row, &[("out", value(array(U32, 8))), ("sum", value(Scalar::I64))]);

    let mut forever = Body::new("operator", 5, U32.into());
    let target = forever.param("sizeof", ParamKind::Value(U32.into()));
    let ret = forever.stmt(StmtKind::Return(Some(target.get(U32))));
    let more = forever.stmt(StmtKind::Assign(target.clone(), bin(BinaryOp::Mul, target.get(U32), u32_(3))));
    let enough =
        Stmt { line: 7, kind: StmtKind::If(bin(BinaryOp::Gt, target.get(U32), u32_(1000)), vec![ret], vec![]) };
    forever.push(StmtKind::Loop(vec![more, enough]));
    let forever = b.function(forever);

    let mut both = Body::new("fmaf", 20, Scalar::F32.into());
    let yes = both.stmt(StmtKind::Return(Some(f32_(-1.5))));
    let no = both.stmt(StmtKind::Return(Some(bin(BinaryOp::Div, f32_(1.0), f32_(0.0)))));
    let dead = both.stmt(StmtKind::Return(Some(f32_(2.0))));
    both.push(StmtKind::If(bool_(false), vec![yes, dead], vec![no]));
    let both = b.function(both);

    let mut pick = Body::new("pick", 25, Scalar::Bool.into());
    let p = pick.param("half", ParamKind::Value(Scalar::Bool.into()));
    let q = pick.param("atomic_add", ParamKind::Value(Scalar::Bool.into()));
    pick.push(StmtKind::Return(Some(bin(BinaryOp::And, p.get(Scalar::Bool), q.get(Scalar::Bool)))));
    let pick = b.function(pick);

    let mut k = Body::new("__global", 30, Type::Unit);
    let me = k.param("state", ParamKind::Row(row, true));
    let id = k.param("threadIdx", ParamKind::Value(U32.into()));
    let x = k.local("min", U32.into());
    k.push(StmtKind::Call {
        into: Some(x),
        function: forever,
        args: vec![Arg::Value(bin(BinaryOp::Add, id.get(U32), u32_(1)))],
    });
    let y = k.local("f32", Scalar::F32.into());
    k.push(StmtKind::Call { into: Some(y), function: both, args: vec![] });
    let z = k.local("ctx", Scalar::Bool.into());
    let compare = |op| Arg::Value(bin(op, get(x, U32), id.get(U32)));
    k.push(StmtKind::Call { into: Some(z), function: pick, args: vec![compare(BinaryOp::Lt), compare(BinaryOp::Gt)] });
    // A choice between structs, one of them a constant implemented as a function; then a struct built from parts.
    let constant = |id: ConstId| place(Base::Const(id));
    let odd = bin(BinaryOp::Eq, bin(BinaryOp::BitAnd, id.get(U32), u32_(1)), u32_(1));
    let chosen = k.let_(
        "long",
        select(odd.clone(), constant(special).get(Type::Struct(outer)), constant(plain).get(Type::Struct(outer))),
    );
    let parts = Expr {
        ty: Type::Struct(outer),
        kind: ExprKind::Struct(vec![
            of(chosen).field(0).get(list.clone()),
            Expr { ty: Type::Enum(kind), kind: ExprKind::Literal(Value::Enum(1)) },
            of(chosen).field(2).get(array(array(U32, 2), 3)),
        ]),
    };
    let built = k.let_("short", parts);
    k.assign(of(built).field(0).at(u32_(1)).field(1), bool_(true));
    k.assign(of(built).field(2).at(u32_(2)), Expr { ty: array(U32, 2), kind: ExprKind::Repeat(Box::new(u32_(41))) });
    let bits = |x: Expr| builtin(Builtin::ToBits, U32, vec![x]);
    let even = bin(BinaryOp::BitAnd, id.get(U32), u32_(1));
    let results = [
        get(x, U32),
        bits(get(y, Scalar::F32)),
        cast(get(z, Scalar::Bool), U32),
        bits(of(chosen).field(0).at(u32_(0)).field(0).get(Scalar::F32)),
        bits(constant(special).field(0).at(even.clone()).field(0).get(Scalar::F32)),
        cast(of(chosen).field(1).get(Type::Enum(kind)), U32),
        bin(
            BinaryOp::Add,
            of(built).field(2).at(even.clone()).at(u32_(1)).get(U32),
            of(built).field(2).at(u32_(2)).at(even).get(U32),
        ),
        bin(
            BinaryOp::Add,
            cast(of(built).field(0).at(u32_(1)).field(1).get(Scalar::Bool), U32),
            cast(of(built).field(1).get(Type::Enum(kind)), U32),
        ),
    ];
    for (at, result) in (0..).zip(results) {
        k.assign(me.field(0).at(u32_(at)), result);
    }
    let term = k.local("at", Scalar::I64.into());
    let total = k.let_("total", i64_(i64::MAX));
    let index = k.local("i", U32.into());
    let read = k.stmt(StmtKind::Let(term, Some(constant(long).at(get(index, U32)).get(Scalar::I64))));
    let add = k.stmt(StmtKind::Assign(of(total), bin(BinaryOp::Add, get(total, Scalar::I64), get(term, Scalar::I64))));
    k.push(StmtKind::For {
        var: index,
        start: u32_(0),
        end: u32_(40),
        inclusive: false,
        reverse: false,
        body: vec![read, add],
    });
    k.assign(me.field(1), get(total, Scalar::I64));
    // Unreachable: an endless loop.
    let again = k.stmt(StmtKind::Continue);
    let endless = k.stmt(StmtKind::Loop(vec![again]));
    k.push(StmtKind::If(bin(BinaryOp::Eq, get(x, U32), u32_(1)), vec![endless], vec![]));
    k.push(StmtKind::Return(None));
    let dead = k.local("dead", U32.into());
    k.push(StmtKind::Let(dead, Some(number(U32, 1))));
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}
