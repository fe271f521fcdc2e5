//! Networks that are written and read again.

use super::*;
use crate::config::{ConversionError, Form};
use crate::network::{Builder, Onward, Station};

/// Returns the network that is read from what is written of a network.
fn again(network: &Network) -> Network {
    super::network(&write(network, "again").unwrap())
}

fn laws() -> Vec<Law> {
    vec![
        Law::Exponential { mean: 0.3 },
        Law::Deterministic { value: 2.5 },
        Law::Uniform { low: 1.0, high: 3.0 },
        Law::Erlang { stages: 4, mean: 10.0 },
        Law::HyperExponential { branches: vec![(0.3, 1.0), (0.7, 20.0)] },
        Law::HyperExponential { branches: vec![(0.3, 1.0), (0.3, 20.0), (0.4, 2.0)] },
        Law::Gamma { shape: 0.5, mean: 10.0 },
        Law::LogNormal { mean: 10.0, cv: 3.0 },
        Law::Weibull { shape: 0.5, mean: 10.0 },
        Law::Pareto { shape: 3.5, mean: 10.0 },
        Law::Normal { location: 5.0, deviation: 2.0 },
        Law::HypoExponential { means: vec![1.0, 2.0, 3.0] },
        Law::Coxian { means: vec![1.0, 5.0], onward: vec![0.25] },
        Law::Coxian { means: vec![1.0, 5.0, 7.0], onward: vec![0.25, 0.5] },
        Law::PhaseType { initial: vec![0.5, 0.5], generator: vec![vec![-2.0, 1.0], vec![0.5, -1.0]] },
    ]
}

#[test]
fn laws_keep_their_distribution() {
    for law in laws() {
        let mut network = Builder::new();
        let station = network.station("Q", Station::default());
        network.serve_all(station, law.clone()).tokens(station, 0, 1).edge(station, station);
        let read = again(&network.build().unwrap());
        let read = &read.laws()[0];
        assert!((read.mean() / law.mean() - 1.0).abs() < 1e-12, "{law:?} became {read:?}");
        for part in [0.1, 0.9, 1.0, 2.0, 5.0] {
            let (now, before) = (read.cdf(part * law.mean()), law.cdf(part * law.mean()));
            assert!((now - before).abs() < 1e-10, "{law:?} became {read:?}");
        }
    }
}

#[test]
fn an_open_network_keeps_everything() {
    let mut builder = Builder::new();
    let (urgent, mild) = (builder.class("urgent <1>"), builder.class("mild & \"late\""));
    let triage = Station { discipline: Discipline::Priority, capacity: Some(9), overflow: Overflow::Block, servers: 2 };
    let triage = builder.station("triage", triage);
    let ward = builder.station("ward", Station { discipline: Discipline::Lifo, ..Station::default() });
    let door = builder.source("door", urgent, Law::Exponential { mean: 3.0 });
    let gate = builder.source("gate", mild, Law::Erlang { stages: 2, mean: 8.0 });
    builder.serve(triage, urgent, Law::Exponential { mean: 1.0 }).serve(
        triage,
        mild,
        Law::Uniform { low: 1.0, high: 2.0 },
    );
    builder.priority(triage, mild, 3).serve_all(ward, Law::Exponential { mean: 1.0 });
    builder.edge(door, triage).edge(gate, triage).tokens(ward, mild, 2).position(ward, 20.0, -30.0);
    builder.route(triage, urgent, Onward::to(ward).with(0.25)).route(
        triage,
        urgent,
        Onward::to(ward).becoming(mild).with(0.5),
    );
    builder.route(triage, urgent, Onward::out().with(0.25)).route(triage, mild, Onward::out()).exit(ward);
    let network = builder.build().unwrap();
    let read = again(&network);
    assert_eq!(read.len(), network.len());
    for node in 0..network.len() as u32 {
        assert_eq!((read.label(node), read.role(node)), (network.label(node), network.role(node)));
        for class in [urgent, mild] {
            assert_eq!(read.tokens(node, class), network.tokens(node, class));
            assert_eq!(read.service(node, class).is_some(), network.service(node, class).is_some());
            let routes = |network: &Network| {
                let of = network.routes(node, class);
                let shares = (0..of.len()).map(|number| (of.probability(number) * 1e6).round());
                of.iter().map(|route| (route.to, route.class)).zip(shares).collect::<Vec<_>>()
            };
            let (mut now, mut before) = (routes(&read), routes(&network));
            now.sort_by_key(|((to, class), _)| (*to, *class));
            before.sort_by_key(|((to, class), _)| (*to, *class));
            assert_eq!(now, before, "node {node}, class {class}");
        }
    }
    assert_eq!(read.priorities(triage), [(urgent, 0), (mild, 1)]);
    assert_eq!(read.position(ward), Some((20.0, -30.0)));
}

#[test]
fn turns_are_kept_and_what_jmt_lacks_is_refused() {
    let turns = |change: &dyn Fn(&mut Builder)| {
        let mut builder = Builder::new();
        let nodes = ["a", "b", "c"].map(|name| builder.station(name, Station::default()));
        for node in nodes {
            builder.serve_all(node, Law::Exponential { mean: 1.0 });
        }
        builder.routing(0, Routing::RoundRobin).edge(0, 1).edge(0, 2).edge(1, 0).edge(2, 0).tokens(0, 0, 2);
        change(&mut builder);
        builder.build().unwrap()
    };
    let read = again(&turns(&|_| {}));
    assert_eq!((read.routing(0), read.routes(0, 0).targets().collect::<Vec<_>>()), (Routing::RoundRobin, vec![1, 2]));
    let refused = |change: &dyn Fn(&mut Builder)| write(&turns(change), "refused").unwrap_err().to_string();
    assert_eq!(
        refused(&|builder| _ = builder.serve_all(1, Law::Empirical { values: vec![1.0, 2.0] })),
        "node 'b' cannot be written for JSIMgraph: JMT has no law 'empirical': use one that it has, such as 'gamma' or 'phase-type'"
    );
    assert!(refused(&|builder| _ = builder.edge(0, 1)).contains("turns of JMT go to every connection of a node once"));
    assert!(
        refused(&|builder| _ = builder.exit(1))
            .contains("no source emits class 'token', and in JMT such jobs cannot leave")
    );
}

#[test]
fn a_model_of_jsimgraph_becomes_a_toml_file() {
    let mut builder = Builder::new();
    let (one, two) = (builder.class("one"), builder.class("two"));
    let queue = builder.station("queue", Station { discipline: Discipline::Priority, ..Station::default() });
    builder.serve(queue, one, Law::Exponential { mean: 1.0 }).serve(queue, two, Law::Gamma { shape: 2.0, mean: 3.0 });
    builder.priority(queue, one, 1).tokens(queue, one, 3).tokens(queue, two, 1);
    builder.route(queue, one, Onward::to(queue).becoming(two)).route(
        queue,
        two,
        Onward::to(queue).becoming(one).with(0.25),
    );
    builder.route(queue, two, Onward::to(queue).with(0.75));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.jsimg");
    std::fs::write(&path, write(&builder.build().unwrap(), "model").unwrap()).unwrap();
    let config = NetworkConfig::from_file(&path).unwrap();
    let text = config.written(Form::Toml, "").unwrap();
    let read = NetworkConfig::from_toml(&text, "model.toml").unwrap();
    assert_eq!(read.network.network().unwrap(), config.network.network().unwrap(), "{text}");
    assert_eq!(read.written(Form::Toml, ""), Err(ConversionError::NotJsimg));
    assert!(read.written(Form::Jsimg, "again").unwrap().contains("name=\"again\""));
}

#[test]
fn priorities_have_one_order_at_all_nodes() {
    let network = |orders: [[u32; 3]; 2]| {
        let mut builder = Builder::new();
        let classes = ["a", "b", "c"].map(|name| builder.class(name));
        for (node, order) in (0..).zip(orders) {
            let station = Station { discipline: Discipline::Priority, ..Station::default() };
            builder.station(["first", "second"][node as usize], station);
            builder.serve_all(node, Law::Exponential { mean: 1.0 }).edge(node, 1 - node);
            for (class, priority) in classes.into_iter().zip(order) {
                builder.priority(node, class, priority).tokens(node, class, 1);
            }
        }
        builder.build().unwrap()
    };
    let written = write(&network([[0, 1, 1], [5, 9, 9]]), "alike").unwrap();
    let priority =
        |class: &str| written.split(&format!("userClass name=\"{class}\" priority=\"")).nth(1).unwrap().chars().next();
    assert_eq!(["a", "b", "c"].map(priority), [Some('1'), Some('0'), Some('0')]);
    let error = write(&network([[0, 1, 2], [0, 2, 1]]), "otherwise").unwrap_err().to_string();
    assert!(error.contains("its classes have priorities in another order than elsewhere"), "{error}");
}
