//! In which numbers fluids are simulated on a device.

use super::FluidError;
use imminent_core::Device;
use serde::{Deserialize, Serialize};

/// The numbers in which fluids are simulated on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Precision {
    /// `f32`: on every device.
    #[default]
    #[serde(rename = "f32")]
    Single,
    /// `f64`: where the device has it. Histories take nearly twice the memory.
    #[serde(rename = "f64")]
    Double,
}

impl Precision {
    /// Its name in options, configurations and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }

    /// Whether a device has such numbers.
    pub(super) fn check(self, device: &Device) -> Result<(), FluidError> {
        if self == Self::Double && !device.capabilities().float64 {
            let info = device.info();
            return Err(FluidError::NoDoubles { device: format!("{} ({})", info.name, info.backend) });
        }
        Ok(())
    }
}
