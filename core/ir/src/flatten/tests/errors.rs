//! Modules that flattening refuses, and the absence of panics.

use super::sample::*;
use crate::flatten::{FlattenError, flatten};
use crate::*;

fn refused(change: impl FnOnce(&mut Module)) -> FlattenError {
    let mut module = sample();
    change(&mut module);
    flatten(&module, &module.kernels[0]).unwrap_err()
}

#[test]
fn recursion_is_refused_directly_and_through_others() {
    let call = |function| stmt(50, StmtKind::Call { into: None, function: FunctionId(function), args: vec![] });
    let error = refused(|m| {
        m.functions.push(function("ping", &[], Type::Unit, &[], vec![call(5)]));
        m.functions.push(function("pong", &[], Type::Unit, &[], vec![call(4)]));
        m.functions[3].body.insert(0, call(4));
    });
    assert_eq!(error, FlattenError::Recursion { kernel: "advance".to_owned(), function: "ping".to_owned() });
    assert!(error.to_string().contains("write the recursion as a loop"));
    assert!(matches!(
        refused(|m| m.functions[3].body.insert(0, call(3))),
        FlattenError::Recursion { .. } | FlattenError::IllFormed { .. }
    ));
}

#[test]
fn two_operations_on_one_tally_are_refused() {
    let error = refused(|m| {
        let mut second = m.functions[3].body[10].clone();
        if let StmtKind::Tally { op, .. } = &mut second.kind {
            *op = TallyOp::Or;
        }
        m.functions[3].body.insert(11, second);
    });
    assert!(
        matches!(&error, FlattenError::MixedTally { tally, first: "add", second: "or", .. } if tally == "tally"),
        "{error}"
    );
}

#[test]
fn structs_and_constants_too_large_for_any_device_are_refused() {
    let huge = Type::Array(Box::new(Type::Array(Box::new(Scalar::U64.into()), u32::MAX)), u32::MAX);
    let error = refused(|m| m.structs[1].fields[1].ty = FieldType::Value(huge.clone()));
    assert!(matches!(&error, FlattenError::TooLarge { what, .. } if what == "Facility"), "{error}");
    let error = refused(|m| m.functions[3].locals[1].kind = LocalKind::Value(huge));
    assert!(matches!(error, FlattenError::TooLarge { .. } | FlattenError::IllFormed { .. }), "{error}");
}

#[test]
fn ill_formed_modules_are_refused_with_the_place() {
    type Change = Box<dyn FnOnce(&mut Module)>;
    let set = |line: usize, kind: StmtKind| -> Change { Box::new(move |m| m.functions[3].body[line].kind = kind) };
    let changes: Vec<(&str, Change)> = vec![
        ("there is no function", set(3, StmtKind::Call { into: None, function: FunctionId(99), args: vec![] })),
        ("takes 1 arguments", set(3, StmtKind::Call { into: None, function: FunctionId(1), args: vec![] })),
        ("no fault site", set(3, StmtKind::Assert(Expr::literal(Value::Bool(true), Scalar::Bool), SiteId(9)))),
        ("no local number 99", set(3, StmtKind::Let(LocalId(99), None))),
        ("no parameter number 9", set(3, StmtKind::Assign(param(9), word(1)))),
        (
            "no constant number",
            set(
                3,
                StmtKind::Let(
                    LocalId(2),
                    Some(load(Place { base: Base::Const(ConstId(7)), path: vec![] }, Scalar::U64)),
                ),
            ),
        ),
        ("flat kernel in a module", set(3, StmtKind::Assign(Place { base: Base::Binding(0), path: vec![] }, word(1)))),
        ("outside a loop", set(3, StmtKind::Break)),
        ("used before it is bound", Box::new(|m| drop(m.functions[3].body.remove(0)))),
        ("declared twice", set(3, StmtKind::Let(LocalId(1), None))),
        (
            "used where it is not declared",
            set(1, StmtKind::Assign(Place::local(LocalId(3)), Expr::literal(Value::U64(1), Scalar::U64))),
        ),
        ("of another type", set(3, StmtKind::Assign(field(param(0), 3), word(1)))),
        ("holds no value", set(3, StmtKind::Assign(field(param(0), 9), word(1)))),
        ("may only read", set(3, StmtKind::Assign(field(param(3), 0), Expr::literal(Value::U64(1), Scalar::U64)))),
        ("may only read", set(3, StmtKind::Assign(field(Place::local(LocalId(0)), 1), word(1)))),
        ("the number of a row is assigned", set(3, StmtKind::Assign(param(5), word(1)))),
        (
            "operands do not give",
            set(
                3,
                StmtKind::Let(
                    LocalId(2),
                    Some(Expr { ty: Scalar::U64.into(), kind: ExprKind::Literal(Value::U32(1)) }),
                ),
            ),
        ),
        ("without the value", set(11, StmtKind::Return(None))),
        (
            "out of range",
            set(3, StmtKind::Assign(at(field(param(0), 1), word(4)), Expr::literal(Value::U64(1), Scalar::U64))),
        ),
        ("fit its reduction", Box::new(|m| m.kernels[0].reduce = vec![Reduce::Count])),
        ("fit its reduction", Box::new(|m| m.kernels[0].reduce.clear())),
        (
            "not one that this kernel can take",
            Box::new(|m| m.functions[3].params[5].kind = ParamKind::Value(Scalar::U64.into())),
        ),
        ("does not derive", Box::new(|m| m.functions[3].params[0].kind = ParamKind::Row(StructId(77), true))),
        ("does not derive", Box::new(|m| m.functions[3].params[0].kind = ParamKind::Row(NET, true))),
        ("declared before", Box::new(|m| m.structs[0].fields[0].ty = FieldType::Value(Type::Struct(FACILITY)))),
        ("only a row struct may", Box::new(|m| m.structs[0].fields[0].ty = FieldType::Lanes(Scalar::U32.into()))),
        ("it has no field", Box::new(|m| m.structs[0].fields.clear())),
        ("discriminant 0", Box::new(|m| m.enums[0].variants[0].1 = 3)),
        ("its value is not of its type", Box::new(|m| m.consts[0].value = Value::U32(1))),
        (
            "a row of another table",
            set(
                1,
                StmtKind::Call { into: Some(LocalId(1)), function: FunctionId(0), args: vec![Arg::Resource(param(0))] },
            ),
        ),
        (
            "another kind of resource",
            set(
                7,
                StmtKind::Call {
                    into: None,
                    function: FunctionId(2),
                    args: vec![Arg::Resource(field(param(0), 2)), Arg::Resource(param(2))],
                },
            ),
        ),
    ];
    for (what, change) in changes {
        let error = refused(change);
        assert!(matches!(error, FlattenError::IllFormed { .. }) && error.to_string().contains(what), "{what}: {error}");
    }
}

fn nested(depth: u32) -> Module {
    let mut deep = Expr::literal(Value::Bool(true), Scalar::Bool);
    for _ in 0..depth {
        deep = Expr { ty: Scalar::Bool.into(), kind: ExprKind::Unary(UnaryOp::Not, Box::new(deep)) };
    }
    let mut module = sample();
    module.functions[3].body.insert(0, stmt(9, StmtKind::Assert(deep, SiteId(4))));
    module
}

#[test]
fn nesting_that_would_exhaust_the_stack_is_refused() {
    let module = nested(150);
    assert!(flatten(&module, &module.kernels[0]).is_ok());
    let module = nested(1000);
    let error = flatten(&module, &module.kernels[0]).unwrap_err();
    assert!(matches!(error, FlattenError::TooDeep { .. }), "{error}");
    let error = refused(|m| {
        for id in 4..300 {
            let body = vec![stmt(9, StmtKind::Call { into: None, function: FunctionId(id + 1), args: vec![] })];
            m.functions.push(function("next", &[], Type::Unit, &[], body));
        }
        m.functions[3].body.insert(0, stmt(9, StmtKind::Call { into: None, function: FunctionId(4), args: vec![] }));
    });
    assert!(matches!(error, FlattenError::TooDeep { .. }), "{error}");
}

/// Flattening returns for any bytes that decode.
#[test]
fn damaged_modules_never_panic() {
    let good = sample().encode().unwrap();
    let mut state = 1_u64;
    let mut random = move |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (mut decoded, mut accepted) = (0, 0);
    for _ in 0..60_000 {
        let mut bytes = good.clone();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            bytes[at] = if random(2) == 0 { random(12) as u8 } else { bytes[at] ^ (1 << random(8)) };
        }
        let Ok(module) = Module::decode(&bytes) else { continue };
        decoded += 1;
        for kernel in &module.kernels {
            accepted += usize::from(flatten(&module, kernel).is_ok());
        }
    }
    assert!(decoded > 10_000 && accepted > 1_000 && accepted < decoded, "{decoded} {accepted}");
}
