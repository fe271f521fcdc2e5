//! Statistics that follow from the values of runs.

use super::{Queue, queue, small};
use crate::conduct::conduct;
use crate::definition::{Axis, Definition, Method, Sample, Spacing};
use crate::effects::{Factor, inert};
use crate::results::Summary;
use crate::{Failed, Finished, Results, Study};
use imminent_common::estimate::Confidence;
use std::ops::ControlFlow;

fn close(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found:?} instead of {expected}");
}

#[test]
fn summaries_are_those_of_a_textbook() {
    let summary = Summary::of(&[5.0, 1.0, 4.0, 2.0, 3.0], Confidence::DEFAULT);
    assert_eq!((summary.runs, summary.least, summary.median, summary.greatest), (5, Some(1.0), Some(3.0), Some(5.0)));
    close(summary.mean, 3.0);
    // t(0.975; 4) = 2.776445105, variance 2.5.
    close(summary.half_width(), 2.776_445_105_197_799 * 0.5_f64.sqrt());
    close(summary.p05, 1.2);
    close(summary.p25, 2.0);
    close(summary.p95, 4.8);
    let one = Summary::of(&[7.0], Confidence::DEFAULT);
    assert_eq!((one.mean, one.half_width(), one.p05, one.p95), (Some(7.0), None, Some(7.0), Some(7.0)));
    assert_eq!(Summary::of(&[], Confidence::DEFAULT), Summary::default());
}

/// Results that are what `of` makes of a run's parameters and repetition.
fn made_up(study: &Study, of: impl Fn(f64, f64, u32) -> Option<f64>) -> Results {
    let mut results = Results::new(study).unwrap();
    for run in study.select(0..study.runs()).iter() {
        let load = run.point.number_of("load").unwrap();
        let constant = f64::from(u8::from(run.point.text_of("service").unwrap() == "constant"));
        if let Some(value) = of(load, constant, run.repetition) {
            let values = vec![Some(value), Some(f64::NAN)];
            results.insert(&Finished { run: run.number, events: 1, values }).unwrap();
        }
    }
    results
}

/// A parameter is inert if no value of any run depends on it; one that matters at a single point is not.
#[test]
fn parameters_that_change_nothing_are_found() {
    let study = small().plan(queue()).unwrap();
    let found = |of: fn(f64, f64, u32) -> Option<f64>| inert(&study, &made_up(&study, of));
    assert_eq!(found(|load, _, r| Some(load + f64::from(r))), [2]);
    assert_eq!(found(|_, constant, r| Some(constant * f64::from(r))), [0]);
    assert_eq!(found(|_, _, _| Some(1.0)), [0, 2]);
    let once = |load, constant, r| Some(if load > 0.7 && r == 2 { constant } else { 0.0 });
    assert!(found(once).is_empty());
    // A run that is missing may be the one that shows an effect.
    assert!(found(|_, _, r| (r < 2).then_some(1.0)).is_empty());
}

#[test]
fn effects_are_means_over_everything_else() {
    let study = small().plan(queue()).unwrap();
    // Repetitions shift everything by -1, 0 and 1: with n = 3, sd 1, the half-width is t(0.975; 2) / sqrt(3).
    let half = 4.302_652_729_749_464 / 3.0_f64.sqrt();
    let results = made_up(&study, |load, constant, r| {
        Some(10.0 * load + 3.0 * constant + 4.0 * load * constant + f64::from(r) - 1.0)
    });
    let (load, service) = (Factor::new(&study, 0, 8), Factor::new(&study, 2, 8));
    assert_eq!(load.levels.iter().map(|level| level.name.as_str()).collect::<Vec<_>>(), ["0.2", "0.5", "0.8"]);
    assert_eq!(service.levels[1].name, "constant");
    for (effect, load) in load.effects(&study, &results, 0).iter().zip([0.2, 0.5, 0.8]) {
        close(effect.mean, 10.0 * load + 1.5 + 2.0 * load);
        close(effect.half_width(), half);
    }
    for (effect, constant) in service.effects(&study, &results, 0).iter().zip([0.0, 1.0]) {
        close(effect.mean, 5.0 + 3.0 * constant + 2.0 * constant);
    }
    let table = service.interaction(&load, &study, &results, 0);
    assert_eq!((table.len(), table[0].len()), (2, 3));
    for (row, constant) in table.iter().zip([0.0, 1.0]) {
        for (effect, load) in row.iter().zip([0.2, 0.5, 0.8]) {
            close(effect.mean, 10.0 * load + 3.0 * constant + 4.0 * load * constant);
            close(effect.half_width(), half);
        }
    }
    // What is not a number is no value, nowhere.
    assert_eq!(load.effects(&study, &results, 1), vec![Default::default(); 3]);
    assert_eq!(results.summary(&study, 0, 1), Summary::default());
}

#[test]
fn effects_of_an_unfinished_study_are_of_what_there_is() {
    let study = small().plan(queue()).unwrap();
    // Of the second repetition some runs are missing, of the third all.
    let results =
        made_up(&study, |load, constant, r| (r == 0 || r == 1 && constant == 0.0).then_some(load + 10.0 * constant));
    let effects = Factor::new(&study, 0, 8).effects(&study, &results, 0);
    close(effects[0].mean, (0.2 + 10.2 + 0.2) / 3.0);
    assert_eq!(effects[0].half_width(), None);
    let effects = Factor::new(&study, 2, 8).effects(&study, &results, 0);
    close(effects[0].mean, 0.5);
    assert!(effects[0].half_width().is_some() && effects[1].half_width().is_none());
}

#[test]
fn many_values_are_grouped() {
    let sample = Sample::new(Method::LatinHypercube, 100).over("load", 0.0, 0.8, Spacing::Linear);
    let study = Definition::new("queue").sample(sample).axis(Axis::values("service", ["random", "constant"]));
    let study = study.plan(queue()).unwrap();
    let results = made_up(&study, |load, constant, _| Some(load + constant));
    let factor = Factor::new(&study, 0, 4);
    assert_eq!(factor.levels.len(), 4);
    for (number, (level, effect)) in factor.levels.iter().zip(factor.effects(&study, &results, 0)).enumerate() {
        // Groups of 25 strata.
        let middle = 0.1 + 0.2 * number as f64;
        assert!((level.value.unwrap() - middle).abs() < 0.01, "{level:?}");
        close(effect.mean, level.value.unwrap() + 0.5);
        assert!(level.name.contains(" to "));
    }
}

/// The mean wait of M/D/1 is half that of M/M/1, load / (1 - load) services; its seeds make each run what it is alone.
#[test]
fn a_study_finds_what_theory_says() {
    let definition = Definition::new("queue")
        .repetitions(40)
        .fix("customers", 2_000)
        .axis(Axis::values("load", [0.2, 0.5]))
        .axis(Axis::values("service", ["random", "constant"]));
    let study = definition.plan(queue()).unwrap();
    let mut results = Results::new(&study).unwrap();
    conduct(&study, &mut results, &mut Queue::new(), None, &mut |_| ControlFlow::Continue(())).unwrap();
    for (point, expected) in [0.25, 0.125, 1.0, 0.5].into_iter().enumerate() {
        let wait = results.summary(&study, point as u64, 0);
        let error = (wait.mean.unwrap() - expected).abs();
        // With 40 repetitions an interval of 99 % is 1.34 times as wide.
        assert!(
            error < 1.34 * wait.half_width().unwrap() + 0.01 * expected,
            "point {point}: {wait:?} instead of {expected}"
        );
        assert!(wait.half_width().unwrap() < 0.15 * expected, "{wait:?}");
    }
    let alone = Definition { axis: vec![Axis::values("load", [0.5])], ..definition_alone() }.plan(queue()).unwrap();
    let mut result = Results::new(&alone).unwrap();
    let mut backwards = Queue { backwards: true, ..Queue::new() };
    conduct(&alone, &mut result, &mut backwards, None, &mut |_| ControlFlow::Continue(())).unwrap();
    for repetition in 0..40 {
        assert_eq!(result.value(repetition, 0), results.value(2 * 40 + repetition, 0));
    }
}

fn definition_alone() -> Definition {
    Definition::new("queue").repetitions(40).fix("customers", 2_000)
}

/// A study is refused before its first run where there is no memory for its results, and says how much they take.
#[test]
fn results_that_have_no_room_are_refused() {
    let study = Definition::new("queue").fix("load", 0.5).repetitions(100_000_000).plan(queue()).unwrap();
    let needed = Results::bytes(&study);
    assert_eq!(needed, 100_000_000 * 6 * 8);
    let error = Results::within(&study, needed - 1).unwrap_err();
    assert_eq!((error.runs, error.needed, error.free), (100_000_000, needed, needed - 1));
    let text = error.to_string();
    assert!(
        text.starts_with("the results of 100000000 runs with 2 measures take 4.800 GB, and 4.800 GB of memory"),
        "{text}"
    );
    // What is not written yet takes no memory: so many runs begin at once.
    let mut results = Results::within(&study, needed).unwrap();
    results.insert(&Finished { run: 99_999_999, events: 3, values: vec![Some(0.0), None] }).unwrap();
    assert_eq!(
        (results.value(99_999_999, 0), results.value(99_999_999, 1), results.value(5, 0)),
        (Some(0.0), None, None)
    );
    assert_eq!((results.events(99_999_999), results.events(5), results.missing().len()), (Some(3), None, 99_999_999));
}

/// All failed runs are counted; only the reasons of the first are kept.
#[test]
fn reasons_of_failed_runs_are_kept_of_the_first() {
    let study = Definition::new("queue").fix("load", 0.5).repetitions(20_000).plan(queue()).unwrap();
    let mut results = Results::new(&study).unwrap();
    for run in 0..20_000 {
        let why = format!("bad luck with {run}");
        results.fail(&Failed { run, why }).unwrap();
    }
    assert_eq!((results.failed(), results.failures().count()), (20_000, 10_000));
    assert_eq!(results.failures().last(), Some((9_999, "bad luck with 9999")));
    results.insert(&Finished { run: 3, events: 1, values: vec![None, None] }).unwrap();
    assert_eq!(results.failed(), 19_999);
}

/// A digest is the hash of the values in the order of runs, written here byte by byte; the order of finishing is free.
#[test]
fn a_digest_is_that_of_the_values_run_by_run() {
    let study = small().plan(queue()).unwrap();
    let values = |run: u64| vec![Some(run as f64 / 3.0), run.is_multiple_of(2).then_some(0.5)];
    let of = |runs: &mut dyn Iterator<Item = u64>| {
        let mut results = Results::new(&study).unwrap();
        runs.for_each(|run| results.insert(&Finished { run, events: 1, values: values(run) }).unwrap());
        results.digest()
    };
    let mut bytes = vec![];
    for run in 0..study.runs() {
        bytes.extend(run.to_le_bytes());
        for value in values(run) {
            bytes.extend(value.unwrap_or(f64::NAN).to_le_bytes());
        }
    }
    assert_eq!(of(&mut (0..study.runs())), blake3::hash(&bytes).to_hex().to_string());
    assert_eq!(of(&mut (0..study.runs()).rev()), of(&mut (0..study.runs())));
    assert_ne!(of(&mut (1..study.runs())), of(&mut (0..study.runs())));
}
