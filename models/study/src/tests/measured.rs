//! Outcomes of replications of which some are missing.

use super::{Queue, queue};
use crate::conduct::{Ending, Progress};
use crate::definition::Definition;
use crate::laboratory::Fault;
use crate::measured::outcome;
use crate::planned::{Executed, conducted};
use crate::{Failed, Outcome, Results, Study};
use serde_json::json;
use std::ops::ControlFlow;
use std::time::Duration;

fn study() -> Study {
    Definition::new("queue").fix("load", 0.5).repetitions(1_000).plan(queue()).unwrap()
}

/// Executes the study by a laboratory that fails after some runs, until `watch` breaks.
fn execute(fails_after: usize, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Executed, Fault> {
    let mut results = Results::new(&study()).unwrap();
    let mut queue = Queue { fails_after, ..Queue::new() };
    let ending = conducted(&study(), &mut results, &mut queue, watch)?;
    Ok(Executed { results, ending, set_up: Duration::from_secs(9), simulation: Duration::from_millis(500) })
}

fn told(executed: Executed) -> Outcome {
    outcome(&study(), executed, &json!({}))
}

/// Each customer of a run is two events, and each run has 100.
#[test]
fn an_interrupted_run_tells_what_was_done_of_all() {
    let until = |done| {
        let mut watch = |progress: Progress| match progress.done == done {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        told(execute(usize::MAX, &mut watch).unwrap())
    };
    let some = until(3);
    assert_eq!(some.partial.as_deref(), Some("3 of 1000 replications have ended"));
    assert_eq!(some.facts[0], ("replications".to_owned(), "3 of 1,000".to_owned()));
    let [done, all, runs] =
        [&some.values["replications"], &some.values["requested_replications"], &some.values["stats"]["wait"]["runs"]];
    assert_eq!((done, all, runs), (&json!(3), &json!(1_000), &json!(3)));
    assert!(some.answer.unwrap().certainty.starts_with("Means over 3 replications."));
    // 600 events in half a second: opening the device and compiling kernels is no part of it.
    assert_eq!(some.values["events_per_s"], json!(1_200.0));
    let phases = some.phases.unwrap();
    assert_eq!((phases.set_up, phases.simulation), (Duration::from_secs(9), Duration::from_millis(500)));
    assert!(until(1).answer.unwrap().certainty.starts_with("Not known: a single replication"));
}

#[test]
fn a_fault_after_the_first_results_leaves_them() {
    let mut go_on = |_: Progress| ControlFlow::Continue(());
    let kept = told(execute(2, &mut go_on).unwrap());
    assert_eq!(kept.partial.as_deref(), Some("2 of 1000 replications have ended"));
    assert_eq!((kept.failures, &kept.values["replications"]), (vec!["the power is gone".to_owned()], &json!(2)));
    assert_eq!(execute(0, &mut go_on).unwrap_err().to_string(), "the power is gone");
}

#[test]
fn failed_replications_are_no_interruption() {
    let mut all_but_one = |progress: Progress| match progress.done == 999 {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let mut executed = execute(usize::MAX, &mut all_but_one).unwrap();
    executed.results.fail(&Failed { run: 999, why: "no seats".to_owned() }).unwrap();
    executed.ending = Ok(Ending::Failed);
    let told = told(executed);
    assert_eq!((told.partial, told.failures), (None, vec!["replication 999 failed: no seats".to_owned()]));
    assert_eq!((&told.values["replications"], told.facts[0].1.as_str()), (&json!(999), "999 of 1,000"));
}
