//! Atmosphere files of FARSITE (`.atm`), which list rasters of winds by their dates, as WindNinja writes them.

use super::super::start;
use super::super::wind::{self, WindHeight, WindUnits};
use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use imminent_common::input;
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};

/// First word of a file with winds.
const WINDS: &str = "WINDS_AND_CLOUDS";

/// Year of dates without one where fires have no start: it has a 29 February.
const ANY_YEAR: i32 = 2000;

/// Form of a line.
const FORM: &str = "give month, day, time such as 1400, and the files of speed and direction";

/// Files of the winds of an hour.
pub(super) struct HourlyFiles {
    /// Hours since the start of fires.
    pub(super) hour: f64,
    pub(super) speed: PathBuf,
    pub(super) from: PathBuf,
}

/// Winds that an atmosphere file lists.
pub(super) struct Atmosphere {
    units: WindUnits,
    pub(super) hours: Vec<HourlyFiles>,
}

impl Atmosphere {
    /// Reads a file. Hours count from a start, or from the first line if it is empty.
    pub(super) fn read(file: &Path, start: &str) -> Result<Self, Fault> {
        let start = match start {
            "" => None,
            text => Some(start::read(text).ok_or_else(|| {
                format!("`start`: {text} is no date and time such as 2017-08-04T13:00, from which hours of winds count")
            })?),
        };
        let atmosphere = parse(file, &input::text(file)?, start)
            .map_err(|(line, fault)| Fault::from(format!("{}:{line}: {fault}", file.display())))?;
        for raster in atmosphere.hours.iter().flat_map(|hour| [&hour.speed, &hour.from]) {
            stays_beside(file, raster)?;
        }
        Ok(atmosphere)
    }

    /// Returns the m/s at 20 ft above the vegetation for each unit of a speed.
    pub(super) fn factor(&self) -> f64 {
        let height = match self.units {
            WindUnits::KilometresPerHour => WindHeight::TenMetres,
            _ => WindHeight::TwentyFeet,
        };
        wind::factor(self.units, height)
    }
}

/// Fails if a raster that a file names is not beside it: errors of rasters show values, and the file's author may not
/// be allowed to read what the user is.
fn stays_beside(file: &Path, raster: &Path) -> Result<(), Fault> {
    let folder = file.canonicalize().ok().and_then(|file| file.parent().map(Path::to_path_buf));
    match (raster.canonicalize(), folder) {
        (Ok(target), Some(folder)) if target.parent() != Some(&folder) => Err(format!(
            "{}: names {}, which leads to another folder: copy the raster beside it",
            file.display(),
            raster.display()
        )
        .into()),
        // A raster that is not there is told when it is read.
        _ => Ok(()),
    }
}

/// Line of a file, as it is written.
struct Line<'t> {
    /// Number of the line, from 1.
    number: usize,
    month: &'t str,
    day: &'t str,
    time: &'t str,
    speed: &'t str,
    from: &'t str,
}

impl<'t> Line<'t> {
    fn of(number: usize, line: &'t str) -> Result<Self, (usize, String)> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [month, day, time, speed, from, ..] = words[..] else {
            return Err((number, format!("`{line}` lacks a part: {FORM}")));
        };
        Ok(Self { number, month, day, time, speed, from })
    }

    /// Returns the date and time in a year, if there is one.
    fn date(&self, year: i32) -> Option<NaiveDateTime> {
        let time: u32 = self.time.parse().ok()?;
        let date = NaiveDate::from_ymd_opt(year, self.month.parse().ok()?, self.day.parse().ok()?)?;
        Some(date.and_time(NaiveTime::from_hms_opt(time / 100, time % 100, 0)?))
    }
}

fn parse(file: &Path, text: &str, start: Option<NaiveDateTime>) -> Result<Atmosphere, (usize, String)> {
    let mut numbered =
        (1..).zip(text.lines()).map(|(number, line)| (number, line.trim())).filter(|(_, line)| !line.is_empty());
    let (mut last, first) = numbered.next().unwrap_or((1, ""));
    if !first.eq_ignore_ascii_case(WINDS) {
        return Err((last, format!("`{first}` is not `{WINDS}`: give an atmosphere file with winds")));
    }
    let (mut units, mut lines) = (WindUnits::MilesPerHour, vec![]);
    for (number, line) in numbered {
        last = number;
        match line.to_ascii_uppercase().as_str() {
            "ENGLISH" => {}
            "METRIC" => units = WindUnits::KilometresPerHour,
            _ => lines.push(Line::of(number, line)?),
        }
    }
    let times = times(&lines, start)?;
    let (Some(&first), Some(&end)) = (times.first(), times.last()) else {
        return Err((last, format!("lists no raster: {FORM}")));
    };
    if let Some(start) = start.filter(|start| *start > end) {
        return Err((last, format!("ends at {end}, before `start`, {start}: give a start from {first} to {end}")));
    }
    let origin = start.unwrap_or(first);
    let beside = |name: &str| file.with_file_name(name.rsplit(['/', '\\']).next().unwrap_or_default());
    let files = |(line, at): (&Line<'_>, NaiveDateTime)| HourlyFiles {
        hour: (at - origin).num_seconds() as f64 / 3600.0,
        speed: beside(line.speed),
        from: beside(line.from),
    };
    let mut hours: Vec<_> = lines.iter().zip(times).map(files).collect();
    // Winds before the start have no effect but those of the last such hour. The last two tell how long the last one
    // holds.
    let first = hours.iter().rposition(|hour| hour.hour <= 0.0).unwrap_or(0);
    hours.drain(..first.min(hours.len().saturating_sub(2)));
    Ok(Atmosphere { units, hours })
}

/// Returns the times of lines, whose dates have no year: the years are those that bring the lines nearest to the start.
fn times(lines: &[Line<'_>], start: Option<NaiveDateTime>) -> Result<Vec<NaiveDateTime>, (usize, String)> {
    let Some(start) = start else { return from_year(lines, ANY_YEAR) };
    // The lines begin in the year of the start, or in the one before or after.
    let mut found = from_year(lines, start.year());
    for year in [start.year().checked_sub(1), start.year().checked_add(1)].into_iter().flatten() {
        if let Ok(times) = from_year(lines, year)
            && found.as_ref().ok().is_none_or(|found| distance(&times, start) < distance(found, start))
        {
            found = Ok(times);
        }
    }
    found
}

/// Returns the time from a start to the first or last of some times, whichever is nearer; none if it is between them.
fn distance(times: &[NaiveDateTime], start: NaiveDateTime) -> TimeDelta {
    let before = times.first().map_or(TimeDelta::zero(), |first| *first - start);
    let after = times.last().map_or(TimeDelta::zero(), |last| start - *last);
    before.max(after).max(TimeDelta::zero())
}

/// Returns the times of lines, the first of which is in a year.
fn from_year(lines: &[Line<'_>], mut year: i32) -> Result<Vec<NaiveDateTime>, (usize, String)> {
    let mut times = Vec::<NaiveDateTime>::with_capacity(lines.len());
    for line in lines {
        let fault = |fault: String| (line.number, fault);
        let Line { month, day, time, .. } = line;
        let mut at =
            line.date(year).ok_or_else(|| fault(format!("`{month} {day} {time}` is no date and time: {FORM}")))?;
        let before = times.last().copied();
        // A date before that of the line above is of the next year.
        if before.is_some_and(|before| before - at > TimeDelta::days(1)) {
            year += 1;
            at = line.date(year).ok_or_else(|| fault(format!("`{month} {day}` is no date of {year}")))?;
        }
        if let Some(before) = before.filter(|before| at <= *before) {
            return Err(fault(format!("{at} is not after {before} of the line before: give each hour once, in order")));
        }
        times.push(at);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Hours with the names of their files.
    type Named = Vec<(f64, String, String)>;

    fn parse(text: &str, start: &str) -> Result<Named, (usize, String)> {
        let found = super::parse("in/a.atm".as_ref(), text, start::read(start))?;
        let name = |file: PathBuf| file.to_str().unwrap().to_owned();
        Ok(found.hours.into_iter().map(|hour| (hour.hour, name(hour.speed), name(hour.from))).collect())
    }

    #[test]
    fn hours_count_from_the_first_line_or_the_start() {
        let text = "WINDS_AND_CLOUDS\nENGLISH\n12 31 2200 a_vel.asc a_ang.asc a_cld.asc\n\
                    12 31 2330 C:\\runs\\b_vel.asc C:\\runs\\b_ang.asc none\n\n01 01 0000 /x/c_vel.asc c_ang.asc\n";
        let hours = |start: &str| parse(text, start).unwrap().iter().map(|hour| hour.0).collect::<Vec<_>>();
        assert_eq!(hours(""), [0.0, 1.5, 2.0]);
        // Winds before the start have an effect up to the next ones.
        assert_eq!(hours("2016-12-31T23:00"), [-1.0, 0.5, 1.0]);
        assert_eq!(hours("2016-12-31T23:45"), [-0.25, 0.25]);
        assert_eq!(hours("2016-12-31T00:00"), [22.0, 23.5, 24.0]);
        // The year is the one that brings the lines nearest to the start.
        assert_eq!(hours("2018-01-01T00:00"), [-0.5, 0.0]);
        assert_eq!(hours("2017-12-31T23:00"), [-1.0, 0.5, 1.0]);
        let january = "WINDS_AND_CLOUDS\n1 1 0100 s d\n1 1 0200 s d\n";
        let found = parse(january, "2016-12-31T23:00").unwrap();
        assert_eq!(found.iter().map(|hour| hour.0).collect::<Vec<_>>(), [2.0, 3.0]);
        // The day before 1 March is 29 February in 2020, and there is none in 2021.
        let leap = "WINDS_AND_CLOUDS\n2 29 2300 s d\n3 1 0000 s d\n";
        assert_eq!(parse(leap, "2020-02-29T22:00").unwrap()[0].0, 1.0);
        assert!(parse(leap, "2022-02-28T22:00").unwrap_err().1.contains("`2 29 2300` is no date and time"));
        let files = parse(text, "").unwrap();
        assert_eq!((files[1].1.as_str(), files[2].1.as_str()), ("in/b_vel.asc", "in/c_vel.asc"));
    }

    #[test]
    fn a_start_after_the_last_line_is_refused() {
        let text = "WINDS_AND_CLOUDS\nENGLISH\n8 4 1300 s d\n8 4 1400 s d\n";
        // The last line, of the start, has a length.
        assert_eq!(parse(text, "2017-08-04T14:00").unwrap().len(), 2);
        let refused = parse(text, "2017-08-05T13:00").unwrap_err();
        let expected = "ends at 2017-08-04 14:00:00, before `start`, 2017-08-05 13:00:00: \
            give a start from 2017-08-04 13:00:00 to 2017-08-04 14:00:00";
        assert_eq!(refused, (4, expected.to_owned()));
    }

    #[test]
    fn units_are_those_of_farsite() {
        let factor = |unit: &str| {
            let text = format!("winds_and_clouds\n{unit}\n7 4 900 s d\n");
            super::parse("a.atm".as_ref(), &text, None).unwrap().factor()
        };
        assert!((factor("ENGLISH") * 10.0 - 4.4704).abs() < 1e-12 && factor("") == factor("ENGLISH"));
        // 41.4 km/h at 10 m are 36 km/h at 20 ft, 10 m/s.
        assert!((factor("Metric") * 41.4 - 10.0).abs() < 1e-12);
    }

    #[cfg(unix)]
    #[test]
    fn rasters_are_beside_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::create_dir(place("other")).unwrap();
        std::fs::write(place("other/secret.asc"), "secret").unwrap();
        std::os::unix::fs::symlink(place("other/secret.asc"), place("s.asc")).unwrap();
        std::fs::write(place("a.atm"), "WINDS_AND_CLOUDS\n7 4 900 s.asc none.asc\n").unwrap();
        let error = Atmosphere::read(&place("a.atm"), "").err().unwrap().to_string();
        assert!(error.contains("s.asc, which leads to another folder"), "{error}");
    }

    #[test]
    fn faults_name_the_line() {
        let fault = |text: &str| parse(text, "").unwrap_err();
        assert_eq!(fault("WEATHER_AND_WINDS\n").0, 1);
        assert!(fault("WINDS_AND_CLOUDS\nENGLISH\n").1.contains("lists no raster"));
        assert_eq!(fault("WINDS_AND_CLOUDS\n7 4 900 s\n").0, 2);
        assert!(fault("WINDS_AND_CLOUDS\n7 4 2460 s d\n").1.contains("`7 4 2460` is no date and time"));
        assert!(fault("WINDS_AND_CLOUDS\n2 30 900 s d\n").1.contains("no date"));
        // The first and the last years that there are have no day before and after them.
        for start in ["-262143-01-01T00:00", "+262142-12-31T23:00"] {
            assert!(parse("WINDS_AND_CLOUDS\n1 1 0 s d\n12 31 2300 s d\n", start).is_ok(), "{start}");
            let over = parse("WINDS_AND_CLOUDS\n12 31 2300 s d\n1 1 0 s d\n", start);
            assert_eq!(over.is_err(), start.starts_with('+'), "{over:?}");
        }
        let twice = fault("WINDS_AND_CLOUDS\n7 4 900 s d\n\n7 4 900 s d\n");
        assert!(twice.0 == 4 && twice.1.contains("is not after 2000-07-04 09:00:00"), "{twice:?}");
    }
}
