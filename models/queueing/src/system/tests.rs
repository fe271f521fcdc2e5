#![allow(clippy::unwrap_used)]
use super::*;
use crate::config::NetworkConfig;
use crate::experiment::Experiment;
use crate::sequential;
use crate::theory::{jackson, mmck};

fn run(text: &str) -> (Experiment, Findings) {
    let mut experiment = NetworkConfig::from_toml(text, "t").unwrap().experiment().unwrap();
    experiment.plan.by_class = true;
    let findings = experiment.run_watched(sequential::watched, drop).unwrap();
    (experiment, findings)
}

fn system((experiment, findings): &(Experiment, Findings)) -> System {
    let mut system = System::of(&experiment.network, findings);
    system.add_classes(&experiment.network, &ClassFindings::of(experiment, findings).unwrap());
    system
}

/// Two sources, three stations and a way back: Jackson's theorem gives numbers, and Little's law the response.
#[test]
fn jackson_is_inside_of_the_intervals() {
    let text = "[network]
[[network.source]]
name = 'a'
rate = 0.3
[[network.source]]
name = 'b'
rate = 0.2
[[network.node]]
name = 'first'
mean = 1.2
[[network.node]]
name = 'second'
mean = 2.0
servers = 2
[[network.route]]
from = 'a'
to = 'first'
[[network.route]]
from = 'b'
to = 'second'
[[network.route]]
from = 'first'
to = 'second'
[[network.route]]
from = 'second'
to = 'first'
probability = 0.2
[[network.route]]
from = 'second'
to = 'out'
probability = 0.8
[run]
horizon = 20000.0
replications = 10
warm_up = 1000.0
";
    let ran = run(text);
    let system = system(&ran);
    let number: f64 = jackson(&ran.0.network).unwrap().iter().flatten().map(|node| node.number_in_system).sum();
    let covers = |name: &str, value: f64| assert!(system.all[name].covers(value, 1.6), "{name} {value}: {system:?}");
    covers("number", number);
    covers("throughput", 0.5);
    covers("arrival_rate", 0.5);
    covers("response", number / 0.5);
    assert_eq!((system.all["drop_rate"].mean, system.all["loss"].mean), (Some(0.0), Some(0.0)));
    let quotient = system.all["number"].mean.unwrap() / system.all["throughput"].mean.unwrap();
    assert!((system.all["response"].mean.unwrap() - quotient).abs() < 1e-9);
    let rates: Vec<_> = system.sources.iter().map(|source| (&*source.name, source.stats["arrival_rate"])).collect();
    assert!(rates[0].0 == "a" && rates[0].1.covers(0.3, 1.6) && rates[1].1.covers(0.2, 1.6), "{rates:?}");
    // The only class is the whole network.
    assert!(system.chains.is_empty() && system.classes.len() == 1);
    assert_eq!(system.classes[0].stats, system.all);
}

/// M/M/1/2: the loss is the share of the emitted tokens, and the response that of those that were served.
#[test]
fn erlang_s_loss_is_inside_of_the_intervals() {
    let text = "[network]
edges = [['door', 'desk'], ['desk', 'out']]
[[network.source]]
name = 'door'
rate = 0.8
[[network.node]]
name = 'desk'
mean = 1.0
capacity = 2
[run]
horizon = 4000.0
replications = 12
warm_up = 50.0
";
    let system = system(&run(text));
    let theory = mmck(0.8, 1.0, 1, 2);
    let covers = |name: &str, value: f64| assert!(system.all[name].covers(value, 1.6), "{name} {value}: {system:?}");
    covers("loss", theory.loss);
    covers("drop_rate", 0.8 * theory.loss);
    covers("throughput", 0.8 * (1.0 - theory.loss));
    covers("number", theory.measures.number_in_system);
    covers("response", theory.measures.sojourn.unwrap());
}

/// Every token is served once in each class: what is known of a class alone, and what of its chain.
#[test]
fn classes_that_change_have_the_flow_of_their_chain() {
    let text = "[network]
classes = ['new', 'old', 'other']
[[network.source]]
name = 'door'
class = 'new'
rate = 0.3
[[network.source]]
name = 'gate'
class = 'other'
rate = 0.2
[[network.node]]
name = 'desk'
mean = 1.0
[[network.route]]
from = 'door'
to = 'desk'
[[network.route]]
from = 'gate'
to = 'desk'
[[network.route]]
from = 'desk'
class = 'new'
to = 'desk'
becomes = 'old'
[[network.route]]
from = 'desk'
to = 'out'
[run]
horizon = 10000.0
replications = 10
warm_up = 500.0
";
    let ran = run(text);
    let system = system(&ran);
    let part = |parts: &[Part], name: &str| parts.iter().find(|part| part.name == name).unwrap().stats.clone();
    assert_eq!(part(&system.classes, "new").into_keys().collect::<Vec<_>>(), ["arrival_rate", "drop_rate", "number"]);
    assert_eq!(part(&system.classes, "old")["arrival_rate"].mean, Some(0.0));
    let (chain, other) = (part(&system.chains, "new, old"), part(&system.classes, "other"));
    assert!(chain["throughput"].covers(0.3, 1.6) && other["throughput"].covers(0.2, 1.6), "{system:?}");
    // Jackson's theorem: 0.8 / 0.2 tokens, of which 0.6 / 0.8 are of the chain.
    assert!(chain["number"].covers(3.0, 1.6) && chain["response"].covers(10.0, 1.6), "{system:?}");
    assert!(other["number"].covers(1.0, 1.6) && other["response"].covers(5.0, 1.6), "{system:?}");
    let sum: f64 = system.classes.iter().map(|class| class.stats["number"].mean.unwrap()).sum();
    assert!((sum - system.all["number"].mean.unwrap()).abs() < 1e-9);
}

/// Emissions, services and exits of fixed lengths, counted by hand; and tokens of the start that leave.
#[test]
fn what_has_left_is_counted_without_the_warm_up_and_with_the_first_tokens() {
    let text = |warm_up: f64| {
        format!(
            "[network]
[[network.source]]
name = 'door'
interarrival = {{ law = 'deterministic', value = 1.0 }}
[[network.node]]
name = 'desk'
service = {{ law = 'deterministic', value = 0.25 }}
tokens = 3
[[network.route]]
from = 'door'
to = 'desk'
[[network.route]]
from = 'desk'
to = 'out'
[run]
horizon = 10.5
warm_up = {warm_up}
"
        )
    };
    let of = |warm_up: f64, name: &str| system(&run(&text(warm_up))).all[name].mean.unwrap();
    // Three of the start, and those that came at 1 to 10.
    assert_eq!((of(0.0, "throughput") * 10.5).round(), 13.0);
    assert_eq!((of(0.0, "arrival_rate") * 10.5).round(), 10.0);
    assert_eq!((of(0.5, "throughput") * 10.0).round(), 11.0);
    assert_eq!((of(3.5, "throughput") * 7.0).round(), 7.0);
    assert!((of(3.5, "response") - 0.25).abs() < 1e-5);
}

#[test]
fn a_closed_network_has_a_number_and_cycles_alone() {
    let text = "[network]
mean = 1.0
edges = [['a', 'b'], ['b', 'a'], ['b', 'b']]
[[network.node]]
name = 'a'
tokens = 4
[run]
horizon = 5000.0
replications = 5
warm_up = 100.0
";
    let ran = run(text);
    let system = system(&ran);
    assert_eq!(system.all.keys().collect::<Vec<_>>(), ["number"]);
    assert_eq!(system.all["number"].mean, Some(4.0));
    let (network, findings) = (&ran.0.network, &ran.1);
    let nodes = crate::nodes::Busiest::of(network, findings).unwrap().reports(network, findings);
    let theory = crate::theory::closed_product_form(network).unwrap();
    for node in nodes {
        let cycle = 4.0 / theory[node.node as usize].throughput;
        assert!(node.cycle_time.unwrap().covers(cycle, 1.6), "{node:?} {cycle}");
    }
}
