#![allow(clippy::unwrap_used)]

use super::Flood;
use imminent_cell::study::model;
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::{Catalogue, Means, Planned, Results};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

fn plan(definition: &Definition, folder: &Path) -> Result<Planned, String> {
    Catalogue::default().with(model::<Flood>()).plan(definition, folder).map_err(|error| error.to_string())
}

/// Rain on a closed plain stays: its volume is area times height.
#[test]
fn water_of_a_study_is_the_rain() {
    let folder = tempfile::tempdir().unwrap();
    let row = ["5"; 8].join(" ") + "\n";
    let header = "ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4400000\ncellsize 10\nNODATA_value -9999\n";
    fs::write(folder.path().join("plain.asc"), header.to_owned() + &row.repeat(6)).unwrap();
    let definition = Definition::new("flood")
        .fix("elevation", "plain.asc")
        .fix("horizon", 0.2)
        .axis(Axis::values("rain", [10.0, 50.0]));
    let Planned { model, base, study, .. } = plan(&definition, folder.path()).unwrap();
    let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
    let mut laboratory = model.open(&base, &device, &Means::default()).unwrap();
    let mut results = Results::new(&study).unwrap();
    let ending = conduct(&study, &mut results, laboratory.as_mut(), None, &mut |_| ControlFlow::Continue(()));
    assert_eq!(ending.unwrap(), Ending::Complete);
    for (run, rain) in [(0, 10.0), (1, 50.0)] {
        // 48 cells of 100 m2, for 0.2 h.
        let expected = 4_800.0 * rain / 1_000.0 * 0.2;
        let stored = results.value(run, 2).unwrap();
        assert!((stored - expected).abs() < 1e-3 * expected, "{stored} m3 for {expected}");
        assert_eq!(results.value(run, 3), Some(0.0));
    }
    let springs = "elevation = 'plain.asc'\nsource = [[3, 4, 0.5]]\n";
    fs::write(folder.path().join("springs.toml"), springs).unwrap();
    let of_rain = Definition::new("flood").fix("file", "springs.toml").axis(Axis::values("rain_hours", [0.1, 0.2]));
    let error = plan(&of_rain, folder.path()).unwrap_err();
    assert_eq!(error, "axis[0].parameter: `rain_hours` has no effect: it does not rain: `rain` is 0; remove it");
    assert!(plan(&of_rain.axis(Axis::values("rain", [0.0, 5.0])), folder.path()).is_ok());
    let error = plan(&Definition::new("flood").fix("elevation", "plain.asc"), folder.path()).unwrap_err();
    assert!(error.contains("give `rain`"), "{error}");
}
