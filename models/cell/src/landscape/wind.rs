//! Wind at midflame height from the wind at 20 ft (Andrews 2012, RMRS-GTR-266).

use super::stand::Stand;
use crate::rothermel::{FuelModel, METRES_PER_FOOT};

/// Cover of trees, a fraction, above which they shelter the fuel below them.
const MIN_COVER: f64 = 0.05;

/// Returns the ratio of the wind at midflame height to that at 20 ft.
///
/// Fuel under trees that cover more than 5 % is sheltered: the ratio follows from the share of the volume below the
/// tree tops that crowns fill. Elsewhere it follows from the depth of the fuel bed.
#[must_use]
pub fn factor(fuel: &FuelModel, stand: Option<&Stand>) -> f64 {
    stand.and_then(sheltered).unwrap_or_else(|| unsheltered(fuel.depth))
}

/// Returns the ratio above an unsheltered fuel bed of some depth, in feet.
fn unsheltered(depth: f64) -> f64 {
    1.83 / libm::log((20.0 + 0.36 * depth) / (0.13 * depth))
}

/// Returns the ratio below trees; `None` if they do not shelter.
fn sheltered(stand: &Stand) -> Option<f64> {
    let height = stand.height / METRES_PER_FOOT;
    let crown_ratio = (stand.height - stand.base_height) / stand.height;
    let filled = stand.cover * crown_ratio / 3.0;
    let shelters = stand.cover > MIN_COVER && filled > 0.0;
    shelters.then(|| 0.555 / ((filled * height).sqrt() * libm::log((20.0 + 0.36 * height) / (0.13 * height))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_follow_the_depth_of_the_fuel_or_the_trees() {
        // By hand: 1.83 / ln(20.36 / 0.13) = 1.83 / 5.053793 for a depth of 1 ft.
        let short_grass = FuelModel::by_number(1).unwrap();
        assert!((factor(short_grass, None) - 0.362_1).abs() < 5e-5);
        // Trees of 20 m (65.6168 ft) whose crowns begin at 10 m, cover 0.6: f = 0.6 * 0.5 / 3 = 0.1;
        // ln(43.62205 / 8.530184) = 1.631954, sqrt(6.56168) = 2.561578, so 0.555 / 4.180378 = 0.132763.
        let stand = Stand { cover: 0.6, height: 20.0, base_height: 10.0, bulk_density: 0.1 };
        assert!((factor(short_grass, Some(&stand)) - 0.132_763).abs() < 5e-6);
        let sparse = Stand { cover: 0.05, ..stand };
        assert_eq!(factor(short_grass, Some(&sparse)), factor(short_grass, None));
        let no_crown = Stand { base_height: 20.0, ..stand };
        assert_eq!(factor(short_grass, Some(&no_crown)), factor(short_grass, None));
    }
}
