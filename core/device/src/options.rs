//! Values that options of several device backends take.

pub use crate::kernel_cache::Cache;
use serde::{Deserialize, Serialize};

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
