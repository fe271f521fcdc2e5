//! Times from source to exit.

use super::*;
use crate::trace::replay;
use imminent_common::estimate::{Confidence, Estimate};
use std::collections::BTreeMap;

fn passages(toml: &str) -> Vec<Passage> {
    let (experiment, findings) = gathered(toml, |_| Wanted { end_to_end: true, ..Wanted::default() });
    findings.tally.unwrap().end_to_end(&experiment.network, findings.tick, findings.confidence).unwrap()
}

/// A token comes every 10 time units, spends 3 at the first desk and 4 at the second, and never waits: 7 in all.
#[test]
fn by_hand() {
    let passages = passages(
        &Model::along("door a b out")
            .keys("service = { law = 'deterministic', value = 3.0 }")
            .source("door", "interarrival = { law = 'deterministic', value = 10.0 }")
            .node("b", "service = { law = 'deterministic', value = 4.0 }")
            .run("horizon = 1005.0; warm_up = 105.0; batches = 3"),
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    // Tokens come at 10, 20, ... and leave at 17, 27, ...; those that leave at 107, ..., 997 count.
    assert_eq!(
        (passage.source.as_deref(), passage.class.as_deref(), passage.tokens),
        (Some("door"), Some("token"), 90)
    );
    let exact = Estimate { mean: Some(7.0), interval: Confidence::DEFAULT.interval(Some(0.0)) };
    assert_eq!((passage.time, passage.least, passage.greatest), (exact, Some(7.0), Some(7.0)));
    let p99 = passage.quantiles["p99"];
    assert_eq!((p99.value, p99.half_width()), (Some(7.0), Some(0.0)));
}

/// By Reich's theorem the sojourns of a token at the queues of an M/M/1 tandem are independent and exponential. Their
/// rates are service rate less arrival rate.
#[test]
fn a_tandem_has_the_sum_of_independent_exponential_times() {
    let passages = passages(
        &Model::along("door a b out")
            .keys("mean = 1.0")
            .source("door", "mean = 2.0")
            .node("b", "mean = 0.5")
            .run("horizon = 20000.0; warm_up = 500.0; replications = 12"),
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    let (slow, fast) = (1.0 - 0.5, 2.0 - 0.5);
    assert!(passage.time.covers(1.0 / slow + 1.0 / fast, 1.6), "{passage:?}");
    let below = |time: f64| 1.0 - (fast * (-slow * time).exp() - slow * (-fast * time).exp()) / (fast - slow);
    for (share, name) in [(0.5, "p50"), (0.9, "p90"), (0.95, "p95"), (0.99, "p99")] {
        let (value, half) = (passage.quantiles[name].value.unwrap(), passage.quantiles[name].half_width().unwrap());
        assert!(half < 0.1 * value, "{name}: {value} ± {half}");
        // The error of the buckets comes on top of the interval.
        let room = 1.6 * half + 0.008 * value;
        assert!(below(value - room) < share && share < below(value + room), "{name}: {value} ± {half}");
    }
}

/// Two sources, and tokens that change their class: each time is known, since no token waits.
#[test]
fn times_are_by_source_and_by_the_class_at_the_way_out() {
    let passages = passages(
        &Model::new()
            .keys("classes = ['urgent', 'mild']; servers = 50")
            .source("east", "class = 'urgent'; interarrival = { law = 'deterministic', value = 4.0 }")
            .source("west", "class = 'mild'; interarrival = { law = 'deterministic', value = 5.0 }")
            .node("desk", "service = { law = 'deterministic', value = 2.0 }")
            .node("ward", "tokens = { mild = 3 }; service = { law = 'deterministic', value = 6.0 }")
            .route("east", "desk", "")
            .route("west", "desk", "")
            .route("desk", "ward", "class = 'urgent'; becomes = 'mild'; probability = 0.5")
            .route("desk", "out", "class = 'urgent'; probability = 0.5")
            .route("desk", "out", "class = 'mild'")
            .route("ward", "out", "class = 'mild'")
            .run("horizon = 2000.0"),
    );
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "all".to_owned());
    let told = passages.iter().map(|of| (name(&of.source), name(&of.class), of.least.unwrap(), of.greatest.unwrap()));
    let told: Vec<_> = told.collect();
    // Class urgent leaves from east alone, and west sends class mild alone: these rows stand for both.
    let row = |source: &str, class: &str, least, greatest| (source.to_owned(), class.to_owned(), least, greatest);
    assert_eq!(
        told,
        [
            row("all", "all", 2.0, 8.0),
            row("all", "mild", 2.0, 8.0),
            row("east", "all", 2.0, 8.0),
            row("east", "urgent", 2.0, 2.0),
            row("east", "mild", 8.0, 8.0),
            row("west", "mild", 2.0, 2.0),
        ]
    );
    // Tokens of the start have no source.
    let [all, of_mild, east, urgent, changed, mild] = passages.as_slice() else { panic!("{passages:?}") };
    assert!((498..=499).contains(&east.tokens) && mild.tokens == 399, "{passages:?}");
    assert_eq!((east.tokens, of_mild.tokens), (urgent.tokens + changed.tokens, changed.tokens + mild.tokens));
    assert_eq!(all.tokens, east.tokens + mild.tokens);
    assert!((changed.time.mean.unwrap() - 8.0).abs() < 1e-12);
}

/// Each end-to-end time is that of one token, where tokens queue, overtake each other and come back: the sum of its
/// visits.
#[test]
fn a_passage_is_the_sum_of_its_visits() {
    let network = Model::with_ways(&["door a b", "a out", "b a", "b out"])
        .keys("mean = 1.0; servers = 2; discipline = 'random'")
        .source("door", "mean = 2.5")
        .run("horizon = 3000.0");
    let experiment = super::experiment(&network, |_| Wanted::default());
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    // Tokens by the time at which they came in: the source emits one at a time.
    let mut spent: BTreeMap<u64, u64> = BTreeMap::new();
    let mut passages = 0;
    replay(&experiment, &findings, &Wanted::default(), |_, visit| {
        if visit.source == Some(visit.node) {
            assert_eq!(visit.entered, visit.left);
            spent.insert(visit.entered, 0);
            return;
        }
        let sum = spent.get_mut(&visit.entered).unwrap();
        // A token arrives at the time at which it left the previous node.
        assert_eq!(visit.arrived - visit.entered, *sum);
        *sum += visit.left - visit.arrived;
        if visit.to.is_none() {
            assert_eq!(spent.remove(&visit.entered), Some(visit.left - visit.entered));
            passages += 1;
        }
    })
    .unwrap();
    assert!(passages > 1000, "{passages}");
}

/// A token is forked into three parts with exponential times of mean 6, of which two are waited for: 6/3 + 6/2. Then it
/// stays for 1.
#[test]
fn the_time_of_a_forked_token_lasts_until_it_leaves_as_a_whole() {
    let passages = passages(
        &Model::with_ways(&["door a", "door b", "door c", "a exit", "b exit", "c exit out"])
            .keys("mean = 6.0; servers = 'infinite'")
            .source("door", "rate = 0.6; routing = 'fork'")
            .node("exit", "join = 2; service = { law = 'deterministic', value = 1.0 }")
            .run("horizon = 6000.0; warm_up = 100.0; replications = 8"),
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    assert!(passage.time.covers(6.0, 1.6), "{passage:?}");
    assert!(passage.time.half_width().unwrap() < 0.1);
    // P(second of three > t) = 3 e^(-2t/6) - 2 e^(-3t/6).
    let above = |time: f64| 3.0 * f64::exp(-time / 3.0) - 2.0 * f64::exp(-time / 2.0);
    let (p90, half) = (passage.quantiles["p90"].value.unwrap(), passage.quantiles["p90"].half_width().unwrap());
    let room = 1.6 * half + 0.008 * p90;
    assert!(above(p90 - 1.0 - room) > 0.1 && above(p90 - 1.0 + room) < 0.1, "{p90} ± {half}");
}

/// Two classes with pre-emptive priorities: the first sees M/M/1 alone, the second waits for all (Jaiswal). Batches
/// give the intervals.
#[test]
fn interrupted_tokens_have_their_times_by_class() {
    let passages = passages(
        &Model::new()
            .keys("classes = ['first', 'last']")
            .source("a", "class = 'first'; rate = 0.3")
            .source("b", "class = 'last'; rate = 0.4")
            .node("desk", "mean = 1.0; discipline = 'priority-preemptive'; class.last.priority = 1")
            .route("a", "desk", "")
            .route("b", "desk", "")
            .route("desk", "out", "")
            .run("horizon = 60000.0; warm_up = 500.0; batches = 20"),
    );
    let [all, first, last] = passages.as_slice() else { panic!("{passages:?}") };
    assert_eq!((all.source.as_ref(), all.class.as_ref()), (None, None));
    assert!(first.time.covers(1.0 / 0.7, 1.6), "{first:?}");
    assert!(last.time.covers(1.0 / (0.7 * 0.3), 1.6), "{last:?}");
    assert!(all.time.covers(1.0 / 0.3, 1.6), "{all:?}");
}
