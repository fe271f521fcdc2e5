//! Results of flattening a well-formed module.

use super::sample::*;
use crate::flatten::{BindingKind, FlatFunction, FlatKernel, flatten};
use crate::*;

fn flat() -> FlatKernel {
    let module = sample();
    flatten(&module, &module.kernels[0]).unwrap()
}

fn named<'a>(flat: &'a FlatKernel, name: &str) -> &'a FlatFunction {
    flat.functions.iter().find(|f| f.name == name).unwrap()
}

#[test]
fn every_resource_parameter_becomes_a_binding_in_order() {
    let flat = flat();
    let names: Vec<&str> = flat.bindings.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["me", "post", "all", "net", "tally"]);
    assert!(matches!(flat.bindings[0].kind, BindingKind::Table { row: FACILITY, mutable: true, own_row: true, .. }));
    assert!(matches!(flat.bindings[2].kind, BindingKind::Table { row: POST, mutable: false, own_row: false, .. }));
    assert!(matches!(flat.bindings[3].kind, BindingKind::Params { block: NET, .. }));
    assert!(matches!(flat.bindings[4].kind, BindingKind::Tally { scalar: Scalar::U64, op: Some(TallyOp::Add) }));
}

#[test]
fn a_helper_is_copied_once_for_each_way_in_which_it_is_given_its_row() {
    let flat = flat();
    let names: Vec<&str> = flat.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["Post_earliest", "Post_earliest_2", "reset", "reset_2", "Post_earliest_3", "push", "advance"]);
    // Given a row of `all`: the row's number is passed.
    let of_table = named(&flat, "Post_earliest");
    assert_eq!(of_table.locals[of_table.params[0].local.index()].name, "self_row");
    let StmtKind::Return(Some(Expr { kind: ExprKind::Load(place), .. })) = &of_table.body[0].kind else { panic!() };
    assert_eq!(place.base, Base::Row { binding: 2, index: of_table.params[0].local });
    // Given a value.
    let of_value = named(&flat, "Post_earliest_3");
    assert_eq!(of_value.locals[of_value.params[0].local.index()].ty, Type::Struct(POST));
    // Given a local that is copied in and out.
    assert!(named(&flat, "reset_2").params[0].inout);
    assert!(!named(&flat, "reset").params[0].inout);
}

#[test]
fn the_entry_takes_the_row_number_alone_and_own_rows_lie_at_it() {
    let flat = flat();
    let entry = flat.entry().unwrap();
    assert_eq!(entry.params.len(), 1);
    let row = entry.params[0].local;
    assert_eq!(entry.locals[row.index()].name, "id");
    let StmtKind::Call { args, function, .. } = &entry.body[2].kind else { panic!() };
    assert_eq!(flat.functions[function.index()].name, "Post_earliest_2");
    assert_eq!(args[..], [Arg::Value(load(Place::local(row), Scalar::U32))]);
    let StmtKind::Store(place, ..) = &entry.body[9].kind else { panic!() };
    assert_eq!(place.base, Base::Row { binding: 0, index: row });
}

#[test]
fn lanes_become_a_field_of_their_row_and_whole_bindings_are_not_passed() {
    let flat = flat();
    let push = named(&flat, "push");
    assert_eq!(push.params.len(), 1);
    let StmtKind::LaneSet { lanes, value, .. } = &push.body[0].kind else { panic!() };
    assert_eq!(*lanes, field(Place { base: Base::Row { binding: 0, index: push.params[0].local }, path: vec![] }, 2));
    assert_eq!(*value, load(field(Place { base: Base::Binding(3), path: vec![] }, 0), Scalar::U64));
}

#[test]
fn sites_are_numbered_as_they_are_met_and_the_others_left_out() {
    let flat = flat();
    let ids: Vec<u32> = flat.sites.iter().map(|s| s.id.0).collect();
    assert_eq!(ids, [0, 1, 2, 3]);
    assert_eq!(flat.sites[2].site.line, 102);
    assert!(flat.facts.faults);
}

#[test]
fn accesses_are_word_ranges_and_a_computed_index_is_the_whole_array() {
    let flat = flat();
    let me = &flat.bindings[0].access;
    assert_eq!(me.written.fixed, vec![3..11; 1]);
    assert_eq!(me.written.lanes, vec![0..2; 1]);
    assert!(me.read.is_empty());
    let post = &flat.bindings[1].access;
    assert_eq!((&post.read.fixed, &post.written.fixed), (&vec![0..2; 1], &vec![0..2; 1]));
    // `Let local = neighbour` reads the whole row.
    assert_eq!(flat.bindings[2].access.read.fixed, vec![0..3; 1]);
    assert!(flat.bindings[2].access.written.is_empty());
    assert_eq!(flat.bindings[3].access.read.fixed, vec![0..2; 1]);
}

#[test]
fn what_is_used_is_listed() {
    let flat = flat();
    assert_eq!(flat.used_structs, [POST]);
    assert_eq!(flat.used_consts, [ConstId(0)]);
    assert!(flat.used_enums.is_empty());
    assert_eq!(flat.facts.int64.as_ref().unwrap().line, 1);
    assert_eq!(flat.facts.float64, None);
    assert_eq!(flat.facts.wide_tally_minmax, None);
}

#[test]
fn a_wide_minimum_and_a_double_are_noticed_with_their_lines() {
    let mut module = sample();
    let body = &mut module.functions[3].body;
    let StmtKind::Tally { op, .. } = &mut body[10].kind else { panic!() };
    *op = TallyOp::Max;
    module.functions[3].locals.push(Local { name: "d".to_owned(), kind: LocalKind::Value(Scalar::F64.into()) });
    module.functions[3].body.insert(3, stmt(77, StmtKind::Let(LocalId(5), None)));
    let flat = flatten(&module, &module.kernels[0]).unwrap();
    assert_eq!(flat.facts.wide_tally_minmax.unwrap().line, 40);
    assert_eq!(flat.facts.float64.unwrap().line, 77);
}

#[test]
fn a_kernel_without_a_row_parameter_still_gets_its_number() {
    let mut module = sample();
    module.functions.push(function("nothing", &[], Type::Unit, &[], vec![]));
    module.kernels.push(Kernel {
        name: "nothing".to_owned(),
        function: FunctionId(4),
        reduce: Vec::new(),
        shape: Shape::Rows,
    });
    let flat = flatten(&module, &module.kernels[1]).unwrap();
    assert_eq!(flat.entry().unwrap().locals[0].name, "row");
    assert!(flat.bindings.is_empty() && flat.sites.is_empty() && !flat.facts.faults);
}

#[test]
fn field_words_count_lanes_apart() {
    let flat = flat();
    let words: Vec<u32> = (0..4).map(|f| flat.field_word(FACILITY, f)).collect();
    assert_eq!(words, [0, 3, 0, 11]);
    assert_eq!(flat.words(&Type::Struct(FACILITY)), 12);
}
