//! Behaviour that the engine of the host carries out, read and written.

use super::*;
use crate::network::{Behaviour, Builder, Bulk, Impatience, Join, Markovian, Onward, Polling, Region, Station, Visits};

/// Returns a network of a source, a station with a discipline and behaviour, and an exit.
fn single(station: Station, behaviour: Behaviour) -> Network {
    let mut builder = Builder::new();
    let (a, b) = (builder.class("a"), builder.class("b"));
    let queue = builder.station("queue", station);
    for (class, name) in [(a, "first"), (b, "second")] {
        let door = builder.source(name, class, Law::Exponential { mean: 3.0 });
        builder.edge(door, queue);
    }
    builder.serve_all(queue, Law::Exponential { mean: 1.0 }).priority(queue, b, 1).exit(queue);
    builder.behave(queue, behaviour);
    builder.build().unwrap()
}

/// Returns the network that is read from what is written of a network.
fn again(network: &Network) -> Network {
    super::network(&write(network, "again").unwrap())
}

fn reason(network: &Network) -> String {
    write(network, "refused").unwrap_err().to_string()
}

#[test]
fn disciplines_and_delays_come_back() {
    let all = [
        Discipline::ProcessorSharing,
        Discipline::PriorityPreemptive,
        Discipline::LifoPreemptive,
        Discipline::ShortestJob,
        Discipline::ShortestRemaining,
    ];
    for discipline in all {
        let station = Station { discipline, servers: 2, ..Station::default() };
        let network = single(station, Behaviour::default());
        let read = again(&network);
        assert_eq!(read.station(0), Some(station));
        let priorities = if discipline.is_by_priority() { [(0, 0), (1, 1)] } else { [(0, 0), (1, 0)] };
        assert_eq!(read.priorities(0), priorities, "{discipline}");
    }
    let delay = single(Station::with_servers(Station::INFINITE), Behaviour::default());
    assert_eq!(again(&delay).station(0), Some(Station::with_servers(Station::INFINITE)));
}

#[test]
fn weights_patience_and_retrials_come_back() {
    let sharing = Station { discipline: Discipline::ProcessorSharing, ..Station::default() };
    let weights = Behaviour { weights: vec![(1, 3)], ..Behaviour::default() };
    assert_eq!(again(&single(sharing, weights.clone())).behaviour(0), Some(&weights));
    let patience = |class| Impatience { class, patience: Law::Deterministic { value: 4.0 }, to: None };
    let of_one = Behaviour { impatience: vec![patience(Some(1))], ..Behaviour::default() };
    assert_eq!(again(&single(Station::default(), of_one.clone())).behaviour(0), Some(&of_one));
    let of_all = Behaviour { impatience: vec![patience(None)], ..Behaviour::default() };
    let each = Behaviour { impatience: vec![patience(Some(0)), patience(Some(1))], ..Behaviour::default() };
    assert_eq!(again(&single(Station::default(), of_all)).behaviour(0), Some(&each));
    let retrial = Behaviour { retry: Some(Law::Erlang { stages: 2, mean: 3.0 }), ..Behaviour::default() };
    let full = Station { capacity: Some(4), ..Station::default() };
    let read = again(&single(full, retrial.clone()));
    assert_eq!((read.station(0), read.behaviour(0)), (Some(full), Some(&retrial)));
}

#[test]
fn markovian_arrivals_come_back_and_two_rates_are_one_of_them() {
    let mut builder = Builder::new();
    let queue = builder.station("queue", Station::default());
    let door = builder.source("door", 0, Law::Exponential { mean: 0.5 });
    builder.serve_all(queue, Law::Exponential { mean: 0.1 }).edge(door, queue).exit(queue);
    let process =
        Markovian { without: vec![vec![-3.0, 1.0], vec![2.0, -4.0]], with: vec![vec![2.0, 0.0], vec![0.0, 2.0]] };
    let mut behaviour = Behaviour::default();
    behaviour.arrivals.markovian = Some(process.clone());
    builder.behave(door, behaviour);
    let text = write(&builder.build().unwrap(), "bursts").unwrap();
    assert_eq!(model(&text).sources[0].interarrival, Times::Markovian(process));
    let laws = [(
        "J",
        text::distribution("MMPP2Distr", &[("lambda0", 5.0), ("lambda1", 1.0), ("sigma0", 0.5), ("sigma1", 0.25)]),
    )];
    let bursts = file(
        &[open("J", 0, "Door")],
        &[source("Door", &laws), queue_of("Q", exponential(9.0)), node("Out", &section("JobSink", ""))],
        &[("Door", "Q"), ("Q", "Out")],
        "",
    );
    let expected =
        Markovian { without: vec![vec![-5.5, 0.5], vec![0.25, -1.25]], with: vec![vec![5.0, 0.0], vec![0.0, 1.0]] };
    assert_eq!(model(&bursts).sources[0].interarrival, Times::Markovian(expected));
}

fn queue_of(name: &str, law: String) -> String {
    queue(name, 1, None, "drop", "TailStrategy", &[("J", law)])
}

/// Returns a network that divides tokens: two parts for one station, one for another, and a join of `join` of them.
fn forked(join: Join) -> Network {
    let mut builder = Builder::new();
    let door = builder.source("door", 0, Law::Exponential { mean: 9.0 });
    let (split, merge) = (builder.pass("split"), builder.pass("merge"));
    let [left, right] = ["left", "right"].map(|name| builder.station(name, Station::default()));
    builder.serve_all(left, Law::Exponential { mean: 1.0 }).serve_all(right, Law::Exponential { mean: 1.0 });
    builder.edge(door, split).edge(split, left).edge(split, left).edge(split, right);
    builder.routing(split, Routing::Fork).edge(left, merge).edge(right, merge).exit(merge);
    builder.behave(merge, Behaviour { join: Some(join), ..Behaviour::default() });
    builder.region(Region { nodes: vec![left, right], capacity: 5, overflow: Overflow::Block, ..Region::default() });
    builder.build().unwrap()
}

#[test]
fn forks_joins_and_regions_come_back() {
    for join in [Join::All, Join::First(2)] {
        let read = again(&forked(join));
        let number = |name: &str| (0..read.len() as u32).find(|&node| read.label(node) == name).unwrap();
        let (split, merge) = (number("split"), number("merge"));
        assert!(read.is_pass(split) && read.is_pass(merge));
        assert_eq!(read.routing(split), Routing::Fork);
        let to: Vec<_> = read.routes(split, 0).targets().collect();
        assert_eq!(to, [number("left"), number("left"), number("right")]);
        assert_eq!(read.behaviour(merge).and_then(|behaviour| behaviour.join), Some(join));
        let region = Region {
            nodes: vec![number("left"), number("right")],
            capacity: 5,
            overflow: Overflow::Block,
            ..Region::default()
        };
        assert_eq!(read.regions(), [region]);
    }
}

#[test]
fn limits_of_classes_come_back() {
    for (capacity, overflow) in [(Region::UNLIMITED, Overflow::Block), (7, Overflow::Lose)] {
        let mut builder = Builder::new();
        let [first, last] = ["first", "last"].map(|name| builder.class(name));
        let doors =
            [first, last].map(|class| builder.source(format!("door {class}"), class, Law::Exponential { mean: 9.0 }));
        let [left, right] = ["left", "right"].map(|name| builder.station(name, Station::default()));
        builder.serve_all(left, Law::Exponential { mean: 1.0 }).serve_all(right, Law::Exponential { mean: 1.0 });
        builder.edge(doors[0], left).edge(doors[1], left).edge(left, right).exit(right);
        builder.region(Region { nodes: vec![left, right], capacity, classes: vec![(last, 3)], overflow });
        let read = again(&builder.build().unwrap());
        let number = |name: &str| (0..read.len() as u32).find(|&node| read.label(node) == name).unwrap();
        let class = (0..2).find(|&class| read.class_name(class) == "last").unwrap();
        let nodes = vec![number("left"), number("right")];
        assert_eq!(read.regions(), [Region { nodes, capacity, classes: vec![(class, 3)], overflow }]);
    }
}

#[test]
fn several_jobs_for_each_connection_are_several_parts() {
    let jobs = "<parameter classPath=\"java.lang.Integer\" name=\"jobsPerLink\"><value>2</value></parameter>";
    let fork = |more: &str| {
        let text = file(
            &[open("J", 0, "Door")],
            &[
                source("Door", &[("J", exponential(1.0))]),
                node("Split", &[section("Queue", ""), section("ServiceTunnel", ""), section("Fork", more)].concat()),
                queue_of("Left", exponential(9.0)),
                queue_of("Right", exponential(9.0)),
                node("Merge", &[section("Join", ""), section("ServiceTunnel", ""), section("Router", "")].concat()),
                node("Out", &section("JobSink", "")),
            ],
            &[
                ("Door", "Split"),
                ("Split", "Left"),
                ("Split", "Right"),
                ("Left", "Merge"),
                ("Right", "Merge"),
                ("Merge", "Out"),
            ],
            "",
        );
        parse(&text, "model.jsimg").map_err(|error| error.to_string())
    };
    let model = fork(jobs).unwrap();
    let to: Vec<_> =
        model.routes.iter().filter(|route| route.from == "Split").filter_map(|route| route.to.as_deref()).collect();
    assert_eq!(to, ["Left", "Left", "Right", "Right"]);
    let none = fork(&jobs.replace('2', "0")).unwrap_err();
    assert!(none.contains("the number of parts for a connection is '0': give a whole number from 1"), "{none}");
    let limited = jobs.replace("jobsPerLink", "block");
    let error = fork(&limited).unwrap_err();
    assert!(error.contains("station 'Split', class 'J': a fork that limits the tokens in its parts"), "{error}");
}

#[test]
fn routers_choose_by_the_state_for_some_classes_alone() {
    let laws = |a: f64, b: f64| [("A", exponential(a)), ("B", exponential(b))];
    let text = file(
        &[open("A", 0, "Door"), open("B", 0, "Door")],
        &[
            source("Door", &laws(1.0, 1.0)),
            router("Choose", &[("A", "ShortestQueueLengthRoutingStrategy"), ("B", "FastestServiceRoutingStrategy")]),
            queue("Left", 1, None, "drop", "TailStrategy", &laws(3.0, 4.0)),
            queue("Right", 1, None, "drop", "TailStrategy", &laws(3.0, 5.0)),
            node("Out", &section("JobSink", "")),
        ],
        &[("Door", "Choose"), ("Choose", "Left"), ("Choose", "Right"), ("Left", "Out"), ("Right", "Out")],
        "",
    );
    let model = model(&text);
    let to = |from: &str, class: &str| -> Vec<_> {
        let routes = model.routes.iter().filter(|route| route.from == from && route.class == class);
        routes.filter_map(|route| route.to.clone()).collect()
    };
    assert_eq!(to("Door (A)", "A"), ["Choose"]);
    assert_eq!((to("Choose", "A"), to("Choose", "B")), (vec!["Left".to_owned(), "Right".to_owned()], vec![]));
    // The mean of B is shorter on the right.
    assert_eq!(to("Door (B)", "B"), ["Right"]);
}

#[test]
fn the_shortest_queue_comes_back() {
    let mut builder = Builder::new();
    let door = builder.source("door", 0, Law::Exponential { mean: 9.0 });
    let [left, right] = ["left", "right"].map(|name| builder.station(name, Station::default()));
    builder.serve_all(left, Law::Exponential { mean: 1.0 }).serve_all(right, Law::Exponential { mean: 1.0 });
    builder.routing(door, Routing::ShortestQueue).edge(door, left).edge(door, right).exit(left).exit(right);
    let read = again(&builder.build().unwrap());
    let door = (0..read.len() as u32).find(|&node| read.label(node) == "door").unwrap();
    assert_eq!((read.routing(door), read.routes(door, 0).len()), (Routing::ShortestQueue, 2));
}

#[test]
fn what_jmt_lacks_is_named() {
    let refused = |behaviour| reason(&single(Station::default(), behaviour));
    let speeds = Behaviour { speeds: vec![1.0, 1.5], ..Behaviour::default() };
    assert_eq!(
        refused(speeds),
        "node 'queue' cannot be written for JSIMgraph: JMT has no speeds that change during a service: remove them"
    );
    let balking = Behaviour { balking: vec![1.0, 0.5], ..Behaviour::default() };
    assert!(refused(balking).contains("it has tokens that balk"));
    let bulk = Behaviour { bulk: Some(Bulk { least: 1, most: 4, wait: None }), ..Behaviour::default() };
    assert!(refused(bulk).contains("JMT serves no tokens in batches"));
    let polling = Polling { order: vec![0, 1], visits: Visits::Gated, switch: vec![] };
    let polling = Behaviour { polling: Some(polling), ..Behaviour::default() };
    assert!(refused(polling).contains("its server goes from queue to queue"));
    let sharing = Station { discipline: Discipline::GeneralizedSharing, ..Station::default() };
    assert!(reason(&single(sharing, Behaviour::default())).contains("do not wait for one another"));
    let mut builder = Builder::new();
    let [a, b] = ["a", "b"].map(|name| builder.station(name, Station::default()));
    builder.serve_all(a, Law::Exponential { mean: 1.0 }).serve_all(b, Law::Exponential { mean: 1.0 });
    builder.tokens(a, 0, 2).edge(a, b).route(b, 0, Onward::to(a)).routing(a, Routing::Fork);
    assert!(reason(&builder.build().unwrap()).contains("JMT divides tokens at nodes that they pass"));
}
