//! The command line, as a person or a script meets it.

#![allow(clippy::unwrap_used)]

mod cells;
mod classes;
mod compared;
mod configured;
#[cfg(target_os = "linux")]
mod limits;
mod manet;
#[cfg(feature = "maps")]
mod maps;
mod nodes;
mod opened;
#[cfg(feature = "cpu")]
mod own_backend;
mod program;
mod studies;
mod traffic;
mod written;

use imminent::models::queueing::Report;
use imminent::models::queueing::config::TorusConfig;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

/// The folder of the project, where its examples are.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn imminent(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_imminent")).args(args).current_dir(ROOT).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = imminent(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a command that asks for something impossible: exit status 2, nothing on standard output, and these words.
fn refused(args: &[&str], words: &[&str]) {
    let output = imminent(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    for word in words {
        assert!(message.contains(word), "{args:?}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

const SMALL: [&str; 9] = ["run", "torus", "--width", "8", "--height", "6", "--horizon", "200", "--json"];

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SMALL[..], more].concat()
}

#[test]
fn a_run_prints_everything_that_was_promised() {
    let report = json(&small(&["--reps", "3", "--start", "stationary", "--seed", "7", "--backend", "cpu"]));
    // Whatever is missing, misnamed or of another type is an error here.
    let typed: Report<TorusConfig> = serde_json::from_value(report.clone()).unwrap();
    assert!(typed.events > 0 && typed.events_per_s.is_some(), "{report}");
    for name in ["utilization", "throughput", "queue_length", "waiting", "sojourn"] {
        assert!(report["stats"][name]["ci95"].is_f64(), "{name}");
    }
    assert_eq!(
        (report["model"].as_str(), report["backend"].as_str(), report["seed"].as_u64()),
        (Some("torus"), Some("cpu"), Some(7))
    );
    assert!(json(&SMALL)["stats"]["utilization"]["ci95"].is_null(), "one replication has no interval");
}

#[test]
fn every_exact_engine_has_the_same_digest() {
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let oracle = digest(&["--engine", "sequential"]);
    for more in [
        &["--backend", "cpu"][..],
        &["--backend", "cpu", "--schedule", "tiles"],
        &["--backend", "cpu", "--schedule", "tiles", "--device-option", "threads=1"],
        &["--backend", "cpu", "--engine", "interval", "--interval", "0"],
    ] {
        assert_eq!(digest(more), oracle, "{more:?}");
    }
    assert_ne!(digest(&["--seed", "2"]), oracle);
    assert_ne!(digest(&["--engine", "interval", "--interval", "2"]), oracle);
}

#[cfg(feature = "wgpu")]
#[test]
fn webgpu_has_the_digest_of_the_cpu() {
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let cpu = digest(&["--backend", "cpu"]);
    for int64 in ["int64=native", "int64=emulated"] {
        assert_eq!(digest(&["--backend", "wgpu", "--device-option", int64]), cpu, "{int64}");
    }
}

#[test]
fn a_network_runs_from_its_file() {
    let report =
        json(&["run", "network", "examples/networks/nsfnet.graphml", "--tokens", "2", "--horizon", "500", "--json"]);
    assert!(report["events"].as_u64() > Some(300), "{report}");
    assert_eq!(report["config"]["network"]["tokens"], 2);
}

#[test]
fn people_get_a_table() {
    let output = imminent(&SMALL[..8]);
    let table = text(&output.stdout);
    assert!(output.status.success() && table.contains("utilization") && table.contains("digest"), "{table}");
}

#[test]
fn results_are_written_where_asked() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new").join("place");
    let output = imminent(&small(&["--out", out.to_str().unwrap()]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    let nodes = fs::read_to_string(out.join("nodes.csv")).unwrap();
    assert_eq!(nodes.lines().count(), 1 + 48);
    let served: u64 = nodes.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(report["events"].as_u64(), Some(served));
}

/// Every row of a Parquet file, as the Arrow project's reader sees it.
#[cfg(feature = "parquet")]
fn rows(file: &std::path::Path) -> Vec<parquet::record::Row> {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reader = SerializedFileReader::new(fs::File::open(file).unwrap()).unwrap();
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

#[cfg(feature = "parquet")]
#[test]
fn the_tables_of_nodes_agree() {
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let output = imminent(&small(&[
        "--out",
        folder.path().to_str().unwrap(),
        "--batches",
        "5",
        "--warmup",
        "20",
        "--histogram",
    ]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let csv = fs::read_to_string(folder.path().join("nodes.csv")).unwrap();
    let names: Vec<_> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let rows = rows(&folder.path().join("nodes.parquet"));
    assert_eq!(rows.len(), 48);
    for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
        let values: Vec<_> = line.split(',').collect();
        assert_eq!(row.get_ulong(column("completed")).unwrap().to_string(), values[column("completed")]);
        assert_eq!(row.get_string(column("label")).unwrap(), values[column("label")].trim_matches('"'));
        for name in ["utilization", "utilization_ci95", "sojourn"] {
            assert_eq!(row.get_double(column(name)).unwrap().to_string(), values[column(name)], "{name}");
        }
    }
    // Five cells and the one of the warm-up's end, which is where they begin.
    assert_eq!(fs::read_to_string(folder.path().join("series.csv")).unwrap().lines().count(), 1 + 5);
    let completed: u64 = rows.iter().map(|row| row.get_ulong(column("completed")).unwrap()).sum();
    let histogram = fs::read_to_string(folder.path().join("histogram.csv")).unwrap();
    let sojourns = histogram.lines().filter(|line| line.starts_with("sojourn"));
    assert_eq!(sojourns.map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum::<u64>(), completed);
    // Quantiles are told with their intervals and their error, and lie between the extremes.
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("result.json")).unwrap()).unwrap();
    let times = &report["times"];
    assert!(times["relative_error"].as_f64().unwrap() < 0.01, "{times}");
    for time in ["waiting", "sojourn"].map(|name| &times[name]) {
        let value = |name: &str| time["quantiles"][name]["value"].as_f64().unwrap();
        let (least, greatest) = (time["least"].as_f64().unwrap(), time["greatest"].as_f64().unwrap());
        let order = [least, value("p50"), value("p90"), value("p95"), value("p99"), greatest];
        assert!(order.is_sorted() && time["visits"] == completed, "{time}");
        assert!(time["quantiles"]["p95"]["ci95"].as_f64().unwrap() > 0.0, "{time}");
    }
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    assert!(roxmltree::Document::parse_with_options(&page, options).is_ok());
}

#[cfg(feature = "parquet")]
#[test]
fn traces_of_both_forms_hold_the_same_visits() {
    use parquet::record::RowAccessor;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let traced = |name: &str, more: &[&str]| json(&small(&[&["--reps", "2", "--trace", &file(name)], more].concat()));
    let report = traced("all.bin", &[]);
    traced("all.parquet", &["--engine", "sequential"]);
    let bytes = fs::read(folder.path().join("all.bin")).unwrap();
    assert_eq!(&bytes[..8], b"IMTRACE1");
    let records: Vec<_> = bytes[8..].chunks(48).collect();
    let rows = rows(&folder.path().join("all.parquet"));
    assert_eq!((records.len(), bytes.len() % 48), (rows.len(), 8));
    let (events, visits) = (report["events"].as_u64().unwrap(), rows.len() as u64);
    // All services but those under way at the ends of the replications, of which there are at most 48.
    assert!(visits <= events && events <= visits + 96, "{visits} of {events}");
    for (record, row) in records.iter().zip(&rows) {
        let word = |at: usize| u64::from(u32::from_le_bytes(record[at..at + 4].try_into().unwrap()));
        let long = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().unwrap());
        let fields = [word(0), word(4), word(8), word(12), long(16), long(24), long(32), long(40)];
        assert_eq!(fields.map(Some), std::array::from_fn(|column| row.get_ulong(column).ok()));
    }
    traced("some.bin", &["--trace-sample", "0.25"]);
    let some = fs::read(folder.path().join("some.bin")).unwrap();
    let kept: std::collections::HashSet<_> = records.iter().collect();
    assert!(some[8..].chunks(48).all(|record| kept.contains(&record)));
    assert!((0.15..0.35).contains(&(some.len() as f64 / bytes.len() as f64)));
    refused(&small(&["--trace", "trace.csv"]), &["trace.csv", ".parquet or .bin"]);
    refused(&small(&["--trace", &file("x.bin"), "--trace-sample", "2"]), &["at most 1"]);
    let clustered = small(&["--engine", "interval", "--interval", "2", "--trace"]);
    let output = imminent(&[&clustered[..], &[file("y.bin").as_str()]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("use an exact engine"));
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    fs::write(folder.path().join("result.json"), "of an earlier run").unwrap();
    refused(&small(&["--out", out]), &["thesis.tex", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("result.json")).unwrap(), "of an earlier run");
    assert!(imminent(&small(&["--out", out, "--force"])).status.success());
    assert_eq!(fs::read_to_string(folder.path().join("thesis.tex")).unwrap(), "years of work");
    assert!(fs::read_to_string(folder.path().join("result.json")).unwrap().contains("digest"));
    fs::remove_file(folder.path().join("thesis.tex")).unwrap();
    // What an earlier run has written may be replaced.
    assert!(imminent(&small(&["--out", out])).status.success());
    let file = folder.path().join("result.json").display().to_string();
    refused(&small(&["--out", &file]), &["is no folder"]);
    refused(&small(&["--force"]), &["--out"]);
}

/// Replications of a small network run side by side, and on this device one after the other too, by another engine.
/// Runs that sample the statistics once are simulated by the engine of simple networks.
#[test]
fn replications_side_by_side_have_the_digest_of_the_oracle() {
    for looks in [&["--reps", "7"][..], &["--reps", "6", "--warmup", "50", "--batches", "3"]] {
        let run = |more: &[&str]| json(&small(&[looks, more].concat()));
        let oracle = run(&["--engine", "sequential"]);
        for more in [
            &["--backend", "cpu"][..],
            &["--backend", "cpu", "--device-option", "threads=1"],
            &["--backend", "cpu", "--device-option", "threads=3"],
            &["--backend", "cpu", "--schedule", "tiles"],
        ] {
            let found = run(more);
            assert_eq!((&found["digest"], &found["stats"]), (&oracle["digest"], &oracle["stats"]), "{more:?}");
        }
    }
}

#[test]
fn options_replace_what_the_file_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torus.toml");
    fs::write(&file, "[torus]\nwidth = 4\nheight = 4\n\n[run]\nhorizon = 50\nseed = 9\n").unwrap();
    let report = json(&["run", "torus", "--config", file.to_str().unwrap(), "--height", "3", "--json"]);
    assert_eq!(
        (&report["config"]["torus"]["width"], &report["config"]["torus"]["height"]),
        (&Value::from(4), &Value::from(3))
    );
    assert_eq!(report["seed"], 9);
}

#[test]
fn mistakes_in_a_file_are_named_with_their_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torus.toml");
    let path = file.to_str().unwrap();
    fs::write(&file, "[torus]\nwidht = 4\n").unwrap();
    refused(&["run", "torus", "--config", path], &["torus.toml", "widht", "2"]);
    fs::write(&file, "[torus]\nwidth = 4\nmean = -1.0\n").unwrap();
    refused(&["run", "torus", "--config", path], &["torus.toml", "line 3", "mean"]);
    refused(&["run", "torus", "--config", "no-such-file.toml"], &["no-such-file.toml"]);
}

#[test]
fn what_is_not_a_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, contents: &str| {
        let file = folder.path().join(name);
        fs::write(&file, contents).unwrap();
        file.to_str().unwrap().to_owned()
    };
    refused(&["run", "network", &write("page.graphml", "<html><body/></html>")], &["page.graphml", "graphml"]);
    refused(&["run", "network", &write("cut.graphml", "<graphml><graph")], &["cut.graphml"]);
    let dead_end = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";
    refused(&["run", "network", &write("dead.graphml", dead_end)], &["b"]);
    refused(&["run", "network", "no-such.graphml"], &["no-such.graphml"]);
    refused(&["run", "network"], &["which network"]);
}

#[test]
fn output_is_analysed_as_asked() {
    let batches = json(&small(&["--warmup", "40", "--batches", "8", "--engine", "sequential"]));
    assert_eq!(
        batches["analysis"],
        serde_json::json!({"replications": 1, "samples": 8, "warm_up": 40.0, "observed": 160.0, "count": "ended"})
    );
    assert!(batches["stats"]["sojourn"]["ci95"].is_f64());
    let same = json(&small(&["--warmup", "40", "--batches", "8", "--backend", "cpu"]));
    assert_eq!((&same["stats"], &same["digest"]), (&batches["stats"], &batches["digest"]));
    let counted = json(&small(&["--until-count", "100", "--check", "5"]));
    let time = counted["simulated_time"].as_f64().unwrap();
    assert!(time < 200.0 && time % 5.0 == 0.0, "{counted}");
    let precise = json(&small(&["--precision", "0.05", "--measure", "utilization", "--reps", "50"]));
    assert!((5..50).contains(&precise["analysis"]["samples"].as_u64().unwrap()), "{precise}");
    let settled = json(&small(&["--warmup", "mser5", "--observations", "100", "--reps", "4", "--start", "stationary"]));
    assert!(settled["analysis"]["warm_up"].is_f64(), "{settled}");
    let missed = json(&small(&["--until-count", "1000000"]));
    assert!(missed["warnings"][0].as_str().unwrap().contains("before 1000000 services"), "{missed}");
}

#[test]
fn impossible_values_are_refused() {
    refused(&["run", "torus", "--warmup", "soon"], &["warmup", "mser5"]);
    refused(&["run", "torus", "--warmup", "1000"], &["--warmup 1000: ", "longer horizon"]);
    refused(&["run", "torus", "--batches", "1"], &["--batches 1: ", "give 2"]);
    refused(&["run", "torus", "--measure", "beauty"], &["beauty", "sojourn"]);
    refused(&["run", "torus", "--precision", "0.1"], &["run.reps", "replications"]);
    refused(&["run", "torus", "--precision", "7"], &["--precision 7: ", "between 0 and 1"]);
    refused(&["run", "torus", "--width", "0"], &["width"]);
    refused(&["run", "torus", "--width", "4000000000"], &["width"]);
    refused(&["run", "torus", "--tokens", "4000000000"], &["tokens"]);
    refused(&["run", "torus", "--seed", "many"], &["seed"]);
    refused(&["run", "torus", "--horizon", "NaN"], &["horizon"]);
    refused(&["run", "torus", "--reps", "0"], &["reps"]);
    refused(&["run", "torus", "--engine", "warp"], &["warp", "exact"]);
    refused(&["run", "torus", "--engine", "interval"], &["interval"]);
    refused(&["run", "torus", "--start", "somewhere"], &["one", "stationary"]);
    refused(&["run", "torus", "--warmup=2000"], &["--warmup 2000: a warm-up of 2000"]);
    refused(&["run", "torus", "--until-count", "0"], &["--until-count 0: "]);
    refused(&["run", "torus", "--engine", "sequential", "--schedule", "tiles"], &["--schedule", "`sequential`"]);
    let batches = ["run", "torus", "--reps", "1000000", "--batches", "10000"];
    refused(&batches, &["--reps 1000000: reps 1000000: the run would need", "give at most"]);
}

#[test]
fn options_without_effect_are_told() {
    let small = ["run", "torus", "--width", "4", "--height", "4", "--horizon", "9"];
    refused(&[&small[..], &["--measure", "loss"]].concat(), &["--measure loss: ", "--warmup mser5"]);
    let host = [&small[..], &["--engine", "sequential", "--backend", "cpu", "--device-option", "threads=1"]].concat();
    let told = text(&imminent(&host).stderr);
    for option in ["--backend", "--device-option"] {
        assert!(told.contains(&format!("warning: {option} has no effect: the engine `sequential`")), "{told}");
    }
    assert!(!text(&imminent(&[&small[..], &["--backend", "cpu"]].concat()).stderr).contains("no effect"));
}

#[cfg(feature = "models")]
#[test]
fn errors_of_cell_spaces_name_the_option() {
    for (words, told) in [
        ("fire --width 0", "--width 0: dimension 1"),
        ("fire --height 0", "--height 0: dimension 0"),
        ("fire --hours nan", "--hours nan: a fire can burn for 0 to"),
        ("fire --ignite 2000,1", "--ignite 2000,1: ignition 2000,1 is outside"),
        ("fire --seed 3", "--seed 3: only --fires draws"),
        ("flood --depth 1e300", "--depth 1e300: the cells hold"),
        ("flood --hours inf", "--hours inf: a flood can run for"),
        ("flood --rain 5", "'--rain' is of no use without the missing ones"),
    ] {
        refused(&["run"].into_iter().chain(words.split(' ')).collect::<Vec<_>>(), &[told]);
    }
}

#[test]
fn commands_of_the_other_program_say_where_they_are() {
    refused(&["bench", "--what", "launch"], &["the program `lab`", "-p imminent-lab -- bench --what launch"]);
    refused(&["figures"], &["-p imminent-lab -- figures`"]);
}

#[test]
fn devices_that_are_not_there_are_refused() {
    refused(&small(&["--backend", "abacus"]), &["abacus", "cpu"]);
    refused(&small(&["--backend", "cpu", "--device", "5"]), &["device 5"]);
    refused(&small(&["--backend", "cpu", "--device-option", "threads=none"]), &["threads"]);
    refused(&small(&["--backend", "cpu", "--device-option", "wings=2"]), &["wings", "threads"]);
    refused(&small(&["--backend", "cpu", "--device-option", "wings"]), &["KEY=VALUE"]);
    #[cfg(not(feature = "wgpu"))]
    refused(&small(&["--backend", "wgpu"]), &["not compiled in", "--features wgpu"]);
}

/// A driver whose library ends the process that loads it.
#[cfg(all(feature = "opencl", target_os = "linux"))]
#[test]
fn a_driver_that_crashes_does_not_take_the_list_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (source, library) = (folder.path().join("driver.c"), folder.path().join("libdriver.so"));
    fs::write(&source, "#include <stdlib.h>\n__attribute__((constructor)) static void start(void) { abort(); }\n")
        .unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    assert!(made.unwrap().success());
    fs::write(folder.path().join("crash.icd"), format!("{}\n", library.display())).unwrap();
    let mut devices = Command::new(env!("CARGO_BIN_EXE_imminent"));
    let output = devices.args(["devices", "--json"]).env("OCL_ICD_VENDORS", folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listing["backends"][0]["devices"].as_array().map(Vec::len), Some(1), "{listing}");
    let reason = listing["backends"][2]["reason"].as_str().unwrap();
    assert!(reason.contains("opencl") && reason.contains("crashes") && reason.contains("OCL_ICD_VENDORS"), "{reason}");
}

/// Caches that cannot be written, or hold garbage, cost time and change nothing.
#[cfg(feature = "opencl")]
#[test]
fn a_cache_that_cannot_be_used_changes_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |more: &[&str]| json(&small(more))["digest"].as_str().unwrap().to_owned();
    let expected = digest(&["--engine", "sequential"]);
    let on = |cache: &std::path::Path| {
        digest(&["--backend", "opencl", "--device-option", &format!("cache={}", cache.display())])
    };
    let cache = folder.path().join("cache");
    assert_eq!(on(&cache), expected);
    let files = |folder: &std::path::Path| -> Vec<_> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
    };
    let kept = files(&cache);
    assert!(!kept.is_empty(), "nothing was kept in {}", cache.display());
    kept.iter().for_each(|file| fs::write(file, "garbage").unwrap());
    fs::write(cache.join("a file of somebody else"), "not ours").unwrap();
    assert_eq!(on(&cache), expected);
    assert_eq!(fs::read_to_string(cache.join("a file of somebody else")).unwrap(), "not ours");
    assert_eq!(on(&cache.join("a file of somebody else").join("below")), expected);
    assert_eq!(on(std::path::Path::new("/proc/no-such-place")), expected);
}

#[test]
fn devices_are_listed_with_what_they_can_do() {
    let listing = json(&["devices", "--json"]);
    let cpu = &listing["backends"][0];
    assert_eq!(cpu["backend"], "cpu");
    assert_eq!(cpu["devices"][0]["capabilities"]["f32"]["contracts"], false);
    for backend in listing["backends"].as_array().unwrap() {
        for device in backend["devices"].as_array().unwrap() {
            let memory = &device["memory"];
            assert!(memory["current"].is_u64() && memory["limit"].is_null(), "{device}");
            let total = device["capabilities"]["limits"]["memory_bytes"].as_u64().unwrap_or(u64::MAX);
            assert!(memory["free"].as_u64().is_none_or(|free| free > 0 && free <= total), "{device}");
            assert_eq!(memory["pool"].is_object(), backend["backend"] != "cpu", "{device}");
        }
    }
    let wgpu = &listing["backends"][1];
    assert!(wgpu["reason"].is_string() || wgpu["devices"].as_array().is_some_and(|devices| !devices.is_empty()));
    assert!(text(&imminent(&["devices"]).stdout).contains("reproducible"));
}

#[test]
fn a_run_tells_what_it_took_of_the_devices_memory() {
    let memory = json(&small(&["--backend", "cpu"]))["memory"].clone();
    // 48 stations of at least 100 bytes.
    assert!(memory["peak"].as_u64().unwrap() > 4800, "{memory}");
    assert!(memory["current"].as_u64() <= memory["peak"].as_u64() && memory["pool"].is_null(), "{memory}");
    assert!(json(&small(&["--engine", "sequential"]))["memory"].is_null(), "no device");
    let limited = json(&small(&["--backend", "cpu", "--device-option", "memory-limit=10000000"]));
    assert_eq!(limited["memory"]["limit"], 10_000_000);
    let pooled = imminent(&small(&["--backend", "opencl"]));
    if cfg!(feature = "opencl") {
        let report: Value = serde_json::from_slice(&pooled.stdout).unwrap();
        let pool = &report["memory"]["pool"];
        let (held, used) = (pool["held_peak"].as_u64().unwrap(), pool["used_peak"].as_u64().unwrap());
        assert!(used > 4800 && held >= used, "{report}");
        assert!((pool["peak_fragmentation"].as_f64().unwrap() - (1.0 - used as f64 / held as f64)).abs() < 1e-9);
        assert!((0.0..=1.0).contains(&pool["fragmentation"].as_f64().unwrap()), "{report}");
    } else {
        assert!(text(&pooled.stderr).contains("not compiled in"));
    }
}

#[test]
fn errors_name_the_option() {
    for (model, option, value) in [
        ("torus", "--horizon", "nan"),
        ("torus", "--width", "0"),
        ("torus", "--until-count", "0"),
        ("open", "--precision", "2"),
        ("open", "--seed", "-1"),
        ("open", "--device", "-1"),
    ] {
        let said = if value == "nan" { "NaN" } else { value };
        refused(&["run", model, option, value], &[option, said]);
    }
}

#[test]
fn kernels_can_be_read() {
    let ir = json(&["emit", "torus", "--lang", "ir", "--kernel", "relax"]);
    assert_eq!(ir["kernels"][0]["name"], "relax");
    refused(&["emit", "torus", "--lang", "ir", "--kernel", "retreat"], &["retreat", "relax"]);
    #[cfg(feature = "wgpu")]
    assert!(text(&imminent(&["emit", "torus", "--lang", "wgsl"]).stdout).contains("@compute"));
    assert!(text(&imminent(&["emit", "fluids", "--lang", "cuda"]).stdout).contains("travel"));
    assert!(text(&imminent(&["emit", "mesh", "--lang", "opencl", "--kernel", "prepare"]).stdout).contains("barrier"));
    // Kernels of one name in two modules are two programs: each is told by its module, and printed under its full name.
    refused(&["emit", "fire", "--lang", "cuda", "--kernel", "light"], &["step::light", "tiles::light"]);
    let light = text(&imminent(&["emit", "fire", "--lang", "cuda", "--kernel", "tiles::light"]).stdout);
    assert!(light.starts_with("// tiles::light\n") && light.matches("extern \"C\"").count() == 1, "{light}");
    assert!(text(&imminent(&["emit", "manet", "--lang", "cuda"]).stdout).contains("\n// medium::"));
    assert!(text(&imminent(&["emit", "torus", "--lang", "cuda"]).stdout).contains("// boundary::"));
}

#[test]
fn the_suite_can_be_run_in_part() {
    let report = json(&["conform", "--backend", "cpu", "--only", "memory", "--json"]);
    assert!(report.to_string().contains("memory"));
    let output = imminent(&["conform", "--backend", "cpu", "--only", "no such case"]);
    assert_eq!(output.status.code(), Some(1), "a run that executed nothing has not passed");
    refused(&["conform", "--report", "report.docx"], &[".json or .html"]);
}

#[test]
fn the_example_networks_run() {
    for (name, nodes) in [("call-centre", 5), ("hospital", 6), ("overloaded", 3)] {
        let file = format!("examples/networks/{name}.toml");
        let run = |engine: &str| {
            json(&["run", "network", &file, "--horizon", "300", "--engine", engine, "--backend", "cpu", "--json"])
        };
        let (exact, sequential) = (run("exact"), run("sequential"));
        assert_eq!(exact["digest"], sequential["digest"], "{name}");
        assert!(exact["events"].as_u64() > Some(100), "{name}: {exact}");
        let table = text(&imminent(&["run", "network", &file, "--horizon", "300", "--backend", "cpu"]).stdout);
        assert!(table.contains(&format!("{nodes} nodes")), "{table}");
        let unstable = table.contains("warning: the network is unstable: node 'first' is offered 1.2500 times");
        assert_eq!(unstable, name == "overloaded", "{table}");
    }
    // Blocking is for the sequential engine, which the file asks for.
    let line = "examples/networks/production-line.toml";
    let report = json(&["run", "network", line, "--horizon", "500", "--reps", "1", "--json"]);
    assert_eq!((&report["engine"], &report["backend"]), (&Value::from("sequential"), &Value::from("none")));
    let output = imminent(&["run", "network", line, "--engine", "exact", "--backend", "cpu"]);
    assert!(!output.status.success() && text(&output.stderr).contains("sequential"), "{}", text(&output.stderr));
}

#[test]
fn lines_in_tandem_run() {
    let open = ["run", "open", "--lines", "4", "--servers", "3", "--horizon", "2000", "--backend", "cpu", "--json"];
    let report = json(&open);
    assert_eq!(report["config"]["network"]["generate"]["lines"], 4);
    assert_eq!(report["warnings"], Value::Array(vec![]));
    assert!(report["utilization_expected"].as_f64().is_some_and(|expected| (expected - 0.5).abs() < 1e-9), "{report}");
    assert_eq!(report["fingerprint"].as_str().map(str::len), Some(32));
    let sequential = json(&[&open[..], &["--engine", "sequential"]].concat());
    assert_eq!(report["digest"], sequential["digest"]);
    let shared = json(&[&open[..], &["--shared", "--interarrival", "9"]].concat());
    assert!(shared["warnings"][0].as_str().is_some_and(|warning| warning.contains("unstable")), "{shared}");
    refused(&["run", "open", "--lines", "0"], &["--lines 0: ", "'lines'", "at least 1"]);
    refused(&["run", "open", "--config", "examples/networks/hospital.toml"], &["run network"]);
}

#[test]
fn options_say_what_stations_are_like() {
    let zoo = "examples/networks/nsfnet.graphml";
    let run = |more: &[&str]| {
        json(&[&["run", "network", zoo, "--horizon", "200", "--backend", "cpu", "--json"], more].concat())
    };
    let plain = run(&[]);
    let erlang = run(&["--law", "erlang", "--stages", "3", "--mean", "4", "--servers", "2", "--discipline", "lifo"]);
    assert_ne!(plain["digest"], erlang["digest"]);
    assert_eq!(erlang["config"]["network"]["service"]["stages"], 3);
    assert_eq!(run(&["--law", "deterministic", "--mean", "4"])["config"]["network"]["service"]["value"], 4.0);
    refused(&["run", "network", zoo, "--law", "erlang", "--mean", "4"], &["--law erlang: ", "'stages' is missing"]);
    refused(&["run", "network", zoo, "--law", "normal"], &["--law", "normal"]);
    refused(&["run", "network", zoo, "--cv", "2"], &["--law"]);
    refused(&["run", "network", zoo, "--servers", "0"], &["--servers 0: ", "at least 1"]);
}

#[test]
fn what_is_wrong_with_a_network_is_said_with_file_line_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    let path = file.display().to_string();
    let node = "[[network.node]]\nname = 'a'\n[[network.route]]\nfrom = 'a'\nto = 'a'\n";
    for (text, words) in [
        (format!("{node}probability = 0.5\n"), ["line 6", "network.route[0].probability", "add up to 0.5"]),
        (format!("{node}wieght = 0.5\n"), ["line 6", "wieght", "unknown field"]),
        ("[[network.node]]\nname = 'a'\nmean = -1".to_owned(), ["line 3", "network.node[0].mean", "above 0"]),
    ] {
        fs::write(&file, text).unwrap();
        refused(&["run", "network", &path], &[&[path.as_str()], &words[..]].concat());
    }
}

#[test]
fn two_devices_are_run_in_step() {
    let output = imminent(&["bisect", "--right", "cpu", "torus", "--width", "4", "--height", "4", "--horizon", "20"]);
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("no difference in"), "{said}{}", text(&output.stderr));
    let digest = |text: &str| {
        text.split_whitespace()
            .find(|word| word.len() == 32 && word.bytes().all(|b| b.is_ascii_hexdigit()))
            .map(str::to_owned)
    };
    let alone = imminent(&["run", "torus", "--width", "4", "--height", "4", "--horizon", "20", "--backend", "cpu"]);
    assert!(digest(&said).is_some() && digest(&said) == digest(&text(&alone.stdout)), "{said}");
    // A device that moves rows in another way than the host.
    #[cfg(feature = "opencl")]
    for (left, right) in [("cpu", "opencl"), ("opencl", "cpu")] {
        let open = ["open", "--lines", "2", "--servers", "2", "--horizon", "40", "--json"];
        let output = imminent(&[&["bisect", "--left", left, "--right", right][..], &open[..]].concat());
        assert!(output.status.success(), "{left} {right}: {}", text(&output.stderr));
    }
    refused(&["bisect", "--right", "abacus", "torus"], &["abacus"]);
    refused(&["bisect", "--right", "cpu:x", "torus"], &["cpu:x"]);
    refused(&["bisect", "torus"], &["--right"]);
}

/// Mesa's Vulkan layer looks for a Wayland display, and libwayland prints an error where it cannot look for one.
#[cfg(all(feature = "wgpu", target_os = "linux"))]
#[test]
fn drivers_that_are_only_looked_at_do_not_complain() {
    let output = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(small(&["--backend", "auto"]))
        .env_remove("XDG_RUNTIME_DIR")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_suite_tells_of_every_group_when_it_is_done() {
    let output = imminent(&["conform", "--backend", "cpu", "--only", "memory: a", "--only", "faults: a", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let heard = text(&output.stderr);
    let device = format!("cpu {}", report["device"]["name"].as_str().unwrap());
    for group in ["memory", "faults"] {
        let cases = report["cases"].as_array().unwrap().iter().filter(|case| case["group"] == group);
        let passed = cases.filter(|case| case["verdict"] == "pass").count();
        let line = format!("{device}: {group}: {passed} passed, 0 failed");
        assert!(passed > 0 && heard.lines().any(|heard| heard.starts_with(&line)), "{line}: {heard}");
    }
}

#[cfg(feature = "wgpu")]
#[test]
fn random_kernels_run_to_the_end() {
    let many = imminent(&["fuzz", "--backend", "wgpu", "--cases", "18", "--seed", "9"]);
    assert!(many.status.success() && text(&many.stderr).contains(": 16 of 18 kernels tried"), "{}", text(&many.stderr));
    let tried = json(&["fuzz", "--backend", "wgpu", "--cases", "4", "--seed", "5", "--json"]);
    assert_eq!((&tried[0]["device"]["backend"], tried[0]["agreed"].as_u64()), (&"wgpu".into(), Some(4)), "{tried}");
    assert!(tried[0]["failure"].is_null() && tried.as_array().map(Vec::len) == Some(1), "{tried}");
    let output = imminent(&["fuzz", "--backend", "wgpu", "--cases", "1", "--device-option", "int64=emulated"]);
    let said = text(&output.stdout);
    assert!(
        output.status.success() && said.ends_with("1 random kernels agree with their IR, 0 were given up\n"),
        "{said}"
    );
}

#[test]
fn random_kernels_are_refused_where_they_cannot_run() {
    refused(&["fuzz", "--backend", "cpu"], &["native functions"]);
    refused(&["fuzz", "--again", "no-such-file.json"], &["no-such-file.json"]);
}
