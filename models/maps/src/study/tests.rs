//! Fires on landscapes as a model to study.

use super::Wildfire as Model;
use imminent_cell::landscape::{
    BurnableCells, Ensemble, Ignition, Landscape, Weather, WeatherRanges, Wildfire, synthetic,
};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Engine, Simulation};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::laboratory::Update;
use imminent_study::{Catalogue, Means, Planned, Results, Study};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Hectares of a cell of 30 m.
const CELL: f64 = 0.09;

fn definition() -> Definition {
    Definition::new("wildfire")
        .fix("rows", 30)
        .fix("columns", 40)
        .fix("landscape", 5)
        .fix("horizon", 3.0)
        .fix("large", 5.0)
}

fn ground() -> Arc<Landscape> {
    Arc::new(synthetic(30, 40, 5).unwrap())
}

fn device() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn plan(definition: &Definition, folder: &Path) -> Result<Planned, String> {
    Catalogue::default().with(Model).plan(definition, folder).map_err(|error| error.to_string())
}

/// Executes missing runs, and ends after `calls` calls of the observer.
fn go_on(definition: &Definition, folder: &Path, results: &mut Results, mut calls: u32) -> Ending {
    let Planned { model, base, study, .. } = plan(definition, folder).unwrap();
    let mut fires = model.open(&base, &device(), &Means::default()).unwrap();
    let mut progress = |_| {
        calls = calls.saturating_sub(1);
        if calls == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    conduct(&study, results, fires.as_mut(), None, &mut progress).unwrap()
}

fn carry_out(definition: &Definition, folder: &Path) -> (Study, Results) {
    let study = plan(definition, folder).unwrap().study;
    assert_eq!(study.description().check(), Ok(()));
    let mut results = Results::new(&study).unwrap();
    assert_eq!(go_on(definition, folder, &mut results, u32::MAX), Ending::Complete);
    (study, results)
}

fn values(results: &Results, run: u64) -> [Option<f64>; 3] {
    [0, 1, 2].map(|measure| results.value(run, measure))
}

/// Each run is the fire that the event list makes of its point and seed, alone.
#[test]
fn runs_are_those_of_the_event_list() {
    let definition = definition()
        .repetitions(3)
        .axis(Axis::values("horizon", [1.0, 3.0]))
        .axis(Axis::values("wind", [1.0, 7.0]))
        .axis(Axis::values("moisture_1h", [5.0, 9.0]));
    let definition = Definition {
        fixed: definition.fixed.into_iter().filter(|(name, _)| name != "horizon").collect(),
        ..definition
    };
    let (study, results) = carry_out(&definition, Path::new(""));
    assert_eq!((study.points(), results.done()), (8, 24));
    let (ground, cells) = (ground(), BurnableCells::of(&ground()));
    for run in study.select(0..study.runs()).iter() {
        let number = |name: &str| run.point.number_of(name).unwrap();
        let moisture = Moisture([number("moisture_1h") / 100.0, 0.07, 0.08, 0.6, 0.9]);
        let weather = Weather { hour: 0.0, wind: number("wind"), from: 270.0, moisture, foliar_moisture: 1.0 };
        let lit = cells.draw(run.seed, 0).unwrap();
        let fire = Wildfire::new(ground.clone(), &[weather], &[lit], number("horizon")).unwrap();
        let cells = fire.run_sequentially().unwrap().outcome.size();
        let area = cells as f64 * CELL;
        let large = if area > 5.0 { 1.0 } else { 0.0 };
        let found = values(&results, run.number).map(Option::unwrap);
        assert!((found[0] - area).abs() < 1e-9 && found[1] == found[0] && found[2] == large, "{found:?} {area}");
        assert_eq!(results.events(run.number), Some(cells as u64));
    }
}

/// A run of several fires draws one weather, and a cell for each fire.
#[test]
fn runs_draw_weather_and_ignitions() {
    let definition = definition()
        .repetitions(4)
        .fix("fires", 6)
        .fix("wind", 3.0)
        .fix("wind_spread", 5.0)
        .fix("wind_from_spread", 90.0)
        .fix("moisture_spread", 3.0);
    let (study, results) = carry_out(&definition, Path::new(""));
    let percent = |least: f64, most: f64| [least / 100.0, most / 100.0];
    let ranges = WeatherRanges {
        wind: [0.0, 8.0],
        from: [180.0, 360.0],
        moisture: [percent(3.0, 9.0), percent(4.0, 10.0), percent(5.0, 11.0), percent(60.0, 60.0), percent(90.0, 90.0)],
        foliar_moisture: [1.0; 2],
    };
    let cells = BurnableCells::of(&ground());
    let mut means = vec![];
    for run in study.select(0..study.runs()).iter() {
        let lit = (0..6).map(|fire| Ignition { cells: vec![cells.draw(run.seed, fire).unwrap()], scenario: 0 });
        let weather = ranges.draw(1, run.seed).unwrap();
        let ensemble = Ensemble::new(ground(), &[weather], &lit.collect::<Vec<_>>(), 3.0).unwrap();
        let sizes = ensemble.run(&device(), Engine::Auto, &mut |_| ControlFlow::Continue(())).unwrap().outcome.sizes;
        let sum = sizes.iter().sum::<u32>();
        let most = sizes.iter().copied().max().unwrap();
        let large = sizes.iter().filter(|cells| f64::from(**cells) * CELL > 5.0).count();
        let expected = [f64::from(sum) * CELL / 6.0, f64::from(most) * CELL, large as f64 / 6.0].map(Some);
        for (found, expected) in values(&results, run.number).into_iter().zip(expected) {
            assert!((found.unwrap() - expected.unwrap()).abs() < 1e-9, "{found:?} {expected:?}");
        }
        means.push(sum);
    }
    means.dedup();
    assert!(means.len() > 1, "other seeds, other fires");
}

#[test]
fn a_study_of_fires_goes_on_after_an_interruption() {
    let definition = definition().repetitions(40).axis(Axis::values("wind", [2.0, 6.0]));
    let (study, whole) = carry_out(&definition, Path::new(""));
    let mut results = Results::new(&study).unwrap();
    assert_eq!(go_on(&definition, Path::new(""), &mut results, 30), Ending::Interrupted);
    assert!(results.done() > 0 && results.done() < 80, "{}", results.done());
    assert_eq!(go_on(&definition, Path::new(""), &mut results, u32::MAX), Ending::Complete);
    for run in 0..80 {
        assert_eq!(values(&results, run), values(&whole, run));
    }
}

/// A run is reported when its own last fire is over: before the next fire of its batch begins, on one thread.
#[test]
fn a_run_is_reported_before_the_others_of_its_batch_end() {
    let options = Options { threads: Some(1), ..Options::default() };
    let device = Device::open(CpuBackend::open(&options).unwrap()).unwrap();
    let Planned { model, base, study, .. } = plan(&definition().fix("fires", 2).repetitions(4), Path::new("")).unwrap();
    let mut fires = model.open(&base, &device, &Means::default()).unwrap();
    let mut seen = String::new();
    let mut observer = |update| {
        match update {
            Update::Progress { .. } => seen.push('.'),
            Update::Finished(finished) => seen.push_str(&finished.run.to_string()),
            Update::Failed(failed) => panic!("{failed}"),
        }
        ControlFlow::Continue(())
    };
    fires.run(&study.select(0..4), &mut observer).unwrap();
    // Progress is reported before the first fire and after each.
    assert_eq!(seen, "..0..1..2..3.");
}

#[test]
fn impossible_fires_are_found_when_planning() {
    let refused = |definition: Definition| plan(&definition, Path::new("")).unwrap_err();
    let error = refused(definition().fix("row", 3));
    assert!(error.contains("row = 3, column = -1"), "{error}");
    let error = refused(definition().axis(Axis::values("row", [3, 99])).fix("column", 3));
    assert!(error.contains("axis[0].values[1]: row = 99") && error.contains("30 rows and 40 columns"), "{error}");
    let error = refused(definition().fix("row", 3).fix("column", 3).fix("fires", 2));
    assert!(error.contains("repetitions"), "{error}");
    let error = refused(definition().fix("wind", 90.0).fix("wind_spread", 20.0));
    assert!(error.contains("wind") && error.contains("110"), "{error}");
    let error = refused(definition().fix("fuel", "no.asc"));
    assert!(error.contains("fixed.fuel") && error.contains("no.asc"), "{error}");
}

/// A given cell is lit in every run, so runs without drawn weather are all the same.
#[test]
fn a_given_cell_is_lit() {
    let cells = BurnableCells::of(&ground());
    let (row, column) = cells.draw(1, 0).unwrap();
    let definition = definition().repetitions(3).fix("row", row).fix("column", column);
    let (_, results) = carry_out(&definition, Path::new(""));
    assert_eq!([values(&results, 1), values(&results, 2)], [values(&results, 0); 2]);
}

mod maps {
    use super::{Axis, Definition, Path, carry_out, plan, values};
    use std::fs;

    fn put(folder: &Path, name: &str, value: impl Fn(u32, u32) -> i32) {
        let header = "ncols 20\nnrows 16\nxllcorner 500000\nyllcorner 4400000\ncellsize 30\nNODATA_value -9999\n";
        let row = |row| (0..20).map(|column| value(row, column).to_string()).collect::<Vec<_>>().join(" ") + "\n";
        fs::write(folder.join(name), header.to_owned() + &(0..16).map(row).collect::<String>()).unwrap();
    }

    #[test]
    fn files_are_read_beside_the_study() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        put(folder, "dem.asc", |row, column| 100 + (3 * column + row) as i32);
        put(folder, "grass.asc", |_, _| 1);
        // A fuel break.
        put(folder, "broken.asc", |_, column| if column == 9 { 99 } else { 1 });
        let definition = || {
            Definition::new("wildfire").fix("elevation", "dem.asc").fix("horizon", 30.0).fix("row", 8).fix("column", 3)
        };
        let both = definition().axis(Axis::values("fuel", ["grass.asc", "broken.asc"]));
        let (study, results) = carry_out(&both, folder);
        let hectares = |cells: f64| [Some(cells * 0.09), Some(cells * 0.09), Some(0.0)];
        assert_eq!([values(&results, 0), values(&results, 1)], [hectares(320.0), hectares(144.0)]);
        // Other bytes are another study.
        put(folder, "broken.asc", |_, column| if column == 10 { 99 } else { 1 });
        let changed = plan(&both, folder).unwrap();
        assert_eq!(changed.study.fingerprint().differences(&study.fingerprint().to_string()), ["files"]);
        let error = plan(&definition(), folder).unwrap_err();
        assert!(error.contains("`elevation` needs `fuel`"), "{error}");
        let error = plan(&definition().fix("fuel", "grass.asc").fix("slope", "dem.asc"), folder).unwrap_err();
        assert!(error.contains("`slope` needs `aspect`"), "{error}");
        // A study of a key without effect is refused, unless it has one at some point.
        let planned = |key: &str| definition().fix("fuel", "grass.asc").axis(Axis::values(key, [50, 60]));
        for (key, why) in [("rows", "the files have the landscape"), ("foliar", "there are no trees without `cover`")] {
            let expected = format!("axis[0].parameter: `{key}` has no effect: {why}; remove it");
            assert_eq!(plan(&planned(key), folder).unwrap_err(), expected);
        }
        put(folder, "wrong.asc", |_, _| 57);
        let error = plan(&definition().fix("fuel", "wrong.asc"), folder).unwrap_err();
        assert!(error.contains("wrong.asc") && error.contains("57"), "{error}");
    }

    /// Rasters that an atmosphere file names, and a file of coordinates beside a raster, belong to a study.
    #[test]
    fn files_that_other_files_name_belong_to_a_study() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        put(folder, "dem.asc", |row, column| 100 + (3 * column + row) as i32);
        put(folder, "grass.asc", |_, _| 1);
        put(folder, "speed.asc", |_, _| 5);
        put(folder, "from.asc", |_, _| 270);
        fs::write(folder.join("a.atm"), "WINDS_AND_CLOUDS\nENGLISH\n8 4 1300 speed.asc from.asc none\n").unwrap();
        let definition = Definition::new("wildfire").fix("elevation", "dem.asc").fix("fuel", "grass.asc");
        let definition = definition.fix("wind_grids", "a.atm");
        let fingerprint = || plan(&definition, folder).unwrap().study.fingerprint();
        let before = fingerprint();
        assert_eq!(fingerprint(), before);
        put(folder, "speed.asc", |_, _| 6);
        let faster = fingerprint();
        assert_eq!(faster.differences(&before.to_string()), ["files"]);
        put(folder, "speed.asc", |_, _| 5);
        assert_eq!(fingerprint(), before);
        fs::write(folder.join("dem.prj"), "Projection UTM\nZone 12\n").unwrap();
        assert_eq!(fingerprint().differences(&before.to_string()), ["files"]);
    }

    #[test]
    fn a_barrier_is_a_fuel_break() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        put(folder, "dem.asc", |row, column| 100 + (3 * column + row) as i32);
        put(folder, "grass.asc", |_, _| 1);
        // Along the middles of column 9.
        let road = r#"{"type":"LineString","coordinates":[[500285,4399000],[500285,4401000]]}"#;
        fs::write(folder.join("road.geojson"), road).unwrap();
        let definition = Definition::new("wildfire").fix("elevation", "dem.asc").fix("fuel", "grass.asc");
        let definition = definition.fix("horizon", 30.0).fix("row", 8).fix("column", 3).fix("barriers", "road.geojson");
        let (_, results) = carry_out(&definition, folder);
        assert_eq!(values(&results, 0)[0], Some(9.0 * 16.0 * 0.09));
    }

    /// A wind from the west of true north is one from the south of a grid whose north is in the east.
    #[test]
    fn winds_count_from_true_north() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        put(folder, "dem.asc", |_, _| 100);
        put(folder, "grass.asc", |_, _| 1);
        let flat = Definition::new("wildfire").fix("elevation", "dem.asc").fix("fuel", "grass.asc").fix("horizon", 0.6);
        let flat = flat.fix("row", 8).fix("column", 3);
        let burnt = |declination: &str, from: f64| {
            let turned = flat.clone().fix("grid_declination", declination).fix("wind_from", from);
            let (study, results) = carry_out(&turned, folder);
            assert!(!study.description().notes.iter().any(|note| note.contains("true north")));
            values(&results, 0)
        };
        assert_eq!(burnt("90", 270.0), burnt("0", 180.0));
        assert_ne!(burnt("0", 270.0), burnt("0", 180.0));
        let notes = plan(&flat, folder).unwrap().study.description().notes.join(" ");
        assert!(notes.contains("dem.asc: ") && notes.contains("give `grid_declination`"), "{notes}");
        let error = plan(&flat.clone().fix("grid_declination", "north"), folder).unwrap_err();
        assert!(error.contains("\"north\": give degrees"), "{error}");
    }
}
