//! Weather streams of FlamMap and FARSITE (`.wxs`): lines of numbers apart by spaces, after lines with `NAME: value`.

use super::super::super::wind::{self, WindHeight, WindUnits};
use super::stream::{Observation, Stream, celsius, is_missing};
use chrono::{Days, NaiveDate, NaiveDateTime};
use imminent_study::laboratory::Fault;
use std::path::Path;

/// Columns of a line.
const COLUMNS: &str = "Year Mth Day Time Temp RH HrlyPcp WindSpd WindDir CloudCov";

/// Millimetres of an inch.
const INCH: f64 = 25.4;

/// Units of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Units {
    /// Degrees Fahrenheit, inches, and mph at 20 ft.
    English,
    /// Degrees Celsius, millimetres, and km/h at 10 m.
    Metric,
}

impl Units {
    fn of(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "english" => Some(Units::English),
            "metric" => Some(Units::Metric),
            _ => None,
        }
    }

    fn told(self) -> &'static str {
        match self {
            Units::English => "English units: degrees F, winds in mph at 20 ft",
            Units::Metric => "metric units: degrees C, winds in km/h at 10 m, 1.15 times those at 20 ft",
        }
    }
}

/// Reads a stream. Without a line that names the units they are English.
pub(super) fn read(file: &Path, text: &str) -> Result<Stream, Fault> {
    let (mut units, mut observations, mut left_out) = (Units::English, Vec::new(), 0);
    for (index, line) in text.lines().enumerate() {
        let fault = |problem: String| Fault::from(format!("{}:{}: {problem}", file.display(), index + 1));
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if !line.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            // Names of columns, the number of lines and the station's elevation have no effect.
            let given = match line.split_once(':') {
                Some((name, value)) if name.trim().eq_ignore_ascii_case("RAWS_UNITS") => {
                    let known = Units::of(value);
                    known.ok_or_else(|| fault(format!("units `{}`: give English or Metric", value.trim()))).map(Some)?
                }
                _ => Units::of(line),
            };
            if given.is_some() && !observations.is_empty() {
                return Err(fault("units after observations: name them before the first one".to_owned()));
            }
            units = given.unwrap_or(units);
            continue;
        }
        match observation(line, units).map_err(fault)? {
            Some(found) => observations.push(Observation { line: index + 1, ..found }),
            None => left_out += 1,
        }
    }
    Stream::new(file, units.told(), observations, left_out)
}

/// Reads a line; `None` if a value is missing.
fn observation(line: &str, units: Units) -> Result<Option<Observation>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[year, month, day, time, ref numbers @ ..] = &words[..] else { return Err(too_few(words.len())) };
    let numbers: Vec<f64> = numbers
        .iter()
        .map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| no_number(word)))
        .collect::<Result<_, _>>()?;
    let &[temperature, humidity, rain, wind, from, _clouds, ..] = &numbers[..] else {
        return Err(too_few(words.len()));
    };
    let date = format!("{year} {month} {day} {time}");
    let time = [year, month, day, time].map(|word| word.parse::<u32>().ok());
    let time = match time {
        [Some(year), Some(month), Some(day), Some(time)] => date_and_time(year, month, day, time),
        _ => None,
    };
    let time = time.ok_or_else(|| format!("`{date}` is no date and time: give year, month, day, and 0000 to 2400"))?;
    if [temperature, humidity, rain, wind, from].into_iter().any(is_missing) {
        return Ok(None);
    }
    let (temperature, rain, wind_unit, height) = match units {
        Units::English => (celsius(temperature), rain * INCH, WindUnits::MilesPerHour, WindHeight::TwentyFeet),
        Units::Metric => (temperature, rain, WindUnits::KilometresPerHour, WindHeight::TenMetres),
    };
    let wind = wind * wind::factor(wind_unit, height);
    Ok(Some(Observation { line: 0, time, temperature, humidity, rain, wind, from }))
}

fn too_few(words: usize) -> String {
    format!("has {words} values of 10: give {COLUMNS}")
}

fn no_number(word: &str) -> String {
    format!("`{word}` is no number: give {COLUMNS}")
}

/// Returns a time of day, as hours and minutes in one number, on a date; 2400 is the beginning of the next day.
fn date_and_time(year: u32, month: u32, day: u32, time: u32) -> Option<NaiveDateTime> {
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    if time == 2400 {
        return date.checked_add_days(Days::new(1))?.and_hms_opt(0, 0, 0);
    }
    date.and_hms_opt(time / 100, time % 100, 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::study::WildfireConfig;
    use proptest::prelude::*;

    const ENGLISH: &str = "RAWS_ELEVATION: 4200\nRAWS_WINDS: Ave\nRAWS_UNITS: English\n\n\
        Year  Mth  Day   Time    Temp     RH    HrlyPcp   WindSpd  WindDir CloudCov\n\
        2017    8    4   1300      77     40       0.10        10     225       10\n\
        2017    8    4   1400      86     30       0.00     -9999   -9999       20\n\
        2017    8    4   2400      68     50       0.00        20       0       90\n";

    #[test]
    fn english_files_have_winds_in_miles_an_hour_at_twenty_feet() {
        let mut assumed = Vec::new();
        let stream = read("a.wxs".as_ref(), ENGLISH).unwrap();
        let config = WildfireConfig { horizon: 20.0, ..WildfireConfig::default() };
        let states = stream.weather(&config, &mut assumed).unwrap();
        assert_eq!(
            states.iter().map(|state| (state.hour, state.from)).collect::<Vec<_>>(),
            [(0.0, 225.0), (11.0, 0.0)]
        );
        assert!((states[0].wind - 4.4704).abs() < 1e-12 && (states[1].wind - 8.9408).abs() < 1e-12);
        assert!(stream.warnings()[0].contains("1 lines that lack a value"));
        assert!(assumed[0].contains("2 observations from 2017-08-04 13:00:00 to 2017-08-05 00:00:00"), "{assumed:?}");
    }

    #[test]
    fn metric_files_have_winds_in_kilometres_an_hour_at_ten_metres() {
        for header in ["RAWS_UNITS: Metric", "METRIC"] {
            let text = format!("{header}\n2017 8 4 0 25 40 2.5 41.4 225 10\n");
            let stream = read("a.wxs".as_ref(), &text).unwrap();
            let states = stream.weather(&WildfireConfig::default(), &mut Vec::new()).unwrap();
            // 41.4 km/h are 11.5 m/s at 10 m, and 10 m/s at 20 ft.
            assert!((states[0].wind - 10.0).abs() < 1e-12, "{header}");
        }
    }

    #[test]
    fn units_convert_the_air() {
        let found = observation("2017 8 4 1300 77 40 0.10 10 225 10", Units::English).unwrap().unwrap();
        assert!((found.temperature - 25.0).abs() < 1e-12 && (found.rain - 2.54).abs() < 1e-12);
        let found = observation("2017 8 4 1300 25 40 2.54 10 225 10", Units::Metric).unwrap().unwrap();
        assert_eq!((found.temperature, found.rain, found.humidity), (25.0, 2.54, 40.0));
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |text: &str| read("a.wxs".as_ref(), text).unwrap_err().to_string();
        assert!(fault("2017 8 4 1300 77 40 0\n").starts_with("a.wxs:1: has 7 values of 10: give Year Mth"));
        assert!(fault("RAWS: 1\n2017 8 4 1300 hot 40 0 1 2 3\n").starts_with("a.wxs:2: `hot` is no number"));
        assert!(fault("2017 13 4 1300 77 40 0 1 2 3\n").contains("`2017 13 4 1300` is no date and time"));
        assert!(fault("2017 2 28 1370 77 40 0 1 2 3\n").contains("is no date and time"));
        assert!(fault("RAWS_UNITS: nautical\n").contains("units `nautical`: give English or Metric"));
        assert!(fault("2017 8 4 1300 77 40 0 1 2 3\nMETRIC\n").starts_with("a.wxs:2: units after observations"));
        assert!(fault("RAWS_UNITS: English\n").contains("has no observation"));
    }

    proptest! {
        #[test]
        fn damaged_files_are_read_or_refused(place in 0..ENGLISH.len(), cut in 0_usize..12, put in "[0-9a-zA-Z:.,+ \n\u{e9}-]{0,8}") {
            let text = ENGLISH;
            let changed = format!("{}{put}{}", &text[..place], &text[(place + cut).min(text.len())..]);
            if let Ok(stream) = read("a.wxs".as_ref(), &changed) {
                let states = stream.weather(&WildfireConfig::default(), &mut Vec::new()).unwrap();
                prop_assert!(states.windows(2).all(|pair| pair[0].hour < pair[1].hour));
            }
        }
    }
}
