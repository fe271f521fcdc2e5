//! Optional features of a device: they work, or they give a typed error that does not affect other work.

use imminent_core::{Determinism, Device, Error, Table, TallyTable};
use kernels::Value;

#[imminent_core::kernels]
pub mod kernels {
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

pub fn values() -> Vec<Value> {
    (0..10).map(|i| Value { whole: (7 * i + 3) % 10 + (1 << 40), real: i as f64 }).collect()
}

/// Checks the kernels of one module: those that the device can run work, whatever else the module contains.
pub fn a_kernel_that_the_device_cannot_run_does_not_stop_the_others(device: &Device) {
    let mut table = Table::from_rows(device, &values()).unwrap();
    device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
    if !device.capabilities().float64 {
        let error = device.queue().launch::<kernels::halve>((&mut table,)).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("`halve`") && text.contains("f64") && text.contains("abilities.rs:"), "{text}");
        let error = device.generated::<kernels::halve>().unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        // The failed launch never reached the table; it is poisoned nevertheless until it is written.
        table.write(&values()).unwrap();
        device.queue().launch::<kernels::increment>((&mut table,)).unwrap();
    }
    assert_eq!(table.read().unwrap()[3].whole, values()[3].whole + 1);
}

pub fn doubles_run_where_the_device_has_them(device: &Device) {
    let device = &device.allowing(Determinism::LOOSEST);
    let mut table = Table::from_rows(device, &values()).unwrap();
    let launched = device.queue().launch::<kernels::halve>((&mut table,));
    assert_eq!(launched.is_ok(), device.capabilities().float64);
    if launched.is_ok() {
        assert_eq!(table.read().unwrap()[3].real, 1.5);
    }
}

pub fn a_wide_minimum_runs_where_the_device_has_it_and_is_a_typed_error_elsewhere(device: &Device) {
    let table = Table::from_rows(device, &values()).unwrap();
    let least = TallyTable::new(device, &[u64::MAX]).unwrap();
    let launched = device.queue().launch::<kernels::earliest>((&table, &least));
    if device.capabilities().tally_min_max_64 {
        launched.unwrap();
        assert_eq!(least.read().unwrap(), [1 << 40]);
    } else {
        let error = launched.unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains("abilities.rs:"), "{error}");
    }
}
