//! Journals of studies: what a damaged one still holds is right.
#![no_main]

use imminent_fuzz::{damaged, study};
use imminent_study::Finished;
use imminent_study::journal::Journal;
use libfuzzer_sys::fuzz_target;
use std::fs;

fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("there is a folder");
    let path = folder.path().join("journal");
    let (study, mut results) = study();
    let (mut journal, _) = Journal::open(&path, &study, &mut results).expect("a journal is begun");
    for run in 0..4 {
        let finished = Finished { run, events: 10 + run, values: vec![Some(0.5 * run as f64)] };
        journal.append(&finished).expect("it is written");
    }
    drop(journal);
    fs::write(&path, damaged(&fs::read(&path).expect("it is there"), data)).expect("it can be written");
    let (study, mut results) = imminent_fuzz::study();
    if let Ok((journal, _)) = Journal::open(&path, &study, &mut results) {
        // What was mended once is whole.
        drop(journal);
        let (study, mut results) = imminent_fuzz::study();
        Journal::open(&path, &study, &mut results).expect("a journal that was mended is read");
    }
});
