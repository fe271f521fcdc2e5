//! Weathers of fires, from files or drawn.

use super::super::config::WildfireConfig;
use super::super::setting::{PERCENT, ranges};
use super::super::wind;
use imminent_cell::landscape::{Weather, WeatherError, check_percents};
use imminent_cell::rothermel::Moisture;
use imminent_cell::study::Misfit;
use imminent_common::input;
use imminent_study::laboratory::Fault;
use std::path::{Path, PathBuf};

/// Columns of a table that must be there.
const COLUMNS: [&str; 8] = ["hour", "wind", "from", "1h", "10h", "100h", "herb", "wood"];
/// Column that may be there.
const FOLIAR: &str = "foliar";
/// Default moisture of leaves, in percent.
const LEAVES: f64 = 100.0;

/// Weathers that are drawn unless another number is asked for.
const DRAWN: u32 = 50;

/// Weather that fires may have.
pub(super) struct Scenario {
    /// File of the weather; `None` if it was drawn or is constant.
    pub(super) file: Option<PathBuf>,
    /// States by the hour.
    pub(super) weather: Vec<Weather>,
}

/// Returns the weathers that fires may have, and adds the assumptions and warnings about them.
pub(super) fn of(
    config: &WildfireConfig,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Scenario>, Misfit> {
    if wind::factor(config.wind_units, config.wind_height) != 1.0 {
        assumed.push(format!(
            "winds are given {}, and told in m/s at 20 ft above the vegetation",
            wind::told(config.wind_units, config.wind_height)
        ));
    }
    let scenarios = if config.weather.is_empty() { of_ranges(config, assumed)? } else { from_files(config, assumed)? };
    for Scenario { file, weather } in &scenarios {
        let file = file.as_ref().map(|file| file.display().to_string());
        warnings.extend(file.iter().flat_map(|file| held(file, weather, config.behaviour.unwrap_or(config.horizon))));
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

fn from_files(config: &WildfireConfig, assumed: &mut Vec<String>) -> Result<Vec<Scenario>, Misfit> {
    let scenario = |file: &String| -> Result<Scenario, Misfit> {
        let file = PathBuf::from(file);
        let mut weather = table(&file, &input::text(&file)?, assumed).map_err(Misfit::other)?;
        weather.iter_mut().for_each(|state| state.wind *= wind::factor(config.wind_units, config.wind_height));
        Ok(Scenario { file: Some(file), weather })
    };
    config.weather.iter().map(scenario).collect()
}

/// Says where a weather goes on without a line of its file: before the first, or more than an interval after the last.
fn held(file: &str, weather: &[Weather], hours: f64) -> Vec<String> {
    let hour = |state: Option<&Weather>| state.map_or(0.0, |state| state.hour);
    let (first, last) = (hour(weather.first()), hour(weather.last()));
    let interval = weather.len().checked_sub(2).map_or(f64::INFINITY, |before| last - hour(weather.get(before)));
    let early = (first > 0.0).then(|| format!("{file}: begins at hour {first}, whose weather is taken before too"));
    let late = (hours > last + interval)
        .then(|| format!("{file}: ends at hour {last}, whose weather is taken until hour {hours} too"));
    early.into_iter().chain(late).collect()
}

/// Draws weathers from the ranges of a configuration.
fn of_ranges(config: &WildfireConfig, assumed: &mut Vec<String>) -> Result<Vec<Scenario>, Misfit> {
    let ranges = ranges(config).map_err(refused)?;
    let percents = |[least, most]: [f64; 2]| [least * PERCENT, most * PERCENT];
    let [h1, h10, h100, herb, wood] = ranges.moisture.map(percents);
    let leaves = percents(ranges.foliar_moisture);
    for end in [0, 1] {
        check_percents([h1, h10, h100, herb, wood, leaves].map(|range| range[end])).map_err(refused)?;
    }
    let told = format!(
        "wind {} m/s from {} degrees at 20 ft above the vegetation, moistures {}, {}, {}, {}, {} %, leaves {} %",
        shown(ranges.wind),
        shown(ranges.from),
        shown(h1),
        shown(h10),
        shown(h100),
        shown(herb),
        shown(wood),
        shown(leaves)
    );
    let count = match (config.fires, config.weathers) {
        (_, None) if ranges.is_constant() => {
            assumed.push(format!("weather constant: {told}"));
            1
        }
        (_, Some(_)) if ranges.is_constant() => {
            return Err(Misfit::other(
                "--weathers draws from ranges, and there is none: give one, for instance --wind 8 --wind-spread 4",
            ));
        }
        (None, _) => {
            return Err(Misfit::other(format!(
                "{told}: one fire has one weather: leave spreads out, or add --fires N to draw from ranges"
            )));
        }
        (Some(fires), weathers) => {
            let count = weathers.unwrap_or(DRAWN.min(fires));
            assumed.push(format!(
                "{count} weathers drawn, each constant: {told}; uniform, moistures of dead fuel together, of live fuel and leaves too"
            ));
            count
        }
    };
    let drawn = ranges.draw(count, config.seed).map_err(refused)?;
    Ok(drawn.into_iter().map(|weather| Scenario { file: None, weather: vec![weather] }).collect())
}

/// Formats a range, without the rounding noise of percents.
fn shown([least, most]: [f64; 2]) -> String {
    let rounded = |value: f64| (value * 1e6).round() / 1e6;
    if least == most { rounded(least).to_string() } else { format!("{} to {}", rounded(least), rounded(most)) }
}

/// Returns the misfit of weather that keys give.
pub(super) fn refused(error: WeatherError) -> Misfit {
    let key = match &error {
        WeatherError::Value { what, .. } | WeatherError::Fraction { what, .. } | WeatherError::Range { what, .. } => {
            match *what {
                "wind" => "wind",
                "wind direction" => "wind_from",
                "foliar moisture" => "foliar",
                "10-h moisture" => "moisture_10h",
                "100-h moisture" => "moisture_100h",
                "moisture of herbs" => "moisture_herb",
                "moisture of live wood" => "moisture_wood",
                _ => "moisture_1h",
            }
        }
        WeatherError::Empty | WeatherError::Order { .. } | WeatherError::Band { .. } => return error.into(),
    };
    Misfit::of(key, error)
}

fn weather([hour, wind, from, h1, h10, h100, herb, wood]: [f64; 8], foliar: f64) -> Weather {
    let moisture = Moisture([h1, h10, h100, herb, wood].map(|percent| percent / PERCENT));
    Weather { hour, wind, from, moisture, foliar_moisture: foliar / PERCENT }
}

fn table(file: &Path, text: &str, assumed: &mut Vec<String>) -> Result<Vec<Weather>, Fault> {
    let fault = |line: usize, fault: String| Fault::from(format!("{}:{line}: {fault}", file.display()));
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) =
        lines.next().ok_or_else(|| fault(1, format!("is empty: begin with a line `{}`", COLUMNS.join(","))))?;
    let names: Vec<String> = header.split(',').map(|name| name.trim().to_lowercase()).collect();
    let column = |wanted: &str| names.iter().position(|name| name == wanted);
    let mut places = [0; COLUMNS.len()];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        *place = column(name)
            .ok_or_else(|| fault(1, format!("has no column `{name}`: begin with a line `{}`", COLUMNS.join(","))))?;
    }
    let foliar = column(FOLIAR);
    if foliar.is_none() {
        assumed.push(format!("{}: leaves of {LEAVES} %, which it does not tell", file.display()));
    }
    let mut states = Vec::new();
    for (index, line) in lines {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let number = |place: usize| {
            let word = words.get(place).copied().unwrap_or_default();
            word.parse::<f64>().map_err(|_| {
                let name = names.get(place).map_or("", String::as_str);
                fault(
                    index + 1,
                    format!("`{word}` in column `{name}` is no number: write one, with a point for decimals"),
                )
            })
        };
        let mut numbers = [0.0; COLUMNS.len()];
        for (to, place) in numbers.iter_mut().zip(places) {
            *to = number(place)?;
        }
        let leaves = foliar.map_or(Ok(LEAVES), number)?;
        let [_, _, _, h1, h10, h100, herb, wood] = numbers;
        check_percents([h1, h10, h100, herb, wood, leaves]).map_err(|error| fault(index + 1, error.to_string()))?;
        states.push(weather(numbers, leaves));
    }
    if states.is_empty() { Err(fault(2, "has no weather: add a line of numbers".to_owned())) } else { Ok(states) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_table_is_read_by_the_names_of_its_columns() {
        let mut assumed = Vec::new();
        let text = "wind,hour,from,1h,10h,100h,herb,wood\n5,0,270,6,7,8,60,90\n\n9,3,200,5,6,7,60,90\n";
        let states = table("w.csv".as_ref(), text, &mut assumed).unwrap();
        assert_eq!((states.len(), states[1].hour, states[1].wind, states[1].from), (2, 3.0, 9.0, 200.0));
        assert_eq!((states[0].moisture, states[0].foliar_moisture), (Moisture([0.06, 0.07, 0.08, 0.6, 0.9]), 1.0));
        assert!(assumed[0].contains("leaves of 100 %"));
    }

    #[test]
    fn faults_name_line_and_column() {
        let fault = |text: &str| table("w.csv".as_ref(), text, &mut Vec::new()).unwrap_err().to_string();
        assert!(fault("hour,wind\n").starts_with("w.csv:1: has no column `from`"));
        assert!(
            fault("hour,wind,from,1h,10h,100h,herb,wood\n0,5,west,6,7,8,60,90")
                .contains("w.csv:2: `west` in column `from`")
        );
        assert!(fault("hour,wind,from,1h,10h,100h,herb,wood\n").contains("no weather"));
        assert!(fault("").contains("is empty"));
        let fractions = fault("hour,wind,from,1h,10h,100h,herb,wood\n0,5,270,0.06,0.07,0.08,0.6,0.9");
        assert!(fractions.starts_with("w.csv:2: 1-h moisture of 0.06 %: is it a fraction"), "{fractions}");
    }

    #[test]
    fn weather_that_is_held_beyond_its_file_is_told() {
        let at = |hours: &[f64]| -> Vec<Weather> {
            hours.iter().map(|&hour| weather([hour, 5.0, 270.0, 6.0, 7.0, 8.0, 60.0, 90.0], 100.0)).collect()
        };
        assert!(held("w.csv", &at(&[0.0, 1.0, 2.0]), 3.0).is_empty());
        assert!(held("w.csv", &at(&[0.0]), 24.0).is_empty());
        let told = held("w.csv", &at(&[2.0, 3.0]), 5.0);
        assert_eq!(told.len(), 2);
        assert!(told[0].contains("begins at hour 2") && told[1].contains("ends at hour 3"), "{told:?}");
    }
}
