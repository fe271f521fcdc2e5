//! The front half on modules made of tokens, without a compiler around.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::emit::Checked;
use crate::expand::analyse;
use crate::roots::Root;
use imminent_ir::{BinaryOp, ExprKind, Module, ParamKind, StmtKind};

fn check(source: &str) -> Result<Checked, Vec<String>> {
    let module = syn::parse_str(source).unwrap();
    let texts = |error: syn::Error| error.into_iter().map(|e| e.to_string()).collect();
    match analyse(module, "m", &[], &Root::core()) {
        Ok((_, checked, None)) => Ok(checked),
        Ok((_, _, Some(error))) | Err(error) => Err(texts(error)),
    }
}

fn ir(source: &str) -> Module {
    Module::decode(&check(source).unwrap().encoded).unwrap()
}

fn errors(source: &str) -> Vec<String> {
    check(source).expect_err("an error")
}

#[test]
fn a_module_becomes_ir_with_its_structs_in_dependency_order() {
    let module = ir("mod m { struct Outer { inner: [Inner; N] } struct Inner { x: u32 } const N: usize = 2 + 1; }");
    let names: Vec<&str> = module.structs.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Inner", "Outer"]);
    assert!(module.consts.is_empty(), "a usize is no constant of the IR");
    assert_eq!(imminent_ir::words(&module, &imminent_ir::Type::Struct(imminent_ir::StructId(1))), 3);
}

#[test]
fn a_pure_expression_needs_one_statement() {
    let module = ir("mod m { fn f(a: u32, b: u32) -> u32 { a + b * 2 - (a << 3) } }");
    let [stmt] = module.functions[0].body.as_slice() else { panic!("{:?}", module.functions[0].body) };
    assert!(matches!(&stmt.kind, StmtKind::Return(Some(e)) if matches!(e.kind, ExprKind::Binary(BinaryOp::Sub, ..))));
    assert!(module.sites.is_empty());
}

#[test]
fn faulting_operations_are_hoisted_in_order() {
    let module = ir("mod m { fn f(a: u32, xs: [u32; 4]) -> u32 { xs[a as usize] / a + a % 3 } }");
    let kinds: Vec<_> = module.functions[0].body.iter().map(|stmt| std::mem::discriminant(&stmt.kind)).collect();
    assert_eq!(kinds.len(), 4);
    assert!(matches!(module.functions[0].body[0].kind, StmtKind::Load(..)));
    assert!(matches!(module.functions[0].body[1].kind, StmtKind::Divide(..)));
    assert!(matches!(module.functions[0].body[2].kind, StmtKind::Remainder(..)));
    assert_eq!(module.sites.len(), 3);
}

#[test]
fn a_known_index_is_not_checked() {
    let module =
        ir("mod m { const K: u32 = 2; fn f(xs: [u32; 4]) -> u32 { xs[1] + xs[K as usize] + xs[K as usize + 1 - 2] } }");
    assert!(module.sites.is_empty());
}

#[test]
fn all_errors_are_reported_at_once() {
    let found = errors("mod m { struct S { s: String, n: usize } fn f(x: u32) -> u64 { x.sin() + missing } }");
    assert_eq!(found.len(), 4, "{found:#?}");
}

#[test]
fn associated_constants_are_array_lengths() {
    let module = ir("mod m { struct S { x: [u32; S::N], y: [u32; T::N] } impl S { const N: usize = 2 * T::N; } \
                     impl T { const N: usize = 3; fn f(x: [u32; Self::N]) -> u32 { x[Self::N - 1] } } struct T { z: u32 } }");
    let id = module.structs.iter().position(|s| s.name == "S").unwrap();
    assert_eq!(imminent_ir::words(&module, &imminent_ir::Type::Struct(imminent_ir::StructId(id as u32))), 9);
}

#[test]
fn a_wrong_body_leaves_the_declarations() {
    let module = syn::parse_str("mod m { struct S { x: u32 } fn f(s: S) -> u32 { s.y } }").unwrap();
    let (_, checked, error) = analyse(module, "m", &[], &Root::core()).unwrap();
    assert!(error.is_some() && checked.broken);
    assert_eq!(Module::decode(&checked.encoded).unwrap().structs.len(), 1);
    let module = syn::parse_str("mod m { struct S { x: String } }").unwrap();
    assert!(analyse(module, "m", &[], &Root::core()).is_err());
}

#[test]
fn the_encoding_is_the_same_every_time() {
    let source = "mod m { struct A { x: u32 } struct B { a: A } fn f(b: B) -> u32 { g(b.a.x) } fn g(x: u32) -> u32 { x } const C: u32 = 3; }";
    // The file name is the parsed string, and origins contain a hash of it.
    let anonymous = || {
        let mut module = ir(source);
        module.file.clear();
        module.structs.iter_mut().for_each(|item| item.origin.clear());
        module.consts.iter_mut().for_each(|item| item.origin.clear());
        for function in &mut module.functions {
            function.origin.clear();
            function.file.clear();
        }
        module
    };
    assert_eq!(anonymous(), anonymous());
}

#[test]
fn a_bundle_is_a_parameter_for_each_field() {
    let declared = "#[derive(Row)] struct Cell { x: u32 } #[derive(Row)] struct Law { mean: u32 } \
                    #[derive(Bundle)] struct Node { me: &mut Cell, laws: &Rows<Law>, counts: &Tally<u32> }";
    let bundled = ir(&format!(
        "mod m {{ {declared} #[kernel] fn step(node: &mut Node, id: u32) {{ raise(node, id); look(node); }} \
         fn raise(node: &mut Node, by: u32) {{ node.me.x += by + node.laws.get(by).mean; node.counts.add(0, 1); }} \
         fn look(node: &Node) {{ node.counts.add(node.me.x, 2); }} }}"
    ));
    let names = |function: usize| {
        bundled.functions[function].params.iter().map(|param| param.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["node.me", "node.laws", "node.counts", "id"]);
    let kind = |function: usize| bundled.functions[function].params[0].kind.clone();
    assert!(matches!(kind(1), ParamKind::Row(_, true)));
    assert!(matches!(kind(2), ParamKind::Row(_, false)), "a shared bundle lends nothing to be written");
    let StmtKind::Call { args, .. } = &bundled.functions[0].body[0].kind else { panic!() };
    assert_eq!(args.len(), 4);
}

#[test]
fn a_phase_captures_the_fields_of_a_bundle_that_it_uses() {
    let module = ir("mod m { #[derive(Row)] struct Cell { x: u32 } #[derive(Row)] struct Law { mean: u32 } \
         #[derive(Bundle)] struct Net { laws: &Rows<Law>, more: &Rows<Law>, counts: &Tally<u32> } \
         #[kernel(group = 32)] fn step(group: &mut Group<u32>, cells: &mut Each<Cell>, net: &Net) { \
         group.phase(cells, |lane, cell| { cell.x = net.laws.get(0).mean + net.laws.get(lane.row()).mean; net.counts.add(0, 1); }); } }");
    let phase = module.functions.iter().find(|function| function.name == "step::phase1").unwrap();
    let names: Vec<&str> = phase.params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["lane", "cell", "net.laws", "net.counts"]);
}
