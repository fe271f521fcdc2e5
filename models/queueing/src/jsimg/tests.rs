#![allow(clippy::unwrap_used)]

mod behaviour;
mod refused;
mod text;
mod written;

use super::*;
use crate::config::NetworkConfig;
use crate::law::Law;
use crate::network::{Discipline, Join, Network, Overflow, Routing};
use crate::theory;
use text::{
    closed, coxian, delay, erlang, exponential, file, node, open, probabilities, queue, router, section, source, switch,
};

fn model(text: &str) -> Model {
    parse(text, "model.jsimg").unwrap()
}

/// Returns the law of the times between the tokens of a source.
fn law_of(source: &Source) -> Law {
    match &source.interarrival {
        Times::Law(law) => law.clone(),
        Times::Markovian(process) => panic!("{process:?}"),
    }
}

/// Returns the network that a run of the file simulates.
fn network(text: &str) -> Network {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.jsimg");
    std::fs::write(&path, text).unwrap();
    NetworkConfig::from_file(&path).unwrap().network.network().unwrap()
}

#[test]
fn a_source_a_queue_and_a_sink() {
    let text = file(
        &[open("Jobs", 0, "Door")],
        &[
            source("Door", &[("Jobs", exponential(9.0))]),
            queue("Till", 2, Some(11), "drop", "TailStrategy", &[("Jobs", erlang(3, 30.0))]),
            node("Out", &section("JobSink", "")),
        ],
        &[("Door", "Till"), ("Till", "Out")],
        "",
    );
    let model = model(&text);
    assert_eq!(model.classes, ["Jobs"]);
    assert_eq!((model.sources[0].name.as_str(), law_of(&model.sources[0]).mean()), ("Door", 1.0 / 9.0));
    let station = &model.stations[0];
    assert_eq!((station.servers, station.capacity, station.overflow), (2, Some(11), Overflow::Lose));
    let Some(Law::Erlang { stages: 3, mean }) = station.classes[0].service else { panic!("{station:?}") };
    assert!((mean - 0.1).abs() < 1e-15);
    let network = network(&text);
    assert_eq!((network.len(), network.label(0), network.label(1)), (2, "Till".to_owned(), "Door".to_owned()));
    assert_eq!(network.routes(0, 0).get(0).unwrap().to, None);
}

#[test]
fn the_largest_number_goes_first_there_and_the_lowest_here() {
    let laws = [("Gold", exponential(1.0)), ("Tin", exponential(2.0)), ("Clay", exponential(3.0))];
    let priorities = |strategy: &str| {
        let text = file(
            &[open("Gold", 7, "Door"), open("Tin", 2, "Door"), open("Clay", 0, "Door")],
            &[
                source("Door", &laws),
                queue("Till", 1, None, "drop", strategy, &laws),
                node("Out", &section("JobSink", "")),
            ],
            &[("Door", "Till"), ("Till", "Out")],
            "",
        );
        let model = model(&text);
        assert_eq!(model.sources[2].name, "Door (Clay)");
        let station = &model.stations[0];
        (station.discipline, station.classes.iter().map(|there| there.priority).collect::<Vec<_>>())
    };
    assert_eq!(priorities("TailStrategyPriority"), (Discipline::Priority, vec![0, 1, 2]));
    // Means of 1, 1/2 and 1/3.
    assert_eq!(priorities("SEPTStrategy"), (Discipline::Priority, vec![2, 1, 0]));
    assert_eq!(priorities("LEPTStrategy"), (Discipline::Priority, vec![0, 1, 2]));
    assert_eq!(priorities("HeadStrategy"), (Discipline::Lifo, vec![0, 0, 0]));
    assert_eq!(priorities("RandStrategy"), (Discipline::Random, vec![0, 0, 0]));
}

#[test]
fn routes_lead_past_routers_and_class_switches() {
    let laws = [("A", exponential(1.0)), ("B", exponential(4.0))];
    let text = file(
        &[open("A", 0, "Door"), open("B", 0, "Door")],
        &[
            source("Door", &laws[..1]),
            queue("Desk", 1, None, "drop", "TailStrategy", &laws),
            // Half of A becomes B; the rows need not add up to 1.
            switch("Switch", &[("A", &[("A", 2.0), ("B", 2.0)]), ("B", &[("B", 1.0)])]),
            router(
                "Split",
                &[("A", "RandomStrategy"), ("B", &probabilities(&[("Desk", 0.25), ("Out", 0.75), ("Door", 0.0)]))],
            ),
            node("Out", &section("JobSink", "")),
        ],
        &[("Door", "Switch"), ("Switch", "Split"), ("Split", "Desk"), ("Split", "Out"), ("Desk", "Out")],
        "",
    );
    let model = model(&text);
    let routes: Vec<_> = model.routes.iter().filter(|route| route.from == "Door").collect();
    let of = |to: Option<&str>, becomes: Option<&str>| {
        let found = routes.iter().find(|route| route.to.as_deref() == to && route.becomes.as_deref() == becomes);
        found.unwrap().probability.unwrap()
    };
    assert!((of(Some("Desk"), None) - 0.25).abs() < 1e-12);
    assert!((of(Some("Desk"), Some("B")) - 0.125).abs() < 1e-12);
    let out: f64 = routes.iter().filter(|route| route.to.is_none()).map(|route| route.probability.unwrap()).sum();
    assert!((out - 0.625).abs() < 1e-12);
    assert_eq!(network(&text).classes(), 2);
}

#[test]
fn a_delay_of_a_closed_class_has_a_server_for_each_job() {
    // Machine repair: five machines that run for 10 on average, and a mechanic who needs 2.
    let text = file(
        &[closed("Machines", 0, "Running", 5)],
        &[
            delay("Running", &[("Machines", exponential(0.1))]),
            queue("Mechanic", 1, None, "drop", "TailStrategy", &[("Machines", exponential(0.5))]),
        ],
        &[("Running", "Mechanic"), ("Mechanic", "Running")],
        "",
    );
    let network = network(&text);
    assert_eq!((network.station(0).unwrap().servers, network.tokens(0, 0), network.tokens(1, 0)), (5, 5, 0));
    // The mechanic is busy unless all run: a birth-death chain with rates (5 - n) / 10 and 1 / 2.
    let weights = (0..=5).scan(1.0, |weight, broken| {
        let now = *weight;
        *weight *= f64::from(5 - broken) / 10.0 / 0.5;
        Some(now)
    });
    let expected = 1.0 - 1.0 / weights.sum::<f64>();
    let measured = theory::closed_product_form(&network).unwrap();
    assert!((measured[1].utilization - expected).abs() < 1e-9, "{measured:?}");
}

#[test]
fn jobs_begin_where_the_file_places_them() {
    let parts = |extra: &str| {
        let laws = [("J", exponential(1.0))];
        file(
            &[closed("J", 0, "A", 4)],
            &[queue("A", 1, None, "drop", "TailStrategy", &laws), queue("B", 1, None, "drop", "TailStrategy", &laws)],
            &[("A", "B"), ("B", "A")],
            extra,
        )
    };
    let network_of = |extra: &str| {
        let network = network(&parts(extra));
        (network.tokens(0, 0), network.tokens(1, 0))
    };
    assert_eq!(network_of(""), (4, 0));
    let placed = "<preload><stationPopulations stationName='A'><classPopulation population='1' refClass='J'/></stationPopulations>
        <stationPopulations stationName='B'><classPopulation population='3' refClass='J'/></stationPopulations></preload>";
    assert_eq!(network_of(placed), (1, 3));
}

#[test]
fn classes_take_turns_of_their_own() {
    let laws = [("A", exponential(1.0)), ("B", exponential(1.0))];
    let turns = [("A", "RoundRobinStrategy"), ("B", "RoundRobinStrategy")];
    let text = file(
        &[closed("A", 0, "First", 1), closed("B", 0, "First", 1)],
        &[
            text::routed("First", &laws, &turns),
            queue("Left", 1, None, "drop", "TailStrategy", &laws),
            queue("Right", 1, None, "drop", "TailStrategy", &laws),
        ],
        &[("First", "Left"), ("First", "Right"), ("Left", "First"), ("Right", "First")],
        "",
    );
    let network = network(&text);
    assert_eq!(network.routing(0), Routing::RoundRobin);
    // Lists that differ have turns of their own.
    assert_eq!((network.route_list(0, 0), network.route_list(0, 1)), (0, 1));
}

#[test]
fn what_the_engine_of_the_host_has_is_read() {
    let laws = [("J", exponential(2.0))];
    let text = file(
        &[open("J", 0, "Door")],
        &[
            source("Door", &[("J", exponential(1.0))]),
            delay("Think", &laws),
            text::routed("Gate", &laws, &[("J", "ShortestQueueLengthRoutingStrategy")]),
            queue("Left", 1, None, "drop", "SJFStrategy", &laws),
            queue("Right", 1, None, "drop", "TailStrategy", &laws),
            node("Out", &section("JobSink", "")),
        ],
        &[("Door", "Think"), ("Think", "Gate"), ("Gate", "Left"), ("Gate", "Right"), ("Left", "Out"), ("Right", "Out")],
        "",
    );
    let shares = |text: &str| {
        let (before, right) = text.split_at(text.find("name=\"Right\"").unwrap());
        format!("{before}{}", right.replacen("className=\"Server\"", "className=\"PSServer\"", 1))
    };
    let network = network(&shares(&text));
    let station = |name: &str| {
        let node = (0..network.len() as u32).find(|&node| network.label(node) == name).unwrap();
        (network.station(node).unwrap(), network.routing(node))
    };
    assert_eq!(station("Think").0.servers, crate::network::Station::INFINITE);
    assert_eq!(station("Gate").1, Routing::ShortestQueue);
    assert_eq!(station("Left").0.discipline, Discipline::ShortestJob);
    assert_eq!(station("Right").0.discipline, Discipline::ProcessorSharing);
}

#[test]
fn forks_joins_and_routers_by_the_state_are_places_that_tokens_pass() {
    let laws = [("J", exponential(2.0))];
    let text = file(
        &[open("J", 0, "Door")],
        &[
            source("Door", &[("J", exponential(1.0))]),
            node("Split", &[section("Queue", ""), section("ServiceTunnel", ""), section("Fork", "")].concat()),
            queue("Left", 1, None, "drop", "TailStrategy", &laws),
            queue("Right", 1, None, "drop", "TailStrategy", &laws),
            node("Merge", &[section("Join", ""), section("ServiceTunnel", ""), section("Router", "")].concat()),
            router("Choose", &[("J", "ShortestQueueLengthRoutingStrategy")]),
            node("Out", &section("JobSink", "")),
        ],
        &[
            ("Door", "Split"),
            ("Split", "Left"),
            ("Split", "Right"),
            ("Left", "Merge"),
            ("Right", "Merge"),
            ("Merge", "Choose"),
            ("Choose", "Left"),
            ("Choose", "Out"),
        ],
        "",
    );
    let model = model(&text);
    let station = |name: &str| model.stations.iter().find(|station| station.name == name).unwrap();
    assert_eq!((station("Split").pass, station("Split").routing), (true, Routing::Fork));
    assert_eq!((station("Merge").pass, station("Merge").join), (true, Some(Join::All)));
    assert_eq!((station("Choose").pass, station("Choose").routing), (true, Routing::ShortestQueue));
    assert_eq!(station("Left").classes[0].service.as_ref().map(Law::mean), Some(0.5));
    let network = network(&text);
    assert_eq!(network.beyond_sequential().map(|beyond| beyond.what), Some("joins"));
}

#[test]
fn laws_have_the_moments_of_jmt() {
    // Mean and squared coefficient of variation, by JMT's definition of each distribution.
    let cases = [
        ("Exponential", vec![("lambda", 4.0)], 0.25, 1.0),
        ("DeterministicDistr", vec![("t", 3.0)], 3.0, 0.0),
        ("Uniform", vec![("min", 1.0), ("max", 3.0)], 2.0, 1.0 / 12.0),
        ("Erlang", vec![("alpha", 0.8), ("r", 4.0)], 5.0, 0.25),
        ("GammaDistr", vec![("alpha", 4.0), ("beta", 0.5)], 2.0, 0.25),
        ("HyperExp", vec![("p", 0.25), ("lambda1", 1.0), ("lambda2", 0.5)], 1.75, 2.0 * (0.25 + 3.0) / 3.0625 - 1.0),
        ("CoxianDistr", vec![("lambda0", 4.0), ("lambda1", 0.5), ("phi0", 0.875)], 0.5, 4.0),
        ("Lognormal", vec![("mu", 1.0), ("sigma", 0.5)], 1.125_f64.exp(), 0.25_f64.exp_m1()),
        ("Weibull", vec![("alpha", 2.0), ("r", 1.0)], 2.0, 1.0),
        ("Pareto", vec![("alpha", 3.0), ("k", 1.0)], 1.5, 1.0 / 3.0),
    ];
    for (kind, parameters, mean, variation) in cases {
        let text = file(
            &[open("J", 0, "Door")],
            &[
                source("Door", &[("J", text::distribution(kind, &parameters))]),
                queue("Q", 1, None, "drop", "TailStrategy", &[("J", coxian(4.0, 0.5, 0.875))]),
                node("Out", &section("JobSink", "")),
            ],
            &[("Door", "Q"), ("Q", "Out")],
            "",
        );
        let law = law_of(&model(&text).sources[0]);
        assert!((law.mean() / mean - 1.0).abs() < 1e-12, "{law:?}: {} instead of {mean}", law.mean());
        assert!((law.squared_variation() - variation).abs() < 1e-12, "{law:?}: {}", law.squared_variation());
    }
}

#[test]
fn stored_results_are_the_last_estimates() {
    let text = file(
        &[closed("J", 0, "Q", 1)],
        &[queue("Q", 1, None, "drop", "TailStrategy", &[("J", exponential(1.0))])],
        &[("Q", "Q")],
        "<measure name='n' type='Number of Customers'/>",
    );
    let results = "<results><measure alpha='0.99' analyzedSamples='400' type='0' referenceStation='Q' referenceClass='' name='n'>
        <sample meanValue='9' lowerBound='0' upperBound='Infinity'/><sample meanValue='1.5' lowerBound='1.25' upperBound='1.75'/>
        </measure></results></archive>";
    let model = model(&text.replace("</archive>", results));
    let expected = StoredResult {
        measure: "Number of Customers".to_owned(),
        station: Some("Q".to_owned()),
        class: None,
        confidence: 0.99,
        samples: 400,
        last: Sample { mean: 1.5, low: 1.25, high: 1.75 },
    };
    assert_eq!(model.results, [expected]);
}
