//! A weather stream: dated observations of the air and the wind at a station, and the states that they give a fire.

use super::super::super::conditioning::Conditioning;
use super::super::super::config::WildfireConfig;
use super::super::super::start;
use super::drawn::refused;
use super::table;
use chrono::{NaiveDateTime, TimeDelta};
use imminent_cell::landscape::{Air, DEAD_CLASSES, Weather, check_percents};
use imminent_cell::rothermel::Moisture;
use imminent_cell::study::Misfit;
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};

/// Values at and below this one stand for a value that is missing.
const MISSING: f64 = -999.0;

/// Hours without an observation from which on a run tells of the gap.
const GAP: f64 = 3.0;

/// Observation at a station.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Observation {
    /// Line of the file, from 1.
    pub(super) line: usize,
    /// Date and time, in the time of the file.
    pub(super) time: NaiveDateTime,
    /// Temperature in degrees Celsius.
    pub(super) temperature: f64,
    /// Relative humidity in percent.
    pub(super) humidity: f64,
    /// Rain since the observation before, in mm.
    pub(super) rain: f64,
    /// Wind in m/s at 20 ft above the vegetation.
    pub(super) wind: f64,
    /// Direction from which the wind blows, in degrees clockwise from true north.
    pub(super) from: f64,
}

/// Observations of a file, at least one, in the order of their times.
#[derive(Debug)]
pub(super) struct Stream {
    file: PathBuf,
    /// Units of the file, for people.
    units: &'static str,
    observations: Vec<Observation>,
    /// Number of lines that lack a value.
    left_out: usize,
}

/// Returns whether a value says that it is missing.
pub(super) fn is_missing(value: f64) -> bool {
    value <= MISSING
}

/// Converts degrees Fahrenheit to Celsius.
pub(super) fn celsius(fahrenheit: f64) -> f64 {
    (fahrenheit - 32.0) / 1.8
}

impl Stream {
    /// Checks the observations of a file.
    pub(super) fn new(
        file: &Path,
        units: &'static str,
        observations: Vec<Observation>,
        left_out: usize,
    ) -> Result<Self, Fault> {
        let fault = |line: usize, problem: String| Fault::from(format!("{}:{line}: {problem}", file.display()));
        let mut before: Option<Observation> = None;
        for at in &observations {
            for (what, value, least, most) in [
                ("temperature in degrees Celsius", at.temperature, -60.0, 60.0),
                ("relative humidity in percent", at.humidity, 0.0, 100.0),
                ("rain in mm", at.rain, 0.0, 500.0),
                ("wind in m/s at 20 ft", at.wind, 0.0, 100.0),
                ("direction of the wind in degrees", at.from, 0.0, 360.0),
            ] {
                if !(least..=most).contains(&value) {
                    return Err(fault(at.line, format!("has a {what} of {value}: values are {least} to {most}")));
                }
            }
            if let Some(before) = before.filter(|before| at.time <= before.time) {
                return Err(fault(
                    at.line,
                    format!(
                        "{} is not after {} of line {}: give one station, and each hour once in ascending order",
                        at.time, before.time, before.line
                    ),
                ));
            }
            before = Some(*at);
        }
        if observations.is_empty() {
            let lines = if left_out > 0 { format!(": {left_out} lines lack a value") } else { String::new() };
            return Err(format!("{}: has no observation{lines}", file.display()).into());
        }
        Ok(Self { file: file.to_owned(), units, observations, left_out })
    }

    /// Warns of lines that are left out, and of the longest gap.
    pub(super) fn warnings(&self) -> Vec<String> {
        let file = self.file.display();
        let left_out =
            (self.left_out > 0).then(|| format!("{file}: {} lines that lack a value are left out", self.left_out));
        let gaps = self.observations.windows(2).filter_map(|pair| match pair {
            [one, other] => Some((hours(one.time, other.time), one.time)),
            _ => None,
        });
        let longest = gaps.max_by(|one, other| one.0.total_cmp(&other.0)).filter(|(hours, _)| *hours > GAP);
        let gap = longest.map(|(hours, time)| {
            format!("{file}: nothing was observed for {hours} h after {time}: values between are interpolated")
        });
        left_out.into_iter().chain(gap).collect()
    }

    /// Returns the states from the start of a fire on, and adds what is assumed.
    pub(super) fn weather(&self, config: &WildfireConfig, assumed: &mut Vec<String>) -> Result<Vec<Weather>, Misfit> {
        let (first, last) = self.ends();
        let start = if config.start.is_empty() { first } else { self.start(&config.start)? };
        let c = config;
        let given = [c.moisture_1h, c.moisture_10h, c.moisture_100h, c.moisture_herb, c.moisture_wood, c.foliar];
        check_percents(given).map_err(refused)?;
        let [h1, h10, h100, herb, wood, leaves] = given;
        let dead = match config.conditioning {
            Conditioning::None => vec![[h1, h10, h100]; self.observations.len()],
            Conditioning::TimeLag if !config.fuel_moistures.is_empty() => {
                return Err(Misfit::of(
                    "conditioning",
                    "`fuel_moistures` gives moistures that do not change: leave one of the two out",
                ));
            }
            Conditioning::TimeLag => conditioned(&self.observations, [h1, h10, h100]),
        };
        let state = |(at, [h1, h10, h100]): (&Observation, [f64; DEAD_CLASSES])| {
            table::weather([hours(start, at.time), at.wind, at.from, h1, h10, h100, herb, wood], leaves)
        };
        let states = self.observations.iter().zip(dead).map(state).collect();
        let states = between_hours(states, config.last_hour());
        let moistures = match (config.conditioning, states.first()) {
            (Conditioning::TimeLag, Some(Weather { moisture: Moisture([h1, h10, h100, ..]), .. })) => format!(
                "moistures of dead fuel follow temperature, humidity and rain by time lag from {h1:.1} %, {h10:.1} %, {h100:.1} % at the start; clouds and sunshine have no effect",
                h1 = 100.0 * h1,
                h10 = 100.0 * h10,
                h100 = 100.0 * h100
            ),
            _ => format!(
                "moistures constant, {h1}, {h10}, {h100}, {herb}, {wood} %; temperature, humidity, rain and clouds have no effect unless 'conditioning' is time-lag"
            ),
        };
        assumed.push(format!(
            "{}: {} observations from {first} to {last}, {}; fires begin at {start}; {moistures}; leaves of {leaves} %",
            self.file.display(),
            self.observations.len(),
            self.units
        ));
        Ok(states)
    }

    /// Returns the times of the first and the last observation.
    fn ends(&self) -> (NaiveDateTime, NaiveDateTime) {
        let time = |at: Option<&Observation>| at.map_or(NaiveDateTime::MIN, |at| at.time);
        (time(self.observations.first()), time(self.observations.last()))
    }

    /// Returns the start that a key gives.
    fn start(&self, text: &str) -> Result<NaiveDateTime, Misfit> {
        let (first, last) = self.ends();
        let start = start::read(text);
        let range = || format!("give one from {first} to {last}, as in {} has them", self.file.display());
        match start {
            Some(start) if (first..=last).contains(&start) => Ok(start),
            Some(_) => Err(Misfit::of("start", format!("{text} is not within the weather: {}", range()))),
            None => {
                Err(Misfit::of("start", format!("{text} is no date and time such as 2017-08-04T13:00: {}", range())))
            }
        }
    }
}

/// Returns the hours from one time to another.
fn hours(from: NaiveDateTime, to: NaiveDateTime) -> f64 {
    (to - from).num_seconds() as f64 / TimeDelta::hours(1).num_seconds() as f64
}

/// Returns the moistures of dead fuel in percent at each observation, from those at the first one.
fn conditioned(observations: &[Observation], first: [f64; DEAD_CLASSES]) -> Vec<[f64; DEAD_CLASSES]> {
    let mut moistures = first.map(|percent| percent / 100.0);
    let mut before: Option<Observation> = None;
    let at = |at: &Observation| {
        if let Some(before) = before {
            let hours = hours(before.time, at.time);
            let air = Air {
                temperature: f64::midpoint(before.temperature, at.temperature),
                humidity: f64::midpoint(before.humidity, at.humidity),
                rain: at.rain / hours,
            };
            moistures = air.condition(moistures, hours);
        }
        before = Some(*at);
        moistures.map(|share| 100.0 * share)
    };
    observations.iter().map(at).collect()
}

/// Returns the states from hour 0, which is interpolated, to the first one at or after an hour.
fn between_hours(mut states: Vec<Weather>, last: f64) -> Vec<Weather> {
    let first = states.partition_point(|state| state.hour < 0.0);
    let beginning = match (first.checked_sub(1).and_then(|before| states.get(before)), states.get(first)) {
        (Some(before), Some(after)) if after.hour > 0.0 => Some(before.between(after, 0.0)),
        _ => None,
    };
    let end = states.partition_point(|state| state.hour < last);
    states.truncate(end + 1);
    beginning.into_iter().chain(states.drain(first.min(states.len())..)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn time(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M").unwrap()
    }

    /// Hourly observations from noon, warmer and drier by the hour, with a wind that turns by 30 degrees.
    fn stream(count: u32) -> Stream {
        let at = |hour: u32| Observation {
            line: hour as usize + 1,
            time: time("2017-08-31T12:00") + TimeDelta::hours(hour.into()),
            temperature: 20.0 + f64::from(hour),
            humidity: 40.0 - f64::from(hour),
            rain: 0.0,
            wind: 5.0,
            from: (30.0 * f64::from(hour)).rem_euclid(360.0),
        };
        Stream::new("a.wxs".as_ref(), "in units", (0..count).map(at).collect(), 0).unwrap()
    }

    fn weather(config: &WildfireConfig) -> Vec<Weather> {
        stream(24).weather(config, &mut Vec::new()).unwrap()
    }

    #[test]
    fn states_begin_at_the_start_and_end_after_the_horizon() {
        let config = WildfireConfig { horizon: 3.5, ..WildfireConfig::default() };
        let states = weather(&config);
        assert_eq!(states.iter().map(|state| state.hour).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!((states[2].from, states[2].moisture), (60.0, Moisture([0.06, 0.07, 0.08, 0.6, 0.9])));
        let config = WildfireConfig { start: "2017-09-01T02:00".to_owned(), horizon: 1.0, ..config };
        let states = weather(&config);
        assert_eq!(states.iter().map(|state| (state.hour, state.from)).collect::<Vec<_>>(), [(0.0, 60.0), (1.0, 90.0)]);
    }

    #[test]
    fn a_start_between_two_observations_has_the_wind_between_them() {
        let config = WildfireConfig { start: "2017-08-31 13:30".to_owned(), horizon: 1.0, ..WildfireConfig::default() };
        let states = weather(&config);
        assert_eq!(states.iter().map(|state| state.hour).collect::<Vec<_>>(), [0.0, 0.5, 1.5]);
        // The sum of two equal winds that are 30 degrees apart.
        assert!(
            (states[0].from - 45.0).abs() < 1e-9 && (states[0].wind - 5.0 * 15_f64.to_radians().cos()).abs() < 1e-9
        );
    }

    #[test]
    fn a_start_outside_of_the_stream_is_refused() {
        for (start, words) in [
            ("2017-08-30T12:00", "is not within the weather: give one from 2017-08-31 12:00:00 to 2017-09-01 11:00:00"),
            ("noon", "is no date and time such as 2017-08-04T13:00"),
        ] {
            let config = WildfireConfig { start: start.to_owned(), ..WildfireConfig::default() };
            let error = stream(24).weather(&config, &mut Vec::new()).unwrap_err();
            assert!(format!("{error:?}").contains(words), "{error:?}");
        }
    }

    #[test]
    fn dead_fuel_is_conditioned_from_the_first_observation_on() {
        let config = WildfireConfig {
            start: "2017-08-31T18:00".to_owned(),
            horizon: 4.0,
            conditioning: Conditioning::TimeLag,
            ..WildfireConfig::default()
        };
        let states = weather(&config);
        let mut expected = [0.06, 0.07, 0.08];
        for hour in 0..6 {
            let (temperature, humidity) = (20.5 + f64::from(hour), 39.5 - f64::from(hour));
            expected = Air { temperature, humidity, rain: 0.0 }.condition(expected, 1.0);
        }
        let Moisture([h1, h10, h100, herb, wood]) = states[0].moisture;
        for (found, expected) in [h1, h10, h100].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!((herb, wood, states.len()), (0.6, 0.9, 5));
        assert!(states[4].moisture.0[0] < h1, "it becomes drier");
    }

    #[test]
    fn observations_have_one_order_and_possible_values() {
        let refused = |observations: Vec<Observation>| {
            Stream::new("a.wxs".as_ref(), "in units", observations, 0).unwrap_err().to_string()
        };
        let [first, second] = stream(2).observations[..] else { panic!() };
        let twice = refused(vec![second, first]);
        assert!(
            twice.starts_with("a.wxs:1: 2017-08-31 12:00:00 is not after 2017-08-31 13:00:00 of line 2"),
            "{twice}"
        );
        let humid = refused(vec![Observation { humidity: 120.0, ..first }]);
        assert!(humid.contains("relative humidity in percent of 120: values are 0 to 100"), "{humid}");
        assert!(refused(vec![]).contains("has no observation"));
        let late = Observation { time: second.time + TimeDelta::hours(9), ..second };
        let gap = Stream::new("a.wxs".as_ref(), "in units", vec![first, late], 2).unwrap().warnings();
        assert!(gap[0].contains("2 lines that lack a value") && gap[1].contains("for 10 h after 2017-08-31 12:00"));
    }
}
