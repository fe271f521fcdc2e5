//! `imminent run wildfire` with files of the field: weather streams, fuel models.

use super::hillside::{HEADER, Hillside, grid, no_fire, run};
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
