//! Checkpoints of studies, and states of event models within them. A damaged file takes nothing but its own states.
#![no_main]

use imminent_events::State;
use imminent_events::phold::Phold;
use imminent_fuzz::{damaged, study};
use imminent_study::checkpoint::{Checkpoints, Saved};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let _ = State::<Phold>::from_bytes(data);
    let folder = tempfile::tempdir().expect("there is a folder");
    let (study, _) = study();
    let open = || Checkpoints::open(folder.path(), &study, Duration::from_secs(1));
    let checkpoints = open();
    let file = checkpoints.file(0);
    checkpoints.write(&file, &[0, 1].map(|run| Saved { run, events: 3, state: vec![7; 20] }));
    fs::write(&file, damaged(&fs::read(&file).expect("it is there"), data)).expect("it can be written");
    let checkpoints = open();
    for run in 0..study.runs() {
        let _ = checkpoints.state(run, |bytes| Ok::<_, String>(bytes.len()));
    }
    checkpoints.tidy(|run| run == 0);
});
