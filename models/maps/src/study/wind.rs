//! Units, heights and directions of winds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Ratio of the wind at 10 m to that at 20 ft (Andrews 2012, RMRS-GTR-266, after Turner and Lawson 1978).
const TEN_METRES: f64 = 1.15;

/// Unit of a wind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum WindUnits {
    /// Metres a second.
    #[default]
    #[serde(rename = "m/s")]
    MetresPerSecond,
    /// Kilometres an hour.
    #[serde(rename = "km/h")]
    KilometresPerHour,
    /// International miles an hour.
    #[serde(rename = "mph")]
    MilesPerHour,
}

/// Height at which a wind was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum WindHeight {
    /// 20 ft above the vegetation.
    #[default]
    #[serde(rename = "20ft")]
    TwentyFeet,
    /// 10 m above the ground.
    #[serde(rename = "10m")]
    TenMetres,
}

/// North from which directions of winds in rasters count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WindNorth {
    /// True north.
    #[default]
    True,
    /// North of the grid.
    Grid,
}

/// Returns the m/s at 20 ft above the vegetation for each unit of a wind.
pub(super) fn factor(units: WindUnits, height: WindHeight) -> f64 {
    let metres_per_second = match units {
        WindUnits::MetresPerSecond => 1.0,
        WindUnits::KilometresPerHour => 1.0 / 3.6,
        WindUnits::MilesPerHour => 0.447_04,
    };
    match height {
        WindHeight::TwentyFeet => metres_per_second,
        WindHeight::TenMetres => metres_per_second / TEN_METRES,
    }
}

/// Says in which unit and at which height winds are given.
pub(super) fn told(units: WindUnits, height: WindHeight) -> String {
    let unit = match units {
        WindUnits::MetresPerSecond => "m/s",
        WindUnits::KilometresPerHour => "km/h",
        WindUnits::MilesPerHour => "mph",
    };
    let height = match height {
        WindHeight::TwentyFeet => "at 20 ft",
        WindHeight::TenMetres => "at 10 m, 1.15 times those at 20 ft",
    };
    format!("in {unit} {height}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winds_become_metres_a_second_at_twenty_feet() {
        assert_eq!(factor(WindUnits::MetresPerSecond, WindHeight::TwentyFeet), 1.0);
        assert!((36.0 * factor(WindUnits::KilometresPerHour, WindHeight::TwentyFeet) - 10.0).abs() < 1e-12);
        // 23 mph at 10 m are 20 mph at 20 ft, 8.9408 m/s.
        assert!((23.0 * factor(WindUnits::MilesPerHour, WindHeight::TenMetres) - 8.9408).abs() < 1e-12);
    }
}
