//! Units of layers: names as files tell them, and factors to those of a landscape.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Metres in a foot.
const FOOT: f64 = 0.3048;
/// Kilograms in a cubic metre for each pound in a cubic foot.
const POUND: f64 = 0.453_592_37 / (FOOT * FOOT * FOOT);

/// Unit of a slope.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SlopeUnit {
    /// Unit that the file tells, or else a guess.
    #[default]
    Auto,
    /// 100 times the tangent.
    Percent,
    /// Degrees.
    Degrees,
}

impl SlopeUnit {
    /// Returns the unit that a text names.
    pub(super) fn named(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        if text.contains("degree") || text.contains("slpd") {
            Some(SlopeUnit::Degrees)
        } else if text.contains("percent") || text.contains("slpp") || text.trim() == "%" {
            Some(SlopeUnit::Percent)
        } else {
            None
        }
    }

    /// Returns the tangent of a slope.
    pub(super) fn tangent(self, value: f64) -> f32 {
        match self {
            SlopeUnit::Degrees => value.to_radians().tan() as f32,
            SlopeUnit::Auto | SlopeUnit::Percent => (value / 100.0) as f32,
        }
    }

    /// Returns the name of the unit.
    pub(super) const fn name(self) -> &'static str {
        match self {
            SlopeUnit::Degrees => "degrees",
            SlopeUnit::Auto | SlopeUnit::Percent => "percent",
        }
    }
}

/// Returns the metres of a length in a unit of this name.
pub(super) fn metres(unit: &str) -> Option<f64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "meters" | "metres" | "meter" | "metre" | "m" => 1.0,
        "feet" | "foot" | "ft" => FOOT,
        "meters x 10" => 0.1,
        "feet x 10" => 0.1 * FOOT,
        _ => return None,
    })
}

/// Returns the kg/m3 of a density in a unit of this name.
pub(super) fn density(unit: &str) -> Option<f64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "kg/m^3" | "kg/m3" => 1.0,
        "kg/m^3 x 100" => 0.01,
        "lb/ft^3" => POUND,
        "lb/ft^3 x 1000" => 0.001 * POUND,
        _ => return None,
    })
}

/// Returns the share of a cover in a unit of this name.
pub(super) fn share(unit: &str) -> Option<f64> {
    matches!(unit.to_ascii_lowercase().as_str(), "percent" | "%").then_some(0.01)
}

/// Returns the conversion of an aspect in a unit of this name to degrees clockwise from north: the summand and the
/// factor. GRASS counts anticlockwise from east.
pub(super) fn azimuth(unit: &str) -> Option<(f64, f64)> {
    match unit.to_ascii_lowercase().as_str() {
        "azimuth degrees" | "degrees" | "degree" => Some((0.0, 1.0)),
        "grass degrees" => Some((90.0, -1.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_factors() {
        assert_eq!((metres("Meters x 10"), metres("Feet"), metres("chains")), (Some(0.1), Some(0.3048), None));
        // 1 lb/ft3 is 16.0185 kg/m3.
        assert!((density("lb/ft^3").unwrap_or(0.0) - 16.018_46).abs() < 1e-5);
        assert_eq!((share("Percent"), share("Categories (0-4)")), (Some(0.01), None));
        assert_eq!((azimuth("Grass degrees"), azimuth("Grass categories")), (Some((90.0, -1.0)), None));
    }

    #[test]
    fn names_of_layers_tell_the_unit_of_a_slope() {
        assert_eq!(SlopeUnit::named("US_SLPD2020"), Some(SlopeUnit::Degrees));
        assert_eq!(SlopeUnit::named("LC20_SlpP_220"), Some(SlopeUnit::Percent));
        assert_eq!((SlopeUnit::named("Degrees"), SlopeUnit::named("slope")), (Some(SlopeUnit::Degrees), None));
        assert!((SlopeUnit::Degrees.tangent(45.0) - 1.0).abs() < 1e-6 && SlopeUnit::Percent.tangent(45.0) == 0.45);
    }
}
