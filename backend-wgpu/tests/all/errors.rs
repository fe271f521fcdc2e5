//! Devices that can be opened, and typed errors with a remedy.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{backend, device};
use imminent_core::Error;
use imminent_core::backend::Backend;
use imminent_testkit::device::abilities;
use imminent_testkit::process::{inside, send_text, texts_inside};
use imminent_wgpu::{Options, WgpuBackend};

#[test]
fn what_is_switched_off_is_a_typed_error_that_stops_nothing_else() {
    let device = device("float64=off");
    assert!(!device.capabilities().float64);
    abilities::a_kernel_that_the_device_cannot_run_does_not_stop_the_others(&device);
}

#[test]
fn devices_are_listed_and_opened_by_number() {
    let listed = WgpuBackend::list(&Options::default()).expect("apt install mesa-vulkan-drivers libvulkan1");
    assert!(!listed.is_empty());
    for (adapter, index) in listed.iter().zip(0..) {
        assert_eq!(adapter.info.index, index);
        assert_eq!(adapter.info.backend, "wgpu");
        assert!(adapter.capabilities.limits.table_bytes >= 128 << 20);
    }
    assert_eq!(backend("").info(), &listed[0].info);
    let error = WgpuBackend::open(99, &Options::default()).unwrap_err();
    assert!(matches!(error, Error::NoDevice { index: 99, .. }), "{error}");
    assert!(error.to_string().contains(&listed[0].info.name), "{error}");
}

#[test]
fn options_that_contradict_themselves_are_refused_before_anything_is_opened() {
    let options = Options { workgroup: 100, ..Options::default() };
    assert!(matches!(WgpuBackend::open(0, &options), Err(Error::Invalid { .. })));
}

/// The test runs itself again in a process that has no driver, and checks the error that is reported there.
#[test]
fn without_a_driver_the_error_says_what_to_install() {
    if inside() {
        for error in [
            WgpuBackend::open(0, &Options::default()).map(drop).unwrap_err(),
            WgpuBackend::list(&Options::default()).map(drop).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Unavailable { .. }), "{error}");
            send_text(error);
        }
        return;
    }
    let missing = "/nonexistent/driver.json";
    let environment = [("VK_DRIVER_FILES", missing), ("VK_ICD_FILENAMES", missing)];
    let texts = texts_inside("errors::without_a_driver_the_error_says_what_to_install", &environment);
    assert_eq!(texts.len(), 2, "{texts:?}");
    for line in texts {
        for part in [missing, "VK_DRIVER_FILES", "mesa-vulkan-drivers", "libvulkan"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}
