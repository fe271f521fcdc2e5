//! `--out` and `--record`: files of one run or of the run before, whatever happens to the process.

#![cfg(all(unix, feature = "report"))]
#![allow(clippy::panic)]

use super::{SMALL, imminent, json, refused, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Every file of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// The most blocks of 512 bytes that the shell lets a file have. The system kills a process that writes beyond, in the
/// middle of that write; where the signal is ignored, the write fails as on a full disk.
const BLOCKS: &str = "300";

fn limited(shell: &str, args: &[&str]) -> Output {
    let script = format!("{shell} ulimit -f {BLOCKS} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_imminent")]).args(args);
    command.current_dir(super::ROOT).output().unwrap()
}

const KILLED: &str = "";
const FULL: &str = "trap '' XFSZ &&";

/// A run with a long series, in a file that is longer than may be; the first files that it writes are shorter.
fn long<'a>(seed: &'a str, out: &'a Path) -> Vec<&'a str> {
    let out = ["--backend", "cpu", "--observations", "4000", "--seed", seed, "--out", out.to_str().unwrap()];
    [&SMALL[..8], &out].concat()
}

#[test]
fn who_is_killed_while_writing_leaves_the_results_of_the_run_before() {
    let folder = tempfile::tempdir().unwrap();
    assert!(imminent(&long("1", folder.path())).status.success());
    let before = contents(folder.path());
    assert!(before["series.csv"].len() > 300 * 512 && before["result.json"].len() < 300 * 512);
    let killed = limited(KILLED, &long("2", folder.path()));
    assert!(killed.status.signal().is_some(), "{killed:?}");
    assert_eq!(contents(folder.path()), before);
    assert!(entries(folder.path()) > before.len(), "it was not killed in the middle");
    // What it left is in nobody's way, and gone after the next run.
    assert!(imminent(&long("2", folder.path())).status.success());
    let after = contents(folder.path());
    assert_eq!((entries(folder.path()), after.len()), (before.len(), before.len()));
    assert!(after.iter().filter(|(name, _)| *name != "series.csv").all(|(name, bytes)| *bytes != before[name]));
}

#[test]
fn a_full_disk_leaves_the_results_of_the_run_before() {
    let folder = tempfile::tempdir().unwrap();
    assert!(imminent(&long("1", folder.path())).status.success());
    let before = contents(folder.path());
    let failed = limited(FULL, &long("2", folder.path()));
    let told = text(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{told}");
    assert!(
        told.contains(&folder.path().join("series.csv").display().to_string()) && told.contains("too large"),
        "{told}"
    );
    assert_eq!((contents(folder.path()), entries(folder.path())), (before.clone(), before.len()));
}

#[test]
fn files_that_a_run_does_not_write_are_none_of_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let out = ["--out", folder.path().to_str().unwrap()];
    assert!(imminent(&[&SMALL[..8], &out, &["--by-class", "--histogram"]].concat()).status.success());
    assert!(["classes.csv", "histogram.csv"].iter().all(|name| contents(folder.path()).contains_key(*name)));
    assert!(imminent(&[&SMALL[..8], &out].concat()).status.success());
    let names = contents(folder.path());
    assert!(!names.keys().any(|name| name.starts_with("classes") || name.starts_with("histogram")), "{names:?}");
}

#[cfg(feature = "parquet")]
#[test]
fn a_trace_has_its_name_when_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("visits.parquet");
    // Some drivers of other backends ignore the signal.
    let trace = ["--backend", "cpu", "--replications", "100", "--record", file.to_str().unwrap()];
    let args = [&SMALL[..8], &trace].concat();
    fs::write(&file, "of an earlier run").unwrap();
    for (shell, left) in [(KILLED, 2), (FULL, 1)] {
        let ended = limited(shell, &args);
        assert!(!ended.status.success() && ended.status.signal().is_some() == shell.is_empty(), "{ended:?}");
        assert_eq!((fs::read(&file).unwrap(), entries(folder.path())), (b"of an earlier run".to_vec(), left));
        fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| *path != file)
            .for_each(|path| fs::remove_file(path).unwrap());
    }
    assert!(imminent(&args).status.success());
    assert!(!super::results::rows(&file).is_empty() && entries(folder.path()) == 1);
}

#[test]
fn what_cannot_be_printed_is_a_failure() {
    if let Ok(full) = fs::File::options().write(true).open("/dev/full") {
        let mut command = Command::new(env!("CARGO_BIN_EXE_imminent"));
        let output = command.args(SMALL).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            text(&output.stderr).contains("the output cannot be written: No space left"),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn the_folder_of_a_process_is_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let locked = fs::File::open(folder.path()).unwrap();
    if locked.try_lock().is_ok() {
        refused(&long("1", folder.path()), &["another process is writing into it"]);
    }
    drop(locked);
    assert!(imminent(&long("1", folder.path())).status.success());
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_imminent"));
    command.args(args).current_dir(super::ROOT).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn interrupt(child: Child) -> Output {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Interrupts a run after longer and longer times, until it has a result to keep; returns that result and its report.
fn interrupted(args: &[&str], out: &Path) -> (Value, String) {
    for wait in [300, 1_200, 5_000, 20_000] {
        let child = spawn(&[args, &["--out", out.to_str().unwrap()]].concat());
        std::thread::sleep(Duration::from_millis(wait));
        let output = interrupt(child);
        let told = text(&output.stderr);
        assert!(output.status.code().is_none_or(|code| code == 1), "{told}");
        if told.contains("\nimminent: interrupted: ") {
            let result = serde_json::from_slice(&fs::read(out.join("result.json")).unwrap()).unwrap();
            return (result, fs::read_to_string(out.join("report.html")).unwrap());
        }
        assert!(!out.join("result.json").exists(), "nothing was found, and is written: {told}");
    }
    panic!("no part of the run was over in time");
}

#[test]
fn an_interrupted_run_keeps_its_replications() {
    for engine in [&["--engine", "sequential"][..], &["--backend", "cpu"]] {
        let folder = tempfile::tempdir().unwrap();
        let many = [&SMALL[..8], &["--seed", "5", "--replications", "1000000"], engine].concat();
        let (result, page) = interrupted(&many, &folder.path().join("out"));
        let kept = result["analysis"]["replications"].as_u64().unwrap();
        assert!((1..1_000_000).contains(&kept), "{result}");
        let partial = result["partial"].as_str().unwrap();
        assert_eq!(partial, format!("{kept} of 1000000 replications"));
        assert!(page.contains(&format!("<p class=\"warning\">partial: {partial}</p>")), "{page}");
        let whole = json(&[&SMALL[..], &["--seed", "5", "--replications", &kept.to_string()], engine].concat());
        assert_eq!((&whole["digest"], &whole["stats"]), (&result["digest"], &result["stats"]), "{engine:?}");
        assert!(whole["partial"].is_null());
    }
}

/// A replication that is interrupted ends at its next look: it is the run of that horizon.
#[test]
fn an_interrupted_replication_ends_at_its_next_look() {
    for engine in [&["--engine", "sequential"][..], &["--backend", "cpu"]] {
        let folder = tempfile::tempdir().unwrap();
        let torus = [&["run", "torus", "--width", "8", "--height", "6"][..], engine].concat();
        let long = [&torus[..], &["--horizon", "10000000", "--warm-up", "100", "--observations", "100000"]].concat();
        let (result, _) = interrupted(&long, &folder.path().join("out"));
        let partial = result["partial"].as_str().unwrap();
        assert!(partial.contains("1 of 1 replications") && partial.contains("of 10000000 time units"), "{partial}");
        let end = result["simulated_time"].as_f64().unwrap().to_string();
        let whole = json(&[&torus[..], &["--horizon", &end, "--warm-up", "100", "--json"]].concat());
        assert_eq!((&whole["digest"], &whole["events"]), (&result["digest"], &result["events"]), "{engine:?}");
        assert_eq!(whole["analysis"]["observed"], result["analysis"]["observed"]);
    }
}

#[cfg(feature = "parquet")]
#[test]
fn an_interrupted_trace_has_another_name_and_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let [out, file] = ["out", "visits.parquet"].map(|name| folder.path().join(name));
    let long = ["--backend", "cpu", "--horizon", "2000000", "--record", file.to_str().unwrap(), "--out"];
    let child = spawn(&[&SMALL[..6], &long, &[out.to_str().unwrap()]].concat());
    // Until the first visits are there.
    let draft = folder.path().join(format!(".visits.parquet.{}.part", child.id()));
    while fs::metadata(&draft).map_or(0, |data| data.len()) < 1 << 20 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let partial = folder.path().join("visits.partial.parquet");
    let result: Value = serde_json::from_slice(&fs::read(out.join("result.json")).unwrap()).unwrap();
    assert!(result["partial"].as_str().unwrap().contains(&partial.display().to_string()), "{result}");
    let visits = super::results::rows(&partial).len() as u64;
    assert!(visits > 0 && visits < result["events"].as_u64().unwrap() && !file.exists() && !draft.exists());
}

#[test]
fn interrupted_traffic_keeps_what_was_counted() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["run", "traffic", "examples/traffic/five-cities.toml", "--backend", "cpu", "--horizon", "1000000"];
    let (result, page) = interrupted(&[&args[..], &["--sample", "0.5"]].concat(), &folder.path().join("out"));
    let time = result["simulated_time"].as_f64().unwrap();
    assert!(time < 1e6 && result["samples"].as_u64() > Some(0), "{result}");
    assert!(result["partial"].as_str().unwrap().contains("were simulated") && page.contains("partial: "));
}
