#![allow(clippy::unwrap_used)]

use super::*;
use crate::analysis::{Plan, WarmUp};
use crate::config::NetworkConfig;
use crate::experiment::Experiment;
use crate::sequential;
use crate::trace::replay;
use imminent_common::estimate::Confidence;

fn measured(toml: &str) -> (Experiment, Vec<Passage>) {
    let experiment = NetworkConfig::from_toml(toml, "t").unwrap().experiment().unwrap();
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    let mut times = EndToEnd::of(&findings);
    replay(&experiment, &findings, |replication, sample, visit| {
        if let Some(sample) = sample {
            times.add(replication, sample, visit);
        }
    })
    .unwrap();
    let passages = times.report(&experiment.network);
    (experiment, passages)
}

/// A token comes every 10 time units, spends 3 at the first desk and 4 at the second, and never waits: 7 in all.
#[test]
fn by_hand() {
    let (_, passages) = measured(
        "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
service = { law = 'deterministic', value = 3.0 }
[[network.source]]
name = 'door'
interarrival = { law = 'deterministic', value = 10.0 }
[[network.node]]
name = 'b'
service = { law = 'deterministic', value = 4.0 }
[run]
horizon = 1005.0
warm_up = 105.0
batches = 3
",
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    // Tokens come at 10, 20, ... and leave at 17, 27, ...; those that leave at 107, ..., 997 count.
    assert_eq!((passage.source.as_str(), passage.class.as_str(), passage.tokens), ("door", "token", 90));
    let exact = Estimate { mean: Some(7.0), interval: Confidence::DEFAULT.interval(Some(0.0)) };
    assert_eq!((passage.time, passage.least, passage.p99, passage.greatest), (exact, 7.0, 7.0, 7.0));
}

/// By Reich's theorem the sojourns of a token at the queues of an M/M/1 tandem are independent and exponential. Their
/// rates are service rate less arrival rate.
#[test]
fn a_tandem_has_the_sum_of_independent_exponential_times() {
    let (_, passages) = measured(
        "[network]
edges = [['door', 'a'], ['a', 'b'], ['b', 'out']]
mean = 1.0
[[network.source]]
name = 'door'
mean = 2.0
[[network.node]]
name = 'b'
mean = 0.5
[run]
horizon = 20000.0
warm_up = 500.0
replications = 12
",
    );
    let [passage] = passages.as_slice() else { panic!("{passages:?}") };
    let (slow, fast) = (1.0 - 0.5, 2.0 - 0.5);
    assert!(passage.time.covers(1.0 / slow + 1.0 / fast, 1.6), "{passage:?}");
    let below = |time: f64| 1.0 - (fast * (-slow * time).exp() - slow * (-fast * time).exp()) / (fast - slow);
    for (share, quantile) in [(0.5, passage.p50), (0.9, passage.p90), (0.95, passage.p95)] {
        // Error of the buckets, and some room for chance.
        let (least, greatest) = (below(quantile * (1.0 - 0.07)), below(quantile * (1.0 + 0.07)));
        assert!(least < share && share < greatest, "{share} at {quantile}: {least} to {greatest}");
    }
}

/// Two sources, and tokens that change their class: each time is known, since no token waits.
#[test]
fn times_are_by_source_and_by_the_class_at_the_way_out() {
    let (_, passages) = measured(
        "[network]
classes = ['urgent', 'mild']
servers = 50
[[network.source]]
name = 'east'
class = 'urgent'
interarrival = { law = 'deterministic', value = 4.0 }
[[network.source]]
name = 'west'
class = 'mild'
interarrival = { law = 'deterministic', value = 5.0 }
[[network.node]]
name = 'desk'
service = { law = 'deterministic', value = 2.0 }
[[network.node]]
name = 'ward'
tokens = { mild = 3 }
service = { law = 'deterministic', value = 6.0 }
[[network.route]]
from = 'east'
to = 'desk'
[[network.route]]
from = 'west'
to = 'desk'
[[network.route]]
from = 'desk'
class = 'urgent'
to = 'ward'
becomes = 'mild'
probability = 0.5
[[network.route]]
from = 'desk'
class = 'urgent'
to = 'out'
probability = 0.5
[[network.route]]
from = 'desk'
class = 'mild'
to = 'out'
[[network.route]]
from = 'ward'
class = 'mild'
to = 'out'
[run]
horizon = 2000.0
",
    );
    let told: Vec<_> = passages
        .iter()
        .map(|p| (p.source.as_str(), p.class.as_str(), p.least, p.greatest, p.time.mean.unwrap()))
        .collect();
    assert_eq!(
        told,
        [("east", "urgent", 2.0, 2.0, 2.0), ("east", "mild", 8.0, 8.0, 8.0), ("west", "mild", 2.0, 2.0, 2.0),]
    );
    // Tokens of the start have no source.
    let [urgent, changed, mild] = passages.as_slice() else { panic!("{passages:?}") };
    assert!((498..=499).contains(&(urgent.tokens + changed.tokens)) && mild.tokens == 399, "{passages:?}");
}

/// Each end-to-end time is that of one token, where tokens queue, overtake each other and come back: the sum of its
/// visits.
#[test]
fn a_passage_is_the_sum_of_its_visits() {
    let network = "[network]
edges = [['door', 'a'], ['a', 'b'], ['a', 'out'], ['b', 'a'], ['b', 'out']]
mean = 1.0
servers = 2
discipline = 'random'
[[network.source]]
name = 'door'
mean = 2.5
[run]
horizon = 3000.0
";
    let mut experiment = NetworkConfig::from_toml(network, "t").unwrap().experiment().unwrap();
    experiment.plan = Plan { warm_up: WarmUp::Time(0), ..Plan::default() };
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    // Tokens by the time at which they came in: the source emits one at a time.
    let mut spent: BTreeMap<u64, u64> = BTreeMap::new();
    let mut passages = 0;
    replay(&experiment, &findings, |_, _, visit| {
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
