//! Winds of the cells by the hour, against the one wind of the weather.

#![allow(clippy::unwrap_used, clippy::panic)]

use imminent_cell::landscape::{
    Ensemble, HourlyWind, Ignition, Landscape, Potential, Weather, Wildfire, Winds, WindsError, synthetic,
};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;
use std::sync::Arc;

const ROWS: u32 = 60;
const COLUMNS: u32 = 70;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn on<R>(_: R) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn ground() -> Landscape {
    synthetic(ROWS, COLUMNS, 7).unwrap()
}

/// Cells that burn, far from one another.
fn lit(landscape: &Landscape) -> Vec<(u32, u32)> {
    let all = (5..ROWS).step_by(10).flat_map(|row| (5..COLUMNS).step_by(10).map(move |column| (row, column)));
    all.filter(|&(row, column)| landscape.site(landscape.cell(row, column).unwrap()).is_some()).collect()
}

/// Weathers by the hour with winds in m/s and their directions.
fn weathers(winds: &[(f64, f64, f64)]) -> Vec<Weather> {
    let weather = |&(hour, wind, from): &(f64, f64, f64)| Weather {
        hour,
        wind,
        from,
        moisture: Moisture([0.05 + 0.001 * hour, 0.06, 0.07, 0.6, 0.9]),
        foliar_moisture: 1.0,
    };
    winds.iter().map(weather).collect()
}

/// Winds of rasters whose cells have some rows and columns of the landscape. Each has the wind that is given for its
/// number at an hour.
fn winds(landscape: &Landscape, side: u32, hours: &[f64], wind: impl Fn(u32, f64) -> (f64, f64)) -> Winds {
    let (down, across) = (ROWS.div_ceil(side), COLUMNS.div_ceil(side));
    let cell_of = (0..ROWS * COLUMNS).map(|cell| Some(cell / COLUMNS / side * across + cell % COLUMNS / side));
    let cells = down * across;
    let winds = landscape.winds_of(cells, &cell_of.collect::<Vec<_>>()).unwrap();
    hours.iter().fold(winds, |winds, &hour| {
        let (speed, from) = (0..cells).map(|cell| wind(cell, hour)).unzip();
        winds.with_hour(HourlyWind { hour, speed, from }).unwrap()
    })
}

/// The ignition times of a fire by every engine, which agree.
fn burn(landscape: &Arc<Landscape>, weather: &[Weather], hours: f64) -> Vec<u32> {
    let fire = Wildfire::new(Arc::clone(landscape), weather, &lit(landscape), hours).unwrap();
    let (device, expected) = (cpu(), fire.run_sequentially().unwrap().outcome);
    assert_eq!(fire.run(&device, Engine::Auto, &mut on).unwrap().outcome, expected, "calendar");
    assert_eq!(fire.run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome, expected, "tiles");
    assert!(expected.cells_burnt > 500, "{}", expected.cells_burnt);
    expected.ignition
}

/// Winds that turn and freshen, at hours that are no bands, with one that stays.
const TURNING: [(f64, f64, f64); 5] =
    [(0.0, 3.0, 270.0), (0.75, 5.5, 300.0), (2.5, 5.5, 300.0), (3.0, 9.0, 10.0), (4.25, 7.3, 0.0)];

#[test]
fn a_raster_of_one_wind_is_the_wind_of_the_weather_to_the_bit() {
    let weather = weathers(&TURNING);
    let calm = weathers(&TURNING.map(|(hour, _, _)| (hour, 0.0, 90.0)));
    let of_hour = |hour: f64| TURNING.iter().find(|wind| wind.0 == hour).map(|wind| (wind.1, wind.2)).unwrap();
    let plain = Arc::new(ground());
    for side in [1, 7] {
        let winds = winds(&plain, side, &TURNING.map(|wind| wind.0), |_, hour| of_hour(hour));
        let blown = Arc::new(ground().with_winds(winds).unwrap());
        assert_eq!(burn(&blown, &calm, 5.5), burn(&plain, &weather, 5.5), "cells of {side}");
        for hour in [0.0, 0.3, 0.75, 1.5, 3.1, 9.0] {
            let (found, expected) =
                (Potential::new(&blown, &calm, hour).unwrap(), Potential::new(&plain, &weather, hour).unwrap());
            assert_eq!(found.digest(), expected.digest(), "hour {hour}");
        }
        // Rates and flames where the fire comes.
        let behaviour = |landscape: &Arc<Landscape>, weather: &[Weather]| {
            let fire = Wildfire::new(Arc::clone(landscape), weather, &lit(landscape), 5.5).unwrap();
            let outcome = fire.run_sequentially().unwrap().outcome;
            let found = fire.behaviour(&outcome);
            [found.rate, found.intensity].map(|values| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>())
        };
        assert_eq!(behaviour(&blown, &calm), behaviour(&plain, &weather));
    }
    assert_ne!(burn(&plain, &calm, 5.5), burn(&plain, &weather, 5.5));
}

#[test]
fn hours_of_equal_winds_are_one_wind() {
    let plain = ground();
    let wind = |cell: u32, _| (f64::from(cell % 9), f64::from(cell * 37 % 360));
    let moist = weathers(&[(0.0, 5.0, 270.0), (4.0, 5.0, 270.0)]);
    let times = |hours: &[f64]| {
        let winds = winds(&plain, 5, hours, wind);
        burn(&Arc::new(ground().with_winds(winds).unwrap()), &moist, 4.0)
    };
    let once = times(&[0.0]);
    assert_eq!(times(&[0.0, 1.0, 2.0, 3.0]), once);
    assert_eq!(times(&[-2.5, 0.5, 7.0]), once);
}

/// Every cell behaves as in a landscape that has its wind everywhere, at each hour.
#[test]
fn each_cell_has_the_wind_of_its_raster() {
    let plain = ground();
    let wind = |cell: u32, hour: f64| (f64::from(cell % 4) * 2.0 + hour, f64::from(cell % 7) * 50.0);
    let blown = ground().with_winds(winds(&plain, 10, &[0.0, 2.0], wind)).unwrap();
    for hour in [0.0, 2.0] {
        let found = Potential::new(&blown, &weathers(&[(0.0, 1.0, 1.0)]), hour).unwrap();
        for (row, column) in [(0, 0), (9, 9), (9, 10), (31, 44), (59, 69), (25, 5)] {
            let (speed, from) = wind(row / 10 * 7 + column / 10, hour);
            let weather = Weather { hour: 0.0, ..weathers(&[(0.0, speed, from)])[0] };
            let expected = Potential::new(&plain, &[weather], 0.0).unwrap();
            let cell = (row * COLUMNS + column) as usize;
            let values = |of: &Potential| of.quantities().map(|(_, _, values)| values[cell].to_bits());
            assert_eq!(values(&found), values(&expected), "{row},{column} at hour {hour}");
        }
    }
}

#[test]
fn fires_of_an_ensemble_have_the_winds_of_the_cells() {
    let plain = Arc::new(ground());
    let (steady, calm) = (weathers(&[(0.0, 6.0, 200.0)]), weathers(&[(0.0, 0.0, 0.0)]));
    let winds = winds(&plain, 4, &[0.0, 1.0], |_, _| (6.0, 200.0));
    let blown = Arc::new(ground().with_winds(winds).unwrap());
    let fires: Vec<Ignition> = [(30, 35), (10, 12), (50, 60), (31, 20)]
        .into_iter()
        .filter(|&(row, column)| plain.site(plain.cell(row, column).unwrap()).is_some())
        .zip([0, 1, 1, 0])
        .map(|(cell, scenario)| Ignition { cells: vec![cell], scenario })
        .collect();
    assert!(fires.len() > 1);
    let run = |landscape: &Arc<Landscape>, weathers: [&Vec<Weather>; 2]| {
        let ensemble =
            Ensemble::new(Arc::clone(landscape), &weathers.map(Clone::clone), &fires, 3.0).unwrap().with_flames();
        let device = cpu();
        let expected = ensemble.run_sequentially().unwrap().outcome;
        for outcome in [
            ensemble.run(&device, Engine::Auto, &mut on).unwrap().outcome,
            ensemble.run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome,
        ] {
            assert_eq!((&outcome.sizes, &outcome.flames), (&expected.sizes, &expected.flames));
            assert_eq!(outcome.digest(), expected.digest());
        }
        expected.digest()
    };
    let dry = weathers(&[(2.0, 1.0, 1.0)]);
    let windy_and_dry = vec![Weather { moisture: dry[0].moisture, ..steady[0] }];
    assert_eq!(run(&blown, [&calm, &dry]), run(&plain, [&steady, &windy_and_dry]));
}

#[test]
fn winds_that_cannot_be_used_are_refused() {
    let plain = ground();
    let all = |value: f64| vec![value; 2];
    let cells = vec![Some(0); plain.cells()];
    let two = || plain.winds_of(2, &cells).unwrap();
    let hour = |hour: f64, speed: Vec<f64>, from: Vec<f64>| HourlyWind { hour, speed, from };
    let text = |result: Result<Winds, WindsError>| result.unwrap_err().to_string();
    assert_eq!(plain.clone().with_winds(two()), Err(WindsError::Empty));
    assert_eq!(
        text(plain.winds_of(2, &cells[1..])),
        "4199 cells have a place in the rasters of wind, and the landscape has 4200: give each cell one"
    );
    assert_eq!(
        text(two().with_hour(hour(1.0, vec![5.0; 3], all(0.0)))),
        "the speed of the wind of hour 1 has 3 values, and the first raster 2: give rasters of one grid"
    );
    let first = two().with_hour(hour(1.0, vec![5.0, f64::NAN], vec![0.0, f64::NAN])).unwrap();
    assert_eq!(
        text(first.with_hour(hour(1.0, all(5.0), all(0.0)))),
        "winds 1 are of hour 1: give ascending hours from -1000000 to 1000000"
    );
    assert!(text(two().with_hour(hour(f64::NAN, all(5.0), all(0.0)))).contains("winds 0 are of hour NaN"));
    let bad = text(two().with_hour(hour(0.0, all(f64::NAN), all(0.0))));
    assert!(bad.contains("has a speed of the wind of NaN at hour 0: cells that burn need one of 0 to 100"), "{bad}");
    assert!(text(two().with_hour(hour(0.0, all(5.0), all(721.0)))).contains("of 721 at hour 0"));
    // A cell that burns needs a place, one that does not needs none.
    let burns = (0..plain.cells()).position(|cell| plain.site(cell).is_some()).unwrap();
    let place = |cell: usize| if plain.site(cell).is_some() { Some(0) } else { None };
    let mut some: Vec<Option<u32>> = (0..plain.cells()).map(place).collect();
    let fine = plain.winds_of(1, &some).unwrap().with_hour(hour(0.0, vec![5.0], vec![0.0])).unwrap();
    assert!(plain.clone().with_winds(fine).is_ok());
    some[burns] = Some(9);
    let missing = text(plain.winds_of(1, &some).unwrap().with_hour(hour(0.0, vec![5.0], vec![0.0])));
    let (row, column) = (burns as u32 / COLUMNS, burns as u32 % COLUMNS);
    assert!(missing.starts_with(&format!("row {row}, column {column} of the landscape has a speed")), "{missing}");
}
