//! A disk that is full from the k-th call on that needs room, for every k.

#![cfg(all(target_os = "linux", feature = "cpu", feature = "report"))]

use super::{ROOT, SMALL, json, text};
use imminent_testkit::full_disk::{Environment, FullDisk};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn on_full_disk(environment: &Environment, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_imminent"));
    command.args(args).envs(environment.iter().cloned()).current_dir(ROOT).output().unwrap()
}

/// The files and folders of a folder, with the bytes of the files.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap_or_default())).collect()
}

/// Checks the end of a process, which tells a file of `place` unless the failure was none of its results.
fn told(output: &Output, place: &Path, call: &str) -> String {
    let told = text(&output.stderr);
    let names_file = told.contains(place.to_str().unwrap()) && told.contains("No space left");
    assert!(names_file || output.status.success(), "{call}: {told}");
    assert!(output.status.code().is_some_and(|code| code <= 2) && !told.contains("panicked"), "{call}: {told}");
    told
}

/// The finished runs of a study stay finished, the others are carried out later, and the tables are the same.
#[test]
fn a_study_on_a_full_disk_goes_on_later() {
    let folder = tempfile::tempdir().unwrap();
    let [file, whole, out] = ["study.toml", "whole", "out"].map(|name| folder.path().join(name));
    let study = "format = 1\nmodel = 'torus'\nseed = 3\nrepetitions = 2\n[fixed]\n'torus.height' = 2\n\
                 'run.horizon' = 20.0\n[[axis]]\nparameter = 'torus.width'\nvalues = [2, 3]\n";
    fs::write(&file, study).unwrap();
    let [file, whole_name, out_name] = [&file, &whole, &out].map(|path| path.to_str().unwrap());
    let study = |out| ["study", file, "--backend", "cpu", "--json", "--out", out];
    json(&study(whole_name));
    let (out, whole) = (&out, &contents(&whole));
    let calls = FullDisk::build(folder.path()).every_call_fails(|environment, _| {
        let _ = fs::remove_dir_all(out);
        let output = on_full_disk(environment, &study(out_name));
        move |call: &str| {
            let told = told(&output, out, call);
            let journal = fs::read_to_string(out.join("runs.journal")).unwrap_or_default();
            let kept = journal.matches('\n').count().saturating_sub(1) as u64;
            // What happened first is told, and what was found is printed although it is nowhere kept.
            assert!(kept == 4 || told.contains("runs.journal") || !out.exists(), "{call}: {told}");
            if kept > 0 {
                let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
                assert!(printed["done"].as_u64() >= Some(kept), "{call}: {printed}");
            }
            let again = json(&study(out_name));
            assert_eq!((&again["done_before"], &again["complete"]), (&kept.into(), &true.into()), "{call}");
            let again = contents(out);
            assert_eq!(again.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>(), "{call}");
            assert!(["runs.csv", "points.csv"].iter().all(|table| again[*table] == whole[*table]), "{call}");
        }
    });
    assert!(calls > 20, "{calls}");
}

/// Results are of one run, and records of an earlier run stay until the new ones are whole.
#[test]
fn a_run_on_a_full_disk_mixes_no_files_and_prints_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let [out, records] = ["out", "records"].map(|name| folder.path().join(name));
    fs::create_dir(&records).unwrap();
    let visits = records.join("visits.bin");
    let places = ["--out", out.to_str().unwrap(), "--record", visits.to_str().unwrap()];
    let seed = |seed: &'static str| {
        [&SMALL[..6], &["--horizon", "20", "--backend", "cpu", "--json", "--seed", seed], &places].concat()
    };
    let run = |number: &'static str| {
        let digest = json(&seed(number))["digest"].clone();
        (digest, contents(&out), contents(&records))
    };
    let ((_, old, old_records), (digest, new, new_records)) = (&run("1"), &run("2"));
    let (out, records, seed) = (&out, &records, &seed);
    let calls = FullDisk::build(folder.path()).every_call_fails(|environment, number| {
        for (folder, files) in [(out, old), (records, old_records)] {
            fs::remove_dir_all(folder).unwrap();
            fs::create_dir(folder).unwrap();
            files.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
        }
        let output = on_full_disk(environment, &seed("2"));
        move |call: &str| {
            told(&output, out.parent().unwrap(), call);
            let (now, recorded) = (contents(out), contents(records));
            assert!(recorded == *old_records || recorded == *new_records, "{call}");
            if now.contains_key("result.json") {
                let of =
                    |files: &BTreeMap<String, Vec<u8>>| ["nodes.csv", "series.csv"].map(|name| files[name].clone());
                assert!(of(&now) == of(old) && now.len() == old.len() || of(&now) == of(new), "{call}");
            }
            // The first call begins the file of records, before the run.
            if number > 1 {
                let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(printed["digest"], *digest, "{call}");
            }
            assert_eq!(json(&seed("2"))["digest"], *digest, "{call}");
            assert_eq!(contents(out).len(), new.len(), "{call}");
        }
    });
    assert!(calls > 20, "{calls}");
}
