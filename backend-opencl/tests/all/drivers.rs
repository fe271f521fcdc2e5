//! Loaders and drivers that are missing or broken: a typed error, and no harm to the drivers that work.
//!
//! Each test runs itself again in a process with a modified environment.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{INSTALL, options};
use imminent_core::{Device, Error, Table};
use imminent_opencl::{OpenClBackend, Options};
use imminent_testkit::device::abilities::{kernels, values};
use imminent_testkit::process::{inside, send_text, texts_inside};
use std::fs;
use std::path::Path;
use std::sync::Barrier;

/// Reports the reason why there is no device.
fn tell_why_there_is_none() {
    for error in [
        OpenClBackend::open(0, &Options::default()).map(drop).unwrap_err(),
        OpenClBackend::list(&Options::default()).map(drop).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Unavailable { .. }), "{error}");
        send_text(error);
    }
}

#[test]
fn without_the_loader_the_error_says_what_to_install() {
    if inside() {
        tell_why_there_is_none();
        // Nor was the library needed to start.
        let mapped = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        assert!(!mapped.contains("libOpenCL"), "{mapped}");
        return;
    }
    let environment = [("IMMINENT_OPENCL_LIBRARY", Path::new("/nonexistent/libOpenCL.so"))];
    let texts = texts_inside("drivers::without_the_loader_the_error_says_what_to_install", &environment);
    assert_eq!(texts.len(), 2);
    for line in texts {
        for part in ["/nonexistent/libOpenCL.so", "IMMINENT_OPENCL_LIBRARY", "ocl-icd-libopencl1", "pocl-opencl-icd"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[test]
fn a_library_that_is_not_opencl_is_named() {
    if inside() {
        return tell_why_there_is_none();
    }
    let environment = [("IMMINENT_OPENCL_LIBRARY", Path::new("libc.so.6"))];
    let texts = texts_inside("drivers::a_library_that_is_not_opencl_is_named", &environment);
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().all(|line| line.contains("libc.so.6 (it is no library of OpenCL")), "{texts:?}");
}

/// Returns a folder of drivers, each broken in a different way.
fn broken_drivers() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, contents: &[u8]| fs::write(folder.path().join(name), contents).unwrap();
    write("libgarbage.so", b"this is no library");
    write("missing.icd", b"/nonexistent/libdriver.so\n");
    write("garbage.icd", format!("{}\n", folder.path().join("libgarbage.so").display()).as_bytes());
    // A library without the functions of a driver.
    write("foreign.icd", b"libm.so.6\n");
    // No text, an empty file, and an unterminated name.
    write("binary.icd", &[0xff, 0xfe, 0x00, 0x80, 0x0a]);
    write("empty.icd", b"");
    write("long.icd", &[b'x'; 70_000]);
    fs::create_dir(folder.path().join("folder.icd")).unwrap();
    folder
}

#[test]
fn with_broken_drivers_alone_the_error_names_them() {
    if inside() {
        return tell_why_there_is_none();
    }
    let folder = broken_drivers();
    let environment = [("OCL_ICD_VENDORS", folder.path())];
    let texts = texts_inside("drivers::with_broken_drivers_alone_the_error_names_them", &environment);
    assert_eq!(texts.len(), 2);
    for line in texts {
        for part in
            ["missing.icd", "/nonexistent/libdriver.so", "libgarbage.so", "foreign.icd (libm.so.6)", "OCL_ICD_VENDORS"]
        {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}

#[test]
fn a_folder_of_drivers_that_is_not_there_is_named() {
    if inside() {
        return tell_why_there_is_none();
    }
    let texts = texts_inside(
        "drivers::a_folder_of_drivers_that_is_not_there_is_named",
        &[("OCL_ICD_VENDORS", "/nonexistent/vendors")],
    );
    assert!(texts.len() == 2 && texts.iter().all(|line| line.contains("/nonexistent/vendors")), "{texts:?}");
}

#[test]
fn broken_drivers_do_not_stop_the_others() {
    if inside() {
        let device = Device::open(OpenClBackend::open(0, &options("")).unwrap()).unwrap();
        let mut table = Table::from_rows(&device, &values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
        assert_eq!(table.read().unwrap()[3].whole, values()[3].whole + 1);
        return send_text(&device.info().name);
    }
    let folder = broken_drivers();
    let vendors = Path::new("/etc/OpenCL/vendors");
    for entry in fs::read_dir(vendors).expect(INSTALL).flatten() {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let texts = texts_inside("drivers::broken_drivers_do_not_stop_the_others", &[("OCL_ICD_VENDORS", folder.path())]);
    assert_eq!(texts.len(), 1);
}

/// PoCL finds no devices for threads that query while the first query of another thread is in progress.
#[test]
fn the_first_question_may_come_from_many_threads_at_once() {
    const THREADS: usize = 8;
    if inside() {
        let start = Barrier::new(THREADS);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        OpenClBackend::list(&Options::default()).expect(INSTALL).len()
                    })
                })
                .collect();
            let counts: Vec<usize> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            assert!(counts[0] > 0 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
            send_text(counts[0]);
        });
        return;
    }
    for _ in 0..5 {
        let environment: [(&str, &str); 0] = [];
        let texts = texts_inside("drivers::the_first_question_may_come_from_many_threads_at_once", &environment);
        assert_eq!(texts.len(), 1);
    }
}
