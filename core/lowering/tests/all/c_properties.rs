//! Properties of every text of generated C.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::c_lower::{full, level};
use imminent_ir::launch::Faults;
use imminent_ir::{Reduce, Scalar, Shape, TallyOp, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{COptions, CSource, Dialect, ParameterRole, compiler_options, lower, lower_reduce};
use imminent_testkit::c_texts::{lowered, texts};
use imminent_testkit::modules::{all, calls, damage, groups, kernels, odd, operations};
use std::collections::BTreeSet;

/// Lowers every kernel in both dialects and several shapes.
fn each(mut look: impl FnMut(&str, &COptions, &CSource)) {
    for options in [
        COptions::cuda(),
        COptions { workgroup_size: 32, line_directives: true, launch_in_buffer: true, ..COptions::cuda() },
        full(),
        COptions { workgroup_size: 1, line_directives: true, launch_in_buffer: true, ..full() },
        COptions { subset: true, ..COptions::cuda() },
        COptions { subset: true, workgroup_size: 64, ..full() },
        COptions { faults: Faults::Operands, ..full() },
        COptions { faults: Faults::Operands, line_directives: true, ..COptions::cuda() },
    ] {
        for (name, source) in texts(&options) {
            look(&name, &options, &source);
        }
    }
}

/// NVIDIA's compilers merge a load of a table that the kernel does not write with one of a table that it does, and then
/// do it too early.
#[test]
fn loads_of_constant_tables_are_kept_apart_from_those_of_written_ones() {
    let both = |flat: &flatten::FlatKernel| {
        flat.bindings.iter().any(|bound| !bound.access.written.is_empty() && !bound.access.read.is_empty())
    };
    let kernels = all().into_iter().map(|(name, built)| (name, flatten(&built.module, &built.kernel).unwrap()));
    let reading: BTreeSet<String> = kernels.filter(|(_, flat)| both(flat)).map(|(name, _)| name).collect();
    let (mut apart, mut plain) = (0, 0);
    each(|name, options, source| {
        let lines = || source.code.lines().map(str::trim_start);
        let constants = lines().filter_map(|line| line.strip_prefix("GLOBAL const u32 *"));
        if options.dialect == Dialect::OpenCl {
            assert!(constants.clone().all(|pointer| !pointer.contains("restrict ")), "{name}");
            return;
        }
        for table in constants.map(|pointer| pointer.trim_start_matches("__restrict__ ").trim_end_matches(',')) {
            let loads = lines().filter(|line| line.starts_with("return ") && line.contains(&format!("ctx->{table}")));
            let (kept, others): (Vec<_>, Vec<_>) = loads.partition(|line| line.contains("opaque_u"));
            let wrong = if reading.contains(name) { &others } else { &kept };
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
            (apart, plain) = (apart + kept.len(), plain + others.len());
        }
    });
    assert!(apart > 10 && plain > 10, "{apart}, {plain}");
}

/// NVIDIA's compilers make a minimum of `x < 0.0 ? x : 0.0`, and that of -0.0 is another zero.
#[test]
fn no_float_is_compared_with_a_zero_that_compilers_know() {
    let mut hidden = 0;
    each(|name, _, source| {
        for line in source.code.lines() {
            for zero in ["0.0", "0.0f"] {
                for ordering in ["<", "<=", ">", ">="] {
                    let (right, left) = (format!(" {ordering} {zero}"), format!("{zero} {ordering} "));
                    let ends = |at: &str| !at.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
                    let plain = line.split(&right).skip(1).any(ends) || line.contains(&format!(" {left}"));
                    assert!(!plain, "{name}: {line}");
                }
            }
            hidden += line.matches("opaque_f").count();
        }
    });
    assert!(hidden > 10, "{hidden}");
}

#[test]
fn every_text_is_one_kernel_with_what_it_declares() {
    let mut count = 0;
    let shapes: Vec<(String, Shape)> = all().into_iter().map(|(name, built)| (name, built.kernel.shape)).collect();
    let shapes: Vec<_> = shapes.into_iter().filter(|(_, shape)| shape.is_grouped()).collect();
    each(|name, options, source| {
        count += 1;
        let code = &source.code;
        for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
            let number = |c| code.matches(c).count();
            assert_eq!(number(open), number(close), "{name}: {open}{close}");
        }
        let kernel = match options.dialect {
            Dialect::Cuda => format!("extern \"C\" __global__ void __launch_bounds__({}) ", source.workgroup_size),
            Dialect::OpenCl => {
                format!("__kernel __attribute__((reqd_work_group_size({}, 1, 1))) void ", source.workgroup_size)
            }
        };
        assert_eq!(code.matches(&format!("{kernel}{}(", source.entry)).count(), 1, "{name}");
        let grouped = shapes.iter().find(|(grouped, _)| grouped == name);
        assert_eq!(source.workgroup_size, grouped.map_or(options.workgroup_size, |(_, shape)| shape.size()));
        assert!(!code.contains("#include"), "{name}");
        assert!(code.lines().all(|line| line == line.trim_end()), "{name}: spaces at the end of a line");
        let other = if options.dialect == Dialect::Cuda {
            ["__kernel", "atomic_min(", "ulong"]
        } else {
            ["__global__", "atomicMin(", "long long"]
        };
        assert!(other.iter().all(|word| !code.contains(word)), "{name} has words of the other dialect");
    });
    assert!(count > 300, "{count} texts were looked at");
}

#[test]
fn signed_integers_are_never_added_subtracted_or_multiplied_as_such() {
    for scalar in [Scalar::I32, Scalar::I64] {
        let source = lowered(&operations::kernel(scalar, &operations::operations(scalar)), &COptions::cuda());
        let body = source.code.split_once(" operate_row(").unwrap().1;
        let body = body.split_once("\n}\n").unwrap().0;
        for operator in [" + ", " * ", " << ", " >> ", " / ", " % "] {
            assert!(!body.contains(operator), "{scalar}:{operator}in\n{body}");
        }
    }
}

#[test]
fn the_modules_of_the_tests_hold_every_statement_expression_and_operation() {
    // Debug names of items of the IR, each of which the printed modules must contain.
    let printed: String = all().iter().map(|(_, built)| format!("{:?}", built.module)).collect();
    for name in [
        "Let(",
        "Assign(",
        "Store(",
        "Load(",
        "Divide(",
        "Remainder(",
        "BindRow {",
        "LaneGet {",
        "LaneSet {",
        "Tally {",
        "Assert(",
        "Call {",
        "If(",
        "Loop(",
        "While(",
        "For {",
        "Break",
        "Continue",
        "Return(",
        "Literal(",
        "Unary(",
        "Binary(",
        "Cast(",
        "Builtin(",
        "Struct(",
        "Array(",
        "Repeat(",
        "Select(",
        "RowsLen(",
        "LanesCapacity(",
        "TallyLen(",
        "Phase {",
        "ScratchGet {",
        "ScratchOwn {",
        "ScratchSet {",
        "Some(Any)",
        "Some(All)",
        "Some(Count)",
        "Group(Lane)",
        "Group(Row)",
        "Group(X)",
        "Group(Y)",
        "Group(Index)",
        "Group(Len)",
        "Group(Size)",
        "Neg,",
        "Not,",
        "Add,",
        "Sub,",
        "Mul,",
        "Div,",
        "Rem,",
        "BitAnd,",
        "BitOr,",
        "BitXor,",
        "Shl,",
        "Shr,",
        "And,",
        "Or,",
        "Eq,",
        "Ne,",
        "Lt,",
        "Le,",
        "Gt,",
        "Ge,",
        "Min,",
        "Max,",
        "Abs,",
        "AbsDiff,",
        "Signum,",
        "CountOnes,",
        "LeadingZeros,",
        "TrailingZeros,",
        "ReverseBits,",
        "SwapBytes,",
        "RotateLeft,",
        "RotateRight,",
        "SaturatingAdd,",
        "SaturatingSub,",
        "MulHigh,",
        "Sqrt,",
        "Floor,",
        "Ceil,",
        "Trunc,",
        "RoundTiesEven,",
        "CopySign,",
        "IsNan,",
        "IsFinite,",
        "ToBits,",
        "FromBits,",
    ] {
        assert!(printed.contains(name), "no module of the tests has {name}");
    }
}

/// PoCL compiles barriers within expressions wrongly. Of the functions only a vote and the kernel's body have any.
#[test]
fn a_group_reads_its_own_row_without_barriers() {
    for (built, options) in [(groups::exchange(), full()), (groups::relax(Shape::Tile(8, 4)), COptions::cuda())] {
        let code = lowered(&built, &options).code;
        let function = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let waiting = code.split("\nDEVICE ").skip(1).filter(|text| {
            let body = text.split("\n}").next().unwrap_or_default();
            body.contains("barrier(") || body.contains("__syncthreads()")
        });
        let waiting: Vec<_> = waiting.map(function).collect();
        assert!(waiting.iter().all(|line| line.contains("_group(") || line.contains("vote_")), "{waiting:?}");
        assert!(waiting.iter().any(|line| line.contains("_group(")), "{waiting:?}");
    }
}

/// NVRTC 12.9 and 13.0 end their process on conditional operators over structs within initializers.
#[test]
fn structs_are_chosen_by_statements() {
    for options in [COptions::cuda(), full()] {
        let code = lowered(&calls::calls(), &options).code;
        assert!(code.contains("const Pair chosen = choose_Pair("), "{code}");
        assert!(
            code.contains("DEVICE Pair choose_Pair(Pair yes, Pair no, bool condition) {\n    if (condition) {"),
            "{code}"
        );
    }
}

#[test]
fn the_line_map_points_at_the_rust_lines_named_in_the_text() {
    for line_directives in [false, true] {
        let source = lowered(&kernels::serve(), &COptions { line_directives, ..COptions::cuda() });
        assert!(source.line_map.len() > 20);
        for mapping in &source.line_map {
            let line = source.code.lines().nth(mapping.text_line as usize - 1).unwrap();
            assert!(line.ends_with(&format!("// queue.rs:{}", mapping.line)), "{mapping:?}: {line}");
            assert_eq!(mapping.file, "src/queue.rs");
        }
        assert!(source.line_map.windows(2).all(|pair| pair[0].text_line < pair[1].text_line));
    }
}

#[test]
fn with_directives_the_compiler_counts_every_line_as_the_comments_say() {
    let source = lowered(&kernels::serve(), &COptions { line_directives: true, ..COptions::cuda() });
    let mut counted: Option<(&str, u32)> = None;
    let mut checked = 0;
    for line in source.code.lines() {
        if let Some(directive) = line.strip_prefix("#line ") {
            let (number, file) = directive.split_once(' ').unwrap();
            counted = Some((file.trim_matches('"'), number.parse().unwrap()));
            continue;
        }
        if let (Some((file, number)), Some((_, said))) = (counted, line.rsplit_once("// queue.rs:")) {
            assert_eq!((file, number), ("src/queue.rs", said.parse().unwrap()), "{line}");
            checked += 1;
        }
        counted = counted.map(|(file, number)| (file, number + 1));
    }
    assert!(checked > 20);
    assert_eq!(counted.unwrap().0, "generated", "the entry point is nobody's Rust");
}

#[test]
fn the_launch_block_and_the_parameters_are_described() {
    let source = lowered(&kernels::serve(), &COptions::cuda());
    assert_eq!(source.entry, "serve");
    assert_eq!(source.launch.headers, [8, 12, 16, 20, 24]);
    assert_eq!(source.launch.params.len(), 1);
    let block = source.launch.params[0];
    assert_eq!((block.binding, block.offset, block.words), (3, 28, 3));
    assert_eq!(source.launch.words, 31);
    let roles: Vec<(ParameterRole, bool)> = source.parameters.iter().map(|p| (p.role, p.writable)).collect();
    assert_eq!(
        roles,
        [
            (ParameterRole::State, true),
            (ParameterRole::Launch, false),
            (ParameterRole::Partials, true),
            (ParameterRole::Table { binding: 0 }, true),
            (ParameterRole::Table { binding: 1 }, true),
            (ParameterRole::Table { binding: 2 }, false),
            (ParameterRole::Tally { binding: 4 }, true),
        ]
    );
    assert_eq!(source.results.unwrap().words(), 2);
}

#[test]
fn what_a_kernel_requires_is_what_it_uses() {
    let requires = |built: &kernels::Built, options: &COptions| lowered(built, options).requires;
    let plain = kernels::loops(Scalar::U64);
    assert_eq!(requires(&plain, &full()), Default::default());
    let double = kernels::reduction(Reduce::Sum, Scalar::F64);
    assert!(requires(&double, &full()).float64);
    let wide = kernels::tally(Scalar::U64, TallyOp::Max);
    assert!(requires(&wide, &full()).int64_atomics);
    // Division of `f32` in `f64`, used if the device rounds it loosely.
    let division = operations::kernel(Scalar::F32, &operations::operations(Scalar::F32));
    assert!(!requires(&division, &full()).float64);
    let loose = COptions { correctly_rounded_divide_sqrt: false, ..full() };
    assert!(requires(&division, &loose).float64);
    assert!(lowered(&division, &loose).code.contains("(f32)((f64)a / (f64)b)"));
}

#[test]
fn doubles_without_the_option_are_refused_with_their_place() {
    let built = operations::kernel(Scalar::F64, &operations::operations(Scalar::F64));
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let error = lower(&flat, &COptions::opencl()).unwrap_err();
    assert!(matches!(error, LoweringError::Unsupported { scalar: Scalar::F64, .. }));
    insta::assert_snapshot!(error.to_string());
    let error = lower_reduce(&level(Reduce::Sum, Scalar::F64), &COptions::opencl()).unwrap_err();
    assert!(matches!(error, LoweringError::Unsupported { .. }), "{error}");
}

#[test]
fn wide_minima_without_the_atomics_are_refused_with_their_place() {
    for scalar in [Scalar::U64, Scalar::I64] {
        for op in [TallyOp::Min, TallyOp::Max] {
            let built = kernels::tally(scalar, op);
            let flat = flatten(&built.module, &built.kernel).unwrap();
            let error = lower(&flat, &COptions::opencl()).unwrap_err();
            assert!(matches!(error, LoweringError::WideTally { .. }));
            insta::allow_duplicates! { insta::assert_snapshot!(error.to_string()) }
        }
    }
}

#[test]
fn bad_options_are_refused() {
    let built = kernels::serve();
    let flat = flatten(&built.module, &built.kernel).unwrap();
    for workgroup_size in [0, 3, 512] {
        let error = lower(&flat, &COptions { workgroup_size, ..COptions::cuda() }).unwrap_err();
        assert!(error.to_string().contains("power of two"), "{error}");
    }
}

#[test]
fn the_compiler_is_told_to_round_and_not_to_fuse() {
    let cuda = compiler_options(&COptions::cuda());
    for option in ["--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"] {
        assert!(cuda.contains(&option));
    }
    assert_eq!(compiler_options(&full()), ["-cl-fp32-correctly-rounded-divide-sqrt"]);
    assert!(compiler_options(&COptions::opencl()).is_empty());
    each(|name, options, source| {
        let off = source.code.contains("#pragma OPENCL FP_CONTRACT OFF");
        assert_eq!(off, options.dialect == Dialect::OpenCl, "{name}");
    });
}

#[test]
fn whatever_flattens_is_lowered_or_refused_by_type() {
    let mut count = 0;
    for (number, built) in (1..).zip([
        kernels::serve(),
        calls::calls(),
        odd::odd(),
        kernels::loops(Scalar::U64),
        kernels::indices(Scalar::I64),
        groups::relax(Shape::Tile(3, 5)),
        operations::kernel(Scalar::F32, &operations::operations(Scalar::F32)),
    ]) {
        damage(&built.module, 1500, number, |flat| {
            for options in [COptions::cuda(), COptions::opencl()] {
                match lower(flat, &options) {
                    Ok(_) => count += 1,
                    Err(LoweringError::Unsupported { .. } | LoweringError::WideTally { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    assert!(count > 1000, "{count} kernels were lowered");
}
