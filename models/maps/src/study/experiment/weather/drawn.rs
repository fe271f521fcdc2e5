//! Weathers that are constant or drawn from ranges.

use super::super::super::config::WildfireConfig;
use super::super::super::setting::{PERCENT, ranges};
use super::scenario::Scenario;
use imminent_cell::landscape::{WeatherError, check_percents};
use imminent_cell::study::Misfit;

/// Weathers that are drawn unless another number is asked for.
const DRAWN: u32 = 50;

/// Draws weathers from the ranges of a configuration.
pub(super) fn of_ranges(config: &WildfireConfig, assumed: &mut Vec<String>) -> Result<Vec<Scenario>, Misfit> {
    let ranges = ranges(config).map_err(refused)?;
    let percents = |[least, most]: [f64; 2]| [least * PERCENT, most * PERCENT];
    let [h1, h10, h100, herb, wood] = ranges.moisture.map(percents);
    let leaves = percents(ranges.foliar_moisture);
    for end in [0, 1] {
        check_percents([h1, h10, h100, herb, wood, leaves].map(|range| range[end])).map_err(refused)?;
    }
    let wind = if config.has_winds() {
        "wind of the rasters".to_owned()
    } else {
        format!("wind {} m/s from {} degrees at 20 ft above the vegetation", shown(ranges.wind), shown(ranges.from))
    };
    let told = format!(
        "{wind}, moistures {}, {}, {}, {}, {} %, leaves {} %",
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
pub(in super::super) fn refused(error: WeatherError) -> Misfit {
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
