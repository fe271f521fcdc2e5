//! Weather from options, ranges or tables.

use super::super::fire::LandArgs;
use super::super::range::Range;
use imminent::models::cell::landscape::{Weather, WeatherError, WeatherRanges, check_percents};
use imminent::models::cell::rothermel::Moisture;
use imminent::models::input;
use imminent_console::Failure;
use std::path::{Path, PathBuf};

/// Columns of a table that must be there.
const COLUMNS: [&str; 8] = ["hour", "wind", "from", "1h", "10h", "100h", "herb", "wood"];
/// Column that may be there.
const FOLIAR: &str = "foliar";
/// Default moisture of leaves, in percent.
const LEAVES: f64 = 100.0;
/// Percent of a fraction of 1.
pub(super) const PERCENT: f64 = 100.0;

/// Weathers that are drawn unless another number is asked for.
const DRAWN: u32 = 50;

/// Weather that fires may have.
pub(super) struct Scenario {
    /// File of the weather; `None` if it was drawn or given by options.
    pub(super) file: Option<PathBuf>,
    /// States by the hour.
    pub(super) weather: Vec<Weather>,
}

/// Returns the weathers that fires of some hours may have, and adds the assumptions and warnings about them.
pub(super) fn of(
    land: &LandArgs,
    hours: f64,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Scenario>, Failure> {
    let scenarios = if land.weather.is_empty() { from_options(land, assumed)? } else { from_files(land, assumed)? };
    for Scenario { file, weather } in &scenarios {
        let file = file.as_ref().map(|file| file.display().to_string());
        warnings.extend(file.iter().flat_map(|file| held(file, weather, hours)));
    }
    match land.fires {
        None if scenarios.len() > 1 => Err(Failure::usage(
            "--weather was given several times, and a fire has one weather: give it once, or add --fires N",
        )),
        Some(fires) if scenarios.len() > fires as usize => Err(Failure::usage(format!(
            "{} weathers are more than {fires} fires, of which each has one: give more --fires or fewer weathers",
            scenarios.len()
        ))),
        _ => Ok(scenarios),
    }
}

fn from_files(land: &LandArgs, assumed: &mut Vec<String>) -> Result<Vec<Scenario>, Failure> {
    let scenario = |file: &PathBuf| {
        let text = input::text(file).map_err(Failure::usage)?;
        Ok(Scenario { file: Some(file.clone()), weather: table(file, &text, assumed)? })
    };
    land.weather.iter().map(scenario).collect()
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

fn from_options(land: &LandArgs, assumed: &mut Vec<String>) -> Result<Vec<Scenario>, Failure> {
    let ranges = WeatherRanges {
        wind: land.wind.over(1.0),
        from: land.wind_from.over(1.0),
        moisture: land.moisture.map(|range| range.over(PERCENT)),
        foliar_moisture: land.foliar.over(PERCENT),
    };
    let [h1, h10, h100, herb, wood] = land.moisture;
    for end in [|range: Range| range.least, |range: Range| range.most] {
        let percents = [h1, h10, h100, herb, wood, land.foliar].map(end);
        check_percents(percents).map_err(|error| refused(&error))?;
    }
    let told = format!(
        "wind {} m/s from {} degrees at 20 ft above the vegetation, moistures {h1}, {h10}, {h100}, {herb}, {wood} %, leaves {} %",
        land.wind, land.wind_from, land.foliar
    );
    let count = match (land.fires, land.weathers) {
        _ if ranges.is_constant() && land.weathers.is_none() => {
            assumed.push(format!("weather constant: {told}"));
            1
        }
        (_, Some(_)) if ranges.is_constant() => {
            return Err(Failure::usage(
                "--weathers draws from ranges, and there is none: write one as LOW..HIGH, for instance --wind 4..12",
            ));
        }
        (None, _) => {
            return Err(Failure::usage(format!(
                "{told}: one fire has one weather: give single numbers, or add --fires N to draw from ranges"
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
    let drawn = ranges.draw(count, land.seed()).map_err(|error| refused(&error))?;
    Ok(drawn.into_iter().map(|weather| Scenario { file: None, weather: vec![weather] }).collect())
}

/// Returns the failure of weather that options give.
pub(super) fn refused(error: &WeatherError) -> Failure {
    let what = match error {
        WeatherError::Value { what, .. } | WeatherError::Fraction { what, .. } | WeatherError::Range { what, .. } => {
            what
        }
        WeatherError::Empty | WeatherError::Order { .. } | WeatherError::Band { .. } => return Failure::usage(error),
    };
    let option = match *what {
        "wind" => "--wind",
        "wind direction" => "--wind-from",
        "foliar moisture" => "--foliar",
        _ => "--moisture",
    };
    Failure::option(option, error)
}

fn weather([hour, wind, from, h1, h10, h100, herb, wood]: [f64; 8], foliar: f64) -> Weather {
    let moisture = Moisture([h1, h10, h100, herb, wood].map(|percent| percent / PERCENT));
    Weather { hour, wind, from, moisture, foliar_moisture: foliar / PERCENT }
}

fn table(file: &Path, text: &str, assumed: &mut Vec<String>) -> Result<Vec<Weather>, Failure> {
    let fault = |line: usize, fault: String| Failure::usage(format!("{}:{line}: {fault}", file.display()));
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
