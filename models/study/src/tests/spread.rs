//! Runs spread over several devices.

use super::{Queue, queue, simulate, small};
use crate::conduct::{ConductError, Ending, Progress, conduct};
use crate::definition::{Axis, Definition};
use crate::laboratory::{Fault, Laboratory, Run};
use crate::spread::{AllLost, Identity, Spread, Station};
use crate::{Failed, Results, Runs, Study, Update};
use std::ops::ControlFlow;
use std::time::Duration;

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn station(kind: &str, laboratory: impl Laboratory + Send + 'static) -> Station {
    let identity = Identity { name: format!("a {kind}"), backend: "none".to_owned(), device: kind.to_owned() };
    Station { identity, laboratory: Box::new(laboratory) }
}

fn table(study: &Study, results: &Results) -> Vec<(Option<u64>, Option<u64>)> {
    (0..study.runs()).map(|run| (results.events(run), results.value(run, 0).map(f64::to_bits))).collect()
}

fn carried_out(study: &Study, stations: Vec<Station>) -> (Result<Ending, ConductError>, Results, Spread) {
    let (mut results, mut spread) = (Results::new(study).unwrap(), Spread::over(stations));
    let ending = conduct(study, &mut results, &mut spread, None, &mut go_on);
    (ending, results, spread)
}

/// Action of a laboratory at a run.
type Deed = fn(&Run) -> Result<(), Fault>;

/// A laboratory that takes its time, and does a thing after some runs.
struct Odd {
    pause: Duration,
    after: usize,
    deed: Deed,
    done: usize,
}

impl Odd {
    fn new(pause: u64, after: usize, deed: Deed) -> Self {
        Self { pause: Duration::from_micros(pause), after, deed, done: 0 }
    }
}

impl Laboratory for Odd {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        for run in runs.iter() {
            if self.done == self.after {
                (self.deed)(&run)?;
            }
            self.done += 1;
            std::thread::sleep(self.pause);
            if observer(Update::Finished(simulate(&run)?)).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[test]
fn a_study_has_one_table_for_any_devices() {
    let study = Definition { repetitions: 20, ..small() }.plan(queue()).unwrap();
    let mut results = Results::new(&study).unwrap();
    conduct(&study, &mut results, &mut Queue::new(), None, &mut go_on).unwrap();
    let whole = table(&study, &results);
    for kinds in [vec!["x"], vec!["x", "x"], vec!["x", "y"], vec!["y", "x", "x", "x", "x"], vec!["x"; 200]] {
        let stations =
            (0..).zip(&kinds).map(|(pause, kind)| station(kind, Odd::new(pause * 50, usize::MAX, |_| Ok(()))));
        let (ending, results, spread) = carried_out(&study, stations.collect());
        assert_eq!((ending.unwrap(), table(&study, &results) == whole), (Ending::Complete, true));
        let runs: Vec<_> = spread.tallies().iter().map(|tally| tally.runs).collect();
        assert_eq!(runs.iter().sum::<u64>(), 120);
        // Those of one kind have equally many.
        if kinds.iter().all(|kind| *kind == "x") {
            assert!(runs.iter().max().unwrap() - runs.iter().min().unwrap() <= 1, "{runs:?}");
        }
    }
}

/// Devices that fail, panic or stop working leave their runs to those that do not.
#[test]
fn others_have_the_runs_of_a_lost_device() {
    let study = Definition { repetitions: 20, ..small() }.plan(queue()).unwrap();
    let (_, alone, _) = carried_out(&study, vec![station("x", Queue::new())]);
    let lost: [(Deed, &str); 2] = [
        (|_| Err("the device is gone".into()), "the device is gone"),
        (|run| panic!("at run {}", run.number), "panicked: at run"),
    ];
    for (deed, words) in lost {
        for after in [0, 1, 13] {
            let stations = vec![
                station("x", Odd::new(300, usize::MAX, |_| Ok(()))),
                station("x", Odd::new(0, after, deed)),
                station("x", Odd::new(100, usize::MAX, |_| Ok(()))),
            ];
            let (ending, results, spread) = carried_out(&study, stations);
            assert_eq!(ending.unwrap(), Ending::Complete);
            assert!(table(&study, &results) == table(&study, &alone));
            let tally = &spread.tallies()[1];
            assert!(tally.lost.as_ref().unwrap().contains(words), "{tally:?}");
            assert_eq!((tally.runs as usize, spread.tallies()[0].lost.is_none()), (after, true));
        }
    }
}

#[test]
fn without_any_device_what_is_finished_stays() {
    let study = Definition { repetitions: 20, ..small() }.plan(queue()).unwrap();
    let stations = vec![
        station("x", Odd::new(0, 4, |_| Err("one is gone".into()))),
        station("y", Odd::new(0, 3, |_| Err("the other is gone".into()))),
    ];
    let (ending, results, _) = carried_out(&study, stations);
    let error = ending.unwrap_err();
    assert_eq!(error.to_string(), "no device is left: a x: one is gone; a y: the other is gone");
    assert!(matches!(&error, ConductError::Laboratory(fault) if fault.is::<AllLost>()));
    assert_eq!(results.done(), 7);
    // A reason that all share is reported once.
    let stations = ["x", "y"].map(|kind| station(kind, Odd::new(0, 0, |_| Err("there is no such point".into()))));
    let (ending, ..) = carried_out(&study, stations.into());
    assert_eq!(ending.unwrap_err().to_string(), "there is no such point");
}

#[test]
fn all_end_when_they_are_asked_to() {
    let study = Definition::new("queue").repetitions(20_000).fix("load", 0.5).plan(queue()).unwrap();
    let stations = [1, 2].map(|pause| station("x", Odd::new(pause * 100, usize::MAX, |_| Ok(()))));
    let (mut results, mut spread) = (Results::new(&study).unwrap(), Spread::over(stations.into()));
    let mut stop =
        |progress: Progress| if progress.done >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let ending = conduct(&study, &mut results, &mut spread, None, &mut stop).unwrap();
    assert_eq!(ending, Ending::Interrupted);
    // Runs that finished before the order to stop arrived count.
    assert_eq!(results.done(), spread.tallies().iter().map(|tally| tally.runs).sum::<u64>());
    assert!((50..10_000).contains(&results.done()), "{}", results.done());
    // And then they can go on.
    let ending = conduct(&study, &mut results, &mut spread, None, &mut |progress| match progress.done {
        0..1000 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert!(ending.unwrap() == Ending::Interrupted && results.done() >= 1000);
}

/// A laboratory all of whose runs fail but one.
struct Unlucky;

impl Laboratory for Unlucky {
    fn run(&mut self, runs: &Runs<'_>, observer: &mut dyn FnMut(Update) -> ControlFlow<()>) -> Result<(), Fault> {
        for run in runs.iter() {
            let update = match run.number {
                7 => Update::Finished(simulate(&run)?),
                run => Update::Failed(Failed { run, why: format!("bad luck with {run}") }),
            };
            if observer(update).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[test]
fn failed_runs_are_reported_by_the_worker_that_has_them() {
    let study = Definition { axis: vec![Axis::values("load", [0.2, 0.5])], ..small() };
    let study = Definition { repetitions: 6, ..study }.plan(queue()).unwrap();
    let (ending, results, _) = carried_out(&study, vec![station("x", Unlucky), station("x", Unlucky)]);
    assert_eq!((ending.unwrap(), results.done(), results.failed()), (Ending::Failed, 1, 11));
    assert!(results.failures().all(|(run, why)| why == format!("bad luck with {run}")));
}
