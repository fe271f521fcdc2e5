//! Costs of a run: linear in the measures that they are made of, equal on every engine, and those of formulas.

use crate::device::{host, run};
use imminent_queueing::analysis::Findings;
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::costs::Part;
use imminent_queueing::engine::Watching;
use imminent_queueing::experiment::Experiment;
use imminent_queueing::measures::Measure as M;
use imminent_queueing::theory::{Stream, mmck, priority_mg1};
use imminent_queueing::{Statistics, host as engine_of_host, sequential};

fn experiment(text: &str) -> Experiment {
    let config = NetworkConfig::from_toml(text, "t.toml").unwrap();
    config.experiment().map_err(|error| error.located(text, "t.toml").to_string()).unwrap()
}

fn by_oracle(experiment: &Experiment) -> Findings {
    experiment.run_watched(sequential::watched, drop).unwrap()
}

fn cost(findings: &Findings) -> f64 {
    findings.estimates["cost"].mean.unwrap()
}

const CLINIC: &str = "[network]
classes = ['urgent', 'mild']
costs = { server = 2.0, waiting = 0.5, class.urgent = { waiting = 4.0 } }
[[network.source]]
name = 'a'
class = 'urgent'
rate = 0.3
[[network.source]]
name = 'b'
class = 'mild'
rate = 0.4
[[network.node]]
name = 'doctor'
mean = 1.0
discipline = 'priority'
costs = { server = 7.0, gain = 3.0 }
class.mild = { priority = 1 }
[[network.route]]
from = 'a'
to = 'doctor'
[[network.route]]
from = 'b'
to = 'doctor'
[[network.route]]
from = 'doctor'
to = 'out'
[run]
horizon = 3000.0
warm_up = 200.0
replications = 12
";

/// M/M/2/5: servers are paid all the time, and lost tokens by Erlang's formula.
#[test]
fn costs_are_those_of_the_formula() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[network.costs]
server = 3.0
waiting = 2.0
in_system = 0.25
lost = 10.0
gain = 4.0
[[network.source]]
name = 'door'
rate = 1.5
[[network.node]]
name = 'desk'
mean = 1.0
servers = 2
capacity = 5
[run]
horizon = 4000.0
warm_up = 100.0
replications = 20
";
    let findings = by_oracle(&experiment(text));
    let theory = mmck(1.5, 1.0, 2, 5).measures;
    let lost = 1.5 - theory.throughput;
    let exact =
        6.0 + 2.0 * theory.queue_length + 0.25 * theory.number_in_system + 10.0 * lost - 4.0 * theory.throughput;
    let found = findings.estimates["cost"];
    assert!(found.covers(exact, 1.6) && found.half_width().unwrap() < 0.1, "{found:?} {exact}");
    let parts = findings.costs().unwrap();
    let of = |part: Part| parts.iter().find(|(other, _)| *other == part).unwrap().1;
    assert_eq!((of(Part::Servers).mean, of(Part::Servers).half_width()), (Some(6.0), Some(0.0)));
    assert!(of(Part::Lost).covers(10.0 * lost, 1.6), "{:?}", of(Part::Lost));
    assert_eq!(of(Part::Reneged).mean, Some(0.0));
    // Replication by replication the cost is that of the measures.
    for replication in &findings.replications {
        let sample = replication.kept();
        let value = |measure| sample.value(measure).unwrap();
        let by_hand =
            6.0 + 2.0 * value(M::QueueLength) + 0.25 * value(M::NumberInSystem) + 10.0 * value(M::SystemDropRate)
                - 4.0 * value(M::Throughput);
        assert!((value(M::Cost) - by_hand).abs() < 1e-9, "{} {by_hand}", value(M::Cost));
    }
}

/// Cobham's formula, with a cost of waiting by class, and keys at the node before those for all.
#[test]
fn classes_and_nodes_have_costs_of_their_own() {
    let findings = by_oracle(&experiment(CLINIC));
    let [urgent, mild] = {
        let exponential = |rate| Stream { rate, mean: 1.0, squared_variation: 1.0 };
        let classes = priority_mg1(&[exponential(0.3), exponential(0.4)]).unwrap();
        [classes[0].queue_length, classes[1].queue_length]
    };
    let exact = 7.0 + 4.0 * urgent + 0.5 * mild - 3.0 * 0.7;
    assert!(findings.estimates["cost"].covers(exact, 1.6), "{:?} {exact}", findings.estimates["cost"]);
}

/// The sums are integers, so the money is the same to the bit.
#[test]
fn engines_agree_on_the_money() {
    let experiment = experiment(CLINIC);
    let oracle = by_oracle(&experiment);
    let exact = run(&host(), &experiment, 4, Watching::default()).unwrap();
    let of_host = experiment.run_watched(engine_of_host::watched, drop).unwrap();
    assert_eq!(oracle.estimates["cost"], exact.estimates["cost"]);
    assert_eq!(oracle.estimates["cost"], of_host.estimates["cost"]);
    assert_eq!(oracle.digest(), exact.digest());
    // A network without costs is the same run.
    let without = CLINIC.replace("costs = {", "# ");
    assert_eq!(by_oracle(&self::experiment(&without)).digest(), oracle.digest());
    assert!(by_oracle(&self::experiment(&without)).costs().is_none());
}

/// Batches, MSER-5 and a closed network.
#[test]
fn every_plan_has_costs() {
    let batches = CLINIC.replace("replications = 12", "batches = 10");
    let found = by_oracle(&experiment(&batches));
    assert_eq!(found.samples.len(), 10);
    assert!(found.estimates["cost"].half_width().is_some_and(|half| half > 0.0));
    let mser = CLINIC.replace("warm_up = 200.0", "seed = 3\nwarm_up = 'mser5'");
    assert!((cost(&by_oracle(&experiment(&mser))) - cost(&found)).abs() < 2.0);
    let precise = format!("{batches}measure = 'cost'\nprecision = 0.2\n");
    assert!(by_oracle(&experiment(&precise)).estimates["cost"].relative().unwrap() < 0.2);
    let closed = "[network]
links = [['a', 'b']]
mean = 1.0
costs = { in_system = 2.0 }
[run]
horizon = 100.0
";
    // Two tokens are always there.
    assert!((cost(&by_oracle(&experiment(closed))) - 4.0).abs() < 1e-12);
    let simple = run(&host(), &experiment(closed), 1, Watching::default()).unwrap();
    assert_eq!(cost(&simple), cost(&by_oracle(&experiment(closed))));
}

/// Servers on duty are paid: 3 of them for 6 of 24 hours, and 1 for 12; the impatient cost too.
#[test]
fn shifts_and_impatience_are_paid() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
costs = { server = 10.0, reneged = 2.5 }
[[network.source]]
name = 'door'
rate = 2.0
[[network.node]]
name = 'desk'
mean = 0.5
servers = 3
shifts = { at = [[6, 3], [12, 1]], period = 24, end = 'interrupt' }
patience = { mean = 1.0 }
[run]
horizon = 240.0
replications = 3
";
    let findings = experiment(text).run_watched(engine_of_host::watched, drop).unwrap();
    let parts = findings.costs().unwrap();
    let of = |part: Part| parts.iter().find(|(other, _)| *other == part).unwrap().1.mean.unwrap();
    // From 12 o'clock until 6 the next morning there is one, but for the first night, when the desk has not opened.
    let staffed = (10.0 * 6.0 * 3.0 + 10.0 * 12.0 + 9.0 * 6.0) / 240.0;
    assert!((of(Part::Servers) - 10.0 * staffed).abs() < 1e-9, "{} {}", of(Part::Servers), 10.0 * staffed);
    let reneged: u64 = findings.nodes.on_host().unwrap().to_rows().iter().map(|node| node.reneged).sum();
    assert!((of(Part::Reneged) - 2.5 * reneged as f64 / 720.0).abs() < 1e-9 && reneged > 0);
}

#[test]
fn mistakes_name_file_line_and_key() {
    let problem = |from: &str, to: &str| {
        let text = CLINIC.replace(from, to);
        let config = NetworkConfig::from_toml(&text, "t.toml").map_err(|error| error.to_string());
        let read =
            config.and_then(|config| config.experiment().map_err(|error| error.located(&text, "t.toml").to_string()));
        read.unwrap_err()
    };
    for (from, to, expected) in [
        (
            "waiting = 0.5",
            "waiting = -0.5",
            "t.toml, line 3: network.costs.waiting: -0.5 is no amount of money: give a",
        ),
        ("server = 2.0", "server = nan", "t.toml, line 3: network.costs.server: NaN is no amount of money"),
        ("server = 7.0", "server = 1e16", "t.toml, line 16: network.node[0].costs.server: "),
        (
            "class.urgent = {",
            "class.gold = {",
            "t.toml, line 3: network.costs.class.gold: no class is called 'gold', only",
        ),
        ("gain = 3.0", "profit = 3.0", "t.toml, line 16: "),
        (
            "mean = 1.0\n",
            "mean = 1.0\nservers = 'infinite'\n",
            "t.toml, line 17: network.node[0].costs.server: a delay has no",
        ),
        (
            "[run]",
            "[run]\nengine = 'interval'\ninterval = 0.1",
            "t.toml, line 3: network.costs.class: the engine `interval` does not count classes",
        ),
    ] {
        let problem = problem(from, to);
        assert!(problem.starts_with(expected), "{problem}\ninstead of\n{expected}");
    }
}
