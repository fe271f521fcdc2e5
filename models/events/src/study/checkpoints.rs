//! Unfinished runs are resumed from checkpoints.

use super::tests::{alone, device, plan, reported};
use super::{EventRuns, Phold};
use imminent_study::checkpoint::{CheckpointError, Checkpoints};
use imminent_study::definition::{Axis, Definition};
use imminent_study::spread::{Identity, Spread, Station};
use imminent_study::{Finished, Laboratory, Planned, Runs, Update};
use std::fs;
use std::ops::ControlFlow::{Break, Continue};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Short runs beside long ones.
fn planned() -> Planned {
    let definition = Definition::new("phold").repetitions(3).fix("modules", 4).fix("tokens", 3);
    plan(&definition.axis(Axis::values("end", [2_000.0, 10.0, 1_000.0])))
}

/// Interval so short that every check for finished runs saves states.
const OFTEN: Duration = Duration::from_nanos(1);

fn open(folder: &Path) -> Arc<Checkpoints> {
    Arc::new(Checkpoints::open(folder, &planned().study, OFTEN))
}

fn laboratory(checkpoints: &Arc<Checkpoints>) -> EventRuns<Phold> {
    EventRuns::new(&planned().base, &device()).polling_every(Duration::ZERO).keeping(Some(checkpoints.clone()))
}

/// Runs until the short runs are reported and some events of the others have happened. Returns the finished runs.
fn interrupted(folder: &Path, runs: &Runs<'_>) -> Vec<Finished> {
    let mut finished = vec![];
    let mut observer = |update| {
        match update {
            Update::Finished(run) => finished.push(run),
            Update::Failed(run) => panic!("{run}"),
            Update::Progress { .. } => {}
        }
        if finished.len() >= 3 { Break(()) } else { Continue(()) }
    };
    laboratory(&open(folder)).run(runs, &mut observer).unwrap();
    finished
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).map_or(vec![], |entries| entries.map(|entry| entry.unwrap().path()).collect())
}

fn without<'s>(runs: &Runs<'s>, finished: &[Finished]) -> Runs<'s> {
    let is_finished = |run: &u64| finished.iter().any(|finished| finished.run == *run);
    runs.study().select(runs.numbers().iter().filter(|run| !is_finished(run)))
}

#[test]
fn runs_under_way_go_on_wherever_they_are_taken_up() {
    let (planned, outer) = (planned(), tempfile::tempdir().unwrap());
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let alone = alone::<Phold>(&planned, &runs);
    for devices in [0, 1, 3] {
        let folder = outer.path().join(devices.to_string());
        let before = interrupted(&folder, &runs);
        assert!((3..9).contains(&before.len()) && files(&folder).len() == 1, "{before:?}");
        let left = without(&runs, &before);
        let checkpoints = open(&folder);
        checkpoints.tidy(|number| left.numbers().contains(number));
        assert_eq!(checkpoints.runs(), left.len() as u64);
        let after = if devices == 0 {
            // One at a time.
            reported(&mut laboratory(&checkpoints).within(0), &left).0
        } else {
            let station = |number: usize| Station {
                identity: Identity { name: number.to_string(), backend: "cpu".to_owned(), device: "cpu".to_owned() },
                laboratory: Box::new(laboratory(&checkpoints)),
            };
            reported(&mut Spread::over((0..devices).map(station).collect()), &left).0
        };
        assert_eq!((checkpoints.taken_up(), checkpoints.problems().len()), (left.len() as u64, 0));
        let mut all = [before, after].concat();
        all.sort_by_key(|run| run.run);
        assert_eq!(all, alone, "{devices} devices");
        // Nobody needs what is left.
        checkpoints.tidy(|_| false);
        assert!(!folder.exists(), "{:?}", files(&folder));
    }
}

/// Whatever happens to a file: the runs that it touches begin anew, and it is said why.
#[test]
fn damage_costs_no_more_than_the_runs_that_it_touches() {
    let (planned, outer) = (planned(), tempfile::tempdir().unwrap());
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let alone = alone::<Phold>(&planned, &runs);
    let folder = outer.path().join("running");
    let before = interrupted(&folder, &runs);
    let left = without(&runs, &before);
    let path = files(&folder).remove(0);
    let whole = fs::read(&path).unwrap();
    let with = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    let torn = whole[..whole.len() - 1].to_vec();
    let (all, head) = (left.len() as u64, whole.iter().position(|byte| *byte == b'\n').unwrap());
    for (bytes, kept, words) in [
        (with(whole.len() - 100), all - 1, "starts again from the beginning: the state is damaged"),
        (torn, all - 1, "starts again from the beginning: the state is damaged"),
        (with(head + 1), 0, "is damaged, or no checkpoint of a study"),
        (with(3), 0, "is damaged, or no checkpoint of a study"),
        (whole[..head].to_vec(), 0, "is damaged, or no checkpoint of a study"),
        (vec![], 0, "is damaged, or no checkpoint of a study"),
    ] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, bytes).unwrap();
        fs::write(path.with_extension("checkpoint.7.part"), "half of it").unwrap();
        let checkpoints = open(&folder);
        let after = reported(&mut laboratory(&checkpoints), &left).0;
        assert_eq!(checkpoints.taken_up(), kept, "{words}");
        let problems: Vec<_> = checkpoints.problems().iter().map(ToString::to_string).collect();
        assert!(matches!(problems.as_slice(), [problem] if problem.contains(words)), "{problems:?}");
        let expected: Vec<_> = left.iter().map(|run| alone[run.number as usize].clone()).collect();
        assert_eq!(after, expected);
        checkpoints.tidy(|_| false);
        // What may be somebody else's stays.
        assert_eq!(files(&folder), if kept == 0 { vec![path.clone()] } else { vec![] }, "{words}");
    }
}

#[test]
fn what_is_of_others_is_left_alone() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("running");
    let definition = Definition::new("phold").seed(2).fix("end", 5.0);
    let study = planned().study;
    let before = interrupted(&folder, &study.select(0..study.runs()));
    assert!(before.len() < 9);
    let checkpoints = Checkpoints::open(&folder, &plan(&definition).study, OFTEN);
    checkpoints.tidy(|_| true);
    let problems = checkpoints.problems();
    let [CheckpointError::OtherStudy { differences, .. }] = problems.as_slice() else { panic!("{problems:?}") };
    assert_eq!(differences, &["parameters", "repetitions", "seed"]);
    assert_eq!((checkpoints.runs(), files(&folder).len()), (0, 1));
}

/// A folder that is not there, as on another machine: the study goes on, and says once that nothing is kept.
#[test]
fn a_study_goes_on_where_nothing_can_be_kept() {
    let (planned, outer) = (planned(), tempfile::tempdir().unwrap());
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let checkpoints = open(&outer.path().join("no/such"));
    assert_eq!(reported(&mut laboratory(&checkpoints), &runs).0, alone::<Phold>(&planned, &runs));
    let problems: Vec<_> = checkpoints.problems().iter().map(ToString::to_string).collect();
    assert!(matches!(problems.as_slice(), [problem] if problem.contains("cannot be written")), "{problems:?}");
}
