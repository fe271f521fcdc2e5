//! One fire on a landscape.

use super::scene::Scene;
use super::tables::{self, GROWTH, Growth};
use crate::plate::{Files, add};
use crate::{Raster, perimeter};
use imminent_cell::landscape::{NEVER, Outcome, Wildfire};
use imminent_cell::study::{Account, Findings};
use imminent_cell::time::MILLISECONDS_PER_HOUR;
use imminent_common::answer::Answer;
use imminent_common::figure::Point;
use imminent_common::sheet::Sheet;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;
use imminent_study::outcome::{Content, Rows, Section};

/// Most points of the curve of growth.
const POINTS: usize = 400;

/// Measures of one fire, after those of studies.
pub(super) fn measures() -> [Measure; 5] {
    [
        Measure::new("cells_burnt", "", "Cells that burn, those included that are lit."),
        Measure::new("cells_lit", "", "Cells that are lit at the start."),
        Measure::new("distinct_times", "", "Distinct times of ignition."),
        Measure::new("most_simultaneous", "", "Most cells that ignite at one time."),
        Measure::new("outputs", "", "Outputs of cells: one for each that ignites."),
    ]
}

pub(super) fn findings(scene: &Scene, outcome: &Outcome, large: f64) -> Findings {
    let (size, lit) = (outcome.size() as f64, scene.lit.cells.len() as f64);
    let area = size * scene.cell_hectares();
    let is_large = if area > large { 1.0 } else { 0.0 };
    let (times, most) = (outcome.distinct_times as f64, f64::from(outcome.most_simultaneous));
    let values = [area, area, is_large, size, lit, times, most, outcome.cells_burnt as f64];
    Findings {
        events: outcome.cells_burnt,
        values: values.map(Some).to_vec(),
        digest: outcome.digest(),
        simulated: outcome.horizon.into(),
    }
}

pub(super) fn account(scene: &Scene, outcome: &Outcome) -> Account {
    let hours = f64::from(outcome.horizon) / MILLISECONDS_PER_HOUR;
    Account {
        title: "Fire on a landscape",
        answer: Answer {
            question: format!("Which land does the fire burn within {hours} h, and when?"),
            results: vec![format!(
                "{:.2} ha: {} of the {} cells that can burn. The map shows when.",
                outcome.size() as f64 * scene.cell_hectares(),
                outcome.size(),
                scene.landscape.burnable()
            )],
            certainty: "The model is deterministic: the same inputs always give this fire. It is as good as the weather, the fuels and the elevation, and as the rows “assumed”.".to_owned(),
        },
        facts: vec![("landscape", scene.described())],
        assumed: scene.assumed.clone(),
        warnings: scene.warnings.clone(),
        ..Account::default()
    }
}

/// Adds files and sections of an outcome, and returns its tables.
pub(super) fn exhibits(
    scene: &Scene,
    fire: &Wildfire,
    outcome: &Outcome,
    files: &mut Files,
    sections: &mut Vec<Section>,
) -> Result<Vec<Box<dyn Sheet>>, Fault> {
    let arrival = scene.raster(outcome.ignition.iter().map(in_hours).collect())?;
    add("arrival", &arrival, scene.format, files)?;
    let hours = f64::from(outcome.horizon) / MILLISECONDS_PER_HOUR;
    let properties = [("hours", hours), ("hectares", outcome.size() as f64 * scene.cell_hectares())];
    let perimeter = perimeter::polygons(&arrival, &|time| !time.is_nan());
    files.push("perimeter.geojson", perimeter::geojson(&perimeter, &arrival.place, &properties).into_bytes());
    let behaviour = fire.behaviour(outcome);
    let wide = |values: &[f32]| values.iter().map(|value| f64::from(*value)).collect();
    for (name, values) in [
        ("flame_length", &behaviour.flame_length),
        ("intensity", &behaviour.intensity),
        ("spread_rate", &behaviour.rate),
        ("horizontal_rate", &behaviour.horizontal_rate),
    ] {
        add(name, &scene.raster(wide(values))?, scene.format, files)?;
    }
    let burns = |(&crown, &time): (&u8, &u32)| if time == NEVER { f64::NAN } else { f64::from(crown) };
    let crown = scene.raster(behaviour.crown.iter().zip(&outcome.ignition).map(burns).collect())?;
    add("crown", &crown, scene.format, files)?;
    scene.with_plate("Arrival of the fire", &arrival, |plate| plate.arrival(&arrival, files))?;
    let picture = |heading: &str, file: &str, caption: &str| {
        Section::new(heading, Content::Picture { file: file.to_owned(), caption: caption.to_owned() })
    };
    sections.extend([
        picture(
            "Arrival",
            "arrival.png",
            "Hours until the fire came, with lines of equal time; stars are cells that were lit one by one.",
        ),
        picture("Film", "arrival.apng", "Arrival of the fire as a film; cells that it has just reached are bright."),
    ]);
    let growth = growth(&arrival, scene.cell_hectares());
    let point = |at: &Growth| Point { x: at.hours, y: at.hectares, half_width: None };
    let points = growth.iter().map(point).collect();
    let (labels, caption) = (["hours", "hectares"].map(str::to_owned), "Area that the fire has burnt.".to_owned());
    sections.push(Section::new("Burnt area over time", Content::Curve { points, labels, caption }));
    let mut sheets: Vec<Box<dyn Sheet>> = vec![Box::new(Rows { name: "growth", columns: GROWTH, rows: growth })];
    if !scene.points.is_empty() {
        let time = |&(row, column): &(u32, u32)| {
            let cell = scene.landscape.cell(row, column);
            cell.and_then(|cell| outcome.ignition.get(cell)).copied().unwrap_or(NEVER)
        };
        let times: Vec<u32> = scene.points.iter().map(time).collect();
        let rows = tables::arrivals(scene, &[0], &times);
        sheets.push(Box::new(Rows { name: "arrivals", columns: tables::ARRIVALS, rows }));
    }
    Ok(sheets)
}

/// Converts a time in milliseconds to hours; NaN for a cell that does not burn.
fn in_hours(time: &u32) -> f64 {
    if *time == NEVER { f64::NAN } else { f64::from(*time) / MILLISECONDS_PER_HOUR }
}

/// Returns the burnt area in hectares at several hours.
fn growth(arrival: &Raster, hectares: f64) -> Vec<Growth> {
    let mut times: Vec<f64> = arrival.values().iter().copied().filter(|time| !time.is_nan()).collect();
    times.sort_by(f64::total_cmp);
    let stride = times.len().div_ceil(POINTS).max(1);
    let last = times.len().saturating_sub(1);
    let chosen = times.iter().enumerate().filter(|(rank, _)| rank % stride == 0 || *rank == last);
    chosen.map(|(rank, time)| Growth { hours: *time, hectares: (rank + 1) as f64 * hectares }).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::growth;
    use crate::{Georeference, Raster};

    #[test]
    fn growth_ends_with_the_whole_burnt_area() {
        let times: Vec<f64> =
            (0..5000).map(|cell| if cell < 1000 { f64::NAN } else { f64::from(cell % 777) }).collect();
        let growth = growth(&Raster::new(100, 50, times, Georeference::square(0.0, 0.0, 1.0)).unwrap(), 0.5);
        assert!(
            growth.len() <= 402
                && growth.windows(2).all(|pair| pair[0].hours <= pair[1].hours && pair[0].hectares < pair[1].hectares)
        );
        let last = growth.last().unwrap();
        assert_eq!((last.hours, last.hectares), (776.0, 2000.0));
    }
}
