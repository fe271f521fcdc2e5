//! Finished runs stay finished when a study is interrupted.

use super::{Queue, queue, small};
use crate::conduct::{ConductError, Ending, Progress, conduct};
use crate::definition::Axis;
use crate::journal::{Journal, JournalError, Recovered};
use crate::{Finished, Laboratory, Results, Runs, Study, Update};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn study() -> Study {
    small().plan(queue()).unwrap()
}

/// Everything that is known of runs, to the bit.
fn table(results: &Results) -> Vec<(Option<u64>, [Option<u64>; 2])> {
    let bits = |run, measure| results.value(run, measure).map(f64::to_bits);
    (0..results.runs()).map(|run| (results.events(run), [0, 1].map(|measure| bits(run, measure)))).collect()
}

fn uninterrupted() -> Results {
    let (study, mut results) = (study(), Results::new(&study()).unwrap());
    let ending = conduct(&study, &mut results, &mut Queue::new(), None, &mut go_on).unwrap();
    assert_eq!((ending, results.done(), results.missing().len()), (Ending::Complete, 18, 0));
    results
}

/// Goes on with what the journal holds, up to the end; gives how many runs it held.
fn resume(path: &Path) -> (Results, Recovered) {
    let (study, mut results) = (study(), Results::new(&study()).unwrap());
    let (mut journal, recovered) = Journal::open(path, &study, &mut results).unwrap();
    assert_eq!(results.done(), recovered.runs);
    let mut queue = Queue::new();
    conduct(&study, &mut results, &mut queue, Some(&mut journal), &mut go_on).unwrap();
    assert_eq!(queue.carried_out as u64, 18 - recovered.runs, "finished runs are not run again");
    (results, recovered)
}

#[test]
fn a_study_that_fails_goes_on_where_it_was() {
    let (whole, folder) = (table(&uninterrupted()), tempfile::tempdir().unwrap());
    for fails_after in [0, 1, 7, 17] {
        let path = folder.path().join(fails_after.to_string());
        let (study, mut results) = (study(), Results::new(&study()).unwrap());
        let (mut journal, _) = Journal::open(&path, &study, &mut results).unwrap();
        let mut queue = Queue { fails_after, backwards: true, ..Queue::new() };
        let error = conduct(&study, &mut results, &mut queue, Some(&mut journal), &mut go_on).unwrap_err();
        assert!(matches!(&error, ConductError::Laboratory(_)) && error.to_string() == "the power is gone");
        assert_eq!(results.done() as usize, fails_after);
        drop(journal);
        let (results, recovered) = resume(&path);
        assert_eq!((recovered, table(&results) == whole), (Recovered { runs: fails_after as u64, damaged: 0 }, true));
        // Once more: nothing is left to do.
        assert_eq!(resume(&path).1.runs, 18);
    }
}

#[test]
fn wherever_the_last_line_ends_the_rest_is_kept() {
    let (whole, folder) = (table(&uninterrupted()), tempfile::tempdir().unwrap());
    let path = folder.path().join("journal");
    let _ = resume(&path);
    let bytes = fs::read(&path).unwrap();
    let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines(&bytes), 19);
    let last_lines = bytes.len() - 100;
    for length in (0..last_lines).step_by(17).chain(last_lines..bytes.len()) {
        let torn = &bytes[..length];
        fs::write(&path, torn).unwrap();
        let (results, recovered) = resume(&path);
        assert!(table(&results) == whole, "{length} bytes");
        // The line that lacks only its end is whole.
        let kept = lines(torn).max(lines(&[torn, b"\n"].concat()) * usize::from(bytes[length] == b'\n'));
        assert_eq!(recovered.runs as usize, kept.saturating_sub(1), "{length} bytes");
        assert!(recovered.damaged <= 1);
    }
}

#[test]
fn a_line_that_was_changed_is_not_believed() {
    let (whole, folder) = (table(&uninterrupted()), tempfile::tempdir().unwrap());
    let path = folder.path().join("journal");
    let _ = resume(&path);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[4] = lines[4].replacen("100", "101", 1);
    lines[9] = "\u{0}\u{fffd} not of this world".to_owned();
    assert_ne!(text, lines.join("\n") + "\n");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (results, recovered) = resume(&path);
    assert_eq!((recovered, table(&results) == whole), (Recovered { runs: 16, damaged: 2 }, true));
}

#[test]
fn other_studies_and_other_processes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let _ = resume(&path);
    let refused = |study: &Study| {
        let before = fs::read(&path).unwrap();
        let error = Journal::open(&path, study, &mut Results::new(study).unwrap()).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), before, "nothing is lost");
        error
    };
    let changed = |definition: crate::Definition| match refused(&definition.plan(queue()).unwrap()) {
        JournalError::OtherStudy { differences, runs: 18, .. } => differences,
        error => panic!("{error}"),
    };
    assert_eq!(changed(small().seed(8)), ["seed"]);
    assert_eq!(changed(small().repetitions(4)), ["repetitions"]);
    assert_eq!(changed(small().common_random_numbers()), ["common_random_numbers"]);
    assert_eq!(changed(small().fix("crowded", true)), ["parameters"]);
    assert_eq!(changed(small().fix("crowded", true).seed(8)), ["parameters", "seed"]);
    let mut other = small();
    other.axis[0] = Axis::values("load", [0.2, 0.5, 0.81]);
    assert_eq!(changed(other), ["parameters"]);
    let mut later = queue();
    later.revision = "2".to_owned();
    let error = refused(&small().plan(later).unwrap()).to_string();
    assert!(error.contains("differs in its model") && error.contains("another folder"), "{error}");
    // The title is no part of the runs.
    let titled = crate::Definition { title: Some("again".to_owned()), ..small() }.plan(queue()).unwrap();
    let first = Journal::open(&path, &titled, &mut Results::new(&titled).unwrap()).unwrap();
    assert!(matches!(refused(&titled), JournalError::InUse { .. }));
    drop(first);
    fs::write(&path, "Dear diary,\n").unwrap();
    assert!(matches!(refused(&titled), JournalError::NoJournal { .. }));
    let _ = fs::remove_file(&path);
    let lost =
        Journal::open(&folder.path().join("no/journal"), &titled, &mut Results::new(&titled).unwrap()).unwrap_err();
    assert!(matches!(lost, JournalError::System { .. }));
}

#[test]
fn an_interrupted_study_keeps_what_is_finished() {
    let (study, mut results) = (study(), Results::new(&study()).unwrap());
    let mut shares = vec![];
    let mut watch = |progress: Progress| {
        shares.push(progress.share);
        if progress.done == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ending = conduct(&study, &mut results, &mut Queue::new(), None, &mut watch).unwrap();
    assert_eq!((ending, results.done()), (Ending::Interrupted, 5));
    assert!(shares.contains(&(5.0 / 18.0)), "{shares:?}");
}

/// A laboratory that does not do as it should.
struct Wrong(Reports);

type Reports = fn(&Runs<'_>) -> Vec<Finished>;

impl Laboratory for Wrong {
    fn run(
        &mut self,
        runs: &Runs<'_>,
        observer: &mut dyn FnMut(Update) -> ControlFlow<()>,
    ) -> Result<(), crate::laboratory::Fault> {
        let _ = (self.0)(runs).into_iter().try_for_each(|finished| observer(Update::Finished(finished)));
        Ok(())
    }
}

#[test]
fn laboratories_that_err_are_found_out() {
    let cases: [(Reports, &str); 4] = [
        (|_| vec![Finished { run: 18, events: 1, values: vec![None; 2] }], "run 18: the study has no such run"),
        (|_| vec![Finished { run: 3, events: 1, values: vec![None; 2] }; 2], "run 3 has been finished before"),
        (|_| vec![Finished { run: 3, events: 1, values: vec![None] }], "run 3 gave 1 values for 2 measures"),
        (|_| vec![Finished { run: 3, events: 1, values: vec![None; 2] }], "before 17 runs were finished"),
    ];
    for (finished, words) in cases {
        let (study, mut results) = (study(), Results::new(&study()).unwrap());
        let error = conduct(&study, &mut results, &mut Wrong(finished), None, &mut go_on).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
