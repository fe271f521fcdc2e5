//! What cannot be done is a typed error that says what to do instead.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{INSTALL, backend, device, options};
use imminent_core::backend::Backend;
use imminent_core::{Device, Error, Table, TallyTable};
use imminent_opencl::{OpenClBackend, Options};
use imminent_testkit::device::abilities::{kernels, values};
use imminent_testkit::process::{inside, tell, told_inside};
use std::path::Path;

#[test]
fn devices_are_listed_and_opened_by_number() {
    let options = options("");
    let listed = OpenClBackend::list(&options).expect(INSTALL);
    assert!(!listed.is_empty());
    for (adapter, index) in listed.iter().zip(0..) {
        assert_eq!(adapter.info.index, index);
        assert_eq!(adapter.info.backend, "opencl");
        assert!(adapter.capabilities.limits.table_bytes >= 128 << 20);
        assert!(adapter.capabilities.limits.bindings >= 8);
    }
    assert_eq!(backend("").info(), &listed[0].info);
    let error = OpenClBackend::open(99, &options).unwrap_err();
    assert!(matches!(error, Error::NoDevice { index: 99, .. }), "{error}");
    assert!(error.to_string().contains(&listed[0].info.name), "{error}");
    let platforms = OpenClBackend::platforms(&options).expect(INSTALL);
    let devices: Vec<_> = platforms.into_iter().flat_map(|platform| platform.devices).collect();
    assert_eq!(devices, listed);
}

#[test]
fn what_does_not_fit_is_a_typed_error() {
    let small = device("max_table_bytes=600000");
    let error = Table::<u64>::zeroed(&small, 80_000).unwrap_err();
    assert!(matches!(error, Error::Limit { requested: 640_512, limit: 600_000, .. }), "{error}");
    let error = TallyTable::new(&small, &vec![0u64; 75_001]).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let error = Table::<u64>::zeroed(&small, u32::MAX as usize - 2000).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let whole = device("");
    let most = whole.capabilities().limits.table_bytes;
    let error =
        Table::<u64>::zeroed(&whole, usize::try_from(most / 8).unwrap().min(u32::MAX as usize - 1)).unwrap_err();
    assert!(matches!(error, Error::Limit { .. } | Error::OutOfMemory { .. }), "{error}");
    // The device is still good.
    assert_eq!(Table::from_rows(&small, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
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

/// Tells why there is no device.
fn tell_why_there_is_none() {
    for error in [
        OpenClBackend::open(0, &Options::default()).map(drop).unwrap_err(),
        OpenClBackend::list(&Options::default()).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        tell(error);
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
    let told = told_inside("without_the_loader_the_error_says_what_to_install", &environment);
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
    let told = told_inside("a_library_that_is_not_opencl_is_named", &environment);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|line| line.contains("libc.so.6 (it is no library of OpenCL")), "{told:?}");
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
    let told = told_inside("with_broken_drivers_alone_the_error_names_them", &environment);
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
        tell(&device.info().name);
        return;
    }
    let folder = broken_drivers();
    let vendors = Path::new("/etc/OpenCL/vendors");
    for entry in std::fs::read_dir(vendors).expect(INSTALL).flatten() {
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let told = told_inside("broken_drivers_do_not_stop_the_others", &[("OCL_ICD_VENDORS", folder.path())]);
    assert_eq!(told.len(), 1);
}
