//! The generated text: snapshots, and validation by naga.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::wgsl_support::every::{each, odd};
use crate::wgsl_support::validate::{lowered, options, validate};
use imminent_core::Faults;
use imminent_ir::{Reduce, Reductions, Scalar, Shape, TallyOp, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::wgsl::{Int64, WgslOptions, is_reserved, lower, lower_reduce};
use imminent_testkit::modules::{calls, groups, histories, kernels, operations};

/// The one result of a reduction.
fn level(reduce: Reduce, scalar: Scalar) -> Reductions {
    Reductions::new(&[(reduce, scalar)]).unwrap()
}

#[test]
fn the_lowering_avoids_every_word_that_naga_reserves() {
    let words = naga::keywords::wgsl::RESERVED.iter().chain(naga::keywords::wgsl::BUILTIN_IDENTIFIERS);
    let missed: Vec<_> = words.filter(|word| !is_reserved(word)).collect();
    assert!(missed.is_empty(), "{missed:?}");
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

/// llvmpipe loses invocations of a vector that a workgroup does not fill.
#[test]
fn groups_fill_the_vectors_of_a_processor_with_invocations_that_have_no_row() {
    let mut filled = 0;
    for (name, built) in imminent_testkit::modules::all() {
        let flat = flatten(&built.module, &built.kernel).unwrap();
        let options = WgslOptions { int64_atomics: true, ..options(Int64::Native) };
        let source = lowered(&built.module, &built.kernel, &options);
        let (rows, invocations) = (flat.shape.size(), source.workgroup_size);
        if !flat.shape.is_grouped() {
            continue;
        }
        assert_eq!(invocations, rows.next_multiple_of(8), "{name}");
        assert!(source.code.contains(&format!("@compute @workgroup_size({invocations})")), "{name}");
        // Elements are as many as rows.
        let sets: Vec<_> = source.code.lines().filter(|line| line.contains("scratch[lane] = ")).collect();
        let guard = format!("if (lane < {rows}u) {{ scratch[lane]");
        assert!(sets.iter().all(|line| line.contains(&guard) == (invocations > rows)), "{name}: {sets:?}");
        let placed = source.code.contains(&format!("lane_active = lane < {rows}u && x < grid_width"));
        assert_eq!(placed, invocations > rows && matches!(flat.shape, Shape::Tile(..)), "{name}");
        filled += u32::from(invocations > rows);
    }
    assert!(filled > 5, "{filled} groups were filled");
}

/// NVIDIA's compilers merge a load from memory that the kernel does not write with one from memory that it does, and
/// then do it too early.
#[test]
fn loads_of_constant_memory_are_kept_apart_from_those_of_written_tables() {
    let (mut apart, mut plain) = (0, 0);
    for (name, built) in imminent_testkit::modules::all() {
        let flat = flatten(&built.module, &built.kernel).unwrap();
        let both = flat.bindings.iter().any(|of| !of.access.written.is_empty() && !of.access.read.is_empty());
        let options = WgslOptions { constants_apart: true, int64_atomics: true, ..options(Int64::Native) };
        let code = lowered(&built.module, &built.kernel, &options).code;
        let declared = code.lines().filter_map(|line| line.split_once("var<storage, read> "));
        for buffer in declared.map(|(_, rest)| rest.split(':').next().unwrap()) {
            let loads = code.lines().filter(|line| line.contains("return ") && line.contains(&format!("{buffer}[")));
            let (kept, others): (Vec<_>, Vec<_>) = loads.partition(|line| line.contains(" ^ launch[5])"));
            let wrong = if both { &others } else { &kept };
            assert!(wrong.is_empty(), "{name}: {wrong:?}");
            (apart, plain) = (apart + kept.len(), plain + others.len());
        }
    }
    assert!(apart > 10 && plain > 10, "{apart}, {plain}");
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
fn indices_whose_faults_report_operands() {
    let built = kernels::indices(Scalar::I64);
    for int64 in [Int64::Emulated, Int64::Native] {
        let [plain, noted] = [Faults::Places, Faults::Operands]
            .map(|faults| lowered(&built.module, &built.kernel, &WgslOptions { faults, ..options(int64) }).code);
        assert!(!plain.contains("fault_words") && !plain.contains("note_operands"), "{plain}");
        assert!(noted.matches("note_operands(").count() > 10, "{noted}");
        // The slots of seven sites come first, then those of the bits of the third word.
        assert!(noted.contains("atomicMin(&state[launch[1] + 71u + fault_bit], row);"), "{noted}");
    }
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

/// NVIDIA's Vulkan driver 580.159 reads workgroup memory of `bool` wrongly: a group shares words instead, at any depth.
#[test]
fn no_bool_lies_in_workgroup_memory() {
    let built = groups::exchange();
    let code = lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code;
    insta::assert_snapshot!(code);
    let shared = code.split("struct Shared").skip(1).map(|text| text.split('}').next().unwrap());
    assert_eq!(shared.filter(|fields| !fields.contains("bool")).count(), 2, "{code}");
    assert!(code.contains("var<workgroup> scratch: array<SharedElement, 33>;"), "{code}");
}

/// SwiftShader rounds `u32` from 2^31 on twice: two halves are converted, each exactly, and one addition rounds.
#[test]
fn a_word_becomes_a_float_by_halves() {
    let built = operations::kernel(Scalar::U32, &operations::operations(Scalar::U32));
    let code = lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code;
    let conversions = code.match_indices("f32(").filter(|(at, _)| !code[..*at].ends_with(['_', '<', '`']));
    assert_eq!(conversions.count(), 2, "{code}");
    assert!(code.contains("f32(x >> 16u) * 65536.0f + f32(x & 0xffffu)"), "{code}");
}

/// Mesa leaves out a mask by 63 and then takes a constant count of -32 for 0: no 64-bit count is masked so.
#[test]
fn counts_of_64_bit_shifts_have_no_mask_that_the_shift_implies() {
    for scalar in [Scalar::U64, Scalar::I64] {
        let built = operations::kernel(scalar, &operations::operations(scalar));
        let code = lowered(&built.module, &built.kernel, &options(Int64::Native)).code;
        assert!(code.contains("<< count_u64(") && code.contains(">> count_u64("), "{code}");
        assert!(!code.contains("& 63u"), "{code}");
    }
}

/// Mesa 22.3 compares an `i32` that `i64(...)` widened with constants wrongly: the cast is made of halves.
#[test]
fn a_widened_integer_is_made_of_halves() {
    for scalar in [Scalar::I32, Scalar::U32, Scalar::Bool] {
        let built = operations::kernel(scalar, &operations::operations(scalar));
        let code = lowered(&built.module, &built.kernel, &options(Int64::Native)).code;
        let casts = code.match_indices("i64(").filter(|(at, _)| !code[..*at].ends_with(['_', '<', '`']));
        assert_eq!(casts.count(), 0, "{code}");
        let halves = code.contains("join_u64(bitcast<u32>(x), bitcast<u32>(x >> 31u))");
        assert_eq!(halves, scalar == Scalar::I32, "{code}");
    }
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
fn a_packed_facility_cut_into_segments() {
    let built = kernels::serve().packed();
    let options = WgslOptions { segments: vec![vec![0, 56, 76]], ..options(Int64::Emulated) };
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options).code);
}

/// The list of rows lies in the first buffer, and so does the facility's first part.
#[test]
fn a_facility_in_shared_buffers() {
    let built = kernels::serve();
    let shared = Some(vec![vec![0, 1], vec![1], vec![0], vec![], vec![0], vec![0], vec![1]]);
    let options = WgslOptions { segments: vec![vec![0, 31]], subset: true, shared, ..options(Int64::Emulated) };
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options).code);
}

/// Only code between phases reads a table of a shared buffer by barriers: the kernel's phases read one as before.
#[test]
fn phases_read_tables_of_a_shared_buffer_without_barriers() {
    let built = groups::relax(Shape::Group(77));
    let options = options(Int64::Emulated);
    let own = lowered(&built.module, &built.kernel, &options).code;
    let shared = WgslOptions { shared: Some(Vec::new()), ..options };
    let shared = lowered(&built.module, &built.kernel, &shared).code;
    let loads = |code: &str| code.matches("workgroupUniformLoad(&group_slot)").count();
    assert_eq!(loads(&shared), loads(&own), "{shared}");
    // State, launch block, partial results, tables and a tally.
    assert_eq!(shared.matches("var<storage").count(), 5, "{shared}");
}

#[test]
fn pieces_in_shared_buffers_are_described() {
    let built = kernels::serve();
    let flat = flatten(&built.module, &built.kernel).unwrap();
    let lists = vec![vec![0], vec![1], vec![0], vec![], vec![0]];
    let source = lower(&flat, &WgslOptions { shared: Some(lists), ..options(Int64::Emulated) }).unwrap();
    let pieces: Vec<_> = source.shared.iter().map(|piece| (piece.buffer, piece.word)).collect();
    // The kernel's own words are 0 to 30.
    assert_eq!((pieces, source.launch.words), (vec![(0, 31), (1, 32), (0, 33), (2, 34)], 35));
    let names: Vec<_> = source.bindings.iter().map(|binding| (binding.binding, binding.name.as_str())).collect();
    let expected = [(0, "state"), (1, "launch"), (2, "partials"), (3, "tables0"), (4, "tables1"), (5, "tallies0")];
    assert_eq!(names, expected);
    assert!(source.bindings[3..].iter().all(|binding| binding.writable));
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
    insta::assert_snapshot!(lower_reduce(&level(Reduce::ArgMin, Scalar::F32), &options(Int64::Emulated)).unwrap().code);
}

#[test]
fn the_line_map_points_at_the_rust_lines_named_in_the_text() {
    let built = kernels::serve();
    let source = lowered(&built.module, &built.kernel, &options(Int64::Emulated));
    assert!(source.line_map.len() > 20);
    for mapping in &source.line_map {
        let line = source.code.lines().nth(mapping.text_line as usize - 1).unwrap();
        assert!(line.ends_with(&format!("// queue.rs:{}", mapping.line)), "{mapping:?}: {line}");
        assert_eq!(mapping.file, "src/queue.rs");
    }
    assert!(source.line_map.windows(2).all(|pair| pair[0].text_line < pair[1].text_line));
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
    assert_eq!(source.results.unwrap().words(), 2);
}

#[test]
fn doubles_without_the_feature_are_refused_with_their_place() {
    let built = operations::kernel(Scalar::F64, &operations::operations(Scalar::F64));
    let flat = flatten(&built.module, &built.kernel).unwrap();
    for options in [options(Int64::Emulated), WgslOptions { float64: true, ..options(Int64::Emulated) }] {
        let error = lower(&flat, &options).unwrap_err();
        assert!(matches!(error, LoweringError::Unsupported { scalar: Scalar::F64, .. }));
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
        (WgslOptions { shared: Some(vec![vec![0], vec![0]]), ..good.clone() }, "no shared buffer"),
        (WgslOptions { shared: Some(vec![vec![1], vec![0], vec![0]]), ..good.clone() }, "numbered in their order"),
        (WgslOptions { shared: Some(vec![vec![0], vec![0], vec![0], vec![], vec![1]]), ..good.clone() }, "or tally"),
    ] {
        let error = lower(&flat, &bad).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn several_results() {
    let built = kernels::several();
    insta::assert_snapshot!(lowered(&built.module, &built.kernel, &options(Int64::Emulated)).code);
}
