//! Impossible requests are typed errors that name the remedy.

use super::common::device;
use imminent_core::{Device, Error, Table};
use imminent_cuda::{CudaBackend, Options};
use imminent_testkit::device::abilities::{self, kernels, values};

pub(crate) fn what_is_switched_off_is_a_typed_error_that_stops_nothing_else() {
    let device = device("float64=off");
    assert!(!device.capabilities().float64);
    abilities::a_kernel_that_the_device_cannot_run_does_not_stop_the_others(&device);
}

/// Their results are tested by a case of every device.
pub(crate) fn doubles_and_wide_minima_are_there() {
    let device = device("");
    assert!(device.capabilities().float64 && device.capabilities().tally_min_max_64);
}

pub(crate) fn floats_are_rounded_correctly_as_the_probes_find() {
    let device = device("");
    for probe in [&device.capabilities().f32, &device.capabilities().f64] {
        let probe = probe.as_ref().expect("the device was probed");
        assert!(probe.defects().is_empty(), "{:?}", probe.defects());
    }
}

pub(crate) fn what_does_not_fit_is_a_typed_error_and_the_device_goes_on() {
    let device = device("");
    let memory = device.capabilities().limits.memory_bytes.unwrap();
    let rows = u32::MAX as usize - 5000;
    // As many tables of 32 GiB as fit, and one more.
    let mut kept = Vec::new();
    let error = loop {
        match Table::<u64>::zeroed(&device, rows) {
            Ok(table) => kept.push(table),
            Err(error) => break error,
        }
        assert!((kept.len() as u64) * (rows as u64) * 8 <= memory, "more fits than the device has");
    };
    assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    assert!(error.to_string().contains("u64"), "{error}");
    drop(kept);
    assert_eq!(Table::from_rows(&device, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
    // Released memory can be allocated again.
    drop(Table::<u32>::zeroed(&device, 1 << 28).unwrap());
    assert!(Table::<u32>::zeroed(&device, 1 << 28).is_ok());
}

pub(crate) fn a_cache_that_cannot_be_used_does_no_harm() {
    let folder = std::env::temp_dir().join(format!("imminent-cuda-cache-{}", std::process::id()));
    let sum = |options: &Options| {
        let device = Device::open(CudaBackend::open(0, options).unwrap()).unwrap();
        let mut table = Table::from_rows(&device, &values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
        table.read().unwrap().iter().map(|value| value.whole).sum::<u64>()
    };
    let in_folder = |folder: &std::path::Path| {
        let mut options = Options::default();
        options.set("cache", &folder.to_string_lossy()).unwrap();
        options
    };
    let expected = values().iter().map(|value| value.whole + 1).sum::<u64>();
    // Without a cache entry, then from the disk.
    assert_eq!(sum(&in_folder(&folder)), expected);
    assert!(std::fs::read_dir(&folder).unwrap().count() > 0);
    assert_eq!(sum(&in_folder(&folder)), expected);
    // Garbage in every file.
    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(file.unwrap().path(), b"garbage").unwrap();
    }
    assert_eq!(sum(&in_folder(&folder)), expected);
    // A folder below a file.
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    assert_eq!(sum(&in_folder(&file.join("below"))), expected);
    std::fs::remove_dir_all(&folder).unwrap();
}

pub(crate) fn the_generated_text_names_the_rust_source() {
    let text = device("").generated::<kernels::increment>().unwrap();
    assert!(text.contains("abilities.rs") && text.contains("increment"), "{text}");
    assert_ne!(text, device("workgroup=64").generated::<kernels::increment>().unwrap());
}
