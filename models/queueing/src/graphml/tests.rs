#![allow(clippy::unwrap_used)]

use super::*;
use crate::law::Law;
use crate::network::{Discipline, NetworkError, Overflow, Routing, Station, Warning};
use imminent_common::graph::FileError;

const DEFAULTS: Defaults = Defaults {
    station: Station { servers: 1, discipline: Discipline::Fifo, capacity: None, overflow: Overflow::Lose },
    service: Some(Law::Exponential { mean: 10.0 }),
    routing: Routing::Random,
    tokens: Some(1),
    sources: vec![],
    sinks: vec![],
    interarrival: None,
};

fn means(network: &Network) -> Vec<u32> {
    (0..network.len() as u32).map(|node| network.mean_service(node)).collect()
}

fn tokens(network: &Network) -> Vec<u32> {
    (0..network.len() as u32).map(|node| network.tokens(node, 0)).collect()
}

fn graph(inner: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n{inner}\n</graphml>")
}

fn network(inner: &str) -> Network {
    parse(&graph(inner), "net.graphml", &DEFAULTS).unwrap()
}

fn error(inner: &str) -> GraphmlError {
    parse(&graph(inner), "net.graphml", &DEFAULTS).unwrap_err()
}

#[test]
fn undirected_edges_go_both_ways_unless_they_say_otherwise() {
    let network = network(
        "<graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/>
         <edge source='a' target='b'/><edge source='b' target='c' directed='true'/><edge source='c' target='a'/></graph>",
    );
    assert_eq!(network.simple().unwrap().out_edges(0), [1, 2]);
    assert_eq!(network.simple().unwrap().out_edges(1), [0, 2]);
    assert_eq!(network.simple().unwrap().out_edges(2), [0]);
    assert_eq!(network.label(2), "c");
}

#[test]
fn directed_edges_go_one_way_and_copies_and_loops_count() {
    let network = network(
        "<graph edgedefault='directed'><node id='a'/><node id='b'/>
         <edge source='a' target='b'/><edge source='a' target='b'/><edge source='b' target='b'/>
         <edge source='a' target='b' directed='false'/></graph>",
    );
    assert_eq!(network.simple().unwrap().out_edges(0), [1, 1, 1]);
    assert_eq!(network.simple().unwrap().out_edges(1), [1, 0]);
}

#[test]
fn an_undirected_loop_is_one_way_out() {
    let network = network("<graph edgedefault='undirected'><node id='a'/><edge source='a' target='a'/></graph>");
    assert_eq!(network.simple().unwrap().out_edges(0), [0]);
}

#[test]
fn attributes_are_found_by_name_and_have_defaults() {
    let network = network(
        "<key id='d0' for='node' attr.name='service_mean' attr.type='double'><default>2.5</default></key>
         <key id='d1' for='all' attr.name='tokens' attr.type='int'/>
         <key id='d2' for='edge' attr.name='label' attr.type='string'/>
         <key id='d3' for='node' attr.name='label' attr.type='string'/>
         <graph edgedefault='directed'>
         <node id='0'><data key='d0'> 4 </data><data key='d1'>7</data><data key='d3'>Bern</data></node>
         <node id='1'><data key='d2'>not a node's label</data><data key='d9'>ignored</data></node>
         <edge source='0' target='1'><data key='d2'>x</data></edge><edge source='1' target='0'/></graph>",
    );
    assert_eq!(means(&network), [4 << 20, 5 << 19]);
    assert_eq!(tokens(&network), [7, 1]);
    assert_eq!((network.label(0), network.label(1)), ("Bern".to_owned(), "1".to_owned()));
}

#[test]
fn what_is_not_graphml_is_said_to_be_something_else() {
    let text = |text: &str| parse(text, "net.graphml", &DEFAULTS).unwrap_err();
    assert!(matches!(text("[torus]\nwidth = 3"), GraphmlError::File(FileError::NoFormat { .. })));
    assert!(matches!(text(""), GraphmlError::File(FileError::NoFormat { .. })));
    assert!(matches!(text("<graphml><graph>"), GraphmlError::File(FileError::NotXml { .. })));
    let error = text("<svg/>");
    assert_eq!(error, FileError::NotGraphml { file: "net.graphml".to_owned(), root: "svg".to_owned() }.into());
    assert!(error.to_string().starts_with("net.graphml: its root element is 'svg'"));
    assert!(matches!(text("<graphml/>"), GraphmlError::File(FileError::NoGraph { .. })));
    let missing = read(Path::new("no-such-file.graphml"), &DEFAULTS).unwrap_err();
    assert!(missing.to_string().starts_with("no-such-file.graphml: cannot be read"), "{missing}");
}

#[test]
fn errors_name_file_line_and_remedy() {
    let cases = [
        ("<graph edgedefault='directed'></graph>", "net.graphml, line 3: the graph has no nodes; give at least one"),
        (
            "<graph edgedefault='directed'><node id='a'/>\n<edge source='a' target='q'/></graph>",
            "net.graphml, line 4: the edge's target is 'q', which is no node's id; add the node or remove the edge",
        ),
        (
            "<graph><node id='a'/></graph>",
            "net.graphml, line 3: attribute 'edgedefault' of 'graph' is missing; it must be 'directed' or 'undirected'",
        ),
        (
            "<graph edgedefault='directed'><node id='a'/><edge target='a'/></graph>",
            "net.graphml, line 3: attribute 'source' of 'edge' is missing; it must be a name",
        ),
        (
            "<graph edgedefault='directed'><node id='a'/><edge source='a' target='a' directed='maybe'/></graph>",
            "net.graphml, line 3: attribute 'directed' of 'edge' is 'maybe'; it must be 'true' or 'false'",
        ),
        (
            "<graph edgedefault='directed'><node id='a'/>\n\n<node id='a'/></graph>",
            "net.graphml, line 5: a second node has the id 'a'; ids must differ",
        ),
        (
            "<graph edgedefault='directed'><node id='a'/><hyperedge/></graph>",
            "net.graphml, line 3: a hyperedge is not supported; give one graph of plain nodes and edges",
        ),
        (
            "<graph edgedefault='directed'><node id='a'><graph/></node></graph>",
            "net.graphml, line 3: a graph inside a node is not supported; give one graph of plain nodes and edges",
        ),
        (
            "<key id='t' for='node' attr.name='tokens'/>\n<graph edgedefault='directed'><node id='a'>\n<data key='t'>-1</data></node></graph>",
            "net.graphml, line 5: 'tokens' of node 'a' is '-1': give a whole number from 0 to 2^32 - 1",
        ),
        (
            "<key id='t' for='node' attr.name='service_mean'/><graph edgedefault='directed'><node id='a'>\n<data key='t'>fast</data></node></graph>",
            "net.graphml, line 4: 'service_mean' of node 'a' is 'fast': give a number of time units",
        ),
    ];
    for (inner, text) in cases {
        assert_eq!(error(inner).to_string(), text);
    }
    let zero = error(
        "<key id='t' for='node' attr.name='service_mean'/><graph edgedefault='directed'><node id='a'><data key='t'>0</data></node></graph>",
    );
    assert!(
        zero.to_string().contains("line 3: node 'a': 'mean' of a law 'exponential' is 0: give a finite number"),
        "{zero}"
    );
}

#[test]
fn a_node_with_no_way_out_is_named_by_its_label() {
    let error = error(
        "<key id='l' for='node' attr.name='label'/><graph edgedefault='directed'><node id='a'/><node id='b'/>
         <node id='c'><data key='l'>Cul-de-sac</data></node><edge source='a' target='b'/><edge source='b' target='a'/>
         <edge source='a' target='c'/></graph>",
    );
    let expected = NetworkError::DeadEnd { label: "Cul-de-sac".to_owned() };
    assert_eq!(error, GraphmlError::Network { file: "net.graphml".to_owned(), line: Some(4), error: expected });
}

#[test]
fn stations_without_edges_are_left_out_and_counted() {
    let islands = network(
        "<graph edgedefault='undirected'><node id='a'/><node id='x'/><node id='b'/><node id='y'/><node id='c'/>
         <edge source='a' target='b'/><edge source='b' target='c'/></graph>",
    );
    assert_eq!((0..islands.len() as u32).map(|node| islands.label(node)).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(islands.simple().unwrap().out_edges(1), [0, 2]);
    assert_eq!(islands.warnings(), [Warning::LeftOut { nodes: 2 }]);
    assert_eq!(islands.warnings()[0].to_string(), "2 nodes without edges take no part");
    let whole = network("<graph edgedefault='undirected'><node id='a'/><edge source='a' target='a'/></graph>");
    assert_eq!(whole.warnings(), []);
    // Where no node has an edge nothing is left to simulate.
    let none = error("<graph edgedefault='undirected'><node id='a'/><node id='b'/></graph>");
    assert!(matches!(none, GraphmlError::Network { error: NetworkError::DeadEnd { .. }, .. }), "{none}");
}

#[test]
fn everything_about_a_node_can_be_said() {
    let network = network(
        "<key id='n' for='node' attr.name='servers'/><key id='d' for='node' attr.name='discipline'/>
         <key id='c' for='node' attr.name='capacity'/><key id='o' for='node' attr.name='overflow'/>
         <key id='r' for='node' attr.name='routing'/><key id='l' for='node' attr.name='service_law'/>
         <key id='m' for='node' attr.name='service_mean'/><key id='v' for='node' attr.name='service_cv'/>
         <key id='x' for='node' attr.name='Longitude'/><key id='y' for='node' attr.name='Latitude'/>
         <key id='w' for='edge' attr.name='weight'/><key id='p' for='edge' attr.name='probability'/>
         <graph edgedefault='directed'>
         <node id='a'><data key='n'>3</data><data key='d'>priority</data><data key='c'>9</data><data key='o'>block</data>
         <data key='l'>log-normal</data><data key='m'>4</data><data key='v'>0.5</data><data key='x'>7.5</data><data key='y'>-47</data></node>
         <node id='b'><data key='r'>round-robin</data><data key='x'>1</data></node><node id='c'><data key='m'>2</data></node>
         <edge source='a' target='b'><data key='w'>3</data></edge><edge source='a' target='c'/>
         <edge source='b' target='a'/><edge source='b' target='c'/>
         <edge source='c' target='a'><data key='p'>0.125</data></edge><edge source='c' target='c'><data key='p'>0.875</data></edge>
         </graph>",
    );
    let station =
        Station { servers: 3, discipline: Discipline::Priority, capacity: Some(9), overflow: Overflow::Block };
    assert_eq!((network.station(0), network.station(1)), (Some(station), Some(Station::default())));
    let laws = [Law::LogNormal { mean: 4.0, cv: 0.5 }, Law::Exponential { mean: 10.0 }, Law::Exponential { mean: 2.0 }];
    assert_eq!(network.laws(), laws);
    assert_eq!((network.routing(0), network.routing(1)), (Routing::Random, Routing::RoundRobin));
    assert_eq!((network.position(0), network.position(1)), (Some((7.5, -47.0)), None));
    let thresholds = |node| network.routes(node, 0).iter().map(|route| route.threshold).collect::<Vec<_>>();
    assert_eq!(thresholds(0), [Some(3 << 30), Some(u32::MAX)]);
    assert_eq!(thresholds(1), [None, None]);
    assert_eq!(thresholds(2), [Some(1 << 29), Some(u32::MAX)]);
}

#[test]
fn what_a_node_cannot_be_is_an_error() {
    let node = |keys: &str, data: &str| {
        error(&format!(
            "{keys}<graph edgedefault='directed'>\n<node id='a'>{data}</node><edge source='a' target='a'/></graph>"
        ))
        .to_string()
    };
    let key = |name: &str| format!("<key id='{name}' for='node' attr.name='{name}'/>");
    let cases = [
        ("discipline", "first", "'discipline' of node 'a' is 'first': give 'fifo', 'lifo', 'random' or 'priority'"),
        ("servers", "0", "node 'a' has 0 servers: give at least 1"),
        ("service_law", "cauchy", "'service_law' of node 'a' is 'cauchy': give the name of a law"),
        ("service_law", "gamma", "node 'a': a law 'gamma' needs 'shape' and 'mean', and 'shape' is missing"),
        ("service_cv", "2", "node 'a': 'service_cv' without 'service_law': name the law"),
        ("Longitude", "east", "'Longitude' of node 'a' is 'east': give a number"),
    ];
    for (name, value, expected) in cases {
        let error = node(&key(name), &format!("<data key='{name}'>{value}</data>"));
        assert!(
            error.starts_with("net.graphml, line 4: ") && error.contains(expected),
            "{error}\ninstead of\n{expected}"
        );
    }
    let edge = error(
        "<key id='p' for='edge' attr.name='probability'/><graph edgedefault='directed'><node id='a'/>
         <edge source='a' target='a'><data key='p'>0.5</data></edge></graph>",
    );
    assert!(edge.to_string().contains("the probabilities of class 'token' at node 'a' add up to 0.5"), "{edge}");
}
