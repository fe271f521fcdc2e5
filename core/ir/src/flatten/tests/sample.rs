//! A module that uses every kind of resource, and small helpers to build expressions.

use crate::*;

pub(super) const FACILITY: StructId = StructId(1);
pub(super) const POST: StructId = StructId(2);
pub(super) const NET: StructId = StructId(3);

pub(super) fn param(n: u32) -> Place {
    Place { base: Base::Param(ParamId(n)), path: vec![] }
}

pub(super) fn field(mut place: Place, n: u32) -> Place {
    place.path.push(Step::Field(n));
    place
}

pub(super) fn at(mut place: Place, index: Expr) -> Place {
    place.path.push(Step::Index(Box::new(index)));
    place
}

pub(super) fn load(place: Place, ty: impl Into<Type>) -> Expr {
    Expr { ty: ty.into(), kind: ExprKind::Load(place) }
}

pub(super) fn word(x: u32) -> Expr {
    Expr::literal(Value::U32(x), Scalar::U32)
}

pub(super) fn stmt(line: u32, kind: StmtKind) -> Stmt {
    Stmt { line, kind }
}

pub(super) fn function(
    name: &str,
    params: &[(&str, ParamKind)],
    result: Type,
    locals: &[(&str, LocalKind)],
    body: Block,
) -> Function {
    Function {
        name: name.to_owned(),
        origin: "sample".to_owned(),
        file: "src/sample.rs".to_owned(),
        line: 1,
        params: params.iter().map(|(n, k)| Param { name: (*n).to_owned(), kind: k.clone() }).collect(),
        result,
        locals: locals.iter().map(|(n, k)| Local { name: (*n).to_owned(), kind: k.clone() }).collect(),
        body,
    }
}

fn structure(name: &str, role: StructRole, fields: &[(&str, FieldType)]) -> Struct {
    let fields = fields.iter().map(|(n, ty)| Field { name: (*n).to_owned(), ty: ty.clone() }).collect();
    Struct { name: name.to_owned(), origin: "sample".to_owned(), role, packed: false, fields }
}

/// `advance(me: &mut Facility, post: &mut Post, all: &Rows<Post>, net: &Net, tally: &Tally<u64>, id: u32) -> u64`.
///
/// Functions: 0 `earliest(post: &Post) -> u64`, 1 `reset(post: &mut Post)`, 2 `push(line: &mut Lanes<u64>, net: &Net)`,
/// 3 the kernel's body.
pub(super) fn sample() -> Module {
    let value = FieldType::Value;
    let u64_ty = || Type::Scalar(Scalar::U64);
    let sites =
        [FaultKind::RowOutOfRange, FaultKind::LaneOutOfRange, FaultKind::IndexOutOfRange, FaultKind::TallyOutOfRange];
    let earliest = function(
        "Post::earliest",
        &[("self", ParamKind::Row(POST, false))],
        u64_ty(),
        &[],
        vec![stmt(11, StmtKind::Return(Some(load(field(param(0), 0), u64_ty()))))],
    );
    let reset = function(
        "reset",
        &[("post", ParamKind::Row(POST, true))],
        Type::Unit,
        &[],
        vec![stmt(
            15,
            StmtKind::Assign(field(param(0), 0), Expr { ty: u64_ty(), kind: ExprKind::Literal(Value::U64(0)) }),
        )],
    );
    let push = function(
        "push",
        &[("line", ParamKind::Lanes(u64_ty(), true)), ("net", ParamKind::Params(NET))],
        Type::Unit,
        &[],
        vec![stmt(
            20,
            StmtKind::LaneSet {
                lanes: param(0),
                index: word(0),
                value: load(field(param(1), 0), u64_ty()),
                site: SiteId(1),
            },
        )],
    );
    let row_local = LocalId(0);
    let (a, b, c, local) = (LocalId(1), LocalId(2), LocalId(3), LocalId(4));
    let call = |line, into, function, args| stmt(line, StmtKind::Call { into, function: FunctionId(function), args });
    let body = vec![
        stmt(
            30,
            StmtKind::BindRow {
                local: row_local,
                rows: Base::Param(ParamId(2)),
                index: load(param(5), Scalar::U32),
                site: SiteId(0),
            },
        ),
        call(31, Some(a), 0, vec![Arg::Resource(Place::local(row_local))]),
        call(32, Some(b), 0, vec![Arg::Resource(param(1))]),
        call(33, None, 1, vec![Arg::Resource(param(1))]),
        stmt(34, StmtKind::Let(local, Some(load(Place::local(row_local), Type::Struct(POST))))),
        call(35, None, 1, vec![Arg::InOut(Place::local(local))]),
        call(36, Some(c), 0, vec![Arg::Value(load(Place::local(local), Type::Struct(POST)))]),
        call(37, None, 2, vec![Arg::Resource(field(param(0), 2)), Arg::Resource(param(3))]),
        call(38, None, 2, vec![Arg::Resource(field(param(0), 2)), Arg::Resource(param(3))]),
        stmt(
            39,
            StmtKind::Store(
                at(field(param(0), 1), load(param(5), Scalar::U32)),
                load(Place::local(a), u64_ty()),
                SiteId(2),
            ),
        ),
        stmt(
            40,
            StmtKind::Tally {
                tally: Base::Param(ParamId(4)),
                op: TallyOp::Add,
                slot: word(0),
                value: load(Place { base: Base::Const(ConstId(0)), path: vec![] }, u64_ty()),
                site: SiteId(3),
            },
        ),
        stmt(41, StmtKind::Return(Some(load(Place::local(c), u64_ty())))),
    ];
    let value_local = |ty| LocalKind::Value(ty);
    let advance = function(
        "advance",
        &[
            ("me", ParamKind::Row(FACILITY, true)),
            ("post", ParamKind::Row(POST, true)),
            ("all", ParamKind::Rows(POST)),
            ("net", ParamKind::Params(NET)),
            ("tally", ParamKind::Tally(Scalar::U64)),
            ("id", ParamKind::Value(Type::Scalar(Scalar::U32))),
        ],
        u64_ty(),
        &[
            ("neighbour", LocalKind::RowRef(POST)),
            ("a", value_local(u64_ty())),
            ("b", value_local(u64_ty())),
            ("c", value_local(u64_ty())),
            ("local", value_local(Type::Struct(POST))),
        ],
        body,
    );
    Module {
        version: VERSION,
        name: "sample".to_owned(),
        file: "src/sample.rs".to_owned(),
        structs: vec![
            structure("Pair", StructRole::Value, &[("x", value(u64_ty())), ("y", value(Scalar::Bool.into()))]),
            structure(
                "Facility",
                StructRole::Row,
                &[
                    ("pair", value(Type::Struct(StructId(0)))),
                    ("arrival", value(Type::Array(Box::new(u64_ty()), 4))),
                    ("line", FieldType::Lanes(u64_ty())),
                    ("kind", value(Type::Enum(EnumId(0)))),
                ],
            ),
            structure("Post", StructRole::Row, &[("earliest", value(u64_ty())), ("to", value(Scalar::U32.into()))]),
            structure("Net", StructRole::Params, &[("mean", value(u64_ty()))]),
        ],
        enums: vec![Enum { name: "Kind".to_owned(), origin: "sample".to_owned(), variants: vec![("A".to_owned(), 0)] }],
        consts: vec![Const { name: "ONE".to_owned(), origin: "sample".to_owned(), ty: u64_ty(), value: Value::U64(1) }],
        functions: vec![earliest, reset, push, advance],
        kernels: vec![Kernel {
            name: "advance".to_owned(),
            function: FunctionId(3),
            reduce: vec![Reduce::Min],
            shape: Shape::Rows,
        }],
        sites: sites
            .into_iter()
            .zip(100..)
            .map(|(kind, line)| Site { kind, file: "src/sample.rs".to_owned(), line, column: 1, text: String::new() })
            .chain([Site { kind: FaultKind::Assertion, file: String::new(), line: 1, column: 1, text: String::new() }])
            .collect(),
    }
}
