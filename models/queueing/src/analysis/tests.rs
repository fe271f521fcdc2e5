#![allow(clippy::unwrap_used)]

use super::*;
use crate::experiment::{Experiment, ExperimentError, Findings, Timed};
use crate::measures::{Basis, Measure, Measures};
use crate::network::{Network, Node};
use crate::outcome::{NodeStatistics, Statistics as _};
use crate::spent::Spent;
use crate::{Builder, Law, Scenario, Start, Station, sequential};
use imminent_common::estimate::Confidence;
use imminent_common::output::Precision;
use std::convert::Infallible;

const UNIT: u64 = 1 << 20;

fn torus(plan: Plan, replications: u64) -> Experiment {
    let network = Network::torus(4, 4, 10 << 20, 2).unwrap();
    Experiment {
        network,
        start: Start::One,
        horizon: 1000 * UNIT,
        seed: 3,
        first: 0,
        replications,
        interval: None,
        plan,
    }
}

fn run(experiment: &Experiment) -> Findings {
    experiment.check().unwrap();
    experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap()
}

fn watched(plan: &Plan, horizon: u64) -> Vec<u64> {
    let network = Network::torus(1, 1, 1, 1).unwrap();
    let mut watch = Watch::new(plan, horizon, &network);
    let mut times = vec![];
    while let Some(time) = watch.next() {
        times.push(time);
        watch.observe(&vec![NodeStatistics { completed: time / 10, ..NodeStatistics::default() }]);
    }
    times
}

#[test]
fn looks_are_planned_between_warm_up_and_horizon() {
    let plan = Plan::default();
    assert_eq!(watched(&plan, 100), [100]);
    assert_eq!(watched(&plan, 0), [0]);
    let plan = Plan { warm_up: WarmUp::Time(20), batches: Some(4), observations: 5, ..Plan::default() };
    assert_eq!(watched(&plan, 100), [20, 30, 40, 50, 60, 70, 80, 90, 100]);
    assert_eq!(watched(&Plan { observations: 3, ..Plan::default() }, 100), [33, 66, 100]);
}

#[test]
fn a_count_ends_a_run_at_the_first_multiple_of_the_check() {
    let counted = |completions, check| {
        let ending = Ending::Count { completions, check };
        *watched(&Plan { warm_up: WarmUp::Time(15), ending, ..Plan::default() }, 1000).last().unwrap()
    };
    // One completion every 10 ticks, counted from tick 15 on, when there is one already.
    assert_eq!(counted(1, 20), 35);
    assert_eq!(counted(5, 7), 64);
    assert_eq!(counted(1_000_000, 7), 1000);
}

#[test]
fn the_count_of_a_real_run_is_reached_at_its_end_and_not_before() {
    let plan = Plan { ending: Ending::Count { completions: 500, check: 10 * UNIT }, ..Plan::default() };
    let experiment = torus(plan, 2);
    let findings = run(&experiment);
    assert!(findings.warnings.is_empty());
    for (number, replication) in (0..).zip(&findings.replications) {
        let looks = replication.record.looks();
        let (before, end) = (looks[looks.len() - 2], looks[looks.len() - 1]);
        assert!(before.totals.completed < 500 && end.totals.completed >= 500);
        assert_eq!(end.time % (10 * UNIT), 0);
        // The run equals one whose horizon is this end.
        let scenario = experiment.scenario(number).unwrap().until(end.time);
        assert_eq!(sequential::simulate(&scenario).digest(), replication.digest);
    }
    let plan = Plan { ending: Ending::Count { completions: 1 << 40, check: 100 * UNIT }, ..Plan::default() };
    assert_eq!(run(&torus(plan, 2)).warnings, [Warning::TooFewCompleted { replications: 2, completions: 1 << 40 }]);
}

#[test]
fn what_lies_before_the_warm_up_s_end_is_not_counted() {
    let experiment = torus(Plan { warm_up: WarmUp::Time(400 * UNIT), ..Plan::default() }, 3);
    let findings = run(&experiment);
    let mut nodes = vec![NodeStatistics::default(); 16];
    let mut measures = vec![];
    for replication in 0..3 {
        let scenario = experiment.scenario(replication).unwrap();
        let (early, late) = (sequential::simulate(&scenario.until(400 * UNIT)), sequential::simulate(&scenario));
        for (sum, (late, early)) in nodes.iter_mut().zip(late.statistics.iter().zip(&early.statistics)) {
            *sum += late.since(early);
        }
        measures.push(Measures::of_sums(
            &late.totals().since(&early.totals()),
            Basis { stations: 16, servers: 16, ..Basis::ONE },
            600 * UNIT,
        ));
    }
    assert_eq!((findings.nodes.read().unwrap().to_rows(), findings.observed), (nodes.clone(), 1800 * UNIT));
    assert_eq!(findings.samples.iter().map(Sample::measures).collect::<Vec<_>>(), measures);
    let busy = measures.iter().map(|m| m.utilization).sum::<f64>() / 3.0;
    assert!((findings.estimates["utilization"].mean.unwrap() - busy).abs() < 1e-12);
    assert!(findings.events > nodes.iter().map(|node| node.served).sum());
}

#[test]
fn an_only_sample_keeps_nodes_at_the_warm_up_s_end_alone() {
    for warm_up in [0, 400 * UNIT] {
        for ending in [Ending::Horizon, Ending::Count { completions: 500, check: 10 * UNIT }] {
            let plan = Plan { warm_up: WarmUp::Time(warm_up), observations: 5, ending, ..Plan::default() };
            let experiment = torus(plan, 1);
            let scenario = experiment.scenario(0).unwrap();
            let at = |time| sequential::simulate(&scenario.until(time)).statistics;
            let mut watch = experiment.watch();
            while let Some(time) = watch.next() {
                watch.observe(&at(time));
            }
            let end = watch.time();
            let kept: Vec<usize> = watch.into_record().nodes.iter().map(Vec::len).collect();
            assert_eq!(kept, [if warm_up == 0 { 0 } else { 16 }]);
            let early = if warm_up == 0 { vec![NodeStatistics::default(); 16] } else { at(warm_up) };
            let expected: Vec<_> = at(end).iter().zip(&early).map(|(late, early)| late.since(early)).collect();
            let findings = run(&experiment);
            assert_eq!((findings.nodes.read().unwrap().to_rows(), findings.observed), (expected, end - warm_up));
        }
    }
}

#[test]
fn batches_divide_what_is_kept() {
    let plan = Plan { warm_up: WarmUp::Time(200 * UNIT), batches: Some(8), ..Plan::default() };
    let findings = run(&torus(plan, 2));
    assert_eq!(findings.samples.len(), 16);
    assert!(findings.samples.iter().all(|sample| sample.span == 100 * UNIT));
    let sum = |samples: &[Sample]| samples.iter().map(|sample| sample.sums.completed).sum::<u64>();
    assert_eq!(sum(&findings.samples), findings.nodes.read().unwrap().iter().map(|node| node.completed).sum::<u64>());
    assert_eq!(sum(&findings.samples[8..]), findings.replications[1].kept().sums.completed);
    // Every node has an interval of its own, about the mean that its sums give.
    for (node, sums) in findings.nodes.read().unwrap().iter().zip(&findings.node_sums) {
        let estimate = sums.estimate(Measure::Sojourn, Confidence::DEFAULT);
        let mean = Measures::of_node(&node, findings.observed).sojourn.unwrap();
        assert!((estimate.mean.unwrap() / mean - 1.0).abs() < 1e-9 && estimate.half_width().unwrap() > 0.0);
    }
}

#[test]
fn a_precise_run_is_long_enough_and_no_longer() {
    let ending = |relative| Ending::Precision(Precision::new(relative).unwrap());
    let lengths = [0.2, 0.08, 0.04].map(|relative| {
        let plan = Plan { batches: Some(10), ending: ending(relative), ..Plan::default() };
        let findings = run(&Experiment { horizon: 32_000 * UNIT, ..torus(plan, 1) });
        let estimate = findings.estimates["sojourn"];
        assert_eq!(findings.samples.len(), 10);
        assert!(estimate.relative().unwrap() <= relative / (1.0 + relative), "{estimate:?}");
        findings.replications[0].record.looks().last().unwrap().time / UNIT
    });
    assert!(lengths.iter().all(|length| [2_000, 4_000, 8_000, 16_000, 32_000].contains(length)), "{lengths:?}");
    assert!(lengths.is_sorted() && lengths[0] < lengths[2], "{lengths:?}");
}

#[test]
fn replications_are_added_until_they_are_precise() {
    let ending = Ending::Precision(Precision::new(0.05).unwrap());
    let plan = Plan { ending, measure: Measure::QueueLength, ..Plan::default() };
    let findings = run(&torus(plan.clone(), 500));
    let count = findings.samples.len();
    assert!((10..200).contains(&count) && findings.warnings.is_empty(), "{count}");
    let before = Sample::estimate(&findings.samples[..count - 1], Measure::QueueLength, Confidence::DEFAULT);
    assert!(count == Precision::MIN_VALUES || before.relative().unwrap() > 0.05 / 1.05);
    // Groups of seven give the same result.
    let together = torus(plan.clone(), 500)
        .run_together(
            7,
            |scenarios, watches| {
                let one = |(scenario, watch): (&Scenario<'_>, &mut Watch<'_>)| {
                    let outcome = sequential::simulate(scenario);
                    watch.observe(&outcome.statistics);
                    Ok::<_, Infallible>(Some(Timed { ended: outcome.into(), spent: Spent::default() }))
                };
                scenarios.iter().zip(watches).map(one).collect()
            },
            drop,
        )
        .unwrap();
    assert_eq!(Findings { spent: together.spent, ..findings }, together);
    let few = run(&torus(plan, 10));
    assert!(count == 10 || matches!(few.warnings[..], [Warning::Imprecise { wanted: 0.05, reached: Some(_), .. }]));
}

/// All 100 tokens start at a node whose long-run utilization is 1/3. Until they have left, it is always busy.
#[test]
fn mser_deletes_the_way_to_the_steady_state() {
    let node = |tokens| Node { label: None, mean_service: UNIT as u32, tokens };
    let edges = [(0, 1), (0, 0), (1, 0), (1, 1), (0, 2), (2, 0)];
    let network = Network::from_edges(vec![node(0), node(0), node(100)], &edges).unwrap();
    let plan = Plan { warm_up: WarmUp::Mser5, observations: 200, measure: Measure::Utilization, ..Plan::default() };
    let experiment = Experiment {
        network,
        start: Start::One,
        horizon: 4000 * UNIT,
        seed: 5,
        first: 0,
        replications: 5,
        interval: None,
        plan,
    };
    let findings = run(&experiment);
    let removed: Vec<usize> = findings.replications.iter().map(|replication| replication.cut.ends[0]).collect();
    // One cut for each half of the replications.
    assert_eq!(removed, [removed[0], removed[1], removed[0], removed[1], removed[0]]);
    for (replication, removed) in findings.replications.iter().zip(removed) {
        assert!(removed.is_multiple_of(5) && (5..100).contains(&removed), "{removed}");
        assert_eq!(replication.kept().span, (200 - removed as u64) * 20 * UNIT);
    }
    // The nodes' sums are those of the same cuts.
    let stations: u64 = findings.nodes.read().unwrap().iter().map(|node| node.completed).sum();
    assert_eq!(stations, findings.samples.iter().map(|sample| sample.sums.completed).sum::<u64>());
    assert_eq!(findings.observed, findings.replications.iter().map(|r| r.kept().span).sum::<u64>());
    let cut = findings.estimates["utilization"].mean.unwrap();
    let whole = run(&Experiment { plan: Plan::default(), ..experiment }).estimates["utilization"].mean.unwrap();
    // With so many tokens the bottleneck is always busy, and the others serve 2/3 and 1/3 of the time.
    assert!((cut - 2.0 / 3.0).abs() < 0.01 && cut < whole, "{cut} {whole}");
}

/// A source twice as fast as the desk behind it: the line grows without limit.
#[test]
fn what_never_settles_is_refused() {
    let mut network = Builder::new();
    let source = network.source("source", 0, Law::Exponential { mean: 1.0 });
    let desk = network.station("desk", Station::default());
    network.serve_all(desk, Law::Exponential { mean: 2.0 }).edge(source, desk).exit(desk);
    let network = network.build().unwrap();
    let plan = Plan { warm_up: WarmUp::Mser5, observations: 100, ..Plan::default() };
    for replications in [1, 6] {
        let (network, plan) = (network.clone(), plan.clone());
        let experiment = Experiment {
            network,
            start: Start::One,
            horizon: 500 * UNIT,
            seed: 5,
            first: 0,
            replications,
            interval: None,
            plan,
        };
        experiment.check().unwrap();
        let engine = |s: &Scenario<'_>| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s)));
        let error = experiment.run(engine, drop).unwrap_err();
        assert!(
            matches!(error, ExperimentError::NotSettled(NotSettled { measure: Measure::Sojourn, replications: of }) if of == replications)
        );
        let text = error.to_string();
        assert!(text.contains("steady state of sojourn") && text.contains("twice as long"), "{text}");
    }
}

/// A cut found by MSER-5 gives the same sums as the same cut given as a time.
#[test]
fn a_cut_that_is_found_counts_what_a_cut_that_is_given_counts() {
    let plan = Plan { warm_up: WarmUp::Mser5, observations: 60, ..Plan::default() };
    let found = run(&torus(plan, 2));
    for (number, replication) in found.replications.iter().enumerate() {
        let first = replication.cut.ends[0];
        let time = replication.record.looks()[first].time;
        let plan = Plan { warm_up: WarmUp::Time(time), ..Plan::default() };
        let given = run(&torus(plan, 2));
        assert_eq!(found.samples[number], given.samples[number]);
    }
    let sum = |findings: &Findings| findings.nodes.read().unwrap().iter().map(|node| node.completed).sum::<u64>();
    assert_eq!(
        sum(&found),
        found.replications.iter().map(|replication| replication.kept().sums.completed).sum::<u64>()
    );
    assert_eq!(found.observed, found.replications.iter().map(|replication| replication.kept().span).sum::<u64>());
}

#[test]
fn two_configurations_share_their_luck() {
    let slower = Network::torus(4, 4, 11 << 20, 2).unwrap();
    let first = torus(Plan { warm_up: WarmUp::Time(100 * UNIT), ..Plan::default() }, 8);
    let second = Experiment { network: slower, ..first.clone() };
    let (first, second) = (run(&first), run(&second));
    let comparison = first.compare(&second, Measure::Sojourn);
    assert!(comparison.correlation.unwrap() > 0.8 && comparison.differs(), "{comparison:?}");
    assert!(comparison.difference.covers(3.0, 2.0), "{comparison:?}");
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let refused = |plan: Plan, replications, words: &str| {
        let error = plan.check(16, 1000, replications).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let precision = Ending::Precision(Precision::new(0.1).unwrap());
    refused(Plan { warm_up: WarmUp::Time(1000), ..Plan::default() }, 1, "leaves nothing");
    refused(Plan { batches: Some(1), ..Plan::default() }, 1, "give 2 to");
    refused(Plan { observations: 1001, ..Plan::default() }, 1, "1001 observations");
    refused(Plan { observations: 0, ..Plan::default() }, 1, "0 observations");
    refused(Plan { warm_up: WarmUp::Mser5, observations: 49, ..Plan::default() }, 1, "MSER-5 needs at least 50");
    refused(Plan { batches: Some(10), ending: precision, ..Plan::default() }, 2, "lengthens one replication");
    refused(Plan { ending: precision, ..Plan::default() }, 4, "needs at least");
    let plan = Plan { warm_up: WarmUp::Mser5, observations: 500, ..Plan::default() };
    let error = plan.check(1 << 20, 1 << 40, 1).unwrap_err();
    assert!(matches!(error, PlanError::TooManyNodes { looks: 500, .. }) && error.to_string().contains("as a time"));
    assert_eq!(Plan::default().check(16, 0, 1), Ok(()));
}

#[test]
fn an_engine_that_stops_short_is_found_out() {
    let experiment = torus(Plan { batches: Some(2), ..Plan::default() }, 1);
    let lazy = |scenario: &Scenario<'_>, watch: &mut Watch<'_>| {
        let outcome = sequential::simulate(scenario);
        watch.observe(&outcome.statistics);
        Ok::<_, Infallible>(Timed::measure(|| outcome))
    };
    let error = experiment.run_watched(lazy, drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "replication 0: the engine stopped before its horizon, a defect of the engine: report it, and use another engine"
    );
}
