//! Every kernel compiles for every generation of devices, without one being here.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_core::{Kernel, ModuleSource};
use imminent_cuda::{OfflineCompiler, Options};
use imminent_models::queueing::kernels as models;
use imminent_testkit::device::arguments::kernels as arguments;
use imminent_testkit::device::machines::machines;

/// A kernel of each module names it.
fn modules() -> [&'static ModuleSource; 8] {
    [
        <machines::tick as Kernel>::SOURCE.module,
        <arguments::choose as Kernel>::SOURCE.module,
        <models::exact::advance as Kernel>::SOURCE.module,
        <models::clustered::minimum as Kernel>::SOURCE.module,
        <models::relaxation::relax as Kernel>::SOURCE.module,
        <models::tiles::begin as Kernel>::SOURCE.module,
        <models::general::steps::serve as Kernel>::SOURCE.module,
        <models::general::enclosed::advance as Kernel>::SOURCE.module,
    ]
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn the_kernels_of_the_tests_and_the_models_compile() {
    let compile = |modules: &[&'static ModuleSource]| {
        for capability in [75, 80, 90] {
            let compiler = OfflineCompiler::new(capability, &Options::default()).unwrap();
            for module in modules {
                let kernels = compiler.compile(module).unwrap_or_else(|error| panic!("sm_{capability}: {error}"));
                assert!(!kernels.is_empty());
                for kernel in kernels {
                    assert!(kernel.image.starts_with(b"\x7fELF") && !kernel.text.is_empty(), "{}", kernel.name);
                }
            }
        }
    };
    let modules = modules();
    // The last ones are large.
    let (front, back) = modules.split_at(modules.len() - 2);
    std::thread::scope(|scope| {
        scope.spawn(|| compile(front));
        compile(back);
    });
}

#[test]
#[cfg_attr(not(has_nvrtc), ignore = "NVRTC was not found when this was built: pip install nvidia-cuda-nvrtc")]
fn a_block_lies_in_memory_only_where_parameters_cannot_hold_it() {
    let compiler = OfflineCompiler::new(90, &Options::default()).unwrap();
    let kernels = compiler.compile(<arguments::choose as Kernel>::SOURCE.module).unwrap();
    let text = |name: &str| &kernels.iter().find(|kernel| kernel.name == name).unwrap().text;
    assert!(text("choose").contains("const __grid_constant__ imminent_launch launch"));
    assert!(text("choose_far").contains("const imminent_launch *launch"));
}
