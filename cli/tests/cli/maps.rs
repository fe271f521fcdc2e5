//! `imminent run fire --elevation` and `--out` of cell spaces: rasters, pictures, and what is wrong with them.

use super::hillside::{HEADER, Hillside, column, grid, no_fire, run};
use super::{imminent, json, refused, text};
use imminent::models::maps::file;
use serde_json::{Value, json as value};
use std::fs;
use std::path::Path;

#[test]
fn a_fire_on_a_landscape_writes_rasters_pictures_and_a_report() {
    let side = Hillside::new();
    side.put("elevation.prj", "PROJCS[\"UTM\",UNIT[\"metre\",1]]");
    let out = side.name("out");
    let found = run(&side.fire(&["--ignite", "12,4", "--wind-from", "270", "--out", &out]));
    let oracle = run(&side.fire(&["--ignite", "12,4", "--wind-from", "270", "--engine", "sequential"]));
    assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]));
    let file = |name: &str| side.path("out").join(name);
    for name in ["arrival", "flame_length", "intensity", "spread_rate", "horizontal_rate", "crown"] {
        let raster = file::read(&file(name).with_extension("asc")).unwrap();
        assert_eq!((raster.columns(), raster.rows(), raster.place.west), (30, 24, 500_000.0), "{name}");
        assert_eq!(raster.place.system.name(), "UTM");
        assert_eq!((raster.at(12, 20).is_some(), raster.at(11, 20)), (true, None), "{name}: only the ford burns");
    }
    let arrival = file::read(&file("arrival.asc")).unwrap();
    // Fire comes to the other side by the ford, and with the wind it is faster uphill to the east.
    assert!(arrival.at(12, 25) > arrival.at(12, 20) && arrival.at(12, 20) > arrival.at(12, 10));
    let burnt = arrival.values().iter().filter(|time| !time.is_nan()).count();
    assert_eq!(found["stats"]["burnt"]["mean"].as_f64().unwrap(), burnt as f64 * 0.09);
    let lines: Value = serde_json::from_slice(&fs::read(file("isochrones.geojson")).unwrap()).unwrap();
    assert!(!lines["features"].as_array().unwrap().is_empty());
    for name in ["arrival.png", "arrival.apng"] {
        assert!(fs::read(file(name)).unwrap().starts_with(b"\x89PNG"));
    }
    let page = fs::read_to_string(file("report.html")).unwrap();
    let page = roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    )
    .unwrap();
    assert_eq!(page.descendants().filter(|node| node.has_tag_name("img")).count(), 2);
    assert!(found["assumed"].as_array().unwrap().iter().any(|line| line.as_str().unwrap().contains("Horn")));
    let written: Value = serde_json::from_slice(&fs::read(file("result.json")).unwrap()).unwrap();
    assert_eq!(written["digest"], found["digest"]);
    assert_eq!(fs::read_dir(side.path("out")).unwrap().count(), if cfg!(feature = "parquet") { 20 } else { 19 });
    // The perimeter covers the cells that burn, and none beside.
    let shapes = imminent::models::maps::shapes::read(&file("perimeter.geojson")).unwrap();
    let covered = shapes.place(&arrival).unwrap().areas;
    assert!(covered.len() == burnt && covered.iter().all(|&(row, column)| arrival.at(row, column).is_some()));
    // Cells and hectares are those of the raster, that which is lit included.
    let stat = |name: &str| found["stats"][name]["mean"].as_f64();
    assert_eq!((stat("cells_burnt"), stat("cells_lit")), (Some(burnt as f64), Some(1.0)));
    assert!(found["warnings"][0].as_str().unwrap().contains("does not tell where true north is"), "{found}");
    let told = run(&side.fire(&["--ignite", "12,4", "--grid-declination", "30", "--no-pictures", "--out", &out]));
    assert_eq!((&told["warnings"], &told["config"]["grid_declination"]), (&Value::Array(vec![]), &"30".into()));
    assert_ne!(told["digest"], found["digest"]);
    assert!(!file("arrival.png").exists() && file("arrival.asc").exists());
}

#[test]
fn behaviour_of_every_cell_needs_no_ignition() {
    let side = Hillside::new();
    let out = side.name("out");
    let dry = ["--moisture-1h", "5", "--wind", "7", "--wind-from", "250"];
    let found = run(&side.run(&[&dry[..], &["--behaviour", "0", "--out", &out]].concat()));
    let raster = |name: &str| file::read(&side.path("out").join(name).with_extension("asc")).unwrap();
    for name in ["spread_rate", "horizontal_rate", "spread_direction", "intensity", "flame_length", "heat_per_area"] {
        let raster = raster(name);
        assert_eq!((raster.at(12, 20).is_some(), raster.at(11, 20)), (true, None), "{name}: water does not burn");
    }
    let stat = |name: &str| found["stats"][name]["mean"].as_f64().unwrap();
    let rates = raster("spread_rate");
    assert!((stat("greatest_spread_rate") - rates.range().unwrap().1).abs() < 1e-3);
    assert!((stat("burnable") - (24.0 * 30.0 - 23.0) * 0.09).abs() < 1e-9);
    // By the wind up the slope to the east and a little north.
    let direction = raster("spread_direction").at(5, 5).unwrap();
    assert!((70.0..90.0).contains(&direction), "{direction}");
    // A cell that is lit burns as the head does there.
    let lit = side.name("lit");
    run(&side.fire(&[&dry[..], &["--ignite", "5,5", "--no-pictures", "--out", &lit]].concat()));
    for name in ["spread_rate", "intensity", "flame_length", "crown"] {
        let of_fire = file::read(&side.path("lit").join(name).with_extension("asc")).unwrap();
        assert_eq!(of_fire.at(5, 5), raster(name).at(5, 5), "{name}");
    }
    for picture in ["spread_rate.png", "flame_length.png"] {
        assert!(fs::read(side.path("out").join(picture)).unwrap().starts_with(b"\x89PNG"));
    }
    let written: Value = serde_json::from_slice(&fs::read(side.path("out").join("result.json")).unwrap()).unwrap();
    assert_eq!((&written["digest"], &written["config"]["behaviour"]), (&found["digest"], &value!(0.0)));
    for (option, value) in [("--ignite", "5,5"), ("--fires", "4"), ("--horizon", "6")] {
        let arguments = side.run(&["--behaviour", "0", option, value]);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        refused(&arguments, &[&format!("{option} {value}: has no effect"), "lights no cell"]);
    }
}

#[test]
fn ignitions_may_be_cells_points_and_files() {
    let side = Hillside::new();
    side.put("points.geojson", r#"{"type":"Point","coordinates":[500135,4400345]}"#);
    let by_cell = run(&side.fire(&["--ignite", "12,4"]));
    let by_point = run(&side.fire(&["--ignite-at", "500135,4400345"]));
    let by_file = run(&side.fire(&["--ignite-file", &side.name("points.geojson"), "--ignite", "12,4"]));
    assert_eq!((&by_point["digest"], &by_file["digest"]), (&by_cell["digest"], &by_cell["digest"]));
}

#[test]
fn lines_and_polygons_are_lit_across_what_burns() {
    let side = Hillside::new();
    let shape = |kind: &str, coordinates: &str| format!(r#"{{"type":"{kind}","coordinates":{coordinates}}}"#);
    let lit = |text: &str| {
        side.put("shape.geojson", text);
        let found = run(&side.fire(&["--ignite-file", &side.name("shape.geojson")]));
        (found["stats"]["cells_lit"]["mean"].as_f64().unwrap(), found)
    };
    // From the west to the east of row 11, across the river.
    let (cells, found) = lit(&shape("LineString", "[[500015,4400375],[500885,4400375]]"));
    assert_eq!(cells, 29.0);
    assert!(found["assumed"].to_string().contains("light 29 cells; 1 cells under them cannot burn"), "{found}");
    // 6 x 4 cells with a hole of 2 x 2.
    let square = |west: u32, south: u32, east: u32, north: u32| {
        let (w, s, e, n) = (500_000 + west, 4_400_000 + south, 500_000 + east, 4_400_000 + north);
        format!("[[{w},{s}],[{e},{s}],[{e},{n}],[{w},{n}],[{w},{s}]]")
    };
    let (cells, _) = lit(&shape("Polygon", &format!("[{},{}]", square(60, 60, 240, 180), square(120, 90, 180, 150))));
    assert_eq!(cells, 20.0);
    let refuse = |text: &str, words: &[&str]| {
        side.put("shape.geojson", text);
        no_fire(&side, &["--ignite-file", &side.name("shape.geojson")], words);
    };
    refuse(&shape("Polygon", &format!("[{}]", square(602, 5, 604, 9))), &["shape.geojson", "no cell that can burn"]);
    refuse(&shape("LineString", "[[-72.6,44.4],[-72.5,44.4]]"), &["longitude and latitude", "ogr2ogr"]);
    refuse(
        &shape("LineString", "[[400000,4400375],[400885,4400375]]"),
        &["line 400000, 4400375 is outside of the map"],
    );
}

/// Returns a landscape file of FARSITE with the cells of layers, whose slopes are in degrees.
fn landscape_file(layers: &[&dyn Fn(u32, u32) -> i32; 8]) -> Vec<u8> {
    let mut bytes = vec![0; 7316];
    let mut put = |at: usize, number: &[u8]| bytes[at..at + number.len()].copy_from_slice(number);
    for (at, number) in [(0, 21), (4, 20), (4164, 30), (4168, 24)] {
        put(at, &i32::to_le_bytes(number));
    }
    for (at, number) in [(4180, 500_000.0), (4188, 4_400_720.0), (4208, 30.0), (4216, 30.0)] {
        put(at, &f64::to_le_bytes(number));
    }
    // Units of elevation, slope, aspect, fuel, cover, heights and density.
    for (band, code) in [0_u16, 0, 2, 0, 1, 3, 3, 3].into_iter().enumerate() {
        put(4224 + 2 * band, &code.to_le_bytes());
    }
    let cells = (0..24).flat_map(|row| (0..30).map(move |column| (row, column)));
    bytes.extend(
        cells.flat_map(|(row, column)| layers.map(|layer| (layer(row, column) as i16).to_le_bytes())).flatten(),
    );
    bytes
}

#[test]
fn a_landscape_file_gives_the_fire_of_its_layers() {
    let side = Hillside::new();
    let elevation = |row: u32, column: u32| 100 + 4 * column as i32 + (row / 3) as i32;
    let fuel = |row: u32, column: u32| if column == 20 && row != 12 { 98 } else { 165 };
    let slope = |row: u32, column: u32| ((row + column) % 35) as i32;
    let aspect = |row: u32, _: u32| (row * 15) as i32;
    let layers: [&dyn Fn(u32, u32) -> i32; 8] =
        [&elevation, &slope, &aspect, &fuel, &|_, _| 40, &|_, _| 150, &|_, _| 20, &|_, _| 12];
    fs::write(side.path("land.lcp"), landscape_file(&layers)).unwrap();
    side.put("fuel.asc", &grid(HEADER, fuel));
    side.put("slope.asc", &grid(HEADER, slope));
    side.put("aspect.asc", &grid(HEADER, aspect));
    let options = ["slope", "aspect", "cover", "canopy-height", "base-height", "bulk-density"];
    let files = ["slope", "aspect", "cover", "height", "base", "density"];
    let given =
        options.iter().zip(files).flat_map(|(option, file)| [format!("--{option}"), side.name(&format!("{file}.asc"))]);
    let given: Vec<String> = given.collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let weather = ["--ignite", "12,4", "--wind", "9", "--moisture-1h", "4"];
    let apart = run(&side.fire(&[&weather[..], &given, &["--slope-units", "degrees"]].concat()));
    let file = side.name("land.lcp");
    let out = side.name("one");
    let fixed = ["run", "wildfire", "--json", "--backend", "cpu", "--horizon", "6", "--layers", &file];
    let one = json(&[&fixed[..], &weather, &["--no-pictures", "--out", &out]].concat());
    assert_eq!(one["digest"], apart["digest"]);
    assert!(one["assumed"].to_string().contains("land.lcp, band 2 (Slope): slope in degrees"), "{one}");
    assert!(file::read(&side.path("one").join("arrival.tif")).unwrap().at(12, 4) == Some(0.0));
    let percent = json(&[&fixed[..], &weather, &["--slope-units", "percent"]].concat());
    assert_ne!(percent["digest"], one["digest"]);
    let fuel = side.name("fuel.asc");
    refused(&[&fixed[..], &weather, &["--fuel", &fuel]].concat(), &["has no effect: `layers` has it"]);
    no_fire(&side, &["--ignite", "12,4", "--slope-units", "degrees"], &["--slope-units degrees: has no effect"]);
    side.put("land.prj", "GEOGCS[\"WGS 84\"]");
    refused(&[&fixed[..], &weather].concat(), &["land.lcp", "is in degrees", "gdalwarp -t_srs EPSG:5070"]);
    fs::remove_file(side.path("land.prj")).unwrap();
    side.put("land.lcp", "short");
    refused(&[&fixed[..], &weather].concat(), &["land.lcp: ends early: 5 bytes of at least 7316"]);
}

#[test]
fn an_ensemble_writes_probabilities_and_quantiles() {
    let side = Hillside::new();
    let trees = ["cover", "canopy-height", "base-height", "bulk-density"].map(|name| format!("--{name}"));
    let files = ["cover", "height", "base", "density"].map(|name| side.name(&format!("{name}.asc")));
    let trees: Vec<&str> = trees.iter().zip(&files).flat_map(|(option, file)| [option.as_str(), file]).collect();
    let out = side.name("out");
    let found = run(&side.fire(&[&trees[..], &["--fires", "20", "--seed", "3", "--out", &out]].concat()));
    assert_eq!(found["stats"]["fires"]["mean"], 20.0);
    let file = |name: &str| file::read(&side.path("out").join(name)).unwrap();
    let (chance, early, late) = (file("burn_probability.asc"), file("arrival_10.asc"), file("arrival_90.asc"));
    assert!(chance.range().is_some_and(|(least, most)| least >= 0.0 && most > 0.0 && most <= 1.0));
    assert_eq!(chance.at(0, 20), None, "water has no probability");
    for cell in 0..24 * 30 {
        let (early, late) = (early.values()[cell], late.values()[cell]);
        assert!(early <= late || (early.is_nan() && late.is_nan()));
        let burnt = chance.values()[cell] > 0.0;
        assert_eq!(early.is_nan(), !burnt);
    }
    let sizes = fs::read_to_string(side.path("out").join("sizes.csv")).unwrap();
    assert_eq!(sizes.lines().count(), 21);
}

#[test]
fn fires_have_weathers_that_are_drawn_from_ranges() {
    let side = Hillside::new();
    let out = side.name("out");
    let wind = ["--wind", "8", "--wind-spread", "4", "--wind-from", "0", "--wind-from-spread", "45"];
    let dead = ["--moisture-1h", "5.5", "--moisture-10h", "6.5", "--moisture-100h", "7.5", "--moisture-spread", "2.5"];
    let ranges = [&wind[..], &dead, &["--moisture-wood", "80", "--moisture-wood-spread", "10"]].concat();
    let given = [&ranges[..], &["--fires", "40", "--weathers", "5", "--seed", "2", "--out", &out]].concat();
    let found = run(&side.fire(&given));
    let again = run(&side.fire(&[&given[..given.len() - 2], &["--engine", "sequential"]].concat()));
    assert_eq!(found["digest"], again["digest"]);
    assert_eq!((&found["config"]["weathers"], &found["config"]["wind"]), (&value!(5), &value!(8.0)));
    assert!(found["assumed"].to_string().contains("5 weathers drawn"), "{found}");
    let (sizes, weathers) = (side.path("out").join("sizes.csv"), side.path("out").join("weathers.csv"));
    let winds = column(&weathers, "wind");
    assert!(winds.len() == 5 && winds.iter().all(|wind| (4.0..=12.0).contains(wind)));
    assert!(column(&weathers, "from").iter().all(|from| *from <= 45.0 || *from >= 315.0));
    for (coarse, fine) in column(&sizes, "10h").into_iter().zip(column(&sizes, "1h")) {
        assert!((coarse - fine - 1.0).abs() < 1e-5 && (3.0..=8.0).contains(&fine), "{coarse} {fine}");
    }
    let scenarios = column(&sizes, "scenario");
    assert_eq!(scenarios.len(), 40);
    for (scenario, wind) in scenarios.iter().zip(column(&sizes, "wind")) {
        assert_eq!(wind, winds[*scenario as usize]);
    }
    let burnt = column(&sizes, "hectares");
    let of_last: Vec<f64> = scenarios.iter().zip(&burnt).filter(|(at, _)| **at == 4.0).map(|(_, size)| *size).collect();
    assert_eq!(column(&weathers, "fires")[4], of_last.len() as f64);
    let mean = of_last.iter().sum::<f64>() / of_last.len() as f64;
    assert!((column(&weathers, "mean_hectares")[4] - mean).abs() < 1e-9);
    assert!(fs::read_to_string(side.path("out").join("report.html")).unwrap().contains("<h2>Weathers</h2>"));
    // Each fire is lit where it is lit without ranges.
    let one = side.name("one");
    run(&side.fire(&["--fires", "40", "--seed", "2", "--out", &one]));
    let lit = |folder: &str| column(&side.path(folder).join("sizes.csv"), "column");
    assert_eq!(lit("out"), lit("one"));
    let few = run(&side.fire(&["--fires", "3", "--wind", "8", "--wind-spread", "4"]));
    assert_eq!(few["config"]["weathers"], 3);
}

#[test]
fn weathers_that_cannot_be_drawn_are_refused() {
    let side = Hillside::new();
    side.put("a.csv", "hour,wind,from,1h,10h,100h,herb,wood\n0,6,270,6,7,8,60,90\n");
    side.put("b.csv", "hour,wind,from,1h,10h,100h,herb,wood\n0,6,90,6,7,8,60,90\n1,7,90,6,7,8,60,90\n");
    let (a, b) = (side.name("a.csv"), side.name("b.csv"));
    let fires = ["--fires", "4"];
    no_fire(&side, &["--ignite", "12,4", "--wind", "8", "--wind-spread", "4"], &["4 to 12", "--fires"]);
    no_fire(
        &side,
        &[&fires[..], &["--wind", "4..12"]].concat(),
        &["--wind 4..12: a range", "give --wind 8 --wind-spread 4"],
    );
    no_fire(&side, &[&fires[..], &["--wind", "62", "--wind-spread", "58"]].concat(), &["wind", "120", "0 to 100"]);
    no_fire(&side, &["--moisture", "3..8,4"], &["--moisture is called --moisture-1h now"]);
    no_fire(&side, &[&fires[..], &["--weathers", "3"]].concat(), &["--weathers", "--wind-spread 4"]);
    no_fire(
        &side,
        &[&fires[..], &["--wind", "8", "--wind-spread", "4", "--weathers", "5"]].concat(),
        &["5 weathers", "4 fires"],
    );
    no_fire(&side, &["--ignite", "12,4", "--weather", &a, "--weather", &b], &["--weather", "--fires N"]);
    no_fire(&side, &["--fires", "1", "--weather", &a, "--weather", &b], &["2 weathers", "1 fires"]);
    no_fire(
        &side,
        &[&fires[..], &["--weather", &a, "--wind", "8"]].concat(),
        &["--wind 8: has no effect: `weather` has it"],
    );
    let out = side.name("out");
    let found = run(&side.fire(&["--fires", "9", "--weather", &a, "--weather", &b, "--out", &out]));
    assert_eq!(found["config"]["weathers"], 2);
    let weathers = side.path("out").join("weathers.csv");
    assert_eq!((column(&weathers, "scenario"), column(&weathers, "hour")), (vec![0.0, 1.0, 1.0], vec![0.0, 0.0, 1.0]));
    assert!(fs::read_to_string(weathers).unwrap().contains("b.csv"));
}

#[test]
fn a_table_of_weather_turns_the_fire() {
    let side = Hillside::new();
    let table = |from: u32| format!("hour,wind,from,1h,10h,100h,herb,wood\n0,6,{from},6,7,8,60,90\n");
    side.put("west.csv", &table(270));
    side.put("north.csv", &table(0));
    let with = |file: &str| run(&side.fire(&["--ignite", "12,4", "--weather", &side.name(file)]))["digest"].clone();
    let constant = run(&side.fire(&["--ignite", "12,4", "--wind", "6"]))["digest"].clone();
    assert_eq!(with("west.csv"), constant);
    assert_ne!(with("north.csv"), constant);
    side.put("bad.csv", "hour,wind,from,1h,10h,100h,herb,wood\n0,6,270,6,7,8,60\n");
    no_fire(&side, &["--ignite", "12,4", "--weather", &side.name("bad.csv")], &["bad.csv:2", "`wood`"]);
}

#[test]
fn winds_and_moistures_may_be_in_units_and_files_of_the_field() {
    let side = Hillside::new();
    let lit = ["--ignite", "12,4"];
    let told = |found: &Value, words: &str| found["assumed"].to_string().contains(words);
    // 23 mph at 10 m are 20 mph at 20 ft.
    let wind = ["--wind", "23", "--wind-units", "mph", "--wind-height", "10m"];
    let found = run(&side.fire(&[&lit[..], &wind].concat()));
    assert!(told(&found, "wind 8.9408 m/s") && told(&found, "in mph at 10 m"), "{found}");
    side.put("w.csv", "hour,wind,from,1h,10h,100h,herb,wood\n0,23,270,6,7,8,60,90\n");
    let by_table = ["--weather", &side.name("w.csv"), "--wind-units", "mph", "--wind-height", "10m"];
    assert_eq!(run(&side.fire(&[&lit[..], &by_table].concat()))["digest"], found["digest"]);
    no_fire(&side, &[&lit[..], &["--wind", "400", "--wind-units", "m/s"]].concat(), &["wind", "400", "0 to 100"]);
    let dry = ["--moisture-1h", "3", "--moisture-10h", "4", "--moisture-100h", "5", "--moisture-herb", "30"];
    let dry = run(&side.fire(&[&lit[..], &dry, &["--moisture-wood", "60"]].concat()));
    side.put("dry.fms", "0 3 4 5 30 60\n");
    let file = side.name("dry.fms");
    let by_fuel = run(&side.fire(&[&lit[..], &["--fuel-moistures", &file]].concat()));
    assert_eq!(by_fuel["digest"], dry["digest"]);
    assert!(told(&by_fuel, "dry.fms: 53 fuel models"), "{by_fuel}");
    side.put("dry.fms", "1 3 4 5\n");
    no_fire(&side, &[&lit[..], &["--fuel-moistures", &file]].concat(), &["dry.fms:1", "six numbers"]);
}

#[test]
fn maps_that_cannot_be_used_are_refused_with_file_and_remedy() {
    let side = Hillside::new();
    let lit = ["--ignite", "12,4"];
    no_fire(&side, &[], &["--ignite-at", "--fires"]);
    no_fire(&side, &["--ignite", "99,4"], &["fuel.asc", "99,4", "24 rows"]);
    no_fire(&side, &["--ignite", "3,20"], &["fuel.asc", "3,20", "98"]);
    no_fire(&side, &["--ignite-at", "0,0"], &["--ignite-at 0,0", "500000", "4400720"]);
    no_fire(&side, &["--ignite-file", &side.name("fuel.asc")], &["fuel.asc", "GeoJSON"]);
    let aspect = side.name("aspect.asc");
    let slope = side.name("cover.asc");
    let with_aspect = [&lit[..], &["--slope", &slope, "--aspect", &aspect]].concat();
    for (change, words) in [
        (("ncols 30", "ncols 31"), &["aspect.asc", "ends early: 720 values of 744"][..]),
        (("nrows 24", "nrows 900000000"), &["aspect.asc", "268435456 cells"]),
        (("xllcorner 500000", "xllcorner 500030"), &["elevation.asc", "aspect.asc", "500030", "gdalwarp"]),
        (("cellsize 30", "cellsize 10"), &["elevation.asc", "aspect.asc", "cells of 30 x 30", "10 x 10"]),
    ] {
        side.put("aspect.asc", &grid(&HEADER.replace(change.0, change.1), |_, _| 90));
        no_fire(&side, &with_aspect, words);
    }
    let narrow = "ncols 15\nnrows 48\nxllcorner 500000\nyllcorner 4400000\ncellsize 30\n";
    side.put("aspect.asc", &grid(narrow, |_, _| 90));
    no_fire(&side, &with_aspect, &["30 columns x 24 rows", "15 x 48"]);
    side.put("aspect.asc", &grid(HEADER, |_, _| 90));
    side.put("elevation.prj", "PROJCS[\"here\",UNIT[\"metre\",1]]");
    side.put("aspect.prj", "PROJCS[\"there\",UNIT[\"metre\",1]]");
    no_fire(&side, &with_aspect, &["elevation.asc", "aspect.asc", "here", "there"]);
    side.put("aspect.prj", "PROJCS[\"here\",UNIT[\"metre\",1]]");
    side.put("aspect.asc", &grid(HEADER, |_, _| 400));
    no_fire(&side, &with_aspect, &["aspect.asc", "400"]);
    side.put("elevation.prj", "GEOGCS[\"WGS 84\"]");
    no_fire(&side, &lit, &["elevation.asc", "degrees", "gdalwarp"]);
    fs::remove_file(side.path("elevation.prj")).unwrap();
    side.put("fuel.asc", &grid(HEADER, |row, _| if row == 2 { 57 } else { 1 }));
    no_fire(&side, &lit, &["fuel.asc", "57", "101 to 204", "--fuel-models custom.fmd"]);
    side.put("fuel.asc", &grid(HEADER, |_, _| -3));
    no_fire(&side, &lit, &["fuel.asc", "-3"]);
    fs::remove_file(side.path("fuel.asc")).unwrap();
    no_fire(&side, &lit, &["fuel.asc", "cannot be read"]);
    refused(&["run", "wildfire", "--elevation", "a.tif", "--ignite", "1,1"], &["`elevation` needs `fuel`"]);
    refused(&["run", "flood", "--width", "10"], &["--width is an option of `imminent run levelling` now"]);
    refused(&["run", "flood", "--rain", "3"], &["`elevation` names no raster"]);
    refused(&["run", "levelling", "--depth", "inf"], &["--depth"]);
    for model in ["fire", "levelling"] {
        refused(&["run", model, "--width", "60000", "--height", "60000"], &["--width 60000", "give at most"]);
    }
}

#[test]
fn synthetic_cell_spaces_have_pictures_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let name = |name: &str| out(name).to_str().unwrap().to_owned();
    json(&[
        "run",
        "fire",
        "--width",
        "48",
        "--height",
        "32",
        "--horizon",
        "2",
        "--backend",
        "cpu",
        "--json",
        "--out",
        &name("fire"),
    ]);
    let arrival = file::read(&out("fire").join("arrival.asc")).unwrap();
    assert_eq!((arrival.columns(), arrival.rows(), arrival.at(31, 0)), (48, 32, Some(0.0)));
    json(&[
        "run",
        "levelling",
        "--width",
        "20",
        "--height",
        "20",
        "--horizon",
        "0.1",
        "--backend",
        "cpu",
        "--json",
        "--out",
        &name("flood"),
    ]);
    let depth = file::read(&out("flood").join("depth.asc")).unwrap();
    let sum: f64 = depth.values().iter().sum();
    assert!((sum - 400.0).abs() < 1e-3, "{sum}");
    json(&[
        "run",
        "cells",
        "examples/cells/life.ma",
        "--horizon",
        "0.001",
        "--backend",
        "cpu",
        "--json",
        "--out",
        &name("cells"),
    ]);
    for picture in ["fire/arrival.png", "flood/depth.png", "cells/values.png"] {
        assert!(fs::read(out(picture)).unwrap().starts_with(b"\x89PNG"), "{picture}");
    }
    // Files of others stay.
    fs::write(out("flood").join("notes.txt"), "mine").unwrap();
    let again =
        imminent(&["run", "levelling", "--width", "9", "--height", "9", "--horizon", "0.01", "--out", &name("flood")]);
    assert!(!again.status.success() && text(&again.stderr).contains("notes.txt"));
}

/// A bowl whose rim falls to the middle by 1 m for each cell of 10 m.
fn bowl(folder: &Path) -> String {
    let height = |row: u32, column: u32| row.abs_diff(12).max(column.abs_diff(15)) as i32;
    let path = folder.join("bowl.asc");
    fs::write(&path, grid(&HEADER.replace("cellsize 30", "cellsize 10"), height)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_flood_on_a_terrain_gathers_in_the_lowest_place() {
    let folder = tempfile::tempdir().unwrap();
    let (bowl, out) = (bowl(folder.path()), folder.path().join("out"));
    let fixed = ["run", "flood", "--elevation", &bowl, "--horizon", "1", "--backend", "cpu", "--json"];
    let out_name = out.to_str().unwrap();
    let found = json(&[&fixed[..], &["--rain", "36", "--rain-hours", "0.5", "--out", out_name]].concat());
    assert!(found["files_s"].as_f64() > Some(0.0), "{found}");
    let oracle = json(&[&fixed[..], &["--rain", "36", "--rain-hours", "0.5", "--engine", "sequential"]].concat());
    assert_eq!(found["digest"], oracle["digest"]);
    let received = found["stats"]["received"]["mean"].as_f64().unwrap();
    // 18 mm on 24 x 30 cells of 100 m2.
    assert!((received - 0.018 * 72_000.0).abs() < 1e-3, "{received}");
    let depth = file::read(&out.join("depth.asc")).unwrap();
    assert!(depth.at(12, 15) > Some(0.5) && depth.at(0, 0) < Some(0.01), "{:?}", depth.at(12, 15));
    let stored: f64 = depth.values().iter().sum::<f64>() * 100.0;
    assert!((stored - received).abs() < 0.1, "{stored}");
    for name in ["depth.png", "peak_depth.png", "arrival.png", "water.apng"] {
        assert!(fs::read(out.join(name)).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(fs::read_to_string(out.join("report.html")).unwrap().contains("does not tell"));
    refused(&fixed, &["`rain`", "`source`"]);
    refused(&[&fixed[..], &["--source", "3,4,1", "--rain-hours", "1"]].concat(), &["--rain-hours 1: has no effect"]);
    refused(&[&fixed[..], &["--source", "99,1,2"]].concat(), &["--source 99,1,2: row 99", "24 rows"]);
    refused(&[&fixed[..], &["--rain", "1e300"]].concat(), &["--rain 1e300", "from 0 to 10000"]);
    refused(&[&fixed[..], &["--rain", "1", "--step", "nan"]].concat(), &["--step nan", "from 0.001 to 3600"]);
    refused(&[&fixed[..], &["--source", "5"]].concat(), &["--source 5: is not 3 values"]);
}
