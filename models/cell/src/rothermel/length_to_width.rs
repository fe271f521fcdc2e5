//! Ratio of length to width of a fire by the wind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest ratio by FARSITE's formula.
const MOST: f64 = 8.0;

/// Feet a minute in a mile an hour.
const FEET_PER_MINUTE: f64 = 5280.0 / 60.0;

/// Formula for the ratio of length to width of a fire, by the midflame wind that has the effect of wind and slope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LengthToWidth {
    /// 1 + 0.002840909 U, U in ft/min, as in fireLib 1.0.4.
    #[default]
    FireLib,
    /// 1 + 0.25 U, U in mi/h, as in BehavePlus. It differs from fireLib's in the eighth digit.
    BehavePlus,
    /// 0.936 exp(0.1147 U) + 0.461 exp(-0.0692 U) - 0.397, U in mi/h, and at most 8: Anderson (1983) as in FARSITE
    /// (Finney 1998), FlamMap and Behave 7.
    Farsite,
}

impl LengthToWidth {
    /// Returns the ratio for a wind in ft/min.
    #[must_use]
    pub fn ratio(self, wind: f64) -> f64 {
        let miles = wind / FEET_PER_MINUTE;
        match self {
            LengthToWidth::FireLib => 1.0 + 0.002_840_909 * wind,
            LengthToWidth::BehavePlus => 1.0 + 0.25 * miles,
            LengthToWidth::Farsite => {
                let ratio = 0.936 * libm::exp(0.1147 * miles) + 0.461 * libm::exp(-0.0692 * miles) - 0.397;
                ratio.clamp(1.0, MOST)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_the_formulas() {
        for formula in [LengthToWidth::FireLib, LengthToWidth::BehavePlus, LengthToWidth::Farsite] {
            assert!((formula.ratio(0.0) - 1.0).abs() < 1e-12, "{formula:?}");
        }
        // Five miles an hour.
        assert!((LengthToWidth::FireLib.ratio(440.0) - 2.25).abs() < 1e-6);
        assert_eq!(LengthToWidth::BehavePlus.ratio(440.0), 2.25);
        // 0.936 e^0.5735 + 0.461 e^-0.346 - 0.397, and FARSITE's exponents for m/s: 0.2566 and 0.1548.
        let metres = 5.0 * 0.447_04;
        let expected = 0.936 * f64::exp(0.2566 * metres) + 0.461 * f64::exp(-0.1548 * metres) - 0.397;
        assert!((LengthToWidth::Farsite.ratio(440.0) - expected).abs() < 1e-3);
        assert!((LengthToWidth::Farsite.ratio(440.0) - 1.5901).abs() < 1e-4);
        assert_eq!(LengthToWidth::Farsite.ratio(8800.0), 8.0);
    }
}
