//! Fire weather of the National Fire Danger Rating System (`.fw21`): a CSV file with units in the names of columns.

use super::super::super::wind::{self, WindHeight, WindUnits};
use super::columns::{Columns, Line};
use super::stream::{Observation, Stream, celsius, is_missing};
use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeDelta};
use imminent_study::laboratory::Fault;
use std::path::Path;

/// Millimetres of an inch.
const INCH: f64 = 25.4;

/// Forms of times with an offset from UTC, and without one: ISO 8601, extended and basic.
const WITH_OFFSET: [&str; 2] = ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y%m%dT%H%M%S%.f%z"];
const WITHOUT_OFFSET: [&str; 3] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y%m%dT%H%M%S%.f"];

/// Places of the columns that are read.
struct Places {
    station: Option<usize>,
    time: usize,
    /// The first is in degrees Fahrenheit, the second in degrees Celsius.
    temperature: Either,
    humidity: usize,
    /// Inches or millimetres.
    rain: Either,
    /// mph at 20 ft, or km/h at 10 m.
    wind: Either,
    from: usize,
}

/// A column in one of two units.
enum Either {
    English(usize),
    Metric(usize),
}

impl Either {
    fn place(&self) -> usize {
        let (Either::English(place) | Either::Metric(place)) = self;
        *place
    }
}

impl Places {
    fn of(columns: &Columns<'_>) -> Result<Self, Fault> {
        let one = |name: &str| {
            let missing = || columns.missing(&format!("`{name}`, which `.fw21` files have: export the file again"));
            columns.place(name).ok_or_else(missing)
        };
        let either = |english: &str, metric: &str| match (columns.place(english), columns.place(metric)) {
            (Some(place), _) => Ok(Either::English(place)),
            (None, Some(place)) => Ok(Either::Metric(place)),
            (None, None) => one(english).map(Either::English),
        };
        Ok(Self {
            station: columns.place("StationID"),
            time: one("DateTime")?,
            temperature: either("Temperature(F)", "Temperature(C)")?,
            humidity: one("RelativeHumidity(%)")?,
            rain: either("Precipitation(in)", "Precipitation(mm)")?,
            wind: either("WindSpeed(mph)", "WindSpeed(kph)")?,
            from: one("WindAzimuth(degrees)")?,
        })
    }

    fn units(&self) -> &'static str {
        match self.wind {
            Either::English(_) => "winds in mph at 20 ft",
            Either::Metric(_) => "winds in km/h at 10 m, 1.15 times those at 20 ft",
        }
    }
}

/// A time, with its offset from UTC if the file has one.
type Time = (NaiveDateTime, Option<FixedOffset>);

/// Reads a stream. Times count by the offset from UTC of the first line.
pub(super) fn read(file: &Path, text: &str) -> Result<Stream, Fault> {
    let columns = Columns::new(file, text)?;
    let places = Places::of(&columns)?;
    let (mut observations, mut left_out) = (Vec::new(), 0);
    let (mut station, mut offset): (Option<String>, Option<FixedOffset>) = (None, None);
    for line in columns.lines() {
        if let Some(place) = places.station {
            let name = line.word(place);
            let first = station.get_or_insert_with(|| name.to_owned());
            if first != name {
                return Err(line.fault(&format!("station `{name}` after `{first}`: give a file of one station")));
            }
        }
        let word = line.word(places.time);
        let (local, own) =
            time(word).ok_or_else(|| line.fault(&format!("`{word}` is no time such as 2017-08-04T13:00:00-07:00")))?;
        // Where summer time ends, the clock has an hour twice.
        let shift = |first: FixedOffset, own: FixedOffset| first.local_minus_utc() - own.local_minus_utc();
        let shift = own.map_or(0, |own| shift(*offset.get_or_insert(own), own));
        let time = local.checked_add_signed(TimeDelta::seconds(shift.into())).unwrap_or(local);
        match observation(&line, &places, time)? {
            Some(found) => observations.push(found),
            None => left_out += 1,
        }
    }
    Stream::new(file, places.units(), observations, left_out)
}

/// Reads the values of a line; `None` if one is missing. The direction of no wind may be left out.
fn observation(line: &Line<'_>, places: &Places, time: NaiveDateTime) -> Result<Option<Observation>, Fault> {
    let number = |place: usize| -> Result<Option<f64>, Fault> {
        let given = Some(line.word(place)).filter(|word| !word.is_empty());
        Ok(given.map(|_| line.number(place)).transpose()?.filter(|value| !is_missing(*value)))
    };
    let (temperature, humidity) = (number(places.temperature.place())?, number(places.humidity)?);
    let (rain, wind, from) = (number(places.rain.place())?, number(places.wind.place())?, number(places.from)?);
    let from = from.or(wind.filter(|wind| *wind == 0.0));
    let (Some(temperature), Some(humidity), Some(rain), Some(wind), Some(from)) =
        (temperature, humidity, rain, wind, from)
    else {
        return Ok(None);
    };
    let temperature = if matches!(places.temperature, Either::English(_)) { celsius(temperature) } else { temperature };
    let rain = if matches!(places.rain, Either::English(_)) { rain * INCH } else { rain };
    let factor = match places.wind {
        Either::English(_) => wind::factor(WindUnits::MilesPerHour, WindHeight::TwentyFeet),
        Either::Metric(_) => wind::factor(WindUnits::KilometresPerHour, WindHeight::TenMetres),
    };
    Ok(Some(Observation { line: line.at, time, temperature, humidity, rain, wind: wind * factor, from }))
}

/// Reads a time in ISO 8601.
fn time(word: &str) -> Option<Time> {
    let zulu = word.strip_suffix(['Z', 'z']).map(|local| format!("{local}+0000"));
    let word = zulu.as_deref().unwrap_or(word);
    let with = |form: &&str| DateTime::parse_from_str(word, form).ok();
    let without = |form: &&str| NaiveDateTime::parse_from_str(word, form).ok();
    let found = WITH_OFFSET.iter().find_map(with).map(|time| (time.naive_local(), Some(*time.offset())));
    found.or_else(|| WITHOUT_OFFSET.iter().find_map(without).map(|time| (time, None)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::study::WildfireConfig;
    use imminent_cell::landscape::Weather;
    use proptest::prelude::*;

    const HEADER: &str = "StationID,DateTime,Temperature(F),RelativeHumidity(%),Precipitation(in),WindSpeed(mph),\
        WindAzimuth(degrees),SolarRadiation(W/m2),SnowFlag,GustSpeed(mph),GustAzimuth(degrees)\n";

    const LINES: &str = "241507,2017-08-04T13:00:00-07:00,77.0,40,0.10,10,225,650,0,18,220\n\
        241507,2017-08-04T14:00:00-07:00,86.0,30,0.0,0,,650,0,,\n\
        241507,2017-08-04T15:00:00-07:00,,30,0.0,12,230,650,0,,\n\
        241507,2017-08-04T16:00:00-07:00,86,25,0.0,20,240,600,0,,\n";

    fn weather(text: &str) -> (Vec<Weather>, Vec<String>) {
        let stream = read("a.fw21".as_ref(), text).unwrap();
        (stream.weather(&WildfireConfig::default(), &mut Vec::new()).unwrap(), stream.warnings())
    }

    #[test]
    fn columns_are_read_by_their_names() {
        let text = HEADER.to_owned() + LINES;
        let (states, warnings) = weather(&text);
        let found: Vec<_> = states.iter().map(|state| (state.hour, state.from)).collect();
        assert_eq!(found, [(0.0, 225.0), (1.0, 0.0), (3.0, 240.0)]);
        assert!((states[0].wind - 4.4704).abs() < 1e-12);
        assert!(warnings[0].contains("1 lines that lack a value"), "{warnings:?}");
        // Some programs put quotation marks around all names.
        let quoted = text.replacen("StationID", "\"StationID\"", 1).replacen("DateTime", "\"DateTime\"", 1);
        assert_eq!(weather(&quoted).0, states);
    }

    #[test]
    fn kilometres_an_hour_are_those_at_ten_metres() {
        let text = "DateTime, Temperature(C), RelativeHumidity(%), Precipitation(mm), WindSpeed(kph), WindAzimuth(degrees)\n\
            20170804T130000Z, 25.0, 40, 2.54, 41.4, 225\n";
        let stream = read("a.fw21".as_ref(), text).unwrap();
        let states = stream.weather(&WildfireConfig::default(), &mut Vec::new()).unwrap();
        assert!((states[0].wind - 10.0).abs() < 1e-12);
    }

    #[test]
    fn times_count_by_the_first_offset() {
        let line = |time: &str| format!("1,{time},77,40,0,10,225,650,0,,\n");
        // Summer time ends at 2 o'clock, which is 1 o'clock again.
        let text = HEADER.to_owned() + &line("2017-11-05T01:30:00-07:00") + &line("2017-11-05T01:30:00-08:00");
        assert_eq!(weather(&text).0[1].hour, 1.0);
        for (word, hour) in
            [("20171105T013000-0700", 1), ("2017-11-05T08:30:00Z", 8), ("20171105T083000Z", 8), ("2017-11-05T08:30", 8)]
        {
            use chrono::Timelike;
            assert_eq!(time(word).map(|(time, _)| time.hour()), Some(hour), "{word}");
        }
        assert_eq!(time("5 November"), None);
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |text: &str| read("a.fw21".as_ref(), text).unwrap_err().to_string();
        assert!(fault("DateTime,Temperature(F)\n").contains("has no column `RelativeHumidity(%)`"));
        assert!(fault(&(HEADER.to_owned() + "1,noon,77,40,0,1,2,3,0,,\n")).contains("a.fw21:2: `noon` is no time"));
        let two = "1,2017-08-04T13:00:00Z,77,40,0,1,2,3,0,,\n2,2017-08-04T14:00:00Z,77,40,0,1,2,3,0,,\n";
        assert!(fault(&(HEADER.to_owned() + two)).contains("a.fw21:3: station `2` after `1`"));
        let hot = "1,2017-08-04T13:00:00Z,hot,40,0,1,2,3,0,,\n";
        assert!(fault(&(HEADER.to_owned() + hot)).contains("`hot` in column `temperature(f)` is no number"));
    }

    proptest! {
        #[test]
        fn damaged_files_are_read_or_refused(place in 0..LINES.len(), cut in 0_usize..12, put in "[0-9a-zA-Z:.,+ \n\u{e9}-]{0,8}") {
            let text = LINES;
            let changed = format!("{}{put}{}", &text[..place], &text[(place + cut).min(text.len())..]);
            if let Ok(stream) = read("a.fw21".as_ref(), &(HEADER.to_owned() + &changed)) {
                let states = stream.weather(&WildfireConfig::default(), &mut Vec::new()).unwrap();
                prop_assert!(states.windows(2).all(|pair| pair[0].hour < pair[1].hour));
            }
        }
    }
}
