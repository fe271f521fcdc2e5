//! The generated text: snapshots, and validation by naga and tint.

#![allow(clippy::unwrap_used, clippy::panic)]

mod wgsl_support;

use imminent_ir::{Reduce, Scalar, Shape, StmtKind, TallyOp, Type, flatten};
use imminent_testkit::modules::build::{Body, Builder, bin, bool_, f32_, get, number, u32_};
use imminent_testkit::modules::kernels::{self, Built};
use imminent_testkit::modules::operations;
use imminent_testkit::modules::{SHAPES, calls, groups, histories};
use imminent_wgpu::wgsl::{Int64, WgslError, WgslOptions, WgslSource, lower, lower_reduce};
use wgsl_support::validate::{lowered, options, tint, validate};

const INTEGERS: [Scalar; 4] = [Scalar::U32, Scalar::I32, Scalar::U64, Scalar::I64];

/// Every kernel of the tests that standard WGSL can express, or with native 64-bit types all of them.
fn all(int64: Int64) -> Vec<(String, Built)> {
    let mut out = vec![
        ("serve".to_owned(), kernels::serve()),
        ("calls".to_owned(), calls::calls()),
        ("relay".to_owned(), histories::relay()),
    ];
    for scalar in INTEGERS {
        out.push((format!("loops_{scalar}"), kernels::loops(scalar)));
        out.push((format!("indices_{scalar}"), kernels::indices(scalar)));
        for op in [TallyOp::Add, TallyOp::Min, TallyOp::Max, TallyOp::Or, TallyOp::And] {
            if int64 == Int64::Native || scalar.words() == 1 || !matches!(op, TallyOp::Min | TallyOp::Max) {
                out.push((format!("tally_{scalar}_{}", op.name()), kernels::tally(scalar, op)));
            }
        }
    }
    for scalar in Scalar::ALL.into_iter().filter(|s| int64 == Int64::Native || *s != Scalar::F64) {
        let mut operations = operations::operations(scalar);
        if int64 == Int64::Emulated {
            operations.retain(|o| o.result != Scalar::F64);
        }
        out.push((format!("operations_{scalar}"), operations::kernel(scalar, &operations)));
        if scalar == Scalar::Bool {
            out.push(("count".to_owned(), kernels::reduction(Reduce::Count, scalar)));
            out.push(("any".to_owned(), kernels::reduction(Reduce::Any, scalar)));
        } else {
            for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin] {
                out.push((format!("{reduce:?}_{scalar}"), kernels::reduction(reduce, scalar)));
            }
        }
    }
    out.push(("odd".to_owned(), odd()));
    out.extend(SHAPES.map(|shape| (format!("relax_{shape:?}"), groups::relax(shape))));
    out.push(("apart".to_owned(), groups::apart(100)));
    for scalar in Scalar::ALL.into_iter().filter(|s| int64 == Int64::Native || *s != Scalar::F64) {
        out.push((format!("reverse_{scalar}"), groups::reverse(scalar, Shape::Group(33))));
    }
    out
}

/// Things that are legal in the IR and that validators are particular about: names that WGSL reserves, code after a
/// `return`, a loop that nothing leaves, a function that ends in a loop, a value parameter that is assigned.
fn odd() -> Built {
    let mut b = Builder::new("odd");
    let mut forever = Body::new("override", 5, Scalar::U32.into());
    let target = forever.param("target", imminent_ir::ParamKind::Value(Scalar::U32.into()));
    let ret = forever.stmt(StmtKind::Return(Some(target.get_u32())));
    let more =
        forever.stmt(StmtKind::Assign(target.clone(), bin(imminent_ir::BinaryOp::Mul, target.get_u32(), u32_(3))));
    forever.push(StmtKind::Loop(vec![
        more,
        imminent_ir::Stmt {
            line: 7,
            kind: StmtKind::If(bin(imminent_ir::BinaryOp::Gt, target.get_u32(), u32_(1000)), vec![ret], vec![]),
        },
    ]));
    let forever = b.function(forever);
    let mut both = Body::new("fn", 20, Scalar::F32.into());
    let yes = both.stmt(StmtKind::Return(Some(f32_(-1.5))));
    let no = both.stmt(StmtKind::Return(Some(bin(imminent_ir::BinaryOp::Div, f32_(1.0), f32_(0.0)))));
    let dead = both.stmt(StmtKind::Return(Some(f32_(2.0))));
    both.push(StmtKind::If(bool_(true), vec![yes, dead], vec![no]));
    let both = b.function(both);
    let mut k = Body::new("workgroup", 30, Type::Unit);
    let id = k.param("array", imminent_ir::ParamKind::Value(Scalar::U32.into()));
    let x = k.local("min", Scalar::U32.into());
    k.push(StmtKind::Call { into: Some(x), function: forever, args: vec![imminent_ir::Arg::Value(id.get_u32())] });
    let y = k.local("f32", Scalar::F32.into());
    k.push(StmtKind::Call { into: Some(y), function: both, args: vec![] });
    // Comparisons as arguments: `pick(a < b, c > d)` looks like a template to WGSL.
    let mut pick = Body::new("pick", 25, Scalar::Bool.into());
    let flags: Vec<imminent_ir::Expr> = ["p", "q"]
        .into_iter()
        .map(|name| pick.param(name, imminent_ir::ParamKind::Value(Scalar::Bool.into())).get_bool())
        .collect();
    pick.push(StmtKind::Return(Some(bin(imminent_ir::BinaryOp::And, flags[0].clone(), flags[1].clone()))));
    let pick = b.function(pick);
    let z = k.local("picked", Scalar::Bool.into());
    let compare = |op| imminent_ir::Arg::Value(bin(op, get(x, Scalar::U32), id.get_u32()));
    let args = vec![compare(imminent_ir::BinaryOp::Lt), compare(imminent_ir::BinaryOp::Gt)];
    k.push(StmtKind::Call { into: Some(z), function: pick, args });
    let again = k.stmt(StmtKind::Continue);
    let endless = k.stmt(StmtKind::Loop(vec![again]));
    k.push(StmtKind::If(bin(imminent_ir::BinaryOp::Eq, get(x, Scalar::U32), u32_(1)), vec![endless], vec![]));
    k.push(StmtKind::Return(None));
    k.push(StmtKind::Let(
        k.function.locals.len().try_into().map(imminent_ir::LocalId).unwrap(),
        Some(number(Scalar::U32, 1)),
    ));
    k.local("dead", Scalar::U32.into());
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

trait Read {
    fn get_u32(&self) -> imminent_ir::Expr;
    fn get_bool(&self) -> imminent_ir::Expr;
}

impl Read for imminent_ir::Place {
    fn get_u32(&self) -> imminent_ir::Expr {
        use imminent_testkit::modules::build::Extend;
        self.get(Scalar::U32)
    }

    fn get_bool(&self) -> imminent_ir::Expr {
        use imminent_testkit::modules::build::Extend;
        self.get(Scalar::Bool)
    }
}

fn each(int64: Int64, mut look: impl FnMut(&str, &WgslSource)) {
    for (name, built) in all(int64) {
        for (workgroup_size, subset) in [(256, false), (64, true)] {
            let subset = subset && !built.kernel.shape.is_grouped();
            let int64_atomics = int64 == Int64::Native;
            let options = WgslOptions { workgroup_size, int64_atomics, subset, ..options(int64) };
            look(&name, &lowered(&built.module, &built.kernel, &options));
        }
    }
    for reduce in [Reduce::Min, Reduce::Max, Reduce::Sum, Reduce::ArgMin, Reduce::Count, Reduce::Any] {
        for scalar in Scalar::ALL {
            let counts = matches!(reduce, Reduce::Count | Reduce::Any);
            if counts != (scalar == Scalar::Bool) || (scalar == Scalar::F64 && int64 == Int64::Emulated) {
                continue;
            }
            for subset in [false, true] {
                let source = lower_reduce(reduce, scalar, &WgslOptions { subset, ..options(int64) }).unwrap();
                validate(&source);
                look(&format!("second_level_{reduce:?}_{scalar}"), &source);
            }
        }
    }
}

#[test]
fn naga_accepts_every_kernel_with_emulated_integers() {
    let mut count = 0;
    each(Int64::Emulated, |name, source| {
        count += 1;
        assert_eq!(source.requires, Default::default(), "{name}");
        for word in ["u64>", "i64>", ": u64", ": i64", "f64"] {
            assert!(!source.code.contains(word), "{name} uses {word}");
        }
    });
    assert!(count > 100, "{count} shaders were looked at");
}

#[test]
fn naga_accepts_every_kernel_with_native_integers() {
    let mut count = 0;
    each(Int64::Native, |_, _| count += 1);
    assert!(count > 120, "{count} shaders were looked at");
}

#[test]
#[cfg_attr(not(has_tint), ignore = "the `tint` compiler is not on the PATH")]
fn tint_accepts_every_kernel_with_emulated_integers() {
    each(Int64::Emulated, tint);
}

#[test]
fn a_facility_with_emulated_integers() {
    let built = kernels::serve();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn a_facility_with_native_integers() {
    let built = kernels::serve();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Native)).code);
}

#[test]
fn histories_of_a_network() {
    let built = histories::relay();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn a_relaxation_in_groups() {
    let built = groups::relax(Shape::Group(77));
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn a_relaxation_in_tiles() {
    let built = groups::relax(Shape::Tile(8, 4));
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Native)).code);
}

#[test]
fn invocations_look_at_their_end_whether_a_loop_was_cut_if_there_is_one() {
    let tally = kernels::tally(Scalar::U32, TallyOp::Add);
    for (built, times) in [(kernels::loops(Scalar::U64), 1), (groups::relax(Shape::Tile(8, 4)), 1), (tally, 0)] {
        for subset in [false, true] {
            let mut flat = flatten(&built.module, &built.kernel).unwrap();
            let sites = flat.sites.len();
            flat.watch_loops();
            assert_eq!((flat.sites.len() - sites, flat.watched_loops().is_some()), (times, times == 1));
            let subset = subset && !flat.shape.is_grouped();
            let source = lower(&flat, &WgslOptions { subset, ..options(Int64::Emulated) }).unwrap();
            validate(&source);
            let text = source.code.split_whitespace().collect::<Vec<_>>().join(" ");
            let look = format!("if (loops_are_cut()) {{ raise({}u); }}", sites + 1);
            assert_eq!(text.matches(&look).count(), times, "{}", source.code);
        }
    }
}

#[test]
fn rows_that_are_listed_and_their_result() {
    let built = kernels::reduction(Reduce::Sum, Scalar::F32);
    let options = WgslOptions { subset: true, ..options(Int64::Emulated) };
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options).code);
}

#[test]
fn a_facility_cut_into_segments() {
    let built = kernels::serve();
    let options = WgslOptions { segments: vec![vec![0, 7, 31, 55]], ..options(Int64::Emulated) };
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options).code);
}

#[test]
fn calls_of_every_kind() {
    let built = calls::calls();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn loops_over_ranges() {
    let built = kernels::loops(Scalar::I32);
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn names_and_control_flow_that_validators_are_particular_about() {
    let built = odd();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}

#[test]
fn the_second_level_of_an_argument_of_the_minimum() {
    insta::assert_snapshot!(lower_reduce(Reduce::ArgMin, Scalar::F32, &options(Int64::Emulated)).unwrap().code);
}

#[test]
fn the_line_map_points_at_the_rust_lines_named_in_the_text() {
    let built = kernels::serve();
    let source = lowered(&built.module, &built.kernel, &options(Int64::Emulated));
    assert!(source.line_map.len() > 20);
    for mapping in &source.line_map {
        let line = source.code.lines().nth(mapping.wgsl_line as usize - 1).unwrap();
        assert!(line.ends_with(&format!("// queue.rs:{}", mapping.line)), "{mapping:?}: {line}");
        assert_eq!(mapping.file, "src/queue.rs");
    }
    assert!(source.line_map.windows(2).all(|pair| pair[0].wgsl_line < pair[1].wgsl_line));
}

#[test]
fn the_launch_block_and_the_bindings_are_described() {
    let built = kernels::serve();
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let source = lower(&flat, &options(Int64::Emulated)).unwrap();
    assert_eq!(source.launch.headers, [8, 12, 16, 20, 24]);
    assert_eq!(source.launch.params.len(), 1);
    assert_eq!(
        (source.launch.params[0].binding, source.launch.params[0].offset, source.launch.params[0].words),
        (3, 28, 3)
    );
    assert_eq!(source.launch.words, 31);
    let declared: Vec<(u32, bool)> = source.bindings.iter().map(|b| (b.binding, b.writable)).collect();
    assert_eq!(declared, [(0, true), (1, false), (2, true), (3, true), (4, true), (5, false), (6, true)]);
    assert_eq!(source.reduce.unwrap().words, 2);
}

#[test]
fn doubles_without_the_feature_are_refused_with_their_place() {
    let built = operations::kernel(Scalar::F64, &operations::operations(Scalar::F64));
    let flat = flatten(&built.module, &built.kernel).unwrap();
    for options in [options(Int64::Emulated), WgslOptions { float64: true, ..options(Int64::Emulated) }] {
        let error = lower(&flat, &options).unwrap_err();
        assert!(matches!(error, WgslError::Unsupported { scalar: Scalar::F64, .. }));
        insta::allow_duplicates! { insta::assert_snapshot!(error.to_string()) }
    }
}

#[test]
fn bad_options_are_refused() {
    let built = kernels::serve();
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let good = options(Int64::Emulated);
    for (bad, what) in [
        (WgslOptions { workgroup_size: 0, ..good.clone() }, "power of two"),
        (WgslOptions { workgroup_size: 512, ..good.clone() }, "power of two"),
        (WgslOptions { segments: vec![vec![0, 1]], ..good.clone() }, "inside a scalar"),
        (WgslOptions { segments: vec![vec![0, 56]], ..good.clone() }, "inside a scalar"),
        (WgslOptions { segments: vec![vec![0, 9, 9]], ..good.clone() }, "increase"),
        (WgslOptions { segments: vec![vec![3, 9]], ..good.clone() }, "increase"),
        (WgslOptions { segments: vec![vec![], vec![], vec![], vec![0, 2]], ..good.clone() }, "no table"),
    ] {
        let error = lower(&flat, &bad).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    assert!(matches!(lower_reduce(Reduce::Min, Scalar::Bool, &good), Err(WgslError::Reduction { .. })));
    assert!(matches!(lower_reduce(Reduce::Any, Scalar::F32, &good), Err(WgslError::Reduction { .. })));
}
