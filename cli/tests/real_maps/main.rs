//! Real maps of LANDFIRE and real terrains, where `IMMINENT_MAPS` names the folder that holds them.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use imminent::models::maps::file;
use imminent::models::maps::terrain::{Terrain, percent};
use imminent_testkit::needs::{map_file, maps};
use imminent_testkit::tests_that_need;
use serde_json::Value;
use std::process::Command;

tests_that_need! {
    maps:
        landfire_burns_as_it_stands,
        slopes_are_those_of_landfire,
        grids_are_read_as_they_stand;
}

/// File of a layer of LANDFIRE.
fn layer(name: &str) -> String {
    map_file(&format!("landfire/{name}.tif")).to_str().unwrap().to_owned()
}

fn landfire_burns_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(["run", "wildfire", "--backend", "cpu", "--json", "--horizon", "24", "--ignite", "300,200"])
        .args([
            "--elevation",
            &layer("LC20_Elev_220"),
            "--slope",
            &layer("LC20_SlpP_220"),
            "--aspect",
            &layer("LC20_Asp_220"),
        ])
        .args([
            "--fuel",
            &layer("LC22_F40_230"),
            "--cover",
            &layer("LC22_CC_230"),
            "--canopy-height",
            &layer("LC22_CH_230"),
        ])
        .args(["--base-height", &layer("LC22_CBH_230"), "--bulk-density", &layer("LC22_CBD_230")])
        .args(["--wind", "5", "--wind-from", "240", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["stats"]["cells_burnt"]["mean"].as_f64().unwrap() > 100.0, "{report}");
    let arrival = file::read(&out.join("arrival.tif")).unwrap();
    let elevation = file::read(layer("LC20_Elev_220").as_ref()).unwrap();
    assert_eq!((arrival.columns(), arrival.rows(), &arrival.place), (549, 613, &elevation.place));
    assert_eq!(arrival.place.system.epsg(), Some(5070));
    assert_eq!(arrival.at(300, 200), Some(0.0));
}

/// LANDFIRE's slopes are of the same elevation, in whole percent.
fn slopes_are_those_of_landfire() {
    let [elevation, slope] = ["LC20_Elev_220", "LC20_SlpP_220"].map(|name| file::read(layer(name).as_ref()).unwrap());
    let found = Terrain::of(&elevation).slope;
    let pairs = || found.iter().zip(slope.values()).filter(|(_, given)| !given.is_nan());
    let error = pairs().map(|(found, given)| (percent(*found) - given).abs()).sum::<f64>() / pairs().count() as f64;
    assert!(error < 2.0, "mean difference of {error} percent");
}

fn grids_are_read_as_they_stand() {
    let gully = file::read(&map_file("dem/west_bijou_gully.asc")).unwrap();
    assert_eq!((gully.columns(), gully.rows(), gully.place.cell_width), (43, 89, 3.0));
    assert!(gully.at(0, 0).is_none() && gully.range().is_some_and(|(least, most)| least > 1000.0 && most < 3000.0));
    let site = file::read(&map_file("dem/hugo_site.asc")).unwrap();
    assert_eq!((site.columns(), site.rows(), site.no_data), (76, 55, Some(-9999.0)));
}
