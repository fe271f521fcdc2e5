//! Models of the catalogue: their kernels compile for every generation of CUDA devices, without a device, and their
//! checks hold on every device.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use imminent::DeviceSelection;
use imminent::cuda::{OfflineCompiler, Options};
use imminent::models::catalogue;
use imminent::models::traffic::fluid::kernels::double_sources;
use imminent_core::ModuleSource;
use imminent_testkit::tests_that_need;
use std::collections::BTreeMap;

tests_that_need! {
    nvrtc: the_kernels_of_all_models_compile;
    a_device: the_checks_of_all_models_hold;
}

/// Requires NVRTC on disk.
fn nvrtc() -> Result<(), String> {
    let compiled = OfflineCompiler::new(90, &Options::default()).and_then(|nvrtc| nvrtc.compile_text("none", ""));
    compiled.map(drop).map_err(|error| format!("NVRTC was not found: pip install nvidia-cuda-nvrtc ({error})"))
}

/// Each for one generation, in rotation: a full run takes all of them. Two threads share the modules.
fn the_kernels_of_all_models_compile() {
    let catalogue = catalogue();
    // Models share modules; those of traffic have the same names in both precisions.
    let of_models = catalogue.iter().flat_map(|model| model.kernels()).chain(double_sources());
    let distinct: BTreeMap<*const ModuleSource, &ModuleSource> =
        of_models.map(|module| (std::ptr::from_ref(module), module)).collect();
    assert!(distinct.len() > 30, "{} modules", distinct.len());
    let modules: Vec<_> = distinct.into_values().enumerate().collect();
    let generations = [75, 80, 90];
    let compile = |first: usize| {
        for (turn, module) in modules.iter().skip(first).step_by(2) {
            let name = &module.ir().unwrap().name;
            for (number, capability) in generations.into_iter().enumerate() {
                if number != turn % generations.len() && !imminent_testkit::needs::everything() {
                    continue;
                }
                let compiler = OfflineCompiler::new(capability, &Options::default()).unwrap();
                let kernels =
                    compiler.compile(module).unwrap_or_else(|error| panic!("{name}, sm_{capability}: {error}"));
                let are_whole =
                    kernels.iter().all(|kernel| kernel.image.starts_with(b"\x7fELF") && !kernel.text.is_empty());
                assert!(are_whole && !kernels.is_empty(), "{name}");
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| compile(0));
        compile(1);
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
            "opencl" if !imminent_testkit::needs::everything() => selection.option("optimization", "off"),
            "wgpu" => selection.option("int64", "emulated"),
            _ => selection,
        }
    };
    infos.map(select).collect()
}

/// Devices take turns side by side: most of the time they compile.
fn the_checks_of_all_models_hold() {
    let checks: Vec<_> = catalogue().iter().flat_map(|model| model.checks()).collect();
    assert!(!checks.is_empty());
    std::thread::scope(|scope| {
        for selection in selections() {
            let checks = &checks;
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
