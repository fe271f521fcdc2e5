//! What cannot be done is a typed error that says what to do instead.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{INSTALL, device, options};
use imminent_core::backend::Backend;
use imminent_core::{Device, Error, Table, TallyTable};
use imminent_opencl::{OpenClBackend, Options};
use kernels::Value;
use std::path::Path;
use std::process::Command;

#[allow(missing_docs, unreachable_pub)]
#[imminent_core::kernels]
mod kernels {
    #[derive(Row)]
    pub struct Value {
        pub whole: u64,
        pub real: f64,
    }

    /// Needs `f64`.
    #[kernel]
    pub fn halve(me: &mut Value) {
        me.real = me.real / 2.0;
    }

    /// Needs nothing special.
    #[kernel]
    pub fn increment(me: &mut Value) {
        me.whole += 1;
    }

    /// Needs 64-bit atomic minima.
    #[kernel]
    pub fn earliest(me: &Value, least: &Tally<u64>) {
        least.min(0, me.whole);
    }
}

fn values() -> Vec<Value> {
    (0..10).map(|i| Value { whole: (7 * i + 3) % 10 + (1 << 40), real: i as f64 }).collect()
}

#[test]
fn a_kernel_that_the_device_cannot_run_does_not_stop_the_others() {
    for options in ["float64=off", "float64=off,workgroup=64"] {
        let device = device(options);
        assert!(!device.capabilities().float64);
        let mut table = Table::from_rows(&device, &values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
        let error = device.queue().launch::<kernels::halve>((&mut table,)).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("`halve`") && text.contains("f64") && text.contains("errors.rs:"), "{text}");
        let error = device.generated::<kernels::halve>().unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        // The failed launch never reached the table; it is poisoned all the same until it is written.
        table.write(&values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
        assert_eq!(table.read().unwrap()[3].whole, values()[3].whole + 1);
    }
}

#[test]
fn doubles_run_where_the_device_has_them() {
    let device = device("");
    let mut table = Table::from_rows(&device, &values()).unwrap();
    let launched = device.queue().launch::<kernels::halve>((&mut table,));
    assert_eq!(launched.is_ok(), device.capabilities().float64);
    if launched.is_ok() {
        assert_eq!(table.read().unwrap()[3].real, 1.5);
    }
}

#[test]
fn a_wide_minimum_runs_where_the_device_has_it_and_is_a_typed_error_elsewhere() {
    for options in ["", "int64_atomics=off"] {
        let device = device(options);
        let table = Table::from_rows(&device, &values()).unwrap();
        let least = TallyTable::new(&device, &[u64::MAX]).unwrap();
        let launched = device.queue().launch::<kernels::earliest>((&table, &least));
        if device.capabilities().tally_min_max_64 {
            launched.unwrap();
            assert_eq!(least.read().unwrap(), [1 << 40]);
        } else {
            let error = launched.unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{error}");
            assert!(error.to_string().contains("errors.rs:"), "{error}");
        }
    }
}

#[test]
fn options_that_cannot_be_fulfilled_are_refused() {
    let odd = Options { workgroup: Some(100), ..Options::default() };
    assert!(matches!(OpenClBackend::open(0, &odd), Err(Error::Invalid { .. })));
    let device = &OpenClBackend::list(&Options::default()).expect(INSTALL)[0];
    let opened = OpenClBackend::open(0, &options("float64=on"));
    assert_eq!(opened.is_ok(), device.capabilities.float64);
    let opened = OpenClBackend::open(0, &options("int64_atomics=on"));
    assert_eq!(opened.is_ok(), device.capabilities.tally_min_max_64);
}

/// Runs a test of this file again in a process with this environment, and gives the lines that it told.
fn told_in_another_process(test: &str, environment: &[(&str, &Path)]) -> Vec<String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(INSIDE, "1");
    command.envs(environment.iter().copied());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().filter_map(|line| line.split_once("told: ")).map(|(_, told)| told.to_owned()).collect()
}

const INSIDE: &str = "IMMINENT_TEST_INSIDE";

fn inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Tells why there is no device.
fn tell_why_there_is_none() {
    for error in [
        OpenClBackend::open(0, &Options::default()).map(drop).unwrap_err(),
        OpenClBackend::list(&Options::default()).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        println!("\ntold: {error}");
    }
}

#[test]
fn without_the_loader_the_error_says_what_to_install() {
    if inside() {
        tell_why_there_is_none();
        // Nor was the library needed to start.
        let mapped = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        assert!(!mapped.contains("libOpenCL"), "{mapped}");
        return;
    }
    let environment = [("IMMINENT_OPENCL_LIBRARY", Path::new("/nonexistent/libOpenCL.so"))];
    let told = told_in_another_process("without_the_loader_the_error_says_what_to_install", &environment);
    assert_eq!(told.len(), 2);
    for line in told {
        for part in ["/nonexistent/libOpenCL.so", "IMMINENT_OPENCL_LIBRARY", "ocl-icd-libopencl1", "pocl-opencl-icd"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_library_that_is_not_opencl_is_named() {
    if inside() {
        return tell_why_there_is_none();
    }
    let environment = [("IMMINENT_OPENCL_LIBRARY", Path::new("libc.so.6"))];
    let told = told_in_another_process("a_library_that_is_not_opencl_is_named", &environment);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|line| line.contains("libc.so.6 (it is no library of OpenCL")), "{told:?}");
}

#[test]
fn kernels_that_the_device_cannot_run_are_left_out_of_a_modules_compilation() {
    let all = common::backend("");
    let can = |capable: bool| u32::from(capable);
    let capabilities = all.capabilities().clone();
    let expected = 1 + can(capabilities.float64) + can(capabilities.tally_min_max_64);
    assert_eq!(all.compile(kernels::source()).unwrap(), expected);
    let least = common::backend("float64=off,int64_atomics=off");
    assert_eq!(least.compile(kernels::source()).unwrap(), 1);
}

/// A folder of drivers of which two are broken: one is missing, one is no library.
fn broken_drivers() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("libgarbage.so");
    std::fs::write(&garbage, "this is no library").unwrap();
    std::fs::write(folder.path().join("a.icd"), "/nonexistent/libdriver.so\n").unwrap();
    std::fs::write(folder.path().join("b.icd"), format!("{}\n", garbage.display())).unwrap();
    folder
}

#[test]
#[cfg(target_os = "linux")]
fn with_broken_drivers_alone_the_error_names_them() {
    if inside() {
        return tell_why_there_is_none();
    }
    let folder = broken_drivers();
    let environment = [("OCL_ICD_VENDORS", folder.path())];
    let told = told_in_another_process("with_broken_drivers_alone_the_error_names_them", &environment);
    assert_eq!(told.len(), 2);
    for line in told {
        for part in ["a.icd", "/nonexistent/libdriver.so", "b.icd", "libgarbage.so", "OCL_ICD_VENDORS"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn broken_drivers_do_not_stop_the_others() {
    if inside() {
        let device = Device::open(OpenClBackend::open(0, &options("")).unwrap()).unwrap();
        let mut table = Table::from_rows(&device, &values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
        assert_eq!(table.read().unwrap()[3].whole, values()[3].whole + 1);
        println!("\ntold: {}", device.info().name);
        return;
    }
    let folder = broken_drivers();
    let vendors = Path::new("/etc/OpenCL/vendors");
    for entry in std::fs::read_dir(vendors).expect(INSTALL).flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let told = told_in_another_process("broken_drivers_do_not_stop_the_others", &[("OCL_ICD_VENDORS", folder.path())]);
    assert_eq!(told.len(), 1);
}
