//! Options that several device backends take.

pub use crate::kernel_cache::Cache;
use imminent_core::Faults;
use imminent_core::backend::{DeviceOption, variant};
use serde::{Deserialize, Serialize};

/// Options of a device backend that include those of all device backends.
pub trait SharedOptions {
    /// Returns the values that all device backends take.
    fn shared(&mut self) -> Shared<'_>;
}

/// Values that all device backends take, in a backend's options.
#[derive(Debug)]
pub struct Shared<'o> {
    /// `memory-limit=BYTES`: bytes that tables, tallies and results may take together.
    pub memory_limit: &'o mut Option<u64>,
    /// `primitives=native|portable`: `true` if primitives run in their portable form.
    pub portable_primitives: &'o mut bool,
    /// `faults=places|operands`: details that faults report.
    pub faults: &'o mut Faults,
}

/// Returns the rows of option tables for the values that all device backends take.
#[must_use]
pub const fn shared<O: SharedOptions>() -> [DeviceOption<O>; 3] {
    [
        DeviceOption::of("memory-limit", "BYTES", "a number of bytes", |to, value| {
            *to.shared().memory_limit = Some(value.parse().ok()?);
            Some(())
        }),
        DeviceOption::choice("primitives", "native|portable", |to, value| {
            *to.shared().portable_primitives = value == "portable";
            Some(())
        }),
        DeviceOption::choice("faults", "places|operands", |to, value| {
            *to.shared().faults = variant(value)?;
            Some(())
        }),
    ]
}

/// Use of an optional feature of devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// Used if the device supports it.
    #[default]
    Auto,
    /// Used; an error if the device does not support it.
    On,
    /// Not used, as on a device that does not support it.
    Off,
}
