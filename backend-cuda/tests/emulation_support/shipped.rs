//! Kernels that were compiled beforehand: with them nothing is compiled, and without NVRTC nothing else runs.

use super::folder;
use imminent_core::{Device, Error};
use imminent_cuda::{CudaBackend, OfflineCompiler, Options, recorded};
use imminent_testkit::device::launches;
use imminent_testkit::process::{inside, send_text, texts_inside};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Name of the test, which runs itself again with other kernels and compilers.
const TEST: &str = "shipped_kernels_need_no_compiler";
/// Variable with the folder of the texts that are recorded.
const TEXTS: &str = "SHIPPED_TEXTS";

/// Runs in three processes: one records and ships, one has what was shipped and no compiler, one has neither.
pub fn shipped_kernels_need_no_compiler() {
    if inside() {
        return run();
    }
    let place = tempfile::tempdir().unwrap();
    let (kernels, nothing) = (place.path().join("kernels"), place.path().join("nothing"));
    let told = |kernels: &Path, nvrtc: &Path| {
        let environment = [
            ("LD_LIBRARY_PATH", folder().into_os_string()),
            ("IMMINENT_CUDA_LIBRARY", OsString::new()),
            ("IMMINENT_NVRTC", nvrtc.as_os_str().to_owned()),
            ("IMMINENT_KERNELS", kernels.as_os_str().to_owned()),
            (TEXTS, place.path().join("texts").into_os_string()),
        ];
        texts_inside(TEST, &environment).remove(0)
    };
    let compiled = told(&kernels, &folder());
    assert!(compiled.starts_with("NVRTC 12."), "{compiled}");
    let shipped = told(&kernels, &nothing);
    assert_eq!(shipped, "NVRTC was not needed yet");
    // A kernel that was not shipped needs the compiler.
    let folder = kernels.join("cuda");
    let devices = folder.read_dir().unwrap().next().unwrap().unwrap().path();
    let file = devices.read_dir().unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(file).unwrap();
    assert!(told(&kernels, &nothing).contains("was not found"));
}

/// Runs two cases of every device, and tells which compiler that took, or why it failed.
fn run() {
    let texts = PathBuf::from(std::env::var_os(TEXTS).unwrap());
    let first = !texts.exists();
    let record = if first { format!(",record={}", texts.display()) } else { String::new() };
    let options: Options = format!("cache=off{record}").parse().unwrap();
    let open = || CudaBackend::open(0, &options).unwrap();
    let backend = open();
    let device = Device::open(open()).unwrap();
    let worked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        launches::rows_are_changed_as_by_the_native_function(&device);
        launches::returned_values_are_reduced(&device);
    }));
    match worked {
        Ok(()) => send_text(backend.compiler()),
        Err(why) => send_text(why.downcast_ref::<String>().unwrap()),
    }
    if first {
        ship(&texts);
    }
}

/// Compiles what was recorded, by the compiler of the emulation.
fn ship(texts: &Path) {
    let kernels = PathBuf::from(std::env::var_os("IMMINENT_KERNELS").unwrap());
    let capability = CudaBackend::list(&Options::default()).unwrap()[0].compute_capability;
    let compiler = OfflineCompiler::new(capability, &Options::default()).unwrap();
    let texts = recorded(texts).unwrap();
    assert!(compiler.ship(&kernels, &texts).unwrap() > 0);
    let unknown = OfflineCompiler::new(999, &Options::default()).unwrap().ship(&kernels, &texts).unwrap_err();
    assert!(matches!(&unknown, Error::Unavailable { .. }) && unknown.to_string().contains("sm_999"), "{unknown}");
}
