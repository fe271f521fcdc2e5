//! Models of the catalogue: their kernels compile for every generation of CUDA devices, for AMD's GPUs, Metal and
//! Direct3D, without a device, and their checks hold on every device.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod clang;
mod naga;
mod nvrtc;

use imminent::DeviceSelection;
use imminent::models::catalogue;
use imminent_core::ModuleSource;
use imminent_core::ir::flatten;
use imminent_core::ir::flatten::FlatKernel;
use imminent_testkit::needs::everything;
use imminent_testkit::tests_that_need;
use std::collections::BTreeMap;

tests_that_need! {
    nvrtc::of_some_version: the_kernels_of_all_models_compile;
    nvrtc::of_many_versions: every_text_compiles_with_every_version_of_nvrtc;
    clang::for_amd: every_text_compiles_as_hip, every_text_compiles_as_opencl_for_amd;
    nothing: every_text_is_translated_for_metal_direct3d_and_vulkan;
    a_device: the_checks_of_all_models_hold;
}

use clang::{every_text_compiles_as_hip, every_text_compiles_as_opencl_for_amd};
use naga::every_text_is_translated_for_metal_direct3d_and_vulkan;
use nvrtc::{every_text_compiles_with_every_version_of_nvrtc, the_kernels_of_all_models_compile};

fn nothing() -> Result<(), String> {
    Ok(())
}

/// Returns the modules of all models.
fn modules() -> Vec<&'static ModuleSource> {
    let catalogue = catalogue();
    // Models share modules.
    let of_models = catalogue.iter().flat_map(|model| model.kernels());
    let distinct: BTreeMap<*const ModuleSource, &ModuleSource> =
        of_models.map(|module| (std::ptr::from_ref(module), module)).collect();
    assert!(distinct.len() > 30, "{} modules", distinct.len());
    distinct.into_values().collect()
}

/// Returns the kernels of all models, by module and name.
fn kernels() -> Vec<(String, FlatKernel)> {
    let kernels = modules().into_iter().flat_map(|source| {
        let module = source.ir().unwrap();
        let name = move |of: &str| format!("{}::{of}", module.name);
        module.kernels.iter().map(move |kernel| (name(&kernel.name), flatten(module, kernel).unwrap()))
    });
    kernels.collect()
}

/// Runs `work` for each number below `count`, on two threads.
fn on_two_cores(count: usize, work: impl Fn(usize) + Sync) {
    let every_second = |first: usize| (first..count).step_by(2).for_each(&work);
    std::thread::scope(|scope| {
        scope.spawn(|| every_second(0));
        every_second(1);
    });
}

/// Requires a device that is not the host's processor.
fn a_device() -> Result<(), String> {
    match selections().len() {
        0 | 1 => Err("there is no device beside the host's processor".to_owned()),
        _ => Ok(()),
    }
}

/// Returns all devices. Software drivers compile for half as long without optimization.
fn selections() -> Vec<DeviceSelection> {
    let infos = imminent::devices().into_iter().flat_map(|found| found.devices.unwrap_or_default());
    let select = |info: imminent::DeviceInfo| {
        let selection = DeviceSelection::backend(&info.backend).device(info.index);
        match info.backend.as_str() {
            "opencl" if !everything() => selection.option("optimization", "off"),
            "wgpu" => selection.option("int64", "emulated"),
            _ => selection,
        }
    };
    infos.map(select).collect()
}

/// Devices take turns side by side: most of the time they compile. The first, the host, has all checks, the others
/// every second one, in turn, unless everything is asked for.
fn the_checks_of_all_models_hold() {
    let checks: Vec<_> = catalogue().iter().flat_map(|model| model.checks()).collect();
    assert!(!checks.is_empty());
    std::thread::scope(|scope| {
        for (number, selection) in selections().into_iter().enumerate() {
            let has = move |check: usize| everything() || number == 0 || (check + number).is_multiple_of(2);
            let checks = checks.iter().enumerate().filter(move |(check, _)| has(*check)).map(|(_, check)| check);
            scope.spawn(move || {
                let device = imminent::open(&selection).unwrap();
                for check in checks {
                    let (held, digests) = check.test(&device);
                    assert!(held.is_ok() && !digests.is_empty(), "{selection:?}, {}: {held:?}", check.name);
                }
            });
        }
    });
}
