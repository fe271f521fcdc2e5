//! Files of unfinished runs.

use super::{queue, small};
use crate::checkpoint::{CheckpointError, Checkpoints, Saved};
#[cfg(target_os = "linux")]
use imminent_testkit::full_disk::FullDisk;
#[cfg(target_os = "linux")]
use imminent_testkit::process::{inside, send_text, texts_inside};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn open(folder: &Path) -> Checkpoints {
    Checkpoints::open(folder, &small().plan(queue()).unwrap(), Duration::from_secs(1))
}

/// Another version may have other events: a run that it began would end with the values of neither.
#[test]
fn a_checkpoint_of_another_version_of_the_program_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = open(folder.path());
    let file = checkpoints.file(3);
    checkpoints.write(&file, &[Saved { run: 3, events: 10, state: b"queue".to_vec() }]);
    assert_eq!(open(folder.path()).state(3, |state| Ok::<_, String>(state.to_vec())), Some(b"queue".to_vec()));

    // The head is its first line, one line for the run, and the checksum of both.
    let text = fs::read_to_string(&file).unwrap();
    let [first, run, _, state] = text.split('\n').collect::<Vec<_>>().try_into().unwrap();
    let (study, version) = first.rsplit_once(" program=").unwrap();
    let head = format!("{study} program=0{version}\n{run}\n");
    let checksum = blake3::hash(head.as_bytes()).to_hex();
    fs::write(&file, format!("{head}{checksum}\n{state}")).unwrap();

    let checkpoints = open(folder.path());
    assert_eq!((checkpoints.runs(), checkpoints.state(3, |_| Ok::<_, String>(()))), (0, None));
    let problems = checkpoints.problems();
    let [CheckpointError::OtherStudy { differences, .. }] = problems.as_slice() else { panic!("{problems:?}") };
    assert_eq!(differences, &["program"]);
}

/// The states that were kept before stay, nothing of the new ones is left, and the error names the file.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_earlier_states_stay() {
    const FOLDER: &str = "IMMINENT_TEST_FOLDER";
    let test = "tests::checkpoints::on_a_full_disk_earlier_states_stay";
    let saved = |events, state: &[u8]| [Saved { run: 3, events, state: state.to_vec() }];
    if inside() {
        let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
        let checkpoints = open(&folder);
        checkpoints.write(&folder.join("3.checkpoint"), &saved(20, b"late"));
        return checkpoints.problems().iter().for_each(send_text);
    }
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("running");
    let disk = FullDisk::build(outer.path());
    let calls = disk.every_call_fails(|environment, _| {
        let _ = fs::remove_dir_all(&folder);
        let checkpoints = open(&folder);
        checkpoints.write(&checkpoints.file(3), &saved(10, b"early"));
        let environment: Vec<_> = environment.iter().cloned().chain([(FOLDER, folder.clone().into())]).collect();
        let told = texts_inside(test, &environment);
        let folder = &folder;
        move |call: &str| {
            let state = open(folder).state(3, |state| Ok::<_, String>(state.to_vec()));
            let names_file = |told: &String| told.contains("3.checkpoint: cannot be written: No space left");
            match state.as_deref() {
                Some(b"early") => assert!(told.len() == 1 && told.iter().all(names_file), "{call}: {told:?}"),
                other => assert!(other == Some(b"late".as_slice()) && told.is_empty(), "{call}: {other:?}, {told:?}"),
            }
            assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{call}");
        }
    });
    assert!(calls > 3, "{calls}");
}
