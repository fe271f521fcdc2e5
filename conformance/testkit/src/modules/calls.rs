//! A kernel that calls functions in every possible way.

use super::build::*;
use super::kernels::Built;
use imminent_ir::*;

const U32: Scalar = Scalar::U32;
const U64: Scalar = Scalar::U64;

/// Builds a kernel with calls of every kind.
pub fn calls() -> Built {
    let mut b = Builder::new("calls");
    let color = b.enumeration("Color", &["Red", "Green", "loop"]);
    let pair = b.structure("Pair", StructRole::Value, &[("left", value(U32)), ("r#type", value(Type::Enum(color)))]);
    let row = b.structure(
        "Cell",
        StructRole::Row,
        &[
            ("x", value(U32)),
            ("pairs", value(array(Type::Struct(pair), 2))),
            ("line", FieldType::Lanes(U32.into())),
            ("wide", FieldType::Lanes(array(U64, 2))),
        ],
    );
    let plain = b.structure("Point", StructRole::Row, &[("x", value(U32)), ("y", value(U32))]);
    let knobs = b.structure(
        "Knobs",
        StructRole::Params,
        &[("scale", value(U32)), ("table", value(array(U32, 3))), ("point", value(Type::Struct(plain)))],
    );
    let weights = b.constant("WEIGHTS", array(U32, 3), Value::Array([5, 7, 11].map(Value::U32).to_vec()));
    let nan = b.constant(
        "NOT_NUMBERS",
        array(Scalar::F32, 2),
        Value::Array(vec![Value::F32(f32::NAN.to_bits()), Value::F32(f32::NEG_INFINITY.to_bits())]),
    );
    let unit = b.constant("Pair::UNIT", Type::Struct(pair), Value::Struct(vec![Value::U32(1), Value::Enum(1)]));
    let lane_site = b.site(FaultKind::LaneOutOfRange, 50);
    let row_site = b.site(FaultKind::RowOutOfRange, 51);
    let assert_site = b.site(FaultKind::Assertion, 52);
    let pair_ty = || Type::Struct(pair);

    // fn bump(pair: &mut Pair, by: u32) { pair.left += by; pair.type = Green }
    let mut bump = Body::new("bump", 10, Type::Unit);
    let p = bump.param("pair", ParamKind::InOut(pair_ty()));
    let by = bump.param("by", ParamKind::Value(U32.into()));
    bump.assign(p.field(0), bin(BinaryOp::Add, p.field(0).get(U32), by.get(U32)));
    bump.assign(p.field(1), Expr { ty: Type::Enum(color), kind: ExprKind::Literal(Value::Enum(1)) });
    let bump = b.function(bump);

    // fn twice(pair: &mut Pair): passes its pointer on, and part of it.
    let mut twice = Body::new("twice", 15, Type::Unit);
    let p = twice.param("pair", ParamKind::InOut(pair_ty()));
    for by in [1, 2] {
        twice.push(StmtKind::Call {
            into: None,
            function: bump,
            args: vec![Arg::InOut(p.clone()), Arg::Value(u32_(by))],
        });
    }
    let twice = b.function(twice);

    // fn x_of(point: &mut Point) -> u32 { point.x += 1; point.x }
    let mut x_of = Body::new("x_of", 20, U32.into());
    let p = x_of.param("point", ParamKind::Row(plain, true));
    x_of.assign(p.field(0), bin(BinaryOp::Add, p.field(0).get(U32), u32_(1)));
    x_of.push(StmtKind::Return(Some(p.field(0).get(U32))));
    let x_of = b.function(x_of);

    // fn y_of(point: &Point) -> u32, given rows, locals and part of the parameter block.
    let mut y_of = Body::new("y_of", 24, U32.into());
    let p = y_of.param("point", ParamKind::Row(plain, false));
    let zero = y_of.stmt(StmtKind::Return(Some(u32_(1000))));
    y_of.push(StmtKind::If(bin(BinaryOp::Eq, p.field(1).get(U32), u32_(0)), vec![zero], vec![]));
    y_of.push(StmtKind::Return(Some(p.field(1).get(U32))));
    let y_of = b.function(y_of);

    // fn lanes(line: &mut Lanes<u32>, knobs: &Knobs, all: &Rows<Point>) -> u32
    let mut sum = Body::new("sum", 30, U32.into());
    let line = sum.param("line", ParamKind::Lanes(U32.into(), true));
    let k = sum.param("knobs", ParamKind::Params(knobs));
    let all = sum.param("all", ParamKind::Rows(plain));
    let total = sum.let_("total", Expr { ty: U32.into(), kind: ExprKind::RowsLen(all.base) });
    let at = sum.local("at", U32.into());
    let one = sum.local("one", U32.into());
    let read = sum.stmt(StmtKind::LaneGet { into: one, lanes: line.clone(), index: get(at, U32), site: lane_site });
    let add = sum.stmt(StmtKind::Assign(of(total), bin(BinaryOp::Add, get(total, U32), get(one, U32))));
    let write = sum.stmt(StmtKind::LaneSet {
        lanes: line.clone(),
        index: get(at, U32),
        value: bin(BinaryOp::Mul, get(one, U32), k.field(0).get(U32)),
        site: lane_site,
    });
    sum.push(StmtKind::For {
        var: at,
        start: u32_(0),
        end: Expr { ty: U32.into(), kind: ExprKind::LanesCapacity(line.clone()) },
        inclusive: true,
        reverse: false,
        body: vec![read, add, write],
    });
    sum.push(StmtKind::Return(Some(get(total, U32))));
    let sum = b.function(sum);

    let mut k = Body::new("call", 40, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let own = k.param("own", ParamKind::Row(plain, true));
    let all = k.param("all", ParamKind::Rows(plain));
    let knob = k.param("knobs", ParamKind::Params(knobs));
    let id = k.param("id", ParamKind::Value(U32.into()));
    // A whole local, part of a local at a computed index, and part of the row at a computed index.
    let local = k.let_("local", place(Base::Const(unit)).get(pair_ty()));
    k.push(StmtKind::Call { into: None, function: twice, args: vec![Arg::InOut(of(local))] });
    let array_ty = array(pair_ty(), 2);
    let list = k.let_("list", Expr { ty: array_ty.clone(), kind: ExprKind::Repeat(Box::new(get(local, pair_ty()))) });
    let odd = k.let_("odd", bin(BinaryOp::BitAnd, id.get(U32), u32_(1)));
    k.push(StmtKind::Call {
        into: None,
        function: bump,
        args: vec![
            Arg::InOut(of(list).at(get(odd, U32))),
            Arg::Value(place(Base::Const(weights)).at(get(odd, U32)).get(U32)),
        ],
    });
    k.push(StmtKind::Call {
        into: None,
        function: bump,
        args: vec![Arg::InOut(me.field(1).at(get(odd, U32))), Arg::Value(of(list).at(get(odd, U32)).field(0).get(U32))],
    });
    // The same function with the own row, with a local struct, with a row of the table and with part of the parameters.
    let x = k.local("x", U32.into());
    k.push(StmtKind::Call { into: Some(x), function: x_of, args: vec![Arg::Resource(own.clone())] });
    let point = k.let_("point", Expr { ty: Type::Struct(plain), kind: ExprKind::Struct(vec![get(x, U32), u32_(0)]) });
    let x2 = k.local("x", U32.into());
    k.push(StmtKind::Call { into: Some(x2), function: x_of, args: vec![Arg::InOut(of(point))] });
    let next = k.row_local("next", plain);
    k.push(StmtKind::BindRow {
        local: next,
        rows: all.base,
        index: bin(BinaryOp::Add, id.get(U32), u32_(1)),
        site: row_site,
    });
    let mut ys = Vec::new();
    for arg in [
        Arg::Resource(of(next)),
        Arg::Value(of(point).get(Type::Struct(plain))),
        Arg::InOut(of(point)),
        Arg::Resource(knob.field(2)),
    ] {
        let y = k.local("y", U32.into());
        k.push(StmtKind::Call { into: Some(y), function: y_of, args: vec![arg] });
        ys.push(get(y, U32));
    }
    let lanes = k.local("lanes", U32.into());
    k.push(StmtKind::Call {
        into: Some(lanes),
        function: sum,
        args: vec![Arg::Resource(me.field(2)), Arg::Resource(knob.clone()), Arg::Resource(all.clone())],
    });
    k.push(StmtKind::LaneSet {
        lanes: me.field(3),
        index: get(odd, U32),
        value: Expr { ty: array(U64, 2), kind: ExprKind::Array(vec![u64_(5), cast(get(x2, U32), U64)]) },
        site: lane_site,
    });
    let nans = builtin(Builtin::IsNan, Scalar::Bool, vec![place(Base::Const(nan)).at(get(odd, U32)).get(Scalar::F32)]);
    let chosen = k.let_(
        "chosen",
        select(nans, of(list).at(get(odd, U32)).get(pair_ty()), place(Base::Const(unit)).get(pair_ty())),
    );
    let is_red = bin(
        BinaryOp::Eq,
        of(chosen).field(1).get(Type::Enum(color)),
        Expr { ty: Type::Enum(color), kind: ExprKind::Literal(Value::Enum(0)) },
    );
    k.push(StmtKind::Assert(un(UnaryOp::Not, is_red), assert_site));
    let mut total = of(chosen).field(0).get(U32);
    for y in
        ys.into_iter().chain([get(lanes, U32), get(x2, U32), cast(of(chosen).field(1).get(Type::Enum(color)), U32)])
    {
        total = bin(BinaryOp::Add, bin(BinaryOp::Mul, total, u32_(3)), y);
    }
    k.assign(me.field(0), bin(BinaryOp::Add, total, knob.field(1).at(get(odd, U32)).get(U32)));
    let again = k.let_("again", u32_(0));
    let stop = k.stmt(StmtKind::Break);
    let more = k.stmt(StmtKind::Assign(of(again), bin(BinaryOp::Add, get(again, U32), u32_(1))));
    let enough = k.stmt(StmtKind::If(bin(BinaryOp::Ge, get(again, U32), u32_(5)), vec![stop], vec![]));
    k.push(StmtKind::Loop(vec![more, enough]));
    let shrink = k.stmt(StmtKind::Assign(of(again), bin(BinaryOp::Sub, get(again, U32), u32_(2))));
    k.push(StmtKind::While(bin(BinaryOp::Gt, get(again, U32), u32_(1)), vec![shrink]));
    k.assign(own.field(1), get(again, U32));
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}
