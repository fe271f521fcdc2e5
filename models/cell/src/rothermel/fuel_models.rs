//! Fuel models of a landscape: the published ones, and custom ones beside them.

use super::fuel_model::{FuelModel, FuelModelError, MAX_FUEL, UNBURNABLE};
use super::fuels;
use std::collections::BTreeMap;

/// Fuel models by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FuelModels(BTreeMap<u16, FuelModel>);

impl Default for FuelModels {
    /// The 13 models of Anderson and the 40 of Scott and Burgan.
    fn default() -> Self {
        FuelModels(fuels::MODELS.iter().map(|model| (model.number, model.clone())).collect())
    }
}

impl FuelModels {
    /// Adds custom models to the published ones.
    ///
    /// # Errors
    /// [`FuelModelError`] names the first model whose number is taken, or of which a value is impossible.
    pub fn with(custom: impl IntoIterator<Item = FuelModel>) -> Result<Self, FuelModelError> {
        let mut all = Self::default();
        for model in custom {
            let number = model.number;
            let taken = match number {
                0 => Some("no data"),
                number if number > MAX_FUEL => Some("beyond those of FARSITE and FlamMap"),
                number if UNBURNABLE.contains(&number) => Some("ground that does not burn"),
                number if FuelModel::by_number(number).is_some() => Some("a published model"),
                _ => None,
            };
            if let Some(taken) = taken {
                return Err(FuelModelError::Number { number, taken });
            }
            model.check()?;
            if all.0.insert(number, model).is_some() {
                return Err(FuelModelError::Twice { number });
            }
        }
        Ok(all)
    }

    /// Returns a model by its number.
    #[must_use]
    pub fn get(&self, number: u16) -> Option<&FuelModel> {
        self.0.get(&number)
    }

    /// Returns all models, in ascending order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &FuelModel> {
        self.0.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rothermel::{Bed, Moisture, Terrain};

    fn custom(number: u16) -> FuelModel {
        FuelModel { number, code: "OWN".into(), ..FuelModel::by_number(4).unwrap().clone() }
    }

    #[test]
    fn custom_models_stand_beside_the_published_ones() {
        let models = FuelModels::with([custom(14), custom(256)]).unwrap();
        assert_eq!((models.iter().count(), &*models.get(14).unwrap().code), (55, "OWN"));
        assert_eq!(models.get(102), FuelModel::by_number(102));
        assert_eq!(models.get(15), None);
        for number in [0, 4, 90, 99, 102, 257] {
            let refused = FuelModels::with([custom(number)]);
            assert!(matches!(refused, Err(FuelModelError::Number { .. })), "{number}: {refused:?}");
        }
        assert_eq!(FuelModels::with([custom(14), custom(14)]), Err(FuelModelError::Twice { number: 14 }));
    }

    #[test]
    fn values_without_a_finite_rate_are_refused() {
        let own = custom(14);
        let [h1, h10, h100, herb, wood] = own.loads;
        for bad in [
            FuelModel { loads: [0.0, 0.0, 0.0, herb, wood], ..own.clone() },
            FuelModel { loads: [h1, h10, h100, herb, f64::NAN], ..own.clone() },
            FuelModel { ratios: [0.0, 109.0, 30.0, 0.0, 1500.0], ..own.clone() },
            FuelModel { ratios: [4001.0, 109.0, 30.0, 0.0, 1500.0], ..own.clone() },
            FuelModel { depth: 0.0, ..own.clone() },
            FuelModel { extinction: 0.0, ..own.clone() },
            FuelModel { heat: [0.0, 8000.0], ..own.clone() },
            FuelModel { heat: [8000.0, 0.0], ..own.clone() },
            FuelModel { depth: 0.03, ..own.clone() },
        ] {
            assert!(matches!(FuelModels::with([bad]), Err(FuelModelError::Value { number: 14, .. })));
        }
        // The limits themselves have finite rates.
        for loads in [[20.0, 0.0, 0.0, 0.0, 0.0], [1e-6, 0.0, 0.0, 0.0, 20.0], [0.0, 0.0, 20.0, 20.0, 0.0]] {
            for ratio in [1.0, 4000.0] {
                let fuel = FuelModel {
                    loads,
                    ratios: [ratio, 109.0, 30.0, ratio, ratio],
                    depth: 40.0 / 16.0,
                    heat: [20_000.0; 2],
                    extinction: 3.0,
                    ..own.clone()
                };
                FuelModels::with([fuel.clone()]).unwrap();
                let bed = Bed::new(&fuel, &Moisture::of(0.02, 0.3));
                let spread = bed.spread(&Terrain { wind: 4000.0, wind_direction: 30.0, slope: 2.0 });
                assert!(spread.rate.is_finite() && spread.eccentricity.is_finite(), "{loads:?} {ratio}: {spread:?}");
            }
        }
    }

    /// Heat of live fuel counts for the live part of the reaction intensity alone.
    #[test]
    fn live_fuel_has_a_heat_of_its_own() {
        let intensity = |heat: [f64; 2]| {
            Bed::new(&FuelModel { heat, ..custom(14) }, &Moisture([0.04, 0.05, 0.06, 0.5, 0.7])).intensity
        };
        let (both, dead, live) = (intensity([8000.0; 2]), intensity([16_000.0, 8000.0]), intensity([8000.0, 16_000.0]));
        assert!(dead > both && live > both);
        assert!(((dead - both) + (live - both) - both).abs() < 1e-9 * both, "{both} {dead} {live}");
    }
}
