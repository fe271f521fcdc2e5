//! `imminent run fire`, `levelling` and `cells`.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;

fn fire(more: &[&str]) -> Value {
    let small =
        ["run", "fire", "--width", "48", "--height", "32", "--ignite", "31,0", "--ignite", "3,40", "--horizon", "2"];
    json(&[&small[..], more, &["--json"]].concat())
}

#[test]
fn every_engine_burns_the_same_cells() {
    let oracle = fire(&["--engine", "sequential"]);
    assert!(oracle["stats"]["cells_burnt"]["mean"].as_f64() > Some(100.0), "{oracle}");
    assert_eq!((&oracle["simulated_time"], &oracle["backend"]), (&Value::from(7_200_000), &Value::from("none")));
    for engine in ["auto", "window", "step"] {
        let found = fire(&["--backend", "cpu", "--engine", engine]);
        assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{engine}");
        // Every part takes some time.
        let [set_up, wall, read, total] =
            ["set_up_s", "wall_s", "read_s", "total_s"].map(|part| found[part].as_f64().unwrap());
        assert!(set_up > 0.0 && wall > 0.0 && read > 0.0 && wall < total, "{found}");
    }
}

#[test]
fn a_flood_keeps_its_water() {
    let small = ["run", "levelling", "--width", "20", "--height", "20", "--depth", "2.5", "--horizon", "0.1", "--json"];
    let oracle = json(&[&small[..], &["--engine", "sequential"]].concat());
    let found = json(&[&small[..], &["--backend", "cpu"]].concat());
    assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]));
    let volume = found["stats"]["volume"]["mean"].as_f64().unwrap();
    assert!((volume - 1000.0).abs() < 1e-3, "{volume}");
}

#[test]
fn rule_files_are_run_and_their_mistakes_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("life.ma");
    let life = fs::read_to_string(format!("{}/examples/cells/life.ma", super::ROOT)).unwrap();
    fs::write(&path, &life).unwrap();
    let run = ["run", "cells", path.to_str().unwrap(), "--horizon", "0.001", "--json"];
    let oracle = json(&[&run[..], &["--engine", "sequential"]].concat());
    assert_eq!(oracle["stats"]["distinct_times"]["mean"], 36.0, "{oracle}");
    for engine in ["window", "step"] {
        let found = json(&[&run[..], &["--backend", "cpu", "--engine", engine]].concat());
        assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{engine}");
    }
    fs::write(&path, life.replace("0 and trueCount = 3 }", "0 and (0,2) = 3 }")).unwrap();
    refused(&run[..3], &["life.ma:23", "(0,2)", "neighbors"]);
}

/// A line of cells along which rain spreads; the last is linked to an output.
const RAIN: &str = "\
[top]
components : line
in : rain
out : gauge
link : rain in@line(0,0)
link : out@line(0,2) gauge

[line]
type : cell
dim : (1,3)
delay : transport
defaultDelayTime : 5
border : nowrapped
neighbors : line(0,-1) line(0,0)
localtransition : flow

[flow]
rule : { (0,-1) } 10 { (0,-1) > (0,0) }
rule : { (0,0) } 0 { t }
";

#[test]
fn events_come_in_and_outputs_go_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [model, events, log, ports] = ["rain.ma", "rain.ev", "rain.log", "rain.out"].map(path);
    fs::write(&model, RAIN).unwrap();
    fs::write(&events, "% two showers\n00:00:00:100 rain 2.5\n00:00:00:000 rain 1\n99:00:00:000 rain 7\n").unwrap();
    let run = ["run", "cells", &model, "--events", &events, "--horizon", "0.001", "--json"];
    let recorded = [&run[..], &["--record", &log, "--record-ports", &ports]].concat();
    let oracle = json(&[&recorded[..], &["--engine", "sequential"]].concat());
    assert_eq!(
        (oracle["stats"]["outputs"]["mean"].as_f64(), &oracle["config"]["events"]),
        (Some(6.0), &Value::from(&*events))
    );
    let of_oracle = [&log, &ports].map(|file| fs::read_to_string(file).unwrap());
    let lines: Vec<&str> = of_oracle[0].lines().collect();
    assert_eq!(lines.len(), 8, "{lines:?}");
    assert_eq!(lines[0], "Mensaje Y / 00:00:00:005 / line(0,0)(03) / out /      1.00000 para line(02)");
    assert_eq!(lines[7], "Mensaje Y / 00:00:00:125 / top(01) / gauge /      2.50000 para Root(00)");
    assert_eq!(of_oracle[1], "00:00:00:025 gauge 1\n00:00:00:125 gauge 2.5\n");
    let window = json(&[&recorded[..], &["--backend", "cpu"]].concat());
    assert_eq!((&window["digest"], window["engine"].as_str()), (&oracle["digest"], Some("window")));
    assert_eq!([&log, &ports].map(|file| fs::read_to_string(file).unwrap()), of_oracle);
    let step = json(&[&run[..], &["--backend", "cpu", "--engine", "step"]].concat());
    assert_eq!(step["digest"], oracle["digest"]);
    refused(
        &[&recorded[..], &["--backend", "cpu", "--engine", "step"]].concat(),
        &["--record", "--engine window --backend cpu"],
    );
    // What was refused replaced nothing and left nothing.
    assert_eq!(fs::read_to_string(&log).unwrap(), of_oracle[0]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Two lines of cells: rain on the first one, what leaves it on the second one.
const TWO: &str = "[top]
components : upper lower
in : rain
link : rain in@upper
link : gauge@upper in@lower(0,0)
[upper]
type : cell
dim : (1,2)
neighbors : upper(0,0) upper(0,-1)
in : in
out : gauge
link : in in@upper(0,0)
link : out@upper(0,1) gauge
localtransition : right
defaultDelayTime : 3600000
[lower]
type : cell
dim : (1,2)
neighbors : lower(0,0)
localtransition : right
defaultDelayTime : 1
[right]
rule : { (0,-1) } 5 { (0,-1) > (0,0) }
rule : { (0,0) } 0 { t }
";

#[test]
fn a_cell_space_of_several_runs_by_its_name_and_beyond_the_milliseconds_of_32_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [model, events, log] = ["two.ma", "rain.ev", "two.log"].map(path);
    fs::write(&model, TWO).unwrap();
    fs::write(&events, "2999:00:00:000 rain 3\n").unwrap();
    let with = |component: &'static str| ["run", "cells", &model, "--component", component, "--horizon", "3001"];
    refused(&["run", "cells", &model], &["two.ma:16", "several cell spaces", "--component", "`upper`, `lower`"]);
    refused(&with("lower"), &["two.ma:2", "`lower` does not run without the cell space `upper`"]);
    refused(&with("middle"), &["no cell space `middle`"]);
    // A delay of 5 ms is the unit of time: 5965 hours fit.
    let upper = [&with("Upper")[..], &["--events", &events, "--json"]].concat();
    let oracle = json(&[&upper[..], &["--engine", "sequential", "--record", &log]].concat());
    assert_eq!(
        (&oracle["stats"]["last_time"]["mean"], &oracle["stats"]["outputs"]["mean"]),
        (&10_800_000.005.into(), &2.0.into())
    );
    assert!(oracle["warnings"].to_string().contains("`lower`: not run"), "{oracle}");
    let lines = fs::read_to_string(&log).unwrap();
    assert!(lines.contains("/ 3000:00:00:005 / upper(0,1)(04) / out /      3.00000"), "{lines}");
    for engine in ["window", "step"] {
        let found = json(&[&upper[..], &["--backend", "cpu", "--engine", engine]].concat());
        assert_eq!(found["digest"], oracle["digest"], "{engine}");
    }
    let long = |horizon: &'static str| ["run", "cells", &model, "--component", "upper", "--horizon", horizon];
    refused(&long("6000"), &["--horizon 6000", "multiples of 5 ms", "5965:13:56:470"]);
    fs::write(&model, TWO.replace("5 { (0,-1) >", "{ 5 * random } { (0,-1) >")).unwrap();
    refused(&long("2000"), &["--horizon 2000", "a delay is no constant", "1193:02:47:294"]);
    // Letters of Windows-1252 in a name, and where an error is marked.
    let western: Vec<u8> =
        TWO.replace("right", "a\u{f1}o").chars().map(|letter| u8::try_from(letter).unwrap()).collect();
    fs::write(&model, western).unwrap();
    let named = json(&[&upper[..], &["--engine", "sequential"]].concat());
    assert_eq!(named["digest"], oracle["digest"]);
}

#[test]
fn mistakes_in_events_ports_and_logs_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [model, events, log] = ["rain.ma", "rain.ev", "rain.log"].map(path);
    fs::write(&model, RAIN).unwrap();
    fs::write(&events, "00:00:00:000 rain 1\n00:00:00:100 snow 2.5\n").unwrap();
    let run = ["run", "cells", &model, "--horizon", "0.001"];
    let bad = |more: &[&str], words: &[&str]| refused(&[&run[..], more].concat(), words);
    bad(&["--events", &events], &["rain.ev:2:14", "snow", "inputs that do: rain"]);
    bad(&["--events", &path("none.ev")], &["none.ev"]);
    bad(&["--quantum=-1"], &["--quantum -1", "from 0"]);
    bad(&["--record", &log, "--record-ports", &log], &["--record and --record-ports"]);
    let life = ["run", "cells", "examples/cells/life.ma", "--horizon", "0.001"];
    refused(&[&life[..], &["--record-ports", &log]].concat(), &["--record-ports", "[top]", "out : name"]);
    refused(&[&life[..], &["--events", &events]].concat(), &["rain.ev:1:14", "in : rain"]);
    let unwritten = imminent(&[&run[..], &["--record", &path("no/such.log")]].concat());
    assert_eq!(unwritten.status.code(), Some(2));
    assert!(text(&unwritten.stderr).contains("such.log: cannot be written"), "{}", text(&unwritten.stderr));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // A rule that fails while the model runs leaves the outputs before it.
    fs::write(&events, "00:00:00:000 rain 1\n").unwrap();
    fs::write(
        &model,
        RAIN.replace("(0,-1) > (0,0) }", "(0,-1) > (0,0) and cellPos(1) < 2 }").replace("0 { t }", "0 { (0,0) < 1 }"),
    )
    .unwrap();
    let failed = imminent(&[&run[..], &["--events", &events, "--record", &log, "--engine", "sequential"]].concat());
    let (said, part) = (text(&failed.stderr), path("rain.partial.log"));
    assert!(failed.status.code() == Some(1) && said.contains("no rule is true") && said.contains(&part), "{said}");
    assert_eq!(fs::read_to_string(part).unwrap().lines().count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_for_which_there_is_no_room_is_told() {
    let failed = imminent(&["run", "cells", "examples/cells/life.ma", "--backend", "cpu", "--record", "/dev/full"]);
    let said = text(&failed.stderr);
    assert!(failed.status.code() == Some(1) && said.contains("/dev/full: cannot be written"), "{said}");
}

#[test]
fn a_quantum_spares_outputs_and_is_reported() {
    let run = ["run", "cells", "examples/cells/heat.ma", "--horizon", "0.00004", "--json"];
    let outputs = |more: &[&str]| {
        let found = json(&[&run[..], more].concat());
        (
            found["stats"]["outputs"]["mean"].as_f64().unwrap(),
            found["config"]["quantum"].clone(),
            found["digest"].clone(),
        )
    };
    let (plain, fine) = (outputs(&["--backend", "cpu"]), outputs(&["--quantum", "1", "--backend", "cpu"]));
    assert!(plain.1 == 0.0 && fine.1 == 1.0 && fine.0 < plain.0 / 2.0, "{plain:?} {fine:?}");
    assert_eq!(fine, outputs(&["--quantum", "1", "--engine", "sequential"]));
    assert_eq!(fine, outputs(&["--quantum", "1", "--backend", "cpu", "--engine", "step"]));
}

#[test]
fn what_cannot_burn_or_flow_is_said() {
    refused(&["run", "fire", "--ignite", "1024,0"], &["1024,0", "1024 rows"]);
    refused(&["run", "fire", "--set", "ignite=[[1024,0]]"], &["--set ignite=[[1024,0]]: ", "1024 rows"]);
    refused(&["run", "fire", "--set", "ignite=[[1,1]]\nhorizon=3"], &["write it as in TOML"]);
    refused(&["run", "fire", "--ignite", "7"], &["--ignite 7: is not 2 values"]);
    refused(&["run", "fire", "--width", "0"], &["--width 0", "from 1"]);
    refused(&["run", "fire", "--horizon", "2000"], &["--horizon 2000", "from 0 to 1193"]);
    refused(&["run", "fire", "--engine", "quick"], &["'window'"]);
    refused(&["run", "levelling", "--depth=-1"], &["--depth"]);
    refused(&["run", "levelling", "--depth", "1e300"], &["1.048576e306 units of water"]);
    refused(&["run", "cells", "no-such.ma"], &["no-such.ma"]);
    refused(&["run", "cells", "examples/cells/life.ma", "--horizon=-1"], &["--horizon"]);
    // Earlier names and places of options.
    refused(&["run", "fire", "--hours", "2"], &["--hours is called --horizon now"]);
    refused(&["run", "cells", "no-such.ma", "--log", "a"], &["--log is called --record now"]);
    refused(&["run", "fire", "--fuel", "a.tif"], &["--fuel is an option of `imminent run wildfire` now"]);
    refused(&["run", "levelling", "--rain", "3"], &["--rain is an option of `imminent run flood` now"]);
    refused(&["run", "fire", "--set", "ignite[0][0]=3"], &["ignite[0][0]", "give the whole list"]);
}

#[cfg(not(feature = "maps"))]
#[test]
fn a_program_without_maps_says_how_to_get_them() {
    refused(&["run", "fire", "--out", "nowhere"], &["--out", "--features maps"]);
    assert!(!std::path::Path::new("nowhere").exists());
}
