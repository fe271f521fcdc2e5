//! Tables of fires: growth of one; fires and weathers of an ensemble.

use super::super::setting::PERCENT;
use super::scene::Scene;
use imminent_cell::landscape::{Burnt, Ensemble, NEVER, Weather};
use imminent_cell::rothermel::Moisture;
use imminent_cell::time::MILLISECONDS_PER_HOUR;
use imminent_common::sheet::Of as Column;

/// A fire of an ensemble.
pub(super) struct Size {
    fire: u64,
    row: u32,
    column: u32,
    hectares: f64,
    scenario: u32,
    weather: Weather,
}

/// A state of a weather, and the fires that had this weather.
pub(super) struct Of {
    scenario: u64,
    file: String,
    fires: u64,
    mean: Option<f64>,
    largest: Option<f64>,
    weather: Weather,
}

fn moisture(weather: &Weather, class: usize) -> Option<f64> {
    let Moisture(moisture) = weather.moisture;
    moisture.get(class).map(|share| percent(*share))
}

/// Converts a fraction to percent, without the rounding noise of the conversion.
fn percent(share: f64) -> f64 {
    (share * PERCENT * 1e6).round() / 1e6
}

/// Returns a number, or nothing for one that is not known.
fn known(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

/// Returns a weather whose wind is not known where the cells of a landscape have winds of their own.
fn of_cells(scene: &Scene, weather: Weather) -> Weather {
    if scene.landscape.winds().is_some() { Weather { wind: f64::NAN, from: f64::NAN, ..weather } } else { weather }
}

/// Columns of a table that end with a weather.
macro_rules! and_weather {
    ($($column:expr),*) => {
        &[
            $($column,)*
            ("wind", Column::Number(|row| known(row.weather.wind))),
            ("from", Column::Number(|row| known(row.weather.from))),
            ("1h", Column::Number(|row| moisture(&row.weather, 0))),
            ("10h", Column::Number(|row| moisture(&row.weather, 1))),
            ("100h", Column::Number(|row| moisture(&row.weather, 2))),
            ("herb", Column::Number(|row| moisture(&row.weather, 3))),
            ("wood", Column::Number(|row| moisture(&row.weather, 4))),
            ("foliar", Column::Number(|row| Some(percent(row.weather.foliar_moisture)))),
        ]
    };
}

/// Columns of `sizes.csv`; the weather is that at the start.
pub(super) const SIZES: &[(&str, Column<Size>)] = and_weather![
    ("fire", Column::Count(|row| row.fire)),
    ("row", Column::Count(|row| row.row.into())),
    ("column", Column::Count(|row| row.column.into())),
    ("hectares", Column::Number(|row| Some(row.hectares))),
    ("scenario", Column::Count(|row| row.scenario.into()))
];

/// Columns of `weathers.csv`.
pub(super) const WEATHERS: &[(&str, Column<Of>)] = and_weather![
    ("scenario", Column::Count(|row| row.scenario)),
    ("file", Column::Text(|row| row.file.clone())),
    ("fires", Column::Count(|row| row.fires)),
    ("mean_hectares", Column::Number(|row| row.mean)),
    ("largest_hectares", Column::Number(|row| row.largest)),
    ("hour", Column::Number(|row| Some(row.weather.hour)))
];

/// Burnt area at a time.
pub(super) struct Growth {
    pub(super) hours: f64,
    pub(super) hectares: f64,
}

/// Columns of `growth.csv`.
pub(super) const GROWTH: &[(&str, Column<Growth>)] =
    &[("hours", Column::Number(|row| Some(row.hours))), ("hectares", Column::Number(|row| Some(row.hectares)))];

/// Arrival of a fire at a point.
pub(super) struct Reached {
    fire: u64,
    point: u64,
    row: u32,
    column: u32,
    hours: Option<f64>,
}

/// Columns of `arrivals.csv`; a fire that does not reach a point has no hours there.
pub(super) const ARRIVALS: &[(&str, Column<Reached>)] = &[
    ("fire", Column::Count(|row| row.fire)),
    ("point", Column::Count(|row| row.point)),
    ("row", Column::Count(|row| row.row.into())),
    ("column", Column::Count(|row| row.column.into())),
    ("hours", Column::Number(|row| row.hours)),
];

/// Returns a row for each point of each fire that is over; `times` are those of the points in milliseconds, fire by
/// fire.
pub(super) fn arrivals(scene: &Scene, fires: &[u32], times: &[u32]) -> Vec<Reached> {
    let points = scene.points.len().max(1);
    let of_fire = |(&fire, times): (&u32, &[u32])| {
        let row = |((point, &(row, column)), &time): ((u64, &(u32, u32)), &u32)| {
            let hours = (time != NEVER).then(|| f64::from(time) / MILLISECONDS_PER_HOUR);
            Reached { fire: fire.into(), point, row, column, hours }
        };
        (0..).zip(&scene.points).zip(times).map(row).collect::<Vec<_>>()
    };
    fires.iter().zip(times.chunks(points)).flat_map(of_fire).collect()
}

/// Returns a row for each fire of an ensemble that is over.
pub(super) fn sizes(scene: &Scene, ensemble: &Ensemble, burnt: &Burnt) -> Vec<Size> {
    let fire = |(&fire, &cells): (&u32, &u32)| {
        let ignition = ensemble.ignition(fire as usize)?;
        let (row, column) = ignition.cells.first().copied().unwrap_or_default();
        let weather = *scene.scenarios.get(ignition.scenario as usize)?.weather.first()?;
        let hectares = f64::from(cells) * scene.cell_hectares();
        Some(Size {
            fire: fire.into(),
            row,
            column,
            hectares,
            scenario: ignition.scenario,
            weather: of_cells(scene, weather),
        })
    };
    burnt.numbers.iter().zip(&burnt.sizes).filter_map(fire).collect()
}

/// Returns a row for each state of each weather, with the sizes of the fires under it.
pub(super) fn weathers(scene: &Scene, sizes: &[Size]) -> Vec<Of> {
    let mut burnt = vec![(0_u64, 0.0, 0.0_f64); scene.scenarios.len()];
    for size in sizes {
        if let Some((fires, sum, largest)) = burnt.get_mut(size.scenario as usize) {
            *fires += 1;
            *sum += size.hectares;
            *largest = largest.max(size.hectares);
        }
    }
    let mut rows = Vec::new();
    for ((scenario, given), &(fires, sum, largest)) in (0..).zip(&scene.scenarios).zip(&burnt) {
        let file = given.file.as_ref().map_or_else(String::new, |file| file.display().to_string());
        let (mean, largest) = if fires == 0 { (None, None) } else { (Some(sum / fires as f64), Some(largest)) };
        rows.extend(given.weather.iter().map(|&weather| Of {
            scenario,
            file: file.clone(),
            fires,
            mean,
            largest,
            weather: of_cells(scene, weather),
        }));
    }
    rows
}
