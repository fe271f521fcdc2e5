//! Parameter studies from the command line.

use super::{imminent, json, refused, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STUDY: &str = "examples/studies/desk.toml";

/// A study of a small torus that takes some seconds, one run after the other.
fn long(folder: &Path) -> PathBuf {
    let network = "[network]\nmean = 1.0\ngenerate = { shape = 'torus', width = 8, height = 8 }\n[run]\nhorizon = 200.0\nengine = 'sequential'\n";
    fs::write(folder.join("torus.toml"), network).unwrap();
    let study = "format = 1\nmodel = 'network'\nseed = 3\nrepetitions = 20\n[fixed]\nfile = 'torus.toml'\n\
                 [[axis]]\nparameter = 'network.generate.width'\nvalues = [2, 4]\n\
                 [[axis]]\nparameter = 'run.horizon'\nvalues = [50.0, 100.0]\n";
    let path = folder.join("study.toml");
    fs::write(&path, study).unwrap();
    path
}

const TABLES: [&str; 2] = ["runs.csv", "points.csv"];

#[test]
fn a_study_is_tabled_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let report = json(&["study", STUDY, "--out", out, "--json", "--backend", "cpu"]);
    assert_eq!((report["complete"].as_bool(), report["done"].as_u64()), (Some(true), report["runs"].as_u64()));
    let points = report["points"].as_array().unwrap();
    let runs = report["runs"].as_u64().unwrap() as usize;
    assert_eq!(runs, points.len() * report["repetitions"].as_u64().unwrap() as usize);
    let lines = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap().lines().count();
    assert_eq!((lines("runs.csv"), lines("points.csv")), (1 + runs, 1 + 20 * points.len()));
    assert_eq!(lines("runs.journal"), 1 + runs);
    // Two desks are less busy than one.
    let utilization = |servers: u64| {
        let of = points.iter().filter(|point| point["parameters"]["network.node[0].servers"] == servers);
        of.map(|point| point["measures"]["utilization"]["mean"].as_f64().unwrap()).sum::<f64>()
    };
    assert!((utilization(1) - 2.0 * utilization(2)).abs() < 0.1 * utilization(1));
    let effects = &report["main_effects"]["network.node[0].servers"];
    assert_eq!(effects["levels"][1]["name"], "2");
    assert!(effects["measures"]["waiting"][1]["ci95"].as_f64() > Some(0.0), "{effects}");
    // Again: nothing is run, nothing changes.
    let tables = TABLES.map(|file| fs::read(folder.path().join(file)).unwrap());
    let again = json(&["study", STUDY, "--out", out, "--json"]);
    assert_eq!((again["done_before"].as_u64(), &again["device"]), (Some(runs as u64), &Value::Null));
    assert_eq!(TABLES.map(|file| fs::read(folder.path().join(file)).unwrap()), tables);
    #[cfg(feature = "parquet")]
    {
        use parquet::record::RowAccessor;
        let rows = super::results::rows(&folder.path().join("runs.parquet"));
        assert_eq!(rows.len(), runs);
        let csv = fs::read_to_string(folder.path().join("runs.csv")).unwrap();
        let names: Vec<_> = csv.lines().next().unwrap().split(',').collect();
        let seed = names.iter().position(|name| *name == "seed").unwrap();
        for (row, line) in rows.iter().zip(csv.lines().skip(1)) {
            assert_eq!(row.get_ulong(seed).unwrap().to_string(), line.split(',').nth(seed).unwrap());
        }
        assert!(fs::read_to_string(folder.path().join("report.html")).unwrap().contains("Main effect of"));
    }
}

/// A study that is killed repeatedly, as soon as some runs are finished, in the end has the tables of an undisturbed
/// study.
#[test]
fn a_killed_study_goes_on_and_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let study = long(folder.path());
    let study = study.to_str().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    assert!(imminent(&["study", study, "--out", &out("whole"), "--backend", "cpu"]).status.success());
    let killed = out("killed");
    let finished =
        || fs::read_to_string(Path::new(&killed).join("runs.journal")).map_or(0, |text| text.lines().count());
    for _ in 0..3 {
        let before = finished();
        let mut child = Command::new(env!("CARGO_BIN_EXE_imminent"))
            .args(["study", study, "--out", &killed, "--backend", "cpu"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while finished() < before + 5 && child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "no run is finished");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let last = json(&["study", study, "--out", &killed, "--backend", "cpu", "--json"]);
    assert!(last["done_before"].as_u64() >= Some(10), "{last}");
    let tables = |out: &str| TABLES.map(|file| fs::read_to_string(Path::new(out).join(file)).unwrap());
    assert_eq!(tables(&killed), tables(&out("whole")));
    // Another study has no business there.
    let text = fs::read_to_string(study).unwrap();
    fs::write(study, text.replace("seed = 3", "seed = 4")).unwrap();
    refused(&["study", study, "--out", &killed], &["runs.journal", "differs in its seed", "name another folder"]);
}

/// A study is killed as soon as some states were saved: its runs are resumed on other devices with the same results,
/// and no checkpoint is left. A damaged file is reported.
#[test]
fn runs_under_way_of_a_killed_study_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let study = events(folder.path());
    let text_of_study = fs::read_to_string(&study).unwrap();
    let out = |name: &str| folder.path().join(name);
    let on = |device: &str, out: &Path| {
        imminent(&["study", study.to_str().unwrap(), "--device", device, "--out", out.to_str().unwrap(), "--json"])
    };
    let running = out("killed").join("running");
    let files = || fs::read_dir(&running).map_or(vec![], |files| files.map(|file| file.unwrap().path()).collect());
    let kept = || files().iter().any(|path: &PathBuf| path.extension().is_some_and(|found| found == "checkpoint"));
    // Longer ones, if it ends before it is killed.
    let mut end = 20_000;
    while !kept() {
        assert!(end < 20_000_000, "it ends, however long it is");
        fs::remove_dir_all(out("killed")).ok();
        fs::write(&study, text_of_study.replace("60.0", &format!("{end}.0"))).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_imminent"))
            .args(["study", study.to_str().unwrap(), "--device", "cpu:0", "--checkpoint", "0.01"])
            .args(["--out", out("killed").to_str().unwrap()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while !kept() && child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < Duration::from_secs(60), "nothing is kept");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        end *= 4;
    }
    assert!(on("cpu:0", &out("whole")).status.success());
    // One of another program, or of chance.
    fs::write(running.join("0-9.checkpoint"), "imminent study checkpoint 0: anything\n").unwrap();
    let last = on("cpu:0,cpu:0", &out("killed"));
    let (report, message) = (serde_json::from_slice::<Value>(&last.stdout).unwrap(), text(&last.stderr));
    let went_on = report["went_on"].as_u64().unwrap();
    assert!(went_on > 0 && went_on + report["done_before"].as_u64().unwrap() <= 24, "{report}");
    assert!(message.contains(&format!("{went_on} unfinished runs are resumed")), "{message}");
    assert!(
        message.contains("0-9.checkpoint: is damaged") && message.contains("start again from the beginning"),
        "{message}"
    );
    assert_eq!(tables(&out("killed")), tables(&out("whole")));
    assert_eq!(files(), [running.join("0-9.checkpoint")]);
    refused(&["study", study.to_str().unwrap(), "--checkpoint", "often"], &["number of seconds"]);
}

/// Ctrl-C, and what kills politely: the partial results are written, and the study goes on later.
#[cfg(unix)]
#[test]
fn an_interrupted_study_leaves_partial_results() {
    let folder = tempfile::tempdir().unwrap();
    let study = long(folder.path());
    let text_of_study = fs::read_to_string(&study).unwrap();
    fs::write(&study, text_of_study.replace("repetitions = 20", "repetitions = 4000")).unwrap();
    let out = folder.path().join("out");
    let child = Command::new(env!("CARGO_BIN_EXE_imminent"))
        .args(["study", study.to_str().unwrap(), "--out", out.to_str().unwrap(), "--backend", "cpu"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while fs::read_to_string(out.join("runs.journal")).map_or(0, |text| text.lines().count()) < 5 {
        assert!(began.elapsed() < Duration::from_secs(60), "no run is finished");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("interrupted: ") && message.contains("the same command goes on"), "{message}");
    let report: Value = serde_json::from_str(&fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    let runs = fs::read_to_string(out.join("runs.csv")).unwrap().lines().count() as u64 - 1;
    assert_eq!((report["complete"].as_bool(), report["done"].as_u64()), (Some(false), Some(runs)));
    assert!((4..16_000).contains(&runs), "{runs}");
}

#[test]
fn models_and_plans_can_be_read() {
    let models = imminent(&["describe"]);
    assert!(models.status.success() && text(&models.stdout).contains("network"), "{}", text(&models.stderr));
    let network = text(&imminent(&["describe", "network"]).stdout);
    assert!(network.contains("run.horizon in time units") && network.contains("whole numbers"), "{network}");
    let old = imminent(&["study", "--models"]);
    assert!(!old.status.success() && text(&old.stderr).contains("`imminent describe`"), "{}", text(&old.stderr));
    let plan = json(&["study", STUDY, "--plan", "--json"]);
    let (runs, points) = (plan["runs"].as_u64().unwrap(), plan["points"].as_array().unwrap().len() as u64);
    assert_eq!(runs, points * plan["repetitions"].as_u64().unwrap());
    assert!(text(&imminent(&["study", STUDY, "--plan"]).stdout).contains(&format!("{runs} runs: {points} points")));
}

/// 10^8 points: planned at once, and refused in words where there is no memory for their results.
#[test]
fn a_study_that_is_too_large_is_refused_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("study.toml");
    let study = path.to_str().unwrap();
    let axis = |name: &str| format!("[[axis]]\nparameter = '{name}'\nfrom = 1.0\nto = 5.0\ncount = 10000\n");
    let large = format!("format = 1\nmodel = 'mesh'\n{}{}", axis("rate"), axis("speed"));
    fs::write(&path, &large).unwrap();
    let plan = text(&imminent(&["study", study, "--plan"]).stdout);
    assert!(plan.contains("100,000,000 runs: 100,000,000 points"), "{plan}");
    assert!(plan.contains("its results take 9.600 GB of memory"), "{plan}");
    assert!(plan.contains("each value was checked beside the first of the others"), "{plan}");
    if cfg!(target_os = "linux") {
        // A process that may have three gigabytes of addresses.
        let limited = format!("ulimit -v 3000000; exec {} study {study} --backend cpu", env!("CARGO_BIN_EXE_imminent"));
        let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("the results of 100000000 runs with 8 measures take 9.600 GB"), "{message}");
        assert!(message.contains("study fewer points, or give fewer repetitions"), "{message}");
    }
    // What is wrong with a value is found in so large a study, too.
    fs::write(&path, large.replace("format = 1", "format = 1\nfixed = { bandwidth = 7 }")).unwrap();
    refused(&["study", study, "--plan"], &["study.toml, line", "there are no frames at 7 Mb/s"]);
    fs::write(&path, large + "[[axis]]\nparameter = 'bandwidth'\nvalues = [6]\n").unwrap();
    let plan = imminent(&["study", study, "--plan"]);
    assert!(plan.status.success(), "{}", text(&plan.stderr));
    let bad = "format = 1\nmodel = 'mesh'\n[[axis]]\nparameter = 'bandwidth'\nvalues = [6, 9]\n";
    fs::write(&path, bad).unwrap();
    refused(&["study", study, "--plan"], &["study.toml, line 5: axis[0].values[1]: bandwidth = 9: "]);
}

/// The reader of a study of the mesh is told why all points deliver alike.
#[test]
fn a_study_of_the_mesh_says_why_its_points_are_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("mesh.toml"), folder.path().join("out"));
    let study = "format = 1\nmodel = 'mesh'\nlength = 0.3\n[fixed]\nsubcarriers = 2\n[[axis]]\nparameter = 'rate'\nvalues = [5, 10]\n";
    fs::write(&path, study).unwrap();
    let (study, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let words = "`rate` and `speed` do not change the share of packets";
    let printed = text(&imminent(&["study", study, "--out", out, "--backend", "cpu"]).stdout);
    assert!(printed.contains(words), "{printed}");
    let report: Value = serde_json::from_str(&fs::read_to_string(Path::new(out).join("result.json")).unwrap()).unwrap();
    assert!(report["notes"][0].as_str().unwrap().contains(words), "{report}");
    #[cfg(feature = "parquet")]
    assert!(fs::read_to_string(Path::new(out).join("report.html")).unwrap().contains(words));
}

/// The paper gives events to simulations, however many modules share them (Table I).
#[test]
fn the_study_of_the_lcg_has_the_events_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("lcg.toml"), folder.path().join("out"));
    let example = fs::read_to_string(format!("{}/examples/studies/lcg.toml", super::ROOT)).unwrap();
    fs::write(&path, example + "\n[fixed]\niterations = 1\n").unwrap();
    let (study, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    assert!(imminent(&["study", study, "--out", out, "--backend", "cpu"]).status.success());
    let runs = fs::read_to_string(Path::new(out).join("runs.csv")).unwrap();
    let events = runs.lines().next().unwrap().split(',').position(|name| name == "events").unwrap();
    let of_run: Vec<_> = runs.lines().skip(1).map(|line| line.split(',').nth(events).unwrap()).collect();
    assert_eq!(of_run, ["300"; 128]);
}

#[test]
fn the_study_of_fires_burns_more_when_it_is_windy_and_dry() {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("wildfire.toml"), folder.path().join("out"));
    let example = fs::read_to_string(format!("{}/examples/studies/wildfire.toml", super::ROOT)).unwrap();
    let small = example.replace("repetitions = 20", "repetitions = 3").replace("= 120", "= 60");
    fs::write(&path, small).unwrap();
    let (study, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let report = json(&["study", study, "--out", out, "--json", "--backend", "cpu"]);
    assert_eq!((report["complete"].as_bool(), report["done"].as_u64()), (Some(true), Some(36)));
    let effect = |parameter: &str| {
        let means = &report["main_effects"][parameter]["measures"]["burnt"];
        [0, 2].map(|level| means[level]["mean"].as_f64().unwrap())
    };
    let ([calm, windy], [dry, damp]) = (effect("wind"), effect("moisture_1h"));
    assert!(windy > calm && dry > damp, "{calm} {windy} {dry} {damp}");
}

#[test]
fn mistakes_in_a_study_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("study.toml");
    let study = path.to_str().unwrap();
    for (contents, words) in [
        ("model = 'network'\n", vec!["study.toml", "format = 1"]),
        ("format = 1\nmodel = 'netwerk'\n", vec!["study.toml, line 2: model", "did you mean 'network'?"]),
        ("format = 1\nmodel = 'network'\n[fixed]\nfile = 'no.toml'\n", vec!["no.toml", "cannot be read"]),
        ("format = 1\nmodel = 'network'\nrepetitions = 0\n", vec!["needs `file`"]),
        (
            "format = 1\nmodel = 'lcg'\nmapping = 'heap'\n",
            vec!["study.toml, line 3: mapping: there is no mapping 'heap'"],
        ),
    ] {
        fs::write(&path, contents).unwrap();
        refused(&["study", study], &words);
    }
    refused(&["study"], &["FILE"]);
    refused(&["study", "no/such.toml"], &["no/such.toml", "cannot be read"]);
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    refused(&["study", STUDY, "--out", folder.path().to_str().unwrap()], &["--force"]);
}

/// A study of an event model, short runs beside long ones.
fn events(folder: &Path) -> PathBuf {
    let study = "format = 1\nmodel = 'phold'\nrepetitions = 6\n[fixed]\nmodules = 4\ntokens = 3\n\
                 [[axis]]\nparameter = 'end'\nvalues = [5.0, 60.0]\n\
                 [[axis]]\nparameter = 'remote'\nvalues = [10, 90]\n";
    let path = folder.join("phold.toml");
    fs::write(&path, study).unwrap();
    path
}

fn tables(out: &Path) -> [String; 2] {
    TABLES.map(|file| fs::read_to_string(out.join(file)).unwrap())
}

#[test]
fn any_devices_make_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let study = events(folder.path());
    let mut choices = vec!["cpu:0", "cpu:0,cpu:0", "cpu:*,cpu:0,cpu:0"];
    if cfg!(feature = "opencl") && imminent(&["devices", "--json"]).status.success() {
        let devices = json(&["devices", "--json"]);
        if devices.to_string().contains("\"opencl\"") {
            choices.extend(["opencl:0,cpu:0", "cpu:0,opencl:0"]);
        }
    }
    let mut first = None;
    for (number, choice) in choices.into_iter().enumerate() {
        let out = folder.path().join(number.to_string());
        let report =
            json(&["study", study.to_str().unwrap(), "--device", choice, "--out", out.to_str().unwrap(), "--json"]);
        let devices = report["devices"].as_array().unwrap();
        assert_eq!(devices.len(), choice.split(',').count(), "{choice}");
        let runs: u64 = devices.iter().map(|device| device["runs"].as_u64().unwrap()).sum();
        assert_eq!((runs, report["complete"].as_bool()), (24, Some(true)), "{choice}");
        assert!(devices.iter().all(|device| device["lost"].is_null()), "{choice}: {devices:?}");
        let tables = tables(&out);
        assert!(*first.get_or_insert(tables.clone()) == tables, "{choice}");
    }
    let mapped = folder.path().join("mapped");
    json(&["study", study.to_str().unwrap(), "--mapping", "pad", "--out", mapped.to_str().unwrap(), "--json"]);
    assert!(first == Some(tables(&mapped)), "a mapping changes no result");
    let study = study.to_str().unwrap();
    refused(&["study", study, "--mapping", "heap"], &["give none, due, apart, spread"]);
    refused(&["study", STUDY, "--mapping", "pad"], &["--mapping pad: runs of 'network' are not mapped"]);
    refused(&["study", STUDY, "--checkpoint", "9"], &["'--checkpoint' is of no use without the missing ones"]);
    refused(&["study", study, "--device", "cpu:x"], &["cuda:1"]);
    refused(&["study", study, "--device", "gpu:0"], &["there is none of that name"]);
    refused(&["study", study, "--device", "*"], &["of which backend"]);
    refused(&["study", study, "--backend", "cpu", "--device", "cuda:0"], &["remove --backend"]);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn without_mpi_it_is_said_how_to_get_it() {
    refused(&["study", STUDY, "--mpi"], &["--features mpi"]);
}

#[cfg(feature = "mpi")]
fn mpirun(ranks: &str, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new("mpirun");
    // Root in a container is nobody's administrator.
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", ranks, env!("CARGO_BIN_EXE_imminent"), "study"]);
    command.args(arguments).arg("--mpi").output().unwrap()
}

#[cfg(feature = "mpi")]
#[test]
fn any_ranks_make_the_same_tables() {
    let folder = tempfile::tempdir().unwrap();
    let study = events(folder.path());
    let study = study.to_str().unwrap();
    let whole = folder.path().join("whole");
    json(&["study", study, "--device", "cpu:0", "--out", whole.to_str().unwrap(), "--json"]);
    for (ranks, devices) in [("1", "cpu:0"), ("3", "cpu:0"), ("3", "cpu:0,cpu:7")] {
        let out = folder.path().join(format!("{ranks}{devices}"));
        let output = mpirun(ranks, &[study, "--device", devices, "--out", out.to_str().unwrap(), "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["devices"].as_array().unwrap().len().to_string(), ranks);
        assert!(tables(&out) == tables(&whole), "{ranks} ranks");
        let lost: Vec<_> =
            report["devices"].as_array().unwrap().iter().map(|device| device["lost"].is_null()).collect();
        // The second has none of its own: the others do its part, and say so.
        assert_eq!(lost.iter().position(|well| !well), devices.contains("cpu:7").then_some(1), "{report}");
        assert_eq!(text(&output.stderr).contains("rank 1"), devices.contains("cpu:7"), "{}", text(&output.stderr));
    }
    let output = mpirun("2", &["no/such.toml"]);
    assert!(!output.status.success() && text(&output.stderr).contains("cannot be read"), "{}", text(&output.stderr));
}

/// A rank that reads another file, as after an edit on one of two machines: its runs would have other seeds.
#[cfg(feature = "mpi")]
#[test]
fn ranks_with_another_study_take_no_part() {
    let folder = tempfile::tempdir().unwrap();
    let study = events(folder.path());
    let (other, out) = (folder.path().join("other.toml"), folder.path().join("out"));
    fs::write(&other, fs::read_to_string(&study).unwrap().replace("repetitions", "seed = 9\nrepetitions")).unwrap();
    let [study, other, out] = [&study, &other, &out].map(|path| path.to_str().unwrap());
    let device = ["--device", "cpu:0", "--mpi"];
    let of_another = [":", "-n", "1", env!("CARGO_BIN_EXE_imminent"), "study", other];
    let output = mpirun("1", &[&[study, "--out", out, "--json"], &device[..], &of_another, &device[..2]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!([&report["devices"][0]["runs"], &report["devices"][1]["runs"]], [24, 0], "{report}");
    assert_eq!(report["devices"][1]["lost"], "it has another study: seed there");
}

/// A model that measures values only runs by its keys, as a study of it does.
#[test]
fn any_model_of_the_catalogue_runs() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study.toml");
    let of_study = "format = 1\nmodel = 'phold'\nrepetitions = 3\nseed = 5\n[fixed]\ntokens = 2\nend = 4.0\n";
    fs::write(&study, of_study).unwrap();
    let run = ["run", "phold", "--tokens", "2", "--set", "end=4", "--replications", "3", "--seed", "5", "--json"];
    let (run, study) = (json(&run), json(&["study", study.to_str().unwrap(), "--json"]));
    assert_eq!(run["stats"], study["points"][0]["measures"]);
    assert_eq!((&run["replications"], &run["requested_replications"]), (&3.into(), &3.into()), "{run}");
    // Opening the device and compiling is no part of the rate.
    let [events, rate, wall] = ["events", "events_per_s", "wall_s"].map(|key| run[key].as_f64().unwrap());
    assert!((rate * wall / events - 1.0).abs() < 1e-9 && run["set_up_s"].as_f64() > Some(0.0), "{run}");
    assert!(run["digest"].as_str().is_some_and(|digest| digest.len() == 64) && run["digest"] == study["digest"]);
    let shown = imminent(&["run", "phold", "--end", "4"]);
    let shown = text(&shown.stdout);
    assert!(shown.starts_with("phold: ") && shown.contains("\nreplications: 1\nseed: 1\n"), "{shown}");
    assert!(shown.contains("digest ") && !shown.contains("study") && !shown.contains("point"), "{shown}");
    let wrong = folder.path().join("wrong.toml");
    fs::write(&wrong, "end = 4.0\ntokes = 2\n").unwrap();
    let (file, meant) = (wrong.to_str().unwrap(), "did you mean `tokens`?");
    let refused = imminent(&["run", "phold", file]);
    let told = text(&refused.stderr);
    assert!(told.contains("wrong.toml, line 2: `tokes = 2`: unknown field `tokes`") && told.contains(meant), "{told}");
    fs::write(folder.path().join("of.toml"), "format = 1\nmodel = 'phold'\n[fixed]\nfile = 'wrong.toml'\n").unwrap();
    let refused = imminent(&["study", folder.path().join("of.toml").to_str().unwrap()]);
    let told = text(&refused.stderr);
    assert!(told.contains("wrong.toml, line 2: unknown field `tokes`") && told.contains(meant), "{told}");
    for (arguments, words) in [
        (vec!["run", "phold", "--tokens", "-1"], "--tokens -1: -1 is not possible"),
        (vec!["run", "phold", "--tokens", "few"], "--tokens few: takes whole numbers"),
        (vec!["run", "phold", "--set", "tokes=1"], "--set tokes=1: there is no key `tokes`; did you mean `tokens`?"),
        (
            vec!["run", "network", "examples/networks/hospital.toml", "--set", "network.node[0].server=2"],
            "there is no key `network.node[0].server`; did you mean `network.node[0].servers`?",
        ),
        (vec!["run", "phold", "--set", "tokens"], "--set tokens: write it as KEY=VALUE"),
        (vec!["run", "phold", "--replications", "few"], "--replications few: takes a whole number"),
        (vec!["run", "phold", "--replications", "0"], "--replications 0: a point that is run 0 times"),
        (vec!["run", "weather"], "`imminent describe` lists the models"),
    ] {
        let refused = imminent(&arguments);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(words), "{}", text(&refused.stderr));
    }
}
