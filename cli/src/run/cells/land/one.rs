//! One fire on a landscape.

use super::super::Found;
use super::super::fire::FireArgs;
use super::super::out::Files;
use super::super::pictures::{add, in_hours};
use super::super::report::Report;
use super::{Config, Scene, failure, unlit};
use imminent::models::cell::landscape::{NEVER, Outcome, Wildfire};
use imminent_console::Failure;
use std::fmt::Write;

/// Square metres of a hectare.
const HECTARE: f64 = 10_000.0;
/// Most points of the curve of growth.
const POINTS: usize = 400;

pub(super) fn run(args: &FireArgs, scene: &Scene) -> Result<(), Failure> {
    let weather = scene.scenarios.first().map_or(&[][..], |scenario| &scenario.weather);
    let fire = Wildfire::new(scene.landscape.clone(), weather, &scene.lit, args.common.hours)
        .map_err(|error| unlit(&args.land, error))?;
    args.common.run(
        scene.task(args),
        args.common.by(&fire, Wildfire::run, Wildfire::run_sequentially_while, failure),
        |outcome| Found {
            events: outcome.cells_burnt,
            stats: vec![
                ("distinct_times", outcome.distinct_times as f64),
                ("outputs", outcome.cells_burnt as f64),
                // Cells and hectares count the same cells, those included that are lit.
                ("cells_lit", scene.lit.len() as f64),
                ("cells_burnt", outcome.size() as f64),
                ("most_simultaneous", f64::from(outcome.most_simultaneous)),
                ("burnt_hectares", outcome.size() as f64 * scene.cell_hectares()),
            ],
            digest: outcome.digest(),
            horizon: outcome.horizon,
            partial: None,
        },
        |outcome, report, list| files(scene, &fire, outcome, report, list),
    )
}

impl Scene {
    pub(super) fn cell_hectares(&self) -> f64 {
        self.landscape.cell_size() * self.landscape.cell_size() / HECTARE
    }
}

fn files(
    scene: &Scene,
    fire: &Wildfire,
    outcome: &Outcome,
    report: &Report<Config<'_>>,
    mut files: Files,
) -> Result<Files, Failure> {
    let raster = |values: Vec<f64>| scene.elevation.with_values(values).map_err(Failure::run);
    let arrival = raster(in_hours(&outcome.ignition, NEVER))?;
    add("arrival", &arrival, scene.format, &mut files)?;
    let behaviour = fire.behaviour(outcome);
    let wide = |values: &[f32]| values.iter().map(|value| f64::from(*value)).collect();
    for (name, values) in [
        ("flame_length", &behaviour.flame_length),
        ("intensity", &behaviour.intensity),
        ("spread_rate", &behaviour.rate),
        ("horizontal_rate", &behaviour.horizontal_rate),
    ] {
        add(name, &raster(wide(values))?, scene.format, &mut files)?;
    }
    let burns = |(&crown, &time): (&u8, &u32)| if time == NEVER { f64::NAN } else { f64::from(crown) };
    add(
        "crown",
        &raster(behaviour.crown.iter().zip(&outcome.ignition).map(burns).collect())?,
        scene.format,
        &mut files,
    )?;
    scene.with_place("Arrival of the fire", &arrival, |place| place.arrival(&arrival, &mut files))?;
    let growth = growth(&arrival, scene.cell_hectares());
    let mut csv = "hours,hectares\n".to_owned();
    for (hours, hectares) in &growth {
        let _ = writeln!(csv, "{hours},{hectares}");
    }
    files.push(("growth.csv".to_owned(), csv.into_bytes()));
    #[cfg(feature = "report")]
    {
        let page = super::page::of_one(report, scene, &files, &growth).map_err(Failure::run)?;
        files.push(("report.html".to_owned(), page.into_bytes()));
    }
    #[cfg(not(feature = "report"))]
    let _ = report;
    Ok(files)
}

/// Returns the burnt area in hectares at several hours.
fn growth(arrival: &imminent::models::maps::Raster, hectares: f64) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> = arrival.values().iter().copied().filter(|time| !time.is_nan()).collect();
    times.sort_by(f64::total_cmp);
    let stride = times.len().div_ceil(POINTS).max(1);
    let last = times.len().saturating_sub(1);
    let chosen = times.iter().enumerate().filter(|(rank, _)| rank % stride == 0 || *rank == last);
    chosen.map(|(rank, time)| (*time, (rank + 1) as f64 * hectares)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::growth;
    use imminent::models::maps::{Georeference, Raster};

    #[test]
    fn growth_ends_with_the_whole_burnt_area() {
        let times: Vec<f64> =
            (0..5000).map(|cell| if cell < 1000 { f64::NAN } else { f64::from(cell % 777) }).collect();
        let growth = growth(&Raster::new(100, 50, times, Georeference::square(0.0, 0.0, 1.0)).unwrap(), 0.5);
        assert!(growth.len() <= 402 && growth.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 < pair[1].1));
        assert_eq!(growth.last(), Some(&(776.0, 2000.0)));
    }
}
