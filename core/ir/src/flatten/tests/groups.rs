//! Kernels that run in groups.

use super::sample::*;
use crate::flatten::{BindingKind, FlattenError, Scope, ScratchUse, flatten};
use crate::*;

/// `relax(group: &mut Group<u32>, each: &mut Each<Post>, sum: &mut Post, tally: &Tally<u64>) -> bool`.
///
/// Functions: 0 `count(tally: &Tally<u64>)`, 1 `set(lane: &mut Lane<u32>)`, 2 the phase, which calls both, 3 the body,
/// which runs the phase and calls 0.
fn grouped() -> Module {
    let mut module = sample();
    let resource = |n: u32| Arg::Resource(param(n));
    let call = |function, args| StmtKind::Call { into: None, function: FunctionId(function), args };
    let u32_local = LocalKind::Value(Scalar::U32.into());
    let count = function(
        "count",
        &[("tally", ParamKind::Tally(Scalar::U64))],
        Type::Unit,
        &[],
        vec![stmt(
            60,
            StmtKind::Tally {
                tally: Base::Param(ParamId(0)),
                op: TallyOp::Add,
                slot: word(0),
                value: Expr::literal(Value::U64(1), Scalar::U64),
                site: SiteId(3),
            },
        )],
    );
    let lane = Expr { ty: Scalar::U32.into(), kind: ExprKind::Group(GroupQuery::Lane) };
    let set = function(
        "set",
        &[("lane", ParamKind::Scratch(Scalar::U32.into(), true))],
        Type::Unit,
        &[],
        vec![stmt(65, StmtKind::ScratchSet { scratch: Base::Param(ParamId(0)), value: lane })],
    );
    let phase = function(
        "relax::phase",
        &[
            ("lane", ParamKind::Scratch(Scalar::U32.into(), true)),
            ("post", ParamKind::Row(POST, true)),
            ("tally", ParamKind::Tally(Scalar::U64)),
            ("rounds", ParamKind::Value(Scalar::U32.into())),
        ],
        Scalar::Bool.into(),
        &[("left", u32_local.clone()), ("own", u32_local.clone())],
        vec![
            stmt(
                70,
                StmtKind::ScratchGet {
                    into: LocalId(0),
                    scratch: Base::Param(ParamId(0)),
                    index: load(param(3), Scalar::U32),
                    site: SiteId(5),
                },
            ),
            stmt(71, StmtKind::ScratchOwn { into: LocalId(1), scratch: Base::Param(ParamId(0)) }),
            stmt(72, StmtKind::Assign(field(param(1), 1), load(Place::local(LocalId(0)), Scalar::U32))),
            stmt(73, call(1, vec![resource(0)])),
            stmt(74, call(0, vec![resource(2)])),
            stmt(75, StmtKind::Return(Some(Expr::literal(Value::Bool(true), Scalar::Bool)))),
        ],
    );
    let body = function(
        "relax",
        &[
            ("group", ParamKind::Scratch(Scalar::U32.into(), true)),
            ("each", ParamKind::Each(POST, true)),
            ("sum", ParamKind::Row(POST, true)),
            ("tally", ParamKind::Tally(Scalar::U64)),
        ],
        Scalar::Bool.into(),
        &[("again", LocalKind::Value(Scalar::Bool.into())), ("whole", LocalKind::Value(Type::Struct(POST)))],
        vec![
            stmt(80, StmtKind::Let(LocalId(1), Some(load(param(2), Type::Struct(POST))))),
            stmt(
                81,
                StmtKind::Phase {
                    into: Some(LocalId(0)),
                    vote: Some(Vote::Any),
                    function: FunctionId(2),
                    args: vec![resource(0), resource(1), resource(3), Arg::Value(word(3))],
                },
            ),
            stmt(82, call(0, vec![resource(3)])),
            stmt(83, StmtKind::Assign(param(2), load(Place::local(LocalId(1)), Type::Struct(POST)))),
            stmt(84, StmtKind::Return(Some(load(Place::local(LocalId(0)), Scalar::Bool)))),
        ],
    );
    module.functions = vec![count, set, phase, body];
    module.kernels = vec![Kernel {
        name: "relax".to_owned(),
        function: FunctionId(3),
        reduce: vec![Reduce::Any],
        shape: Shape::Group(64),
    }];
    module.sites.push(Site {
        kind: FaultKind::ScratchOutOfRange,
        file: String::new(),
        line: 70,
        column: 1,
        text: String::new(),
    });
    module
}

#[test]
fn phases_and_the_code_between_them_have_functions_of_their_own() {
    let module = grouped();
    let flat = flatten(&module, &module.kernels[0]).unwrap();
    assert_eq!((flat.shape, &flat.scratch), (Shape::Group(64), &Some(Scalar::U32.into())));
    let names: Vec<_> = flat.functions.iter().map(|f| (f.name.as_str(), f.scope)).collect();
    assert_eq!(
        names,
        [
            ("set", Scope::Row),
            ("count", Scope::Row),
            ("relax_phase", Scope::Row),
            ("count_2", Scope::Group),
            ("relax", Scope::Group)
        ]
    );
    let entry = flat.entry().unwrap();
    assert_eq!(entry.locals[entry.params[0].local.index()].name, "group_number");
    let StmtKind::Phase { args, .. } = &entry.body[1].kind else { panic!() };
    let row = Expr { ty: Scalar::U32.into(), kind: ExprKind::Group(GroupQuery::Row) };
    assert_eq!(*args, [Arg::Value(row), Arg::Value(word(3))]);
}

#[test]
fn the_use_of_scratch_is_known_for_each_function() {
    let module = grouped();
    let flat = flatten(&module, &module.kernels[0]).unwrap();
    let uses: Vec<_> = flat.functions.iter().map(|f| f.scratch).collect();
    let (set, none) = (ScratchUse { sets: true, ..ScratchUse::default() }, ScratchUse::default());
    assert_eq!(uses, [set, none, ScratchUse { gets: true, owns: true, sets: true }, none, none]);
}

#[test]
fn own_rows_of_invocations_and_of_the_group_are_told_apart() {
    let module = grouped();
    let flat = flatten(&module, &module.kernels[0]).unwrap();
    let per_group: Vec<_> = flat
        .bindings
        .iter()
        .map(|b| match b.kind {
            BindingKind::Table { per_group, own_row, .. } => Some((own_row, per_group)),
            _ => None,
        })
        .collect();
    assert_eq!(per_group, [Some((true, false)), Some((true, true)), None]);
    assert_eq!(flat.bindings[0].access.written.fixed, vec![2..3]);
    assert_eq!(flat.bindings[1].access.read.fixed, vec![0..3]);
}

#[test]
fn ill_formed_groups_are_refused() {
    type Change = Box<dyn FnOnce(&mut Module)>;
    let shape = |shape: Shape| -> Change { Box::new(move |m| m.kernels[0].shape = shape) };
    let body = |at: usize, kind: StmtKind| -> Change { Box::new(move |m| m.functions[3].body[at].kind = kind) };
    let phase = |at: usize, kind: StmtKind| -> Change { Box::new(move |m| m.functions[2].body[at].kind = kind) };
    let query = |q| Expr { ty: Scalar::U32.into(), kind: ExprKind::Group(q) };
    let run = |args: Vec<Arg>| StmtKind::Phase { into: None, vote: None, function: FunctionId(1), args };
    let changes: Vec<(&str, Change)> = vec![
        ("of no rows", shape(Shape::Group(0))),
        ("more than 256", shape(Shape::Group(257))),
        ("more than 256", shape(Shape::Tile(32, 9))),
        ("not one that this kernel can take", shape(Shape::Rows)),
        (
            "without scratch",
            Box::new(|m| {
                m.functions[3].params[0].kind = ParamKind::Rows(POST);
                m.functions[3].body.clear();
            }),
        ),
        ("arg-min", Box::new(|m| m.kernels[0].reduce = vec![Reduce::ArgMin])),
        (
            "more scratch",
            Box::new(|m| {
                let wide = Type::Array(Box::new(Scalar::U64.into()), 64);
                m.functions[3].params[0].kind = ParamKind::Scratch(wide, true);
                m.functions[3].body.remove(1);
                m.functions[3].body.insert(1, stmt(81, StmtKind::Let(LocalId(0), None)));
            }),
        ),
        (
            "returns something else",
            body(
                1,
                StmtKind::Phase {
                    into: Some(LocalId(0)),
                    vote: Some(Vote::All),
                    function: FunctionId(1),
                    args: vec![Arg::Resource(param(0))],
                },
            ),
        ),
        (
            "without the local",
            body(
                1,
                StmtKind::Phase {
                    into: None,
                    vote: Some(Vote::All),
                    function: FunctionId(1),
                    args: vec![Arg::Resource(param(0))],
                },
            ),
        ),
        ("outside a phase", body(2, StmtKind::ScratchSet { scratch: Base::Param(ParamId(0)), value: word(1) })),
        ("outside a phase", body(2, StmtKind::Assign(field(Place::local(LocalId(1)), 1), query(GroupQuery::Lane)))),
        ("where there is no grid", phase(2, StmtKind::Assign(field(param(1), 1), query(GroupQuery::X)))),
        (
            "the scratch of a group is expected",
            phase(1, StmtKind::ScratchOwn { into: LocalId(1), scratch: Base::Param(ParamId(1)) }),
        ),
        ("outside the body", phase(3, run(vec![Arg::Resource(param(0))]))),
        (
            "only the body of the kernel may name",
            body(
                1,
                StmtKind::Phase {
                    into: Some(LocalId(0)),
                    vote: Some(Vote::Any),
                    function: FunctionId(2),
                    args: vec![
                        Arg::Resource(param(0)),
                        Arg::Resource(param(2)),
                        Arg::Resource(param(3)),
                        Arg::Value(word(3)),
                    ],
                },
            ),
        ),
        ("may only read", Box::new(|m| m.functions[3].params[1].kind = ParamKind::Each(POST, false))),
    ];
    for (what, change) in changes {
        let mut module = grouped();
        change(&mut module);
        let error = flatten(&module, &module.kernels[0]).unwrap_err();
        assert!(matches!(error, FlattenError::IllFormed { .. }) && error.to_string().contains(what), "{what}: {error}");
    }
}
