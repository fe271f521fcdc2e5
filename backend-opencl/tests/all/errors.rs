//! Impossible requests are typed errors that name the remedy.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::common::{INSTALL, backend, device, options};
use imminent_core::backend::Backend;
use imminent_core::{Error, Table, TallyTable};
use imminent_opencl::{OpenClBackend, Options};

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
    let small = device("max-table-bytes=600000");
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
    // The device still works.
    assert_eq!(Table::from_rows(&small, &[1u32, 2]).unwrap().read().unwrap(), [1, 2]);
}

#[test]
fn options_that_cannot_be_fulfilled_are_refused() {
    let odd = Options { workgroup: Some(100), ..Options::default() };
    assert!(matches!(OpenClBackend::open(0, &odd), Err(Error::Invalid { .. })));
    let device = &OpenClBackend::list(&Options::default()).expect(INSTALL)[0];
    let opened = OpenClBackend::open(0, &options("float64=on"));
    assert_eq!(opened.is_ok(), device.capabilities.float64);
    let opened = OpenClBackend::open(0, &options("int64-atomics=on"));
    assert_eq!(opened.is_ok(), device.capabilities.tally_min_max_64);
}
