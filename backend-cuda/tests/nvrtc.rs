//! NVRTC accepts every text of the C lowering, for several generations of devices, and preserves its meaning.

#![allow(clippy::unwrap_used, clippy::panic)]

mod needs;
mod nvrtc_support;

use imminent_conformance::{Group, Suite, random_modules};
use imminent_core::Faults;
use imminent_ir::{BinaryOp, ParamKind, Scalar, StructRole, Type, flatten};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{COptions, lower};
use imminent_testkit::c_texts::{lowered, texts};
use imminent_testkit::modules::build::{Body, Builder, Extend, bin, builtin, value};
use imminent_testkit::modules::kernels::{self as built, Built};
use imminent_testkit::modules::{calls, damage, histories, odd};
use imminent_testkit::process::apart;
use imminent_testkit::tests_that_need;
use nvrtc_support::{Nvrtc, recorder};

tests_that_need! {
    needs::nvrtc:
        every_text_compiles,
        nothing_is_fused_flushed_or_approximated,
        the_struct_that_functions_share_costs_no_memory,
        line_information_names_the_rust_lines,
        what_damaged_modules_lower_to_compiles,
        random_kernels_compile,
        every_kernel_that_the_conformance_suite_launches_compiles;
    full_run:
        every_text_compiles_for_every_generation,
        every_text_compiles_for_small_workgroups,
        every_text_compiles_for_subsets,
        every_text_compiles_for_ragged_tables,
        every_text_compiles_with_operands_of_faults,
        many_random_kernels_compile;
}

fn full_run() -> Result<(), String> {
    needs::nvrtc().and_then(|()| imminent_testkit::needs::full_run())
}

/// Turing, Ampere, Hopper.
const GENERATIONS: [u32; 3] = [75, 80, 90];

fn shaped() -> COptions {
    COptions { workgroup_size: 64, line_directives: true, launch_in_buffer: true, ..COptions::cuda() }
}

/// Compiles every text, and returns their number.
fn compile(options: &COptions, generations: &[u32]) -> usize {
    let texts = texts(options);
    on_two_cores(texts.len(), |nvrtc, at| {
        let (name, source) = &texts[at];
        for capability in generations {
            let ptx = nvrtc.compile(name, source, options, *capability);
            assert!(ptx.contains(&format!(".entry {}(", source.entry)), "{name}");
        }
    });
    texts.len() * generations.len()
}

/// Runs `work` for each number below `count`.
fn on_two_cores(count: usize, work: impl Fn(&Nvrtc, usize) + Sync) {
    let every_second = |first: usize| {
        let nvrtc = Nvrtc::find();
        (first..count).step_by(2).for_each(|at| work(&nvrtc, at));
    };
    std::thread::scope(|scope| {
        scope.spawn(|| every_second(0));
        every_second(1);
    });
}

/// Compiles random kernels in a process of its own: some versions of NVRTC end theirs over a kernel.
fn compile_random(test: &str, count: usize) {
    apart(test, || {
        let modules = random_modules(count, 20);
        on_two_cores(modules.len(), |nvrtc, at| {
            let (module, options) = (&modules[at], COptions::cuda());
            let source = lower(&flatten(module, &module.kernels[0]).unwrap(), &options).unwrap();
            let ptx = nvrtc.compile(&format!("random kernel {at}"), &source, &options, GENERATIONS[0]);
            assert!(ptx.contains(&format!(".entry {}(", source.entry)), "{at}");
        });
    });
}

fn random_kernels_compile() {
    compile_random("random_kernels_compile", 20);
}

fn many_random_kernels_compile() {
    compile_random("many_random_kernels_compile", 500);
}

/// Compiles the texts as a backend makes them, for the oldest generation.
fn every_text_compiles() {
    assert!(compile(&COptions::cuda(), &GENERATIONS[..1]) > 60);
}

fn every_text_compiles_for_every_generation() {
    let count = compile(&COptions::cuda(), &GENERATIONS);
    assert!(count > 100, "{count} texts were compiled");
}

fn every_text_compiles_for_small_workgroups() {
    assert!(compile(&shaped(), &[75]) > 30);
}

fn every_text_compiles_for_subsets() {
    assert!(compile(&COptions { subset: true, ..COptions::cuda() }, &[80]) > 30);
}

fn every_text_compiles_with_operands_of_faults() {
    assert!(compile(&COptions { faults: Faults::Operands, ..COptions::cuda() }, &[90]) > 60);
}

fn every_text_compiles_for_ragged_tables() {
    assert!(compile(&COptions { ragged: (0..8).collect(), ..COptions::cuda() }, &[90]) > 30);
}

/// `x = a * b + a / b - sqrt(a)`.
fn arithmetic(scalar: Scalar) -> Built {
    let mut b = Builder::new("arithmetic");
    let row = b.structure("Item", StructRole::Row, &[("a", value(scalar)), ("b", value(scalar)), ("x", value(scalar))]);
    let mut k = Body::new("combine", 5, Type::Unit);
    let me = k.param("me", ParamKind::Row(row, true));
    let (p, q) = (me.field(0).get(scalar), me.field(1).get(scalar));
    let product = bin(BinaryOp::Mul, p.clone(), q.clone());
    let quotient = bin(BinaryOp::Div, p.clone(), q);
    let root = builtin(imminent_ir::Builtin::Sqrt, scalar, vec![p]);
    k.assign(me.field(2), bin(BinaryOp::Sub, bin(BinaryOp::Add, product, quotient), root));
    let kernel = b.kernel(k, None);
    Built { module: b.module, kernel }
}

fn nothing_is_fused_flushed_or_approximated() {
    let nvrtc = Nvrtc::find();
    let options = COptions::cuda();
    for (scalar, ty) in [(Scalar::F32, "f32"), (Scalar::F64, "f64")] {
        let source = lowered(&arithmetic(scalar), &options);
        for capability in GENERATIONS {
            let ptx = nvrtc.compile("arithmetic", &source, &options, capability);
            for operation in ["mul", "add", "div", "sqrt"] {
                let wanted = format!("{operation}.rn.{ty}");
                assert!(ptx.contains(&wanted), "sm_{capability} lacks {wanted}\n{ptx}");
            }
            for other in ["fma.", "mad.f", ".ftz", ".approx", ".full"] {
                assert!(!ptx.contains(other), "sm_{capability} has {other}\n{ptx}");
            }
        }
    }
}

fn the_struct_that_functions_share_costs_no_memory() {
    let nvrtc = Nvrtc::find();
    let operands = COptions { faults: Faults::Operands, ..COptions::cuda() };
    for options in [COptions::cuda(), shaped(), operands] {
        let source = lowered(&built::serve(), &options);
        let ptx = nvrtc.compile("serve", &source, &options, 90);
        assert!(!ptx.contains(".local"), "the kernel keeps something in local memory\n{ptx}");
        assert!(!ptx.contains("call.uni"), "a function was not copied into the kernel\n{ptx}");
        // A value of two words is loaded and stored at once.
        assert!(ptx.contains("ld.global.nc.b64") || ptx.contains("ld.global.nc.u64"), "{ptx}");
    }
}

fn line_information_names_the_rust_lines() {
    let nvrtc = Nvrtc::find();
    let source = lowered(&built::serve(), &shaped());
    let ptx = nvrtc.compile("serve", &source, &shaped(), 80);
    let file = ptx
        .lines()
        .find_map(|line| line.trim().strip_prefix(".file")?.contains("src/queue.rs").then_some(line))
        .unwrap_or_else(|| panic!("no line information about the Rust file\n{ptx}"));
    let number = file.split_whitespace().nth(1).unwrap();
    let lines: std::collections::BTreeSet<&str> =
        ptx.lines().filter_map(|l| l.trim().strip_prefix(&format!(".loc\t{number} "))?.split(' ').next()).collect();
    for line in ["32", "36", "39", "44"] {
        assert!(lines.contains(line), "line {line} is not among {lines:?}");
    }
    assert!(lines.iter().all(|line| line.parse::<u32>().is_ok_and(|line| line < 50)), "{lines:?}");
}

fn what_damaged_modules_lower_to_compiles() {
    let nvrtc = Nvrtc::find();
    let options = COptions::cuda();
    let (rounds, least) = if imminent_testkit::needs::everything() { (300, 100) } else { (60, 20) };
    let mut count = 0;
    for (seed, module) in (21..).zip([
        built::serve().module,
        calls::calls().module,
        odd::odd().module,
        built::loops(Scalar::U64).module,
        built::indices(Scalar::I32).module,
        histories::relay().module,
    ]) {
        damage(&module, rounds, seed, |flat| match lower(flat, &options) {
            Ok(source) => {
                nvrtc.compile("damaged", &source, &options, 75);
                count += 1;
            }
            Err(LoweringError::Unsupported { .. } | LoweringError::WideTally { .. }) => {}
            Err(error) => panic!("{error}"),
        });
    }
    assert!(count > least, "{count} texts were compiled");
}

fn every_kernel_that_the_conformance_suite_launches_compiles() {
    let (device, seen) = recorder::open();
    // The kernels of the models are compiled by another test.
    let groups = Group::ALL.into_iter().filter(|group| *group != Group::Models);
    let report = groups.fold(Suite::new(&device), Suite::group).run();
    assert!(report.passed(), "{}", report.to_text());
    let options = COptions { line_directives: true, ..COptions::cuda() };
    let mut kernels = Vec::new();
    for source in seen.lock().unwrap().iter() {
        let module = source.ir().unwrap();
        for kernel in &module.kernels {
            let flat = flatten(module, kernel).unwrap_or_else(|e| panic!("{e}"));
            let name = format!("{}::{}", module.name, kernel.name);
            kernels.push((name, lower(&flat, &options).unwrap_or_else(|e| panic!("{e}"))));
        }
    }
    // Each for one generation, or two: they share the front end.
    let generations = if imminent_testkit::needs::everything() { 2 } else { 1 };
    on_two_cores(kernels.len(), |nvrtc, at| {
        let (name, source) = &kernels[at];
        for turn in 0..generations {
            nvrtc.compile(name, source, &options, GENERATIONS[(at / 2 + turn) % GENERATIONS.len()]);
        }
    });
    assert!(kernels.len() > 100, "{} kernels were compiled", kernels.len());
}
