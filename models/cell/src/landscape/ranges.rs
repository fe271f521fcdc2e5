//! Weather that is drawn from ranges.

use super::weather::{self, Weather, WeatherError};
use crate::rothermel::{CLASSES, Moisture};
use imminent_common::streams::{StreamKey, below};

/// Classes of dead fuel, which come first among all classes.
const DEAD: usize = 3;

/// Equal steps from one end of a range to the other.
const STEPS: u64 = 1 << 16;

/// Least and greatest values of constant weather, in the units of [`Weather`]; the ends can be drawn too. Equal ends
/// make a value constant.
///
/// A drawn weather has four independent shares in multiples of 2^-16, uniform from 0 to 1: of the wind, of its
/// direction, of the moistures of dead fuel together, and of the moistures of live fuel and leaves together. Each value
/// is at its share of its range, so a weather with dry fine fuel has dry coarse fuel too. Determinism class: exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeatherRanges {
    /// Wind at 20 ft above the vegetation, in m/s.
    pub wind: [f64; 2],
    /// Direction from which the wind blows, in degrees clockwise from true north. A range across north is -45 to 45 or
    /// 315 to 405.
    pub from: [f64; 2],
    /// Moistures of the classes of fuel, fractions of dry weight.
    pub moisture: [[f64; 2]; CLASSES],
    /// Moisture of the leaves or needles of the trees, a fraction of dry weight.
    pub foliar_moisture: [f64; 2],
}

impl WeatherRanges {
    /// Draws constant weathers. Number `i` has its own PCG32 stream of the seed, so a larger `count` does not change
    /// the first ones. Fires that [`Ensemble::drawn`](super::Ensemble::drawn) lights with the same seed do not depend
    /// on them.
    ///
    /// # Errors
    /// [`WeatherError::Range`] for a range that is reversed, [`WeatherError::Value`] for an end that no weather has.
    pub fn draw(&self, count: u32, seed: u64) -> Result<Vec<Weather>, WeatherError> {
        self.check()?;
        Ok((0..count).map(|number| self.drawn(seed, number)).collect())
    }

    /// Returns true if both ends of every range are equal, so that all weathers that are drawn are the same one.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.all().iter().all(|(_, [least, most])| least == most)
    }

    fn all(&self) -> [(&'static str, [f64; 2]); 8] {
        let [h1, h10, h100, herb, wood] = self.moisture;
        [
            ("wind", self.wind),
            ("wind direction", self.from),
            ("1-h moisture", h1),
            ("10-h moisture", h10),
            ("100-h moisture", h100),
            ("moisture of herbs", herb),
            ("moisture of live wood", wood),
            ("foliar moisture", self.foliar_moisture),
        ]
    }

    fn check(&self) -> Result<(), WeatherError> {
        for (what, [least, most]) in self.all() {
            if least > most {
                return Err(WeatherError::Range { what, least, most });
            }
        }
        weather::check(&[self.at([0, 0, 0, 0])]).and_then(|()| weather::check(&[self.at([STEPS; 4])]))
    }

    fn drawn(&self, seed: u64, number: u32) -> Weather {
        // Ignitions draw from the starting stream of the same key.
        let mut stream = StreamKey::new(seed, u64::from(number)).node(0).generator();
        let mut weather = self.at([(); 4].map(|()| below(&mut stream, STEPS + 1)));
        weather.from = if self.from == [weather.from; 2] { weather.from } else { weather.from.rem_euclid(360.0) };
        weather
    }

    /// Returns the weather at shares of the ranges, in steps: of wind, direction, dead fuel and live fuel.
    fn at(&self, [wind, from, dead, live]: [u64; 4]) -> Weather {
        let mut moisture = [0.0; CLASSES];
        for (class, (to, range)) in moisture.iter_mut().zip(self.moisture).enumerate() {
            *to = at(range, if class < DEAD { dead } else { live });
        }
        Weather {
            hour: 0.0,
            wind: at(self.wind, wind),
            from: at(self.from, from),
            moisture: Moisture(moisture),
            foliar_moisture: at(self.foliar_moisture, live),
        }
    }
}

/// Returns the value of a range after some steps. Only the four operations of arithmetic are used, which are exact to
/// the bit on every host.
fn at([least, most]: [f64; 2], steps: u64) -> f64 {
    // At the upper end the sum may be off by its rounding.
    if steps == STEPS { most } else { least + (most - least) * (steps as f64 / STEPS as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGES: WeatherRanges = WeatherRanges {
        wind: [4.0, 12.0],
        from: [315.0, 405.0],
        moisture: [[0.03, 0.08], [0.04, 0.09], [0.05, 0.10], [0.6, 0.6], [0.7, 0.9]],
        foliar_moisture: [1.0, 1.0],
    };

    #[test]
    fn values_lie_in_their_ranges_and_moistures_go_together() {
        let drawn = RANGES.draw(200, 5).unwrap();
        for weather in &drawn {
            let Moisture([h1, h10, h100, herb, wood]) = weather.moisture;
            assert!((4.0..=12.0).contains(&weather.wind) && (0.7..=0.9).contains(&wood));
            assert!(weather.from >= 315.0 || weather.from <= 45.0, "{}", weather.from);
            assert!((h10 - h1 - 0.01).abs() < 1e-12 && (h100 - h1 - 0.02).abs() < 1e-12);
            assert_eq!((weather.hour, herb, weather.foliar_moisture), (0.0, 0.6, 1.0));
        }
        let mean = drawn.iter().map(|weather| weather.wind).sum::<f64>() / 200.0;
        assert!((mean - 8.0).abs() < 0.5, "{mean}");
        assert_eq!(RANGES.draw(3, 5).unwrap(), &drawn[..3]);
        assert_ne!(RANGES.draw(3, 6).unwrap(), &drawn[..3]);
        assert!(!RANGES.is_constant());
    }

    #[test]
    fn equal_ends_stay_as_they_are() {
        let one =
            WeatherRanges { wind: [5.0; 2], from: [360.0; 2], moisture: [[0.07; 2]; 5], foliar_moisture: [1.0; 2] };
        let weather =
            Weather { hour: 0.0, wind: 5.0, from: 360.0, moisture: Moisture([0.07; 5]), foliar_moisture: 1.0 };
        assert!(one.is_constant());
        assert_eq!(one.draw(2, 1).unwrap(), [weather, weather]);
    }

    #[test]
    fn impossible_ranges_are_refused() {
        let error = WeatherRanges { wind: [12.0, 4.0], ..RANGES }.draw(1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the range of the wind begins at 12 and ends at 4: give the lower end first");
        let error = WeatherRanges { foliar_moisture: [1.0, 99.0], ..RANGES }.draw(1, 1).unwrap_err();
        assert!(matches!(error, WeatherError::Value { what: "foliar moisture", .. }), "{error}");
        assert!(WeatherRanges { wind: [f64::NAN, 4.0], ..RANGES }.draw(1, 1).is_err());
    }
}
