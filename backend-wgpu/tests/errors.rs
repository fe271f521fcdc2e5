//! What cannot be done is a typed error that says what to do instead.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::device;
use imminent_core::{Error, Table, TallyTable};
use imminent_wgpu::{Options, WgpuBackend};
use kernels::Value;
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
    for options in ["float64=off", "int64=emulated"] {
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
    for options in ["", "int64=emulated"] {
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
fn options_that_contradict_themselves_are_refused_before_anything_is_opened() {
    let options = Options { workgroup: 100, ..Options::default() };
    assert!(matches!(WgpuBackend::open(0, &options), Err(Error::Invalid { .. })));
}

/// The test runs itself again in a process that has no driver, and looks at what that was told.
#[test]
fn without_a_driver_the_error_says_what_to_install() {
    const INSIDE: &str = "IMMINENT_TEST_WITHOUT_DRIVER";
    if std::env::var_os(INSIDE).is_some() {
        for error in [
            WgpuBackend::open(0, &Options::default()).map(drop).unwrap_err(),
            WgpuBackend::list(&Options::default()).map(drop).unwrap_err(),
        ] {
            assert!(matches!(error, Error::Unavailable { .. }), "{error}");
            println!("told: {error}");
        }
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "without_a_driver_the_error_says_what_to_install", "--nocapture"])
        .env(INSIDE, "1")
        .env("VK_DRIVER_FILES", "/nonexistent/driver.json")
        .env("VK_ICD_FILENAMES", "/nonexistent/driver.json")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let told: Vec<&str> = text.lines().filter(|line| line.contains("told: ")).collect();
    assert_eq!(told.len(), 2, "{text}");
    for line in told {
        for part in ["/nonexistent/driver.json", "VK_DRIVER_FILES", "mesa-vulkan-drivers", "libvulkan"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}
