//! Moisture of dead fuel over time, by temperature, humidity and rain.
//!
//! Each size approaches an equilibrium with its time lag, as in the fuel moisture model of WRF-SFIRE (Mandel,
//! Amram, Beezley and others 2014, Natural Hazards and Earth System Sciences 14, 2829). The equilibria are those of the
//! Canadian fire weather index (Van Wagner and Pickett 1985, Forestry Technical Report 33).

/// Sizes of dead fuel: 1 h, 10 h, 100 h.
pub const DEAD_CLASSES: usize = 3;

/// Hours in which each size approaches its equilibrium to a share of 1/e.
const TIME_LAGS: [f64; DEAD_CLASSES] = [1.0, 10.0, 100.0];

/// Ratio of the time lag in heavy rain to that in air.
const RAIN_LAG: f64 = 14.0;

/// Moisture that rain leads to, a fraction of dry weight.
const SATURATION: f64 = 2.5;

/// Rain up to which fuel does not become wet, in mm/h.
const LEAST_RAIN: f64 = 0.05;

/// Rain above the least at which the speed of wetting is `1 - 1/e` of the greatest, in mm/h.
const HEAVY_RAIN: f64 = 8.0;

/// State of the air over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Air {
    /// Temperature in degrees Celsius.
    pub temperature: f64,
    /// Relative humidity in percent.
    pub humidity: f64,
    /// Rain in mm/h.
    pub rain: f64,
}

impl Air {
    /// Returns the moistures, fractions of dry weight, down to which wetter fuel dries, and up to which drier fuel
    /// becomes moist.
    #[must_use]
    pub fn equilibria(&self) -> [f64; 2] {
        let humidity = self.humidity.clamp(0.0, 100.0);
        let warmth = 0.18 * (21.1 - self.temperature) * (1.0 - libm::exp(-0.115 * humidity));
        let near_saturation = libm::exp((humidity - 100.0) / 10.0);
        let drying = 0.942 * libm::pow(humidity, 0.679) + 11.0 * near_saturation + warmth;
        let wetting = 0.618 * libm::pow(humidity, 0.753) + 10.0 * near_saturation + warmth;
        // In hot and dry air the formulas fall below zero, and that for wetting may be the larger one.
        let drying = (drying / 100.0).max(0.0);
        [drying, (wetting / 100.0).clamp(0.0, drying)]
    }

    /// Returns the moistures, fractions of dry weight, of dead fuel of 1, 10 and 100 h after some hours in this air.
    #[must_use]
    pub fn condition(&self, moistures: [f64; DEAD_CLASSES], hours: f64) -> [f64; DEAD_CLASSES] {
        let [drying, wetting] = self.equilibria();
        let toward = |from: f64, to: f64, lags: f64| to + (from - to) * libm::exp(-lags);
        let soaking = if self.rain > LEAST_RAIN { 1.0 - libm::exp((LEAST_RAIN - self.rain) / HEAVY_RAIN) } else { 0.0 };
        let mut after = moistures;
        for (moisture, lag) in after.iter_mut().zip(TIME_LAGS) {
            *moisture = if soaking > 0.0 {
                toward(*moisture, SATURATION.max(*moisture), soaking * hours / (RAIN_LAG * lag))
            } else if *moisture > drying {
                toward(*moisture, drying, hours / lag)
            } else if *moisture < wetting {
                toward(*moisture, wetting, hours / lag)
            } else {
                *moisture
            };
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRY: Air = Air { temperature: 30.0, humidity: 20.0, rain: 0.0 };

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 5e-7, "{found} is not {expected}");
    }

    /// Values of the formulas of Van Wagner and Pickett, computed in Python.
    #[test]
    fn equilibria_are_those_of_the_fire_weather_index() {
        for (temperature, humidity, drying, wetting) in [
            (30.0, 20.0, 0.057_642_575, 0.044_594_165),
            (20.0, 45.0, 0.127_324_029, 0.110_984_398),
            (5.0, 80.0, 0.228_471_310, 0.210_010_763),
            (21.1, 100.0, 0.324_808_223, 0.298_147_444),
            (40.0, 5.0, 0.013_227_909, 0.005_894_795),
        ] {
            let found = Air { temperature, humidity, rain: 0.0 }.equilibria();
            near(found[0], drying);
            near(found[1], wetting);
        }
        for (temperature, humidity) in [(50.0, 1.0), (50.0, 0.0), (-40.0, 100.0)] {
            let [drying, wetting] = Air { temperature, humidity, rain: 0.0 }.equilibria();
            assert!(0.0 <= wetting && wetting <= drying && drying < 1.0, "{wetting} {drying}");
        }
    }

    #[test]
    fn fuel_approaches_its_equilibrium_by_its_time_lag() {
        let [drying, wetting] = DRY.equilibria();
        let from = drying + 0.1;
        let after = DRY.condition([from; 3], 1.0);
        for (found, lags) in after.into_iter().zip([1.0_f64, 0.1, 0.01]) {
            near(found, drying + 0.1 * (-lags).exp());
        }
        // Two half hours are an hour.
        let halves = DRY.condition(DRY.condition([from; 3], 0.5), 0.5);
        halves.into_iter().zip(after).for_each(|(halves, whole)| near(halves, whole));
        // Between the two equilibria nothing changes.
        let between = (drying + wetting) / 2.0;
        assert_eq!(DRY.condition([between; 3], 7.0), [between; 3]);
        assert!(DRY.condition([0.0; 3], 1.0)[0] > DRY.condition([0.0; 3], 1.0)[1]);
        near(DRY.condition([0.01; 3], 1000.0)[0], wetting);
    }

    #[test]
    fn rain_wets_fine_fuel_first() {
        let shower = Air { rain: 8.05, ..DRY };
        let [fine, middle, coarse] = shower.condition([0.05, 0.06, 0.07], 1.0);
        // (1 - 1/e) / 14 lags of an hour: 2.5 - 2.45 exp(-0.0451514).
        near(fine, 2.5 - 2.45 * (-(1.0 - (-1.0_f64).exp()) / 14.0).exp());
        assert!(fine > 0.15 && (0.06..0.08).contains(&middle) && (0.07..0.072).contains(&coarse));
        let drizzle = Air { rain: 0.05, ..DRY };
        assert_eq!(drizzle.condition([0.3; 3], 1.0), DRY.condition([0.3; 3], 1.0));
    }
}
