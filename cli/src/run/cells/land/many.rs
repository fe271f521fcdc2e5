//! An ensemble of fires on a landscape.

use super::super::fire::FireArgs;
use super::super::out::Files;
use super::super::pictures::add;
use super::super::report::Report;
use super::super::{Found, Task};
use super::{Config, Scene, failure, sheets, unlit};
use imminent::models::cell::landscape::{Burnt, Ensemble};
use imminent::models::maps::picture::Ramp;
use imminent::models::sheet::{Records, Sheet};
use imminent_console::Failure;

/// Quantiles of arrival, with the names of their rasters.
const QUANTILES: [(f64, &str); 3] = [(0.1, "arrival_10"), (0.5, "arrival_50"), (0.9, "arrival_90")];

pub(super) fn run(args: &FireArgs, scene: &Scene, fires: u32) -> Result<(), Failure> {
    let weathers: Vec<_> = scene.scenarios.iter().map(|scenario| scenario.weather.clone()).collect();
    let ensemble = Ensemble::drawn(scene.landscape.clone(), &weathers, fires, args.land.seed(), args.common.hours)
        .map_err(|error| unlit(&args.land, error))?;
    // Steps of devices are rounds over many fires; those of hosts are fires.
    let opened = args.common.device.opened.as_ref();
    let by_fires = opened.is_none_or(|(device, _)| device.capabilities().native_rows);
    args.common.run(
        Task { goal: by_fires.then_some((fires.into(), "fires")), ..scene.task(args) },
        args.common.by(&ensemble, Ensemble::run, Ensemble::run_sequentially_while, failure),
        |burnt| {
            let cells: u64 = burnt.sizes.iter().copied().map(u64::from).sum();
            let most = burnt.sizes.iter().copied().max().unwrap_or(0);
            let hectares = scene.cell_hectares();
            Found {
                events: cells,
                stats: vec![
                    ("fires", f64::from(burnt.fires)),
                    ("cells_burnt", cells as f64),
                    ("mean_hectares", cells as f64 * hectares / f64::from(burnt.fires.max(1))),
                    ("largest_hectares", f64::from(most) * hectares),
                ],
                digest: burnt.digest(),
                horizon: burnt.horizon,
                partial: (burnt.fires < fires).then(|| format!("{} of {fires} fires", burnt.fires)),
            }
        },
        |burnt, report, list| files(scene, &ensemble, burnt, report, list),
    )
}

fn files(
    scene: &Scene,
    ensemble: &Ensemble,
    burnt: &Burnt,
    report: &Report<Config<'_>>,
    mut files: Files,
) -> Result<Files, Failure> {
    let cells = scene.landscape.cells();
    let raster = |values: Vec<f64>| scene.elevation.with_values(values).map_err(Failure::run);
    let chance = |cell: usize| scene.landscape.site(cell).map_or(f64::NAN, |_| burnt.probability(cell));
    let probability = raster((0..cells).map(chance).collect())?;
    add("burn_probability", &probability, scene.format, &mut files)?;
    for (share, name) in QUANTILES {
        let time = |cell: usize| burnt.arrival(cell, share).unwrap_or(f64::NAN);
        add(name, &raster((0..cells).map(time).collect())?, scene.format, &mut files)?;
    }
    let quantity = ("share of\nthe fires\nthat burn it", Ramp::Chance, 0.0, None);
    scene.with_place("Burn probability", &probability, |place| {
        place.quantity("burn_probability", &probability, quantity, &mut files)
    })?;
    let sizes = sheets::sizes(scene, ensemble, burnt);
    let weathers = sheets::weathers(scene, &sizes);
    files.push(("sizes.csv".to_owned(), csv(&Records { name: "sizes", columns: sheets::SIZES, rows: &sizes })?));
    files.push((
        "weathers.csv".to_owned(),
        csv(&Records { name: "weathers", columns: sheets::WEATHERS, rows: &weathers })?,
    ));
    #[cfg(feature = "report")]
    {
        let page = super::page::of_many(report, scene, &files, &burnt.sizes, &weathers).map_err(Failure::run)?;
        files.push(("report.html".to_owned(), page.into_bytes()));
    }
    #[cfg(not(feature = "report"))]
    let _ = report;
    Ok(files)
}

fn csv(sheet: &impl Sheet) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    imminent_report::sheet::csv::write(&mut text, sheet).map_err(Failure::run)?;
    Ok(text)
}
