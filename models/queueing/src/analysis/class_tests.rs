#![allow(clippy::unwrap_used)]

use super::*;
use crate::experiment::{Experiment, Timed};
use crate::measures::Measure;
use crate::network::{Discipline, Onward, Overflow};
use crate::outcome::NodeStatistics;
use crate::trace::ReplayError;
use crate::{Builder, Law, Network, Start, Station, interval, sequential};
use imminent_common::estimate::Confidence;
use proptest::prelude::*;
use std::convert::Infallible;

/// Builds a network of one source per class and a station that both share. At another station `mild` tokens wait for
/// each other, are lost, or block, as `overflow` says.
fn clinic(capacity: u32, overflow: Overflow, discipline: Discipline) -> Network {
    let mut network = Builder::new();
    let [urgent, mild] = ["urgent", "mild"].map(|name| network.class(name));
    let doors = [urgent, mild].map(|class| network.source(format!("{class}"), class, Law::Exponential { mean: 3.0 }));
    let triage = network.station("triage", Station { servers: 2, discipline, capacity: Some(6), ..Station::default() });
    let ward = network.station("ward", Station { capacity: Some(capacity), overflow, ..Station::default() });
    network.serve(triage, urgent, Law::Exponential { mean: 2.0 }).serve(
        triage,
        mild,
        Law::Uniform { low: 1.0, high: 4.0 },
    );
    network.serve(ward, mild, Law::Exponential { mean: 4.0 }).priority(triage, mild, 1).tokens(triage, mild, 3);
    for door in doors {
        network.edge(door, triage);
    }
    network.route(triage, urgent, Onward::out().with(0.5)).route(
        triage,
        urgent,
        Onward::to(ward).becoming(mild).with(0.5),
    );
    network.route(triage, mild, Onward::to(ward)).exit(ward);
    network.build().unwrap()
}

fn experiment(network: Network, plan: Plan) -> Experiment {
    Experiment {
        network,
        start: Start::One,
        horizon: 300 << 20,
        seed: 5,
        first: 0,
        replications: 2,
        interval: None,
        plan,
    }
}

fn plan() -> Plan {
    Plan { warm_up: WarmUp::Time(30 << 20), batches: Some(3), ..Plan::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Classes are counted token by token and nodes by areas: the sums agree to the bit, even with loss and blocking.
    #[test]
    fn the_classes_of_a_node_add_up_to_the_node(
        seed in 0..u64::MAX,
        capacity in 1..5_u32,
        blocks in any::<bool>(),
        priority in any::<bool>(),
    ) {
        let overflow = if blocks { Overflow::Block } else { Overflow::Lose };
        let discipline = if priority { Discipline::Priority } else { Discipline::Random };
        let experiment = Experiment { seed, ..experiment(clinic(capacity, overflow, discipline), plan()) };
        let findings = experiment.run_watched(sequential::watched, drop).unwrap();
        let classes = ClassFindings::of(&experiment, &findings).unwrap();
        for (node, of_classes) in findings.nodes.read().unwrap().iter().zip(classes.sums().chunks(2)) {
            let mut sum = NodeStatistics::default();
            of_classes.iter().for_each(|of_class| sum += *of_class);
            prop_assert_eq!(NodeStatistics { most_waiting: None, ..node }, sum);
        }
    }
}

#[test]
fn the_measures_of_classes_add_up_and_have_intervals() {
    let experiment = experiment(clinic(2, Overflow::Lose, Discipline::Priority), plan());
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    let classes = ClassFindings::of(&experiment, &findings).unwrap();
    let [urgent, mild] = [0, 1].map(|class| classes.estimates(class));
    for measure in [Measure::Utilization, Measure::Throughput, Measure::QueueLength, Measure::NumberInSystem] {
        let name = measure.name();
        let sum = urgent[name].mean.unwrap() + mild[name].mean.unwrap();
        assert!((sum / findings.estimates[name].mean.unwrap() - 1.0).abs() < 1e-12, "{name}");
        assert!(urgent[name].half_width().unwrap() > 0.0);
    }
    // Tokens with priority wait less; only mild tokens come to the ward, where some are lost.
    assert!(urgent["waiting"].mean < mild["waiting"].mean);
    let at = |node: usize, class: usize| classes.sums()[2 * node + class];
    assert_eq!((at(3, 0), at(3, 1).lost > 0), (NodeStatistics::default(), true));
    assert!(classes.node_sums()[2 * 2].estimate(Measure::Sojourn, Confidence::DEFAULT).half_width().unwrap() > 0.0);
    assert_eq!(classes.estimate(1, Measure::Loss), mild["loss"]);
}

#[test]
fn what_clustered_events_has_no_classes_of_the_exact_rules() {
    let network = Network::torus(3, 3, 10 << 20, 2).unwrap();
    let experiment = Experiment { interval: Some(1 << 20), ..experiment(network, Plan::default()) };
    let clustered = |s: &crate::Scenario<'_>| {
        Ok::<_, Infallible>(Timed::measure(|| interval::reference::simulate(s, 1 << 20).unwrap().outcome))
    };
    let findings = experiment.run(clustered, drop).unwrap();
    assert_eq!(ClassFindings::of(&experiment, &findings), Err(ReplayError::OtherRun { replication: 0 }));
}
