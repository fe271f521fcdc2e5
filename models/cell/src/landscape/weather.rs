//! Weather over time, in bands of constant weather.

use crate::rothermel::{CLASSES, Moisture};
use crate::time::MILLISECONDS_PER_HOUR;
use thiserror::Error;

/// Largest wind that is accepted, in m/s.
pub(super) const MAX_WIND: f64 = 100.0;

/// Least and greatest direction of a wind that is accepted, in degrees.
pub(super) const FROM_RANGE: (f64, f64) = (-360.0, 720.0);

/// Largest moisture that is accepted, a fraction of dry weight.
pub(super) const MAX_MOISTURE: f64 = 10.0;

/// Largest number of bands.
const MAX_BANDS: u32 = 100_000;

/// State of the weather at an hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weather {
    /// Hours since the start of the fire.
    pub hour: f64,
    /// Wind at 20 ft above the vegetation, in m/s.
    pub wind: f64,
    /// Direction from which the wind blows, in degrees clockwise from true north.
    pub from: f64,
    /// Moistures of the classes of fuel, fractions of dry weight.
    pub moisture: Moisture,
    /// Moisture of the leaves or needles of the trees, a fraction of dry weight.
    pub foliar_moisture: f64,
}

impl Weather {
    /// Interpolates linearly between two states at an hour between theirs, the wind by its northward and eastward
    /// parts.
    #[must_use]
    pub fn between(&self, other: &Weather, hour: f64) -> Weather {
        let state = State::from(self).mixed(&State::from(other), (hour - self.hour) / (other.hour - self.hour));
        let [north, east] = state.wind;
        Weather {
            hour,
            wind: libm::hypot(north, east),
            from: libm::atan2(-east, -north).to_degrees().rem_euclid(360.0),
            moisture: state.moisture,
            foliar_moisture: state.foliar_moisture,
        }
    }
}

/// Reasons why weather cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WeatherError {
    /// There is no state.
    #[error("there is no weather: give at least one state")]
    Empty,
    /// States are not in the order of their hours.
    #[error("weather {index} is at hour {hour}, not after hour {before} of the one before: give ascending hours")]
    Order {
        /// Position in the list, from 0.
        index: usize,
        /// Hour of the state.
        hour: f64,
        /// Hour of the state before it.
        before: f64,
    },
    /// A value is impossible.
    #[error("weather {index} has a {what} of {value}: values are {least} to {most}")]
    Value {
        /// Position in the list, from 0.
        index: usize,
        /// Value that is meant.
        what: &'static str,
        /// The value.
        value: f64,
        /// Least value that can be.
        least: f64,
        /// Greatest value that can be.
        most: f64,
    },
    /// A moisture in percent is so small that it must be a fraction.
    #[error("{what} of {percent} %: is it a fraction of dry weight? Give percent, {} %", 100.0 * percent)]
    Fraction {
        /// Moisture that is meant.
        what: &'static str,
        /// Percent asked for.
        percent: f64,
    },
    /// A range of values is reversed.
    #[error("the range of the {what} begins at {least} and ends at {most}: give the lower end first")]
    Range {
        /// Value that is meant.
        what: &'static str,
        /// Lower end asked for.
        least: f64,
        /// Upper end asked for.
        most: f64,
    },
    /// The length of the bands is impossible.
    #[error("bands of {hours} h: give at least a second, and at most {MAX_BANDS} bands over the simulated time")]
    Band {
        /// Hours asked for.
        hours: f64,
    },
}

/// Weather without a time: what a band has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Wind at 20 ft, in m/s: northward and eastward parts of where it blows to.
    pub wind: [f64; 2],
    /// Moistures of the classes of fuel, fractions of dry weight.
    pub moisture: Moisture,
    /// Moisture of the leaves or needles of the trees, a fraction of dry weight.
    pub foliar_moisture: f64,
}

impl From<&Weather> for State {
    fn from(weather: &Weather) -> Self {
        State {
            wind: blowing(weather.wind, weather.from),
            moisture: weather.moisture,
            foliar_moisture: weather.foliar_moisture,
        }
    }
}

/// Returns the northward and eastward part of where a wind blows to, by its speed and the direction from which it comes
/// in degrees.
pub(super) fn blowing(speed: f64, from: f64) -> [f64; 2] {
    let radians = from.to_radians();
    [-speed * libm::cos(radians), -speed * libm::sin(radians)]
}

/// Mixes two numbers; `share` is that of the second.
fn mix(a: f64, b: f64, share: f64) -> f64 {
    // Equal numbers keep the sign of a zero.
    if a == b { a } else { a + (b - a) * share }
}

/// Mixes two winds by their parts; `share` is that of the second.
pub(super) fn mixed([north, east]: [f64; 2], [other_north, other_east]: [f64; 2], share: f64) -> [f64; 2] {
    [mix(north, other_north, share), mix(east, other_east, share)]
}

impl State {
    /// Mixes two states; `share` is that of the second.
    fn mixed(&self, other: &State, share: f64) -> State {
        let mix = |a: f64, b: f64| mix(a, b, share);
        let (Moisture(own), Moisture(theirs)) = (self.moisture, other.moisture);
        let mut moisture = [0.0; CLASSES];
        for (to, (a, b)) in moisture.iter_mut().zip(own.into_iter().zip(theirs)) {
            *to = mix(a, b);
        }
        State {
            wind: mixed(self.wind, other.wind, share),
            moisture: Moisture(moisture),
            foliar_moisture: mix(self.foliar_moisture, other.foliar_moisture),
        }
    }
}

/// Names of the moistures of a weather: of the classes of fuel, and of leaves.
const MOISTURES: [&str; CLASSES + 1] = [
    "1-h moisture",
    "10-h moisture",
    "100-h moisture",
    "moisture of herbs",
    "moisture of live wood",
    "foliar moisture",
];

/// Fails if a moisture in percent must be a fraction: dead fuel that is drier than 1 %, or living fuel than 3 %, but
/// not absolutely dry. The last one of `percents` is that of leaves.
///
/// # Errors
/// [`WeatherError::Fraction`].
pub fn check_percents(percents: [f64; CLASSES + 1]) -> Result<(), WeatherError> {
    let least = [1.0, 1.0, 1.0, 3.0, 3.0, 3.0];
    let mut moistures = MOISTURES.into_iter().zip(percents).zip(least);
    match moistures.find(|((_, percent), least)| *percent > 0.0 && percent < least) {
        Some(((what, percent), _)) => Err(WeatherError::Fraction { what, percent }),
        None => Ok(()),
    }
}

/// Fails unless weather can be used.
///
/// # Errors
/// [`WeatherError`].
pub(super) fn check(weather: &[Weather]) -> Result<(), WeatherError> {
    if weather.is_empty() {
        return Err(WeatherError::Empty);
    }
    let mut before = None;
    for (index, state) in weather.iter().enumerate() {
        let Moisture(moistures) = state.moisture;
        let moistures = moistures.into_iter().chain([state.foliar_moisture]);
        let moistures = MOISTURES.into_iter().zip(moistures).map(|(what, value)| (what, value, 0.0, MAX_MOISTURE));
        let others = [
            ("hour", state.hour, 0.0, 1e6),
            ("wind", state.wind, 0.0, MAX_WIND),
            ("wind direction", state.from, FROM_RANGE.0, FROM_RANGE.1),
        ];
        for (what, value, least, most) in others.into_iter().chain(moistures) {
            if !(least..=most).contains(&value) {
                return Err(WeatherError::Value { index, what, value, least, most });
            }
        }
        if let Some(before) = before.filter(|&before| state.hour <= before) {
            return Err(WeatherError::Order { index, hour: state.hour, before });
        }
        before = Some(state.hour);
    }
    Ok(())
}

/// Place of an hour among ascending ones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Between {
    pub(super) before: usize,
    pub(super) after: usize,
    /// Share of the later one.
    pub(super) share: f64,
}

/// Finds the place of an hour: between two, or at one. Hours before the first one are at it, those after the last one
/// at that. `None` without any.
pub(super) fn between<T>(all: &[T], hour_of: impl Fn(&T) -> f64, hour: f64) -> Option<Between> {
    let next = all.partition_point(|one| hour_of(one) <= hour);
    let at = |place: usize| Between { before: place, after: place, share: 0.0 };
    let Some(before) = next.checked_sub(1) else { return all.first().map(|_| at(0)) };
    let begin = all.get(before).map(&hour_of)?;
    Some(match all.get(next).map(&hour_of) {
        Some(end) if hour > begin => Between { before, after: next, share: (hour - begin) / (end - begin) },
        _ => at(before),
    })
}

/// Interpolates the state at an hour linearly between the states before and after it, the wind by its northward and
/// eastward parts. The weather is constant before the first state and after the last one.
#[must_use]
pub(super) fn at(weather: &[Weather], hour: f64) -> Option<State> {
    let Between { before, after, share } = between(weather, |state| state.hour, hour)?;
    let (first, second) = (State::from(weather.get(before)?), State::from(weather.get(after)?));
    Some(if before == after { first } else { first.mixed(&second, share) })
}

/// Bands of constant weather from time 0 on; the last one never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// Length of a band, in milliseconds.
    pub length: u32,
    /// Number of bands.
    pub count: u32,
}

impl Bands {
    /// Makes the bands of some hours up to a horizon in milliseconds.
    ///
    /// # Errors
    /// [`WeatherError::Band`].
    pub(super) fn new(hours: f64, horizon: u32) -> Result<Self, WeatherError> {
        let milliseconds = hours * MILLISECONDS_PER_HOUR;
        if !(1000.0..f64::from(u32::MAX)).contains(&milliseconds) {
            return Err(WeatherError::Band { hours });
        }
        let length = milliseconds as u32;
        let count = horizon / length + 1;
        if count > MAX_BANDS {
            return Err(WeatherError::Band { hours });
        }
        Ok(Bands { length, count })
    }

    /// Returns the band of a time in milliseconds.
    #[must_use]
    #[inline]
    pub fn of(&self, time: u32) -> u32 {
        (time / self.length).min(self.count - 1)
    }

    /// Returns the hours at which bands start, whose weather they have.
    pub(super) fn starts(self) -> impl Iterator<Item = f64> {
        (0..self.count).map(move |band| f64::from(band) * f64::from(self.length) / MILLISECONDS_PER_HOUR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weather(hour: f64, wind: f64, from: f64) -> Weather {
        Weather { hour, wind, from, moisture: Moisture::of(0.06 + 0.01 * hour, 1.0), foliar_moisture: 1.0 }
    }

    #[test]
    fn bands_have_the_weather_of_their_beginnings() {
        let given = [weather(0.0, 4.0, 270.0), weather(2.0, 4.0, 180.0)];
        let bands = Bands::new(1.0, 3 * 3_600_000).unwrap();
        assert_eq!((bands.length, bands.count, bands.of(3_599_999), bands.of(3_600_000)), (3_600_000, 4, 0, 1));
        let states: Vec<State> = bands.starts().map(|hour| at(&given, hour).unwrap()).collect();
        assert_eq!(
            (states.len(), states[0], states[2], states[3]),
            (4, (&given[0]).into(), (&given[1]).into(), states[2])
        );
        // Half way between a west and a south wind blows a south-west wind of 4 / sqrt(2).
        let [north, east] = states[1].wind;
        assert!((north - 2.0).abs() < 1e-12 && (east - 2.0).abs() < 1e-12);
        assert!((states[1].moisture.0[0] - 0.07).abs() < 1e-12);
    }

    #[test]
    fn weather_between_two_states_has_the_sum_of_their_winds() {
        let middle = weather(1.0, 4.0, 350.0).between(&weather(3.0, 4.0, 50.0), 2.0);
        // Two winds that are 60 degrees apart.
        assert!((middle.from - 20.0).abs() < 1e-12 && (middle.wind - 4.0 * 30_f64.to_radians().cos()).abs() < 1e-12);
        assert!((middle.moisture.0[0] - 0.08).abs() < 1e-12 && middle.hour == 2.0);
    }

    #[test]
    fn fractions_are_not_taken_for_percent() {
        assert_eq!(check_percents([6.0, 7.0, 8.0, 60.0, 90.0, 100.0]), Ok(()));
        assert_eq!(check_percents([1.0, 2.0, 3.0, 30.0, 0.0, 3.0]), Ok(()));
        let error = check_percents([0.06, 0.07, 0.08, 0.6, 0.9, 1.0]).unwrap_err();
        assert_eq!(error.to_string(), "1-h moisture of 0.06 %: is it a fraction of dry weight? Give percent, 6 %");
        let leaves = check_percents([6.0, 7.0, 8.0, 60.0, 90.0, 1.2]);
        assert_eq!(leaves, Err(WeatherError::Fraction { what: "foliar moisture", percent: 1.2 }));
    }

    #[test]
    fn impossible_weather_is_refused() {
        assert_eq!(check(&[]), Err(WeatherError::Empty));
        let error = check(&[weather(1.0, 4.0, 0.0), weather(1.0, 4.0, 0.0)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "weather 1 is at hour 1, not after hour 1 of the one before: give ascending hours"
        );
        assert!(matches!(check(&[weather(0.0, f64::NAN, 0.0)]), Err(WeatherError::Value { what: "wind", .. })));
        assert!(matches!(Bands::new(0.0, 1000), Err(WeatherError::Band { .. })));
    }
}
