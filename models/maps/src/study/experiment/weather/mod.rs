//! Weathers of fires, from files or drawn.
//!
//! A file is a [table] of the model's own values, or a weather [stream](stream): `.wxs` of FlamMap and FARSITE, or
//! `.fw21` of fire danger rating.

mod columns;
mod drawn;
mod fw21;
mod scenario;
mod stream;
mod table;
mod wxs;

pub(super) use drawn::refused;
pub(super) use scenario::Scenario;

use super::super::config::WildfireConfig;
use super::super::wind;
use imminent_cell::landscape::{Landscape, Weather};
use imminent_cell::study::Misfit;
use imminent_common::input;
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};
use stream::Stream;

/// Form of a weather file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Wxs,
    Fw21,
    /// Daily extremes or winds of FARSITE 4, which are no hourly weather alone.
    Daily,
}

impl Form {
    /// Returns the form by the end of a file's name.
    fn of(file: &Path) -> Self {
        let extension = file.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("wxs" | "raws") => Form::Wxs,
            Some("fw21") => Form::Fw21,
            Some("wtr" | "wnd") => Form::Daily,
            _ => Form::Table,
        }
    }
}

/// Returns whether a file is a weather stream, whose dates, units and air it has.
pub(super) fn is_stream(file: &str) -> bool {
    matches!(Form::of(Path::new(file)), Form::Wxs | Form::Fw21)
}

/// Returns the weathers that fires may have, and adds the assumptions and warnings about them.
pub(super) fn of(
    config: &WildfireConfig,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Scenario>, Misfit> {
    let takes_units = config.weather.is_empty() || config.weather.iter().any(|file| !is_stream(file));
    if takes_units && wind::factor(config.wind_units, config.wind_height) != 1.0 {
        assumed.push(format!(
            "winds are given {}, and told in m/s at 20 ft above the vegetation",
            wind::told(config.wind_units, config.wind_height)
        ));
    }
    let scenarios = if config.weather.is_empty() {
        drawn::of_ranges(config, assumed)?
    } else {
        from_files(config, assumed, warnings)?
    };
    for Scenario { file, weather } in &scenarios {
        let file = file.as_ref().map(|file| file.display().to_string());
        let hours: Vec<f64> = weather.iter().map(|state| state.hour).collect();
        warnings.extend(file.iter().flat_map(|file| held([file, file], "weather", &hours, config.last_hour())));
    }
    match config.fires {
        None if scenarios.len() > 1 => Err(Misfit::other(
            "--weather was given several times, and a fire has one weather: give it once, or add --fires N",
        )),
        Some(fires) if scenarios.len() > fires as usize => Err(Misfit::other(format!(
            "{} weathers are more than {fires} fires, of which each has one: give more --fires or fewer weathers",
            scenarios.len()
        ))),
        _ => Ok(scenarios),
    }
}

/// Checks that the dates of winds and of a weather stream count from one start. Warns where winds are held beyond their
/// hours, and of those between whole hours that no fire has.
pub(super) fn of_winds(config: &WildfireConfig, landscape: &Landscape) -> Result<Vec<String>, Misfit> {
    let Some(winds) = landscape.winds() else { return Ok(vec![]) };
    if !config.wind_grids.is_empty() && config.start.is_empty() && config.weather.iter().any(|file| is_stream(file)) {
        return Err(Misfit::other(
            "give --start, the date and time at which fires begin: dates of `weather` and of `wind_grids` count from it",
        ));
    }
    let mut files = [&config.wind_grids].into_iter().chain(&config.wind_speeds).filter(|file| !file.is_empty());
    let Some(first) = files.next() else { return Ok(vec![]) };
    let last = files.next_back().unwrap_or(first);
    let hours: Vec<f64> = winds.hours().collect();
    let mut warnings = held([first, last], "wind", &hours, config.last_hour());
    // What fire would do at an hour has the winds of that hour.
    if config.behaviour.is_none() {
        warnings.extend(between_whole_hours(first, &hours, config.last_hour()));
    }
    Ok(warnings)
}

/// Tells of winds that no fire has: it has those of the beginning of each hour, which are mixed of the winds before and
/// after it.
fn between_whole_hours(file: &str, given: &[f64], last: f64) -> Option<String> {
    let has_effect = |place: usize| {
        let before = place.checked_sub(1).and_then(|before| given.get(before)).copied().unwrap_or(f64::NEG_INFINITY);
        let after = given.get(place + 1).copied().unwrap_or(f64::INFINITY);
        let first_hour = (before.max(-1.0) + 1.0).floor();
        first_hour < after && first_hour <= last
    };
    let within = given.iter().enumerate().filter(|(_, hour)| (0.0..=last).contains(*hour));
    let left_out: Vec<f64> = within.filter(|(place, _)| !has_effect(*place)).map(|(_, hour)| *hour).collect();
    left_out.first().map(|hour| {
        format!(
            "{file}: {} of {} winds have no effect, the first of hour {hour}: a fire has the winds of the beginning of each hour",
            left_out.len(),
            given.len()
        )
    })
}

fn from_files(
    config: &WildfireConfig,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Scenario>, Misfit> {
    let mut scenario = |name: &String| -> Result<Scenario, Misfit> {
        let file = PathBuf::from(name);
        let form = Form::of(&file);
        if form == Form::Daily {
            return Err(Misfit::other(format!(
                "{name}: has daily extremes or winds alone: convert both files to one `.wxs` by FlamMap's Utilities > WND and WTR to WXS"
            )));
        }
        let text = input::text(&file)?;
        let weather = match form {
            Form::Wxs => from_stream(wxs::read(&file, &text), config, assumed, warnings)?,
            Form::Fw21 => from_stream(fw21::read(&file, &text), config, assumed, warnings)?,
            Form::Table | Form::Daily => {
                let mut weather = table::read(&file, &text, assumed).map_err(Misfit::other)?;
                weather.iter_mut().for_each(|state| state.wind *= wind::factor(config.wind_units, config.wind_height));
                weather
            }
        };
        Ok(Scenario { file: Some(file), weather })
    };
    config.weather.iter().map(&mut scenario).collect()
}

fn from_stream(
    stream: Result<Stream, Fault>,
    config: &WildfireConfig,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Weather>, Misfit> {
    let stream = stream.map_err(Misfit::other)?;
    warnings.extend(stream.warnings());
    stream.weather(config, assumed)
}

/// Says where a quantity goes on without values of its file: before its first hour, or more than an interval after the
/// last one. The values are those of a file, or of several of which the first and the last are given.
pub(super) fn held([begin, end]: [&str; 2], what: &str, given: &[f64], hours: f64) -> Vec<String> {
    let hour = |hour: Option<&f64>| hour.copied().unwrap_or(0.0);
    let (first, last) = (hour(given.first()), hour(given.last()));
    let interval = given.len().checked_sub(2).map_or(f64::INFINITY, |before| last - hour(given.get(before)));
    let early = (first > 0.0).then(|| format!("{begin}: begins at hour {first}, whose {what} is taken before too"));
    let late = (hours > last + interval)
        .then(|| format!("{end}: ends at hour {last}, whose {what} is taken until hour {hours} too"));
    early.into_iter().chain(late).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weather_that_is_held_beyond_its_file_is_told() {
        let held = |given: &[f64], hours| held(["a.asc", "b.asc"], "weather", given, hours);
        assert!(held(&[0.0, 1.0, 2.0], 3.0).is_empty());
        assert!(held(&[0.0], 24.0).is_empty());
        let told = held(&[2.0, 3.0], 5.0);
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("a.asc: begins at hour 2"), "{told:?}");
        assert!(told[1].starts_with("b.asc: ends at hour 3"), "{told:?}");
    }

    #[test]
    fn winds_that_no_fire_has_are_told() {
        let told = |given: &[f64], last| between_whole_hours("a.atm", given, last);
        assert_eq!(told(&[0.0, 1.0, 2.0], 2.0), None);
        let expected = "a.atm: 1 of 3 winds have no effect, the first of hour 0.5: \
            a fire has the winds of the beginning of each hour";
        assert_eq!(told(&[0.0, 0.5, 1.0], 2.0).unwrap(), expected);
        // Hour 1 has the mean of the winds before and after it, and those after the horizon would have an effect later.
        assert_eq!(told(&[0.0, 0.5, 1.5], 2.0), None);
        assert_eq!(told(&[0.5, 2.5], 2.0), None);
        assert!(told(&[0.0, 0.25, 0.5, 0.75, 1.0], 0.9).unwrap().contains("3 of 5 winds"));
        assert!(told(&[0.0, 1.0, 1.5], 1.7).unwrap().contains("1 of 3 winds"));
    }

    #[test]
    fn forms_are_known_by_the_ends_of_names() {
        for (name, form) in
            [("a.csv", Form::Table), ("b.WXS", Form::Wxs), ("c.fw21", Form::Fw21), ("d.wtr", Form::Daily)]
        {
            assert_eq!(Form::of(name.as_ref()), form, "{name}");
        }
    }
}
