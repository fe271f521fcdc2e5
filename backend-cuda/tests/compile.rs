//! Compiles the kernels of the tests and of the backend for every generation of devices, without a device.
//!
//! A test of the package `imminent` compiles those of the models.

#![allow(clippy::unwrap_used, clippy::panic)]

mod needs;

use imminent_core::{Error, Kernel};
use imminent_cuda::{OfflineCompiler, Options};
use imminent_testkit::device::arguments::kernels as arguments;
use imminent_testkit::device::machines::machines;
use imminent_testkit::tests_that_need;

tests_that_need! {
    needs::nvrtc:
        the_kernels_of_the_tests_compile,
        the_backend_s_own_kernels_compile,
        a_block_lies_in_memory_only_where_parameters_cannot_hold_it,
        a_device_that_the_compiler_does_not_know_gets_text_for_the_newest_it_knows,
        a_device_older_than_the_compiler_is_a_typed_error,
        what_the_compiler_says_reaches_the_caller;
}

/// A kernel of each module names it.
fn the_kernels_of_the_tests_compile() {
    let modules = [<machines::tick as Kernel>::SOURCE.module, <arguments::choose as Kernel>::SOURCE.module];
    for (module, capability) in modules.into_iter().zip([75, 90]) {
        let compiler = OfflineCompiler::new(capability, &Options::default()).unwrap();
        for kernel in compiler.compile(module).unwrap_or_else(|error| panic!("sm_{capability}: {error}")) {
            assert!(kernel.image.starts_with(b"\x7fELF") && !kernel.text.is_empty(), "{}", kernel.name);
        }
    }
}

fn a_block_lies_in_memory_only_where_parameters_cannot_hold_it() {
    let compiler = OfflineCompiler::new(90, &Options::default()).unwrap();
    let kernels = compiler.compile(<arguments::choose as Kernel>::SOURCE.module).unwrap();
    let text = |name: &str| &kernels.iter().find(|kernel| kernel.name == name).unwrap().text;
    assert!(text("choose").contains("const __grid_constant__ imminent_launch launch"));
    assert!(text("choose_far").contains("const imminent_launch *launch"));
}

/// Each for one generation, in rotation: compiling all for each takes minutes. Two threads share them.
fn the_backend_s_own_kernels_compile() {
    let compilers = [75, 80, 90].map(|capability| OfflineCompiler::new(capability, &Options::default()).unwrap());
    let texts = OfflineCompiler::runtime_kernels().unwrap();
    assert!(texts.len() > 80, "{} kernels", texts.len());
    let compile = |first: usize| {
        for (at, (name, text)) in texts.iter().enumerate().skip(first).step_by(2) {
            let image = compilers[at % 3].compile_text(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(image.starts_with(b"\x7fELF"), "{name}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| compile(0));
        compile(1);
    });
}

const SQUARES: &str = r#"
extern "C" __global__ void squares(float *out, const float *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { out[i] = in[i] * in[i] + in[i]; }
}
"#;

fn a_device_that_the_compiler_does_not_know_gets_text_for_the_newest_it_knows() {
    let compiler = OfflineCompiler::new(9999, &Options::default()).unwrap();
    let text = String::from_utf8(compiler.compile_text("squares", SQUARES).unwrap()).unwrap();
    assert!(text.contains(".target sm_"), "{text}");
    // The options take effect: nothing is fused.
    assert!(text.contains("mul") && !text.contains("fma.rn"), "{text}");
}

fn a_device_older_than_the_compiler_is_a_typed_error() {
    let compiler = OfflineCompiler::new(10, &Options::default()).unwrap();
    let error = compiler.compile_text("squares", SQUARES).unwrap_err();
    assert!(matches!(error, Error::Compile { .. }) && error.to_string().contains("install an older NVRTC"), "{error}");
}

fn what_the_compiler_says_reaches_the_caller() {
    let compiler = OfflineCompiler::new(80, &Options::default()).unwrap();
    let text = "#line 12 \"model.rs\"\nextern \"C\" __global__ void broken(int *a) { a[0] = missing; }\n";
    let error = compiler.compile_text("broken", text).unwrap_err().to_string();
    for part in ["broken", "model.rs", "12", "missing"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}
