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
        warnings.extend(file.iter().flat_map(|file| held(file, "weather", &hours, config.last_hour())));
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

/// Checks that the dates of winds and of a weather stream count from one start, and warns where winds are held beyond
/// their hours.
pub(super) fn of_winds(config: &WildfireConfig, landscape: &Landscape) -> Result<Vec<String>, Misfit> {
    let Some(winds) = landscape.winds() else { return Ok(vec![]) };
    if !config.wind_grids.is_empty() && config.start.is_empty() && config.weather.iter().any(|file| is_stream(file)) {
        return Err(Misfit::other(
            "give --start, the date and time at which fires begin: dates of `weather` and of `wind_grids` count from it",
        ));
    }
    let file = [&config.wind_grids].into_iter().chain(&config.wind_speeds).find(|file| !file.is_empty());
    let hours: Vec<f64> = winds.hours().collect();
    Ok(file.map_or(vec![], |file| held(file, "wind", &hours, config.last_hour())))
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
/// last one.
pub(super) fn held(file: &str, what: &str, given: &[f64], hours: f64) -> Vec<String> {
    let hour = |hour: Option<&f64>| hour.copied().unwrap_or(0.0);
    let (first, last) = (hour(given.first()), hour(given.last()));
    let interval = given.len().checked_sub(2).map_or(f64::INFINITY, |before| last - hour(given.get(before)));
    let early = (first > 0.0).then(|| format!("{file}: begins at hour {first}, whose {what} is taken before too"));
    let late = (hours > last + interval)
        .then(|| format!("{file}: ends at hour {last}, whose {what} is taken until hour {hours} too"));
    early.into_iter().chain(late).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weather_that_is_held_beyond_its_file_is_told() {
        assert!(held("w.csv", "weather", &[0.0, 1.0, 2.0], 3.0).is_empty());
        assert!(held("w.csv", "weather", &[0.0], 24.0).is_empty());
        let told = held("w.csv", "weather", &[2.0, 3.0], 5.0);
        assert_eq!(told.len(), 2);
        assert!(told[0].contains("begins at hour 2") && told[1].contains("ends at hour 3"), "{told:?}");
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
