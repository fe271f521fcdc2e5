//! Configurations of queueing networks that are slips, or have unusual scales.

use super::{imminent, json, refused, text};

/// A file with a network, kept as long as its folder.
fn file(folder: &tempfile::TempDir, contents: &str) -> String {
    let path = folder.path().join("net.toml");
    std::fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// One server with Poisson arrivals.
fn station(keys: &str, source: &str) -> String {
    format!("[network]\nedges = [['s', 'a'], ['a', 'out']]\n{keys}\n[[network.source]]\nname = 's'\n{source}\n")
}

#[test]
fn a_run_in_which_nothing_happens_is_refused() {
    refused(
        &["run", "torus", "--horizon", "0"],
        &["--horizon 0: nothing happens within a horizon of 0 time units: give"],
    );
    refused(&["run", "torus", "--horizon", "1e-9"], &["--horizon 1e-9"]);
    refused(&["run", "torus", "--until-count", "0"], &["--until-count 0: 0 services", "give 1 at least"]);
    refused(&["run", "torus", "--tokens", "0"], &["--tokens 0: the network has no tokens"]);
    refused(&["run", "torus", "--horizon", "1e300"], &["--horizon 1e300: 1e300 time units are too long"]);
    refused(&["run", "torus", "--mean", "-1e300"], &["--mean -1e300: a mean service of -1e300 time units"]);
}

#[test]
fn a_number_of_the_wrong_kind_is_told_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = file(&folder, "[[network.node]]\nname = 'a'\ntokens = -4\n");
    refused(&["run", "network", &tokens], &["line 3: `tokens = -4`", "a whole number from 0 to 4294967295"]);
}

#[test]
fn a_source_may_have_a_rate() {
    let folder = tempfile::tempdir().unwrap();
    let run = |source: &str| {
        let path = file(&folder, &station("mean = 1.0", source));
        json(&["run", "network", &path, "--horizon", "100", "--engine", "sequential", "--json"])
    };
    assert_eq!(run("rate = 0.5")["digest"], run("mean = 2.0")["digest"]);
    // An option replaces a rate as it replaces a mean.
    let path = file(&folder, &station("rate = 1.0", "rate = 0.5"));
    let replaced =
        json(&["run", "network", &path, "--mean", "1.5", "--horizon", "9", "--engine", "sequential", "--json"]);
    assert_eq!(replaced["config"]["network"]["mean"], 1.5);
}

#[test]
fn the_wrong_schedule_is_told_one_that_is_not_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, &station("mean = 1.0", "mean = 2.0"));
    refused(&["run", "torus", "--schedule", "quick"], &["`auto`, `tiles` or `events`"]);
    if !cfg!(feature = "opencl") {
        return;
    }
    let on_device = ["run", "network", &path, "--horizon", "9", "--backend", "opencl"];
    let message = text(&imminent(&[&on_device[..], &["--schedule", "events"]].concat()).stderr);
    if message.contains("schedule") {
        assert!(message.contains("use the schedule `auto`"), "{message}");
        let output = imminent(&[&on_device[..], &["--schedule", "auto"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
fn servers_that_are_too_many_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, &station("mean = 1.0\nservers = 4000000000", "mean = 2.0"));
    refused(
        &["run", "network", &path, "--engine", "exact"],
        &["line 4: network.servers: node 'a' has 4000000000 servers", "engine `sequential`"],
    );
    let many = ["run", "network", &path, "--horizon", "99", "--engine", "sequential", "--json"];
    assert!(json(&many)["stats"]["waiting"]["mean"].as_f64() == Some(0.0));
}

#[test]
fn which_priority_is_first_is_said() {
    let hospital = ["run", "network", "examples/networks/hospital.toml", "--horizon", "50", "--engine", "sequential"];
    let table = text(&imminent(&hospital).stdout);
    assert!(table.contains("note: the lowest priority number is served first: node '"), "{table}");
    let ignored = [&hospital[..], &["--json"]].concat();
    assert!(json(&ignored)["notes"][0].as_str().is_some_and(|note| note.contains(" (0) before ")));
    let plain = ["run", "torus", "--width", "4", "--height", "4", "--horizon", "9", "--engine", "sequential", "--json"];
    assert_eq!(json(&plain)["notes"], serde_json::json!([]));
}

#[test]
fn microseconds_and_years_keep_their_load() {
    let folder = tempfile::tempdir().unwrap();
    for (mean, interarrival, horizon, bits) in [("2e-6", "4e-6", "0.04", 39), ("6e7", "1.2e8", "1e12", -5)] {
        let path = file(&folder, &station(&format!("mean = {mean}"), &format!("mean = {interarrival}")));
        let run = |engine: &str| {
            json(&[
                "run",
                "network",
                &path,
                "--horizon",
                horizon,
                "--replications",
                "5",
                "--engine",
                engine,
                "--backend",
                "cpu",
                "--json",
            ])
        };
        let report = run("exact");
        assert_eq!(report["ticks_per_unit"].as_f64(), Some(2_f64.powi(bits)), "{report}");
        assert!(report["notes"][0].as_str().unwrap().contains(&format!("ticks of 2^{}", -bits)), "{report}");
        let found = report["stats"]["utilization"]["mean"].as_f64().unwrap();
        let expected = report["utilization_expected"].as_f64().unwrap();
        // Some 45,000 services: a standard error of 0.003. It was 0.036 off.
        assert!((found - expected).abs() < 0.015 && (expected - 0.5).abs() < 1e-9, "{report}");
        assert_eq!(run("sequential")["digest"], report["digest"]);
    }
    // Exponential durations so far apart that the longer goes by quantiles are the same in both engines.
    let path = file(
        &folder,
        "[network]\nlinks = [['a', 'b']]\ntokens = 3\n[[network.node]]\nname = 'a'\nmean = 1e-6\n[[network.node]]\nname = 'b'\nmean = 1e6\n",
    );
    let run = |engine: &str| {
        json(&["run", "network", &path, "--horizon", "1e8", "--engine", engine, "--backend", "cpu", "--json"])
    };
    assert_eq!(run("exact")["digest"], run("sequential")["digest"]);
}
