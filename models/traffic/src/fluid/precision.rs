//! Floating-point types for fluids on a device.

use super::FluidError;
use imminent_core::Device;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Floating-point type in which a device simulates fluids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Precision {
    /// `f32`, which every device has.
    #[default]
    #[serde(rename = "f32")]
    Single,
    /// `f64`, if the device has it. Histories take nearly twice the memory.
    #[serde(rename = "f64")]
    Double,
}

impl Precision {
    /// Returns the name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    /// Checks that a device has this floating-point type.
    pub(super) fn check(self, device: &Device) -> Result<(), FluidError> {
        if self == Self::Double && !device.capabilities().float64 {
            let info = device.info();
            return Err(FluidError::NoDoubles { device: format!("{} ({})", info.name, info.backend) });
        }
        Ok(())
    }
}
