//! The generated C: snapshots, and properties of some texts. Compilers read the texts in the backends' tests.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_ir::launch::Faults;
use imminent_ir::{
    Arg, Expr, ExprKind, ParamKind, Reduce, Reductions, Scalar, Shape, StmtKind, StructRole, Type, flatten,
};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{COptions, lower, lower_reduce};
use imminent_testkit::c_texts::{lowered, texts};
use imminent_testkit::modules::build::{Body, Builder, Extend, array, of, u32_, value};
use imminent_testkit::modules::kernels::Built;
use imminent_testkit::modules::{calls, groups, histories, kernels, odd};

/// An OpenCL device with every optional feature.
pub(crate) fn full() -> COptions {
    COptions { float64: true, int64_atomics: true, correctly_rounded_divide_sqrt: true, ..COptions::opencl() }
}

/// The one result of a reduction.
pub(crate) fn level(reduce: Reduce, scalar: Scalar) -> Reductions {
    Reductions::new(&[(reduce, scalar)]).unwrap()
}

#[test]
fn a_facility_in_cuda() {
    insta::assert_snapshot!(lowered(&kernels::serve(), &COptions::cuda()).code);
}

#[test]
fn several_results_in_cuda() {
    insta::assert_snapshot!(lowered(&kernels::several(), &COptions::cuda()).code);
}

#[test]
fn several_results_of_a_subset_in_opencl() {
    let options = COptions { subset: true, ..full() };
    insta::assert_snapshot!(lowered(&kernels::several(), &options).code);
}

#[test]
fn a_packed_facility_in_cuda() {
    insta::assert_snapshot!(lowered(&kernels::serve().packed(), &COptions::cuda()).code);
}

#[test]
fn a_facility_in_opencl() {
    insta::assert_snapshot!(lowered(&kernels::serve(), &full()).code);
}

#[test]
fn a_facility_on_an_opencl_device_that_has_nothing_optional() {
    let options = COptions { workgroup_size: 64, launch_in_buffer: true, ..COptions::opencl() };
    insta::assert_snapshot!(lowered(&kernels::serve(), &options).code);
}

#[test]
fn a_facility_with_line_directives() {
    let options = COptions { line_directives: true, ..COptions::cuda() };
    insta::assert_snapshot!(lowered(&kernels::serve(), &options).code);
}

#[test]
fn what_loops_use_of_an_own_row_with_lanes_is_loaded_and_stored_once() {
    for options in [COptions::cuda(), full()] {
        let code = lowered(&kernels::serve(), &options).code;
        let [loads, stores] = ["load_me_u64(&ctx, Facility_free_at,", "store_me_u64(&ctx, Facility_free_at,"]
            .map(|call| code.matches(call).count());
        assert_eq!([loads, stores, code.matches("Facility_free_at,").count()], [1, 1, 2], "{code}");
    }
}

#[test]
fn a_branch_with_all_uses_of_an_own_row_loads_and_stores_it() {
    for options in [COptions::cuda(), full()] {
        let code = lowered(&kernels::branch_with_loop(), &options).code;
        let found = ["if (", "= load_me_u32(ctx, Counter_count,", "while (", "store_me_u32(ctx, Counter_count,"]
            .map(|text| code.find(text).unwrap_or_else(|| panic!("no {text} in {code}")));
        let body = code.find("count_up_row(imminent_context *ctx").unwrap_or_default();
        let first_branch = body + code[body..].find("if (").unwrap_or_default();
        assert!(body < first_branch && first_branch < found[1] && found[1] < found[2] && found[2] < found[3], "{code}");
        assert_eq!(code.matches("Counter_count,").count(), 2, "{code}");
    }
}

#[test]
fn indices_whose_faults_report_operands() {
    let cuda = COptions { faults: Faults::Operands, ..COptions::cuda() };
    insta::assert_snapshot!("operands_cuda", lowered(&kernels::indices(Scalar::I32), &cuda).code);
    let opencl = COptions { faults: Faults::Operands, ..full() };
    insta::assert_snapshot!("operands_opencl", lowered(&kernels::indices(Scalar::I32), &opencl).code);
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim_end()
}

/// Notes of operands add lines and change no other line.
#[test]
fn what_notes_operands_stands_beside_the_rest() {
    let mut noted = 0;
    for plain in [COptions::cuda(), full()] {
        let options = COptions { faults: Faults::Operands, ..plain.clone() };
        for ((name, source), (_, before)) in texts(&options).into_iter().zip(texts(&plain)) {
            // The comment with a Rust line is at the first line of a statement, which may be the note.
            let [before, mut lines] = [&before, &source].map(|of| of.code.lines().map(without_comment));
            before.for_each(|line| assert!(lines.any(|other| other == line), "{name}: {line}\n{}", source.code));
            let is_noted = source.code.contains("note_operands(ctx, ");
            assert_eq!(is_noted, source.code.contains("fault_bit"), "{name}");
            noted += u32::from(is_noted);
        }
    }
    assert!(noted > 30, "{noted} texts note operands");
}

#[test]
fn calls_of_every_kind() {
    insta::assert_snapshot!(lowered(&calls::calls(), &full()).code);
}

#[test]
fn histories_of_a_network() {
    insta::assert_snapshot!("histories_cuda", lowered(&histories::relay(), &COptions::cuda()).code);
    insta::assert_snapshot!("histories_opencl", lowered(&histories::relay(), &full()).code);
}

#[test]
fn loops_over_ranges() {
    insta::assert_snapshot!(lowered(&kernels::loops(Scalar::I32), &COptions::cuda()).code);
}

#[test]
fn names_and_values_that_compilers_are_particular_about_in_cuda() {
    insta::assert_snapshot!(lowered(&odd::odd(), &COptions::cuda()).code);
}

#[test]
fn names_and_values_that_compilers_are_particular_about_in_opencl() {
    insta::assert_snapshot!(lowered(&odd::odd(), &full()).code);
}

#[test]
fn a_relaxation_in_groups() {
    insta::assert_snapshot!("groups_cuda", lowered(&groups::relax(Shape::Group(77)), &COptions::cuda()).code);
    insta::assert_snapshot!("tiles_opencl", lowered(&groups::relax(Shape::Tile(8, 4)), &full()).code);
}

#[test]
fn rows_that_are_listed_and_their_result() {
    let options = COptions { subset: true, ..full() };
    insta::assert_snapshot!("listed_rows", lowered(&kernels::reduction(Reduce::Sum, Scalar::F32), &options).code);
    insta::assert_snapshot!("listed_level", lower_reduce(&level(Reduce::ArgMin, Scalar::U32), &options).unwrap().code);
}

/// NVRTC before 13.5 gives two variables with arrays one place of memory, one of which a function is lent.
#[test]
fn variables_with_arrays_are_protected_where_they_are_lent_in_cuda() {
    let word = || Type::from(Scalar::U32);
    let mut b = Builder::new("lent");
    let row = b.structure("Cell", StructRole::Row, &[("x", value(word()))]);
    let bag = b.structure("Bag", StructRole::Value, &[("first", value(word())), ("list", value(array(word(), 3)))]);
    let mut set = Body::new("set", 1, Type::Unit);
    let (into, at) =
        (set.param("into", ParamKind::InOut(Type::Struct(bag))), set.param("at", ParamKind::InOut(word())));
    set.assign(into.field(1).at(at.get(Scalar::U32)), u32_(3));
    let set = b.function(set);
    let mut body = Body::new("lend", 5, Type::Unit);
    let me = body.param("me", ParamKind::Row(row, true));
    let list = Expr { ty: array(word(), 3), kind: ExprKind::Repeat(Box::new(u32_(0))) };
    let one = Expr { ty: Type::Struct(bag), kind: ExprKind::Struct(vec![u32_(1), list]) };
    let (one, at) = (body.let_("one", one), body.let_("at", me.field(0).get(Scalar::U32)));
    body.push(StmtKind::Call { into: None, function: set, args: vec![Arg::InOut(of(one)), Arg::InOut(of(at))] });
    body.assign(me.field(0), of(one).field(1).at(u32_(2)).get(Scalar::U32));
    let kernel = b.kernel(body, None);
    let built = Built { module: b.module, kernel };
    let [cuda, opencl] = [COptions::cuda(), full()].map(|options| lowered(&built, &options).code);
    let lines: Vec<&str> = cuda.lines().map(|line| line.split("  //").next().unwrap_or_default().trim()).collect();
    let calls = lines.windows(2).filter(|pair| pair == &["lend(&one);", "set(ctx, &one, &at);"]).count();
    assert_eq!((calls, cuda.matches("lend(&").count(), opencl.matches("lend(&").count()), (1, 1, 0), "{cuda}");
}

/// Around barriers stand the text's functions, and one loop that all invocations run equally often: PoCL 3.1 compiles
/// barriers within conditions wrongly.
#[test]
fn no_condition_holds_a_barrier_of_a_group_in_opencl() {
    let built =
        [groups::relax(Shape::Group(77)), groups::relax(Shape::Tile(8, 4)), groups::exchange(), groups::apart(100)];
    for code in built.map(|built| lowered(&built, &full()).code) {
        let (mut around, mut barriers) = (Vec::new(), 0);
        for line in code.lines().map(|line| line.split("  //").next().unwrap_or_default().trim()) {
            if line.starts_with('}') {
                around.pop();
            }
            if line.starts_with("barrier(") {
                barriers += 1;
                let is_loop = |line: &&str| *line == "do {";
                assert!(around.iter().skip(1).all(is_loop) && around.len() <= 2, "{around:?}\n{code}");
            }
            if line.ends_with('{') {
                around.push(line);
            }
        }
        assert!(around.is_empty() && (1..=2).contains(&barriers), "{barriers} barriers, {around:?}\n{code}");
    }
}

/// NVIDIA's assembler (driver 580) takes what a stage stores for a local that an earlier one loaded from there, if the
/// local has no value before the loop.
#[test]
fn locals_of_a_group_have_a_value_before_its_stages_in_opencl() {
    for built in [groups::relax(Shape::Group(77)), groups::relax(Shape::Tile(8, 4)), groups::under_condition()] {
        let code = lowered(&built, &full()).code;
        let (body, _) = code.split_once("    do {").unwrap();
        let (_, body) = body.rsplit_once("\nDEVICE ").unwrap();
        let declared: Vec<&str> = body.lines().filter(|line| line.starts_with("    ") && line.ends_with(';')).collect();
        let without = declared.iter().filter(|line| !line.contains(" = "));
        let names = without.filter_map(|line| line.trim_end_matches(';').rsplit_once(' ')).map(|(_, name)| name);
        names.for_each(|name| assert!(body.contains(&format!("        {name} = (")), "{name}\n{code}"));
        assert!(declared.len() > 1, "{code}");
    }
}

/// A group that does nothing costs no more than its test, and a struct of one stage has no zeros.
#[test]
fn structs_are_zeroed_for_later_stages_of_groups_that_run_in_opencl() {
    insta::assert_snapshot!("under_condition_opencl", lowered(&groups::under_condition(), &full()).code);
}

/// NVIDIA's OpenCL (driver 580) compiles some compound literals of constants to wrong PTX.
#[test]
fn structs_and_arrays_are_made_by_functions_in_opencl() {
    for built in [calls::calls(), odd::odd(), groups::relax(Shape::Tile(8, 4))] {
        let code = lowered(&built, &full()).code;
        // Constants are returned by functions, which is right, and variables are set to zero.
        let is_other = |line: &&str| line.contains("){") && !line.contains("return (") && !line.contains("){0};");
        let literals: Vec<&str> = code.lines().filter(is_other).collect();
        assert!(literals.is_empty() && code.contains("make_"), "{literals:?}\n{code}");
    }
}

#[test]
fn a_group_s_row_is_stored_when_all_invocations_have_loaded_it_in_opencl() {
    let code = lowered(&groups::relax(Shape::Tile(8, 4)), &full()).code;
    let (_, entry) = code.split_once("__kernel").unwrap();
    // A fence of local memory alone would not keep the order of loads and stores of tables.
    let fence = entry.find("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    assert!(entry.rfind("= load_") < fence && fence < entry.find(" store_"), "{entry}");
}

#[test]
fn groups_cannot_be_listed_row_by_row() {
    let built = groups::apart(100);
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let error = lower(&flat, &COptions { subset: true, ..COptions::cuda() }).unwrap_err();
    assert!(matches!(error, LoweringError::Options { .. }) && error.to_string().contains("in groups"), "{error}");
}

#[test]
fn the_second_level_of_an_argument_of_the_minimum() {
    let cuda = lower_reduce(&level(Reduce::ArgMin, Scalar::F32), &COptions::cuda()).unwrap();
    insta::assert_snapshot!("second_level_cuda", cuda.code);
    let opencl = lower_reduce(&level(Reduce::ArgMin, Scalar::F32), &full()).unwrap();
    insta::assert_snapshot!("second_level_opencl", opencl.code);
}
