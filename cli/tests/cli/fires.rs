//! `imminent run wildfire` with files of the field: weather streams, fuel models, points, barriers.

use super::hillside::{HEADER, Hillside, grid, no_fire, run};
use super::refused;
use imminent::models::maps::file;
use serde_json::Value;

const LIT: [&str; 2] = ["--ignite", "12,4"];

fn told(found: &Value, words: &str) -> bool {
    found["assumed"].to_string().contains(words)
}

/// Winds by the hour from 6 o'clock on, in mph, with the direction from which they blow.
const WINDS: [(u32, u32); 8] = [(2, 90), (3, 100), (5, 140), (8, 200), (11, 220), (14, 240), (12, 250), (9, 260)];

#[test]
fn a_weather_stream_gives_the_fire_of_its_winds() {
    let side = Hillside::new();
    let lines = |line: &dyn Fn(usize, u32, u32) -> String| -> String {
        WINDS.iter().enumerate().map(|(hour, &(wind, from))| line(hour, wind, from)).collect()
    };
    let wxs = "RAWS_ELEVATION: 4200\nRAWS_UNITS: English\nYear Mth Day Time Temp RH HrlyPcp WindSpd WindDir CloudCov\n";
    let wxs = wxs.to_owned()
        + &lines(&|hour, wind, from| format!("2017 8 4 {:02}00 86 20 0.00 {wind} {from} 10\n", hour + 6));
    side.put("a.wxs", &wxs);
    let fw21 = "DateTime,Temperature(F),RelativeHumidity(%),Precipitation(in),WindSpeed(mph),WindAzimuth(degrees)\n";
    let fw21 = fw21.to_owned()
        + &lines(&|hour, wind, from| format!("2017-08-04T{:02}:00:00-07:00,86,20,0,{wind},{from}\n", hour + 6));
    side.put("a.fw21", &fw21);
    // The table begins at 8 o'clock.
    let table = "hour,wind,from,1h,10h,100h,herb,wood\n".to_owned()
        + &lines(&|hour, wind, from| match hour.checked_sub(2) {
            Some(hour) => format!("{hour},{wind},{from},6,7,8,60,90\n"),
            None => String::new(),
        });
    side.put("a.csv", &table);
    let start = ["--start", "2017-08-04T08:00", "--horizon", "5", "--backend", "cpu"];
    let with = |file: &str, more: &[&str]| run(&side.run(&[&LIT[..], &["--weather", &side.name(file)], more].concat()));
    let by_table = with("a.csv", &["--wind-units", "mph", "--horizon", "5", "--backend", "cpu"]);
    let by_wxs = with("a.wxs", &start);
    assert_eq!((&by_wxs["digest"], &by_wxs["warnings"]), (&by_table["digest"], &by_table["warnings"]));
    assert_eq!(with("a.fw21", &start)["digest"], by_table["digest"]);
    assert!(told(&by_wxs, "8 observations from 2017-08-04 06:00:00 to 2017-08-04 13:00:00, English units"), "{by_wxs}");
    assert!(told(&by_wxs, "temperature, humidity, rain and clouds have no effect"), "{by_wxs}");
    let oracle = with("a.wxs", &[&start[..], &["--engine", "sequential"]].concat());
    assert_eq!(oracle["digest"], by_wxs["digest"]);
    let short = ["--start", "2017-08-04T08:00", "--horizon", "1", "--backend", "cpu"];
    let burnt = |more: &[&str]| with("a.wxs", &[&short[..], more].concat())["stats"]["burnt"]["mean"].as_f64().unwrap();
    let dry = ["--conditioning", "time-lag"];
    assert!(burnt(&dry) > burnt(&[]), "{} {}", burnt(&dry), burnt(&[]));
    let dry = with("a.wxs", &[&start[..], &dry].concat());
    assert!(told(&dry, "by time lag from 5.8 %, 6.8 %, 8.0 % at the start"), "{dry}");
    let late = with("a.wxs", &["--start", "2017-08-04 12:00", "--horizon", "5", "--backend", "cpu"]);
    assert!(late["warnings"].to_string().contains("ends at hour 1, whose weather is taken until hour 5 too"), "{late}");
}

#[test]
fn weather_streams_that_cannot_be_used_are_refused() {
    let side = Hillside::new();
    side.put("a.wxs", "METRIC\n2017 8 4 1300 25 40 0 12 225 10\n2017 8 4 1400 26 38 0 15 225 10\n");
    side.put("a.csv", "hour,wind,from,1h,10h,100h,herb,wood\n0,6,270,6,7,8,60,90\n");
    let (stream, table) = (side.name("a.wxs"), side.name("a.csv"));
    let refuse = |more: &[&str], words: &[&str]| no_fire(&side, &[&LIT[..], more].concat(), words);
    refuse(&["--weather", &stream, "--wind", "5"], &["--wind 5: has no effect: `weather` has it"]);
    refuse(&["--weather", &stream, "--wind-units", "mph"], &["--wind-units mph: has no effect"]);
    refuse(&["--weather", &table, "--start", "2017-08-04T13:00"], &["has no effect", "names no weather stream"]);
    refuse(&["--weather", &table, "--moisture-1h", "4"], &["--moisture-1h 4: has no effect"]);
    refuse(&["--weather", &stream, "--moisture-1h", "0.04"], &["--moisture-1h 0.04", "is it a fraction"]);
    refuse(
        &["--weather", &stream, "--start", "2017-08-05T13:00"],
        &["--start 2017-08-05T13:00", "from 2017-08-04 13:00:00"],
    );
    side.put("a.fms", "0 3 4 5 30 60\n");
    let both = ["--weather", &stream, "--conditioning", "time-lag", "--fuel-moistures", &side.name("a.fms")];
    refuse(&both, &["--conditioning time-lag", "leave one of the two out"]);
    side.put("a.wtr", "ENGLISH\n8 10 00 600 1500 48 99 94 11 2400\n");
    refuse(&["--weather", &side.name("a.wtr")], &["a.wtr", "WND and WTR to WXS"]);
    side.put("a.wxs", "METRIC\n2017 8 4 1300 25 40 0 12 225 10\n2017 8 4 1300 26 38 0 15 225 10\n");
    refuse(&["--weather", &stream], &["a.wxs:3", "is not after"]);
}

/// Header of rasters whose cells are ten times those of the hillside, and cover it.
const COARSE: &str = "ncols 3\nnrows 3\nxllcorner 500000\nyllcorner 4399820\ncellsize 300\nNODATA_value -9999\n";

#[test]
fn winds_in_rasters_by_the_hour_give_the_fire_of_the_winds_of_the_weather() {
    let side = Hillside::new();
    let (mut speeds, mut directions, mut table) = (vec![], vec![], "hour,wind,from,1h,10h,100h,herb,wood\n".to_owned());
    let mut atmosphere = "WINDS_AND_CLOUDS\nENGLISH\n".to_owned();
    for (hour, (wind, from)) in WINDS.into_iter().enumerate() {
        let raster = |value: u32| COARSE.to_owned() + &format!("{value} {value} {value}\n").repeat(3);
        let [speed, direction] = ["vel", "ang"].map(|name| format!("{name}{hour}.asc"));
        side.put(&speed, &raster(wind));
        side.put(&direction, &raster(from));
        table += &format!("{hour},{wind},{from},6,7,8,60,90\n");
        atmosphere += &format!("08 04 {:02}00 {speed} {direction} cld.asc\n", hour + 8);
        speeds.extend(["--wind-speeds".to_owned(), side.name(&speed)]);
        directions.extend(["--wind-directions".to_owned(), side.name(&direction)]);
    }
    side.put("a.csv", &table);
    side.put("a.atm", &atmosphere);
    let text = |words: &[String]| words.iter().map(|word| &*word.clone().leak()).collect::<Vec<&str>>();
    let rasters = [text(&speeds), text(&directions), vec!["--wind-units", "mph"]].concat();
    let (file, grids) = (side.name("a.csv"), side.name("a.atm"));
    let weather = ["--weather", &*file, "--wind-units", "mph"];
    let burnt = |words: &[&str], more: &[&str]| {
        let horizon: &[&str] = if more.contains(&"--horizon") { &[] } else { &["--horizon", "6"] };
        run(&side.run(&[&LIT[..], words, horizon, &["--backend", "cpu"], more].concat()))
    };
    let expected = burnt(&weather, &[]);
    let found = burnt(&rasters, &[]);
    assert_eq!(found["digest"], expected["digest"]);
    assert!(told(&found, "winds of 3 rows x 3 columns by the hour from"), "{found}");
    assert!(
        told(&found, "of hours 0 to 7, in place of those of the weather; directions count from true north"),
        "{found}"
    );
    assert!(told(&found, "weather constant: wind of the rasters, moistures 6"), "{found}");
    assert_eq!(burnt(&rasters, &["--engine", "sequential"])["digest"], expected["digest"]);
    assert_eq!(burnt(&["--wind-grids", &grids], &[])["digest"], expected["digest"]);
    // Two hours later, from the third raster on; the last wind is held.
    let late = ["--start", "2017-08-04T10:00"];
    let late = burnt(&["--wind-grids", &grids], &late);
    assert_ne!(late["digest"], expected["digest"]);
    assert!(!late["warnings"].to_string().contains("a.atm"), "{late}");
    let long = burnt(&["--wind-grids", &grids], &["--horizon", "9"]);
    assert!(long["warnings"].to_string().contains("ends at hour 7, whose wind is taken until hour 9 too"), "{long}");
    // The grid's north is 15 degrees off.
    let turned = ["--grid-declination", "15"];
    let turned_back = burnt(&weather, &turned);
    let of_grid = burnt(&rasters, &[&turned[..], &["--wind-north", "grid"]].concat());
    assert_ne!(of_grid["digest"], turned_back["digest"]);
    side.put(
        "a.csv",
        &WINDS
            .into_iter()
            .enumerate()
            .fold("hour,wind,from,1h,10h,100h,herb,wood\n".to_owned(), |text, (hour, (wind, from))| {
                text + &format!("{hour},{wind},{},6,7,8,60,90\n", from + 15)
            }),
    );
    assert_eq!(of_grid["digest"], burnt(&weather, &turned)["digest"]);
}

#[test]
fn winds_in_rasters_serve_ensembles_and_behaviour() {
    let side = Hillside::new();
    // The south-eastern cell has no wind, where nothing burns.
    let ground = |row: u32, column: u32| if row >= 20 && column >= 20 { 98 } else { 1 };
    side.put("fuel.asc", &grid(HEADER, ground));
    side.put("vel.asc", &(COARSE.to_owned() + "8 8 8\n8 8 8\n8 8 -9999\n"));
    side.put("ang.asc", &(COARSE.to_owned() + "240 240 240\n240 240 240\n240 240 -9999\n"));
    let [speed, direction] = ["vel.asc", "ang.asc"].map(|name| side.name(name));
    let rasters = ["--wind-speeds", &*speed, "--wind-directions", &*direction];
    let constant = ["--wind", "8", "--wind-from", "240"];
    let found = |more: &[&str], options: &[&str]| run(&side.run(&[options, more].concat()));
    for options in [
        &["--fires", "30", "--horizon", "2", "--flame-probabilities", "--backend", "cpu"][..],
        &["--fires", "30", "--horizon", "2", "--engine", "sequential"],
        &["--behaviour", "1"],
    ] {
        assert_eq!(found(&rasters, options)["digest"], found(&constant, options)["digest"], "{options:?}");
    }
    let out = side.name("drawn");
    let drawn = ["--fires", "30", "--horizon", "1", "--moisture-spread", "2", "--backend", "cpu", "--out", &out];
    found(&rasters, &drawn);
    let sizes = std::fs::read_to_string(side.path("drawn").join("sizes.csv")).unwrap();
    let first: Vec<&str> = sizes.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((first[5], first[6]), ("", ""), "{sizes}");
}

#[test]
fn winds_in_rasters_that_cannot_be_used_are_refused() {
    let side = Hillside::new();
    let row = |values: &str| COARSE.to_owned() + values;
    side.put("vel.asc", &row("8 8 8\n8 8 8\n8 8 -9999\n"));
    side.put("ang.asc", &row("240 240 240\n240 240 240\n240 240 240\n"));
    side.put("fine.asc", &grid(HEADER, |_, _| 240));
    side.put("away.asc", &(COARSE.replace("500000", "700000") + "8 8 8\n8 8 8\n8 8 8\n"));
    side.put("west.asc", &(COARSE.replace("500000", "499600") + "8 8 8\n8 8 8\n8 8 8\n"));
    let [speed, direction, fine, away, west] =
        ["vel.asc", "ang.asc", "fine.asc", "away.asc", "west.asc"].map(|name| side.name(name));
    let refuse = |more: &[&str], words: &[&str]| no_fire(&side, &[&LIT[..], more].concat(), words);
    let of = |speed: &'static str, direction: &'static str| ["--wind-speeds", speed, "--wind-directions", direction];
    let leak = |name: &String| &*name.clone().leak();
    let (speed, direction, fine, away, west) = (leak(&speed), leak(&direction), leak(&fine), leak(&away), leak(&west));
    refuse(&of(speed, direction), &["vel.asc", "row 20, column 21", "speed of the wind of NaN at hour 0", "0 to 100"]);
    refuse(&of(direction, direction), &["ang.asc", "row 0, column 0", "speed of the wind of 240", "0 to 100"]);
    refuse(&of(away, away), &["away.asc", "row 0, column 0", "speed of the wind of NaN"]);
    refuse(&of(west, west), &["west.asc", "row 0, column 17", "speed of the wind of NaN"]);
    refuse(&of(west, fine), &["west.asc and", "fine.asc do not fit together"]);
    refuse(&of(west, west)[..2], &["`wind_speeds` needs `wind_directions`"]);
    refuse(&of(west, west)[2..], &["`wind_directions` needs `wind_speeds`"]);
    refuse(&[&of(west, west)[..], &["--wind-speeds", west]].concat(), &["has 2 rasters, and `wind_directions` 1"]);
    refuse(&[&of(west, west)[..], &["--wind", "5"]].concat(), &["--wind 5: has no effect: rasters have the wind"]);
    refuse(&["--wind-step", "2"], &["--wind-step 2: has no effect: the wind has no rasters"]);
    side.put("a.atm", "WINDS_AND_CLOUDS\nENGLISH\n8 4 1400 vel.asc none.asc\n");
    let grids = side.name("a.atm");
    refuse(&["--wind-grids", &grids], &["none.asc", "cannot be read"]);
    refuse(&["--wind-grids", &grids, "--wind-units", "mph"], &["--wind-units mph: has no effect: `wind_grids` tells"]);
    refuse(&["--wind-grids", &grids, "--wind-step", "2"], &["--wind-step 2: has no effect: `wind_grids` has them"]);
    side.put("a.atm", "WINDS_AND_CLOUDS\nENGLISH\n8 4 noon vel.asc ang.asc\n");
    refuse(&["--wind-grids", &grids], &["a.atm:3", "`8 4 noon` is no date and time"]);
    side.put("fuel.asc", &grid(HEADER, |row, column| if row >= 20 && column >= 20 { 98 } else { 1 }));
    side.put("a.atm", "WINDS_AND_CLOUDS\nENGLISH\n8 4 1400 vel.asc ang.asc\n");
    side.put("a.wxs", "METRIC\n2017 8 4 1300 25 40 0 12 225 10\n2017 8 4 1400 26 38 0 15 225 10\n");
    refuse(&["--wind-grids", &grids, "--weather", &side.name("a.wxs")], &["--start", "count from it"]);
}

#[test]
fn custom_fuel_models_burn_beside_the_published_ones() {
    let side = Hillside::new();
    let own = "14 OWN 0.10 0 0 1.00 0 dynamic 2000 1800 1500 1.0 15 8000 8000 as GR2\n";
    side.put("own.fmd", &format!("ENGLISH\n{own}{}", own.replace("14 OWN", "89 LAST")));
    let file = side.name("own.fmd");
    let burnt = |fuel: i32, more: &[&str]| {
        side.put("fuel.asc", &grid(HEADER, |row, column| if column == 20 && row != 12 { 90 } else { fuel }));
        run(&side.run(&[&LIT[..], &["--horizon", "1", "--backend", "cpu"], more].concat()))
    };
    let custom = burnt(14, &["--fuel-models", &file]);
    assert!(told(&custom, "own.fmd: custom fuel models 14, 89"), "{custom}");
    assert_eq!(burnt(89, &["--fuel-models", &file])["digest"], custom["digest"]);
    assert_eq!(burnt(14, &["--fuel-models", &file, "--engine", "sequential"])["digest"], custom["digest"]);
    // GR2 has these loads, rounded otherwise.
    let hectares = |found: &Value| found["stats"]["burnt"]["mean"].as_f64().unwrap();
    let published = hectares(&burnt(102, &["--fuel-models", &file]));
    assert!((hectares(&custom) - published).abs() <= 0.02 * published && published > 5.0, "{published} {custom}");
    // Moistures by fuel model know custom ones.
    side.put("dry.fms", "14 3 4 5 30 60\n");
    let dry = burnt(14, &["--fuel-models", &file, "--fuel-moistures", &side.name("dry.fms")]);
    assert!(hectares(&dry) > hectares(&custom), "{dry}");
    side.put("fuel.asc", &grid(HEADER, |_, _| 14));
    no_fire(&side, &LIT, &["fuel.asc", "fuel model 14", "--fuel-models custom.fmd"]);
    side.put("own.fmd", &own.replace("14", "102"));
    no_fire(&side, &[&LIT[..], &["--fuel-models", &file]].concat(), &["own.fmd", "102 is a published model"]);
}

/// Rows of `arrivals.csv`: fire, point, row, column, and hours if fire came.
fn arrivals(side: &Hillside, out: &str) -> Vec<(u64, u64, u32, u32, Option<f64>)> {
    let text = std::fs::read_to_string(side.path(out).join("arrivals.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("fire,point,row,column,hours"));
    let row = |line: &str| {
        let words: Vec<&str> = line.split(',').collect();
        let [fire, point, row, column, hours]: [&str; 5] = words.try_into().unwrap();
        let hours = (!hours.is_empty()).then(|| hours.parse().unwrap());
        (fire.parse().unwrap(), point.parse().unwrap(), row.parse().unwrap(), column.parse().unwrap(), hours)
    };
    lines.map(row).collect()
}

#[test]
fn fires_tell_when_they_reach_points() {
    let side = Hillside::new();
    let points = r#"{"type":"MultiPoint","coordinates":[[500135,4400345],[500755,4400345],[500615,4400705]]}"#;
    side.put("towns.geojson", points);
    let (file, out) = (side.name("towns.geojson"), side.name("found"));
    let one = run(&side.fire(&[&LIT[..], &["--at", &file, "--no-pictures", "--out", &out]].concat()));
    assert!(one["warnings"].to_string().contains("1 points lie in cells that cannot burn"), "{one}");
    let raster = file::read(&side.path("found").join("arrival.asc")).unwrap();
    let found = arrivals(&side, "found");
    assert_eq!(found[0], (0, 0, 12, 4, Some(0.0)));
    let (_, _, row, column, hours) = found[1];
    assert_eq!((row, column, found.len(), found[2].4), (12, 25, 3, None));
    assert!((hours.unwrap() - raster.at(12, 25).unwrap()).abs() < 1e-6, "{found:?}");
    // An ensemble has a row for each fire and point; a fire that is lit beside a point reaches it first.
    let fires = ["--fires", "30", "--seed", "3", "--horizon", "2", "--backend", "cpu", "--at", &file, "--out", &out];
    let many = run(&side.run(&[&fires[..], &["--no-pictures"]].concat()));
    let found = arrivals(&side, "found");
    assert_eq!(found.len(), 90);
    let reached = found.iter().filter(|row| row.1 == 1 && row.4.is_some()).count();
    let chance = file::read(&side.path("found").join("burn_probability.asc")).unwrap().at(12, 25).unwrap();
    assert!((reached as f64 / 30.0 - chance).abs() < 1e-6 && reached > 0 && reached < 30, "{reached} {chance}");
    let oracle = run(&side.run(&[&fires[..10], &["--engine", "sequential"]].concat()));
    assert_eq!(oracle["digest"], many["digest"]);
    side.put("towns.geojson", r#"{"type":"LineString","coordinates":[[500135,4400345],[500755,4400345]]}"#);
    no_fire(&side, &[&LIT[..], &["--at", &file]].concat(), &["towns.geojson", "give points"]);
    // A row for each of 10^10 arrivals takes a terabyte.
    let all = vec!["[500135,4400345]"; 5_000].join(",");
    side.put("towns.geojson", &format!(r#"{{"type":"MultiPoint","coordinates":[{all}]}}"#));
    no_fire(&side, &["--fires", "2000000", "--at", &file], &["--fires 2000000", "would need 1.0", "give at most"]);
    // A terabyte of fires alone is refused before the landscape is read.
    let layers = side.name("no.tif");
    let asked = ["run", "wildfire", "--layers", &layers, "--fires", "4000000000"];
    refused(&asked, &["--fires 4000000000", "would need 1.0", "give at most"]);
    refused(&asked[..4], &["no.tif"]);
}

#[test]
fn ensembles_have_probabilities_of_flame_lengths() {
    let side = Hillside::new();
    let out = side.name("found");
    let wind = ["--fires", "30", "--wind", "6", "--wind-spread", "6", "--flame-probabilities", "--out", &out];
    run(&side.fire(&wind));
    let raster = |name: &str| file::read(&side.path("found").join(name).with_extension("asc")).unwrap();
    let chance = raster("burn_probability");
    let classes =
        ["flames_0_2ft", "flames_2_4ft", "flames_4_6ft", "flames_6_8ft", "flames_8_12ft", "flames_above_12ft"];
    let classes = classes.map(raster);
    for row in 0..24 {
        for column in 0..30 {
            let shares: Vec<f64> = classes.iter().filter_map(|class| class.at(row, column)).collect();
            let burns = chance.at(row, column).is_some_and(|chance| chance > 0.0);
            assert_eq!(shares.len(), if burns { 6 } else { 0 });
            assert!(!burns || (shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{shares:?}");
        }
    }
    let used = classes.iter().filter(|class| class.range().is_some_and(|(_, most)| most > 0.0)).count();
    assert!(used >= 3, "{used}");
    no_fire(
        &side,
        &[&LIT[..], &["--flame-probabilities"]].concat(),
        &["has no effect", "one fire has no probabilities"],
    );
}

#[test]
fn barriers_stop_fires_in_all_directions() {
    let side = Hillside::new();
    side.put("fuel.asc", &grid(HEADER, |_, _| 1));
    let out = side.name("found");
    let line = |from: (i32, i32), to: (i32, i32)| {
        let point = |(x, y): (i32, i32)| format!("[{},{}]", 500_000 + x, 4_400_000 + y);
        format!(r#"{{"type":"LineString","coordinates":[{},{}]}}"#, point(from), point(to))
    };
    let file = side.name("roads.geojson");
    let barrier = ["--ignite", "12,4", "--wind", "9", "--wind-from", "270", "--barriers", &file, "--out", &out];
    let arrival = |more: &[&str]| {
        let found = run(&side.fire(&[&barrier[..], &["--no-pictures"], more].concat()));
        (file::read(&side.path("found").join("arrival.asc")).unwrap(), found)
    };
    // From the south to the north: upright, slanted, through the corners of cells, and along their sides.
    for (from, to) in [((455, -9), (455, 800)), ((240, -60), (760, 790)), ((0, 0), (720, 720)), ((450, 0), (450, 720))]
    {
        side.put("roads.geojson", &line(from, to));
        for rule in [
            &["--directions", "eight"][..],
            &["--corners", "open"],
            &["--directions", "eight", "--corners", "open"],
            &[],
        ] {
            let (raster, found) = arrival(rule);
            // The fire is in the north-west of the line, and the south-eastern corner beyond it.
            assert_eq!((raster.at(12, 4), raster.at(23, 29)), (Some(0.0), None), "{from:?} {rule:?}");
            assert!(raster.at(0, 0).is_some(), "{from:?} {rule:?}");
            assert!(told(&found, "cells are barriers, which never burn"), "{found}");
        }
    }
    let oracle = run(&side.fire(&[&barrier[..8], &["--engine", "sequential"]].concat()));
    assert_eq!(arrival(&[]).1["digest"], oracle["digest"]);
    // With a gap of a cell fire comes through.
    side.put("roads.geojson", &line((455, -9), (455, 650)));
    assert!(arrival(&[]).0.at(23, 29).is_some());
    side.put("roads.geojson", &line((135, 345), (200, 345)));
    no_fire(&side, &barrier[..8], &["12,4", "or a barrier"]);
    side.put("roads.geojson", &line((-500, 0), (-400, 0)));
    no_fire(&side, &barrier[..8], &["roads.geojson", "outside of the map"]);
}
