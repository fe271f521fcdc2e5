#![allow(clippy::unwrap_used)]

use super::*;
use crate::law::Law;
use crate::network::Role as NodeRole;

const KEYS: &str = "<key id='r' for='node' attr.name='role'/><key id='i' for='node' attr.name='interarrival_mean'/>\
                    <key id='m' for='node' attr.name='service_mean'/><key id='s' for='node' attr.name='servers'/>\
                    <key id='L' for='node' attr.name='interarrival_law'/><key id='g' for='node' attr.name='interarrival_stages'/>\n";

fn read(kind: &str, inner: &str, defaults: &Defaults) -> Result<Network, GraphmlError> {
    parse(&format!("<graphml>{KEYS}<graph edgedefault='{kind}'>\n{inner}</graph></graphml>"), "net.graphml", defaults)
}

fn said(kind: &str, inner: &str, defaults: &Defaults) -> String {
    read(kind, inner, defaults).unwrap_err().to_string()
}

#[test]
fn sources_and_sinks_are_roles_of_nodes() {
    let network = read(
        "directed",
        "<node id='in'><data key='r'>source</data><data key='i'>4</data><data key='L'>erlang</data><data key='g'>2</data></node>
         <node id='out'><data key='r'>sink</data></node>
         <node id='a'><data key='m'>3</data></node>
         <edge source='in' target='a'/><edge source='a' target='a'/><edge source='a' target='out'/>",
        &Defaults::default(),
    )
    .unwrap();
    // A sink is not a node of the network.
    assert_eq!((network.len(), network.label(1).as_str()), (2, "a"));
    assert_eq!((network.role(0), network.tokens(1, 0)), (NodeRole::Source, 0));
    assert_eq!(network.laws(), [Law::Exponential { mean: 3.0 }, Law::Erlang { stages: 2, mean: 4.0 }]);
    assert_eq!(network.routes(1, 0).iter().map(|route| route.to).collect::<Vec<_>>(), [Some(1), None]);
}

#[test]
fn a_graph_is_opened_by_naming_its_sources_and_sinks() {
    let path = "<node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'/><edge source='b' target='c'/>";
    let names = |name: &str| vec![name.to_owned()];
    let open = Defaults {
        service: Some(Law::Exponential { mean: 2.0 }),
        sources: names("a"),
        sinks: names("c"),
        interarrival: Some(Law::Exponential { mean: 5.0 }),
        ..Defaults::default()
    };
    // Undirected edges lead away from sources and towards sinks.
    let network = read("undirected", path, &open).unwrap();
    assert_eq!((network.len(), network.has_sources()), (2, true));
    assert_eq!(network.routes(0, 0).iter().map(|route| route.to).collect::<Vec<_>>(), [Some(1)]);
    assert_eq!(network.routes(1, 0).iter().map(|route| route.to).collect::<Vec<_>>(), [None]);
    // A role of its own would make the name of no effect, unless it is the same.
    let own = |role: &str| path.replace("<node id='c'/>", &format!("<node id='c'><data key='r'>{role}</data></node>"));
    assert_eq!(read("undirected", &own("sink"), &open).unwrap().len(), 2);
    assert_eq!(
        said("undirected", &own("station"), &open),
        "net.graphml, line 3: 'c' is to be a sink, and has the 'role' of a station: change that, or do not name it"
    );
    let missing = said("undirected", path, &Defaults { sinks: names("z"), ..open.clone() });
    assert_eq!(
        missing,
        "net.graphml: no node has the id or the label 'z', which is to be a sink; give one that is there, for instance 'a'"
    );
    let text = said("undirected", path, &Defaults { interarrival: None, ..open.clone() });
    assert!(
        text.contains("line 3: node 'a': nothing says how often") && text.contains("--graph-interarrival-mean"),
        "{text}"
    );
    let text = said("undirected", path, &Defaults { service: None, ..open });
    assert!(text.contains("line 3: node 'b': it has no service law") && text.contains("--mean"), "{text}");
}

#[test]
fn stations_have_nothing_by_default_beside_one_that_gives_it() {
    let tokens = |network: &Network| (0..2).map(|node| network.tokens(node, 0)).collect::<Vec<_>>();
    let pair = |of_a: &str| format!("<node id='a'>{of_a}</node><node id='b'/><edge source='a' target='b'/>");
    let with = |defaults: &Defaults, of_a: &str| {
        let key = "<key id='t' for='node' attr.name='tokens'/>";
        parse(
            &format!("<graphml>{KEYS}{key}<graph edgedefault='undirected'>{}</graph></graphml>", pair(of_a)),
            "f",
            defaults,
        )
    };
    let plain = Defaults::default();
    assert_eq!(tokens(&with(&plain, "").unwrap()), [1, 1]);
    assert_eq!(tokens(&with(&plain, "<data key='t'>7</data>").unwrap()), [7, 0]);
    let three = Defaults { tokens: Some(3), ..Defaults::default() };
    assert_eq!(tokens(&with(&three, "<data key='t'>7</data>").unwrap()), [7, 3]);
    let error = with(&plain, "<data key='m'>2</data>").unwrap_err().to_string();
    assert!(error.contains("node 'b': it has no service law") && error.contains("--mean"), "{error}");
    // Tokens that can only leave are given, or none.
    let sink = Defaults { sinks: vec!["b".to_owned()], ..Defaults::default() };
    let error = with(&sink, "").unwrap_err().to_string();
    assert!(error.contains("no tokens and no source"), "{error}");
    assert_eq!(with(&sink, "<data key='t'>7</data>").unwrap().total_tokens(), 7);
}

#[test]
fn what_sources_and_sinks_cannot_be_is_said_with_its_line() {
    let node = |role: &str, data: &str| format!("<node id='{role}'><data key='r'>{role}</data>{data}</node>\n");
    let (source, sink) = (node("source", "<data key='i'>4</data>"), node("sink", ""));
    let station = "<node id='a'><data key='m'>1</data></node>\n";
    let edge = |from: &str, to: &str| format!("<edge source='{from}' target='{to}'/>\n");
    let cases = [
        (
            format!("{source}{station}{}", edge("a", "source")),
            "line 5: the edge from 'a' to 'source' leads into a source",
        ),
        (format!("{sink}{station}{}", edge("sink", "a")), "line 5: the edge from 'sink' to 'a' leads out of a sink"),
        (node("source", "<data key='s'>2</data>"), "line 3: node 'source': a source has no 'servers'"),
        (node("sink", "<data key='m'>2</data>"), "line 3: node 'sink': a sink has no 'service_mean'"),
        (node("station", "<data key='i'>2</data>"), "line 3: node 'station': a station has no 'interarrival_mean'"),
        (node("door", ""), "line 3: 'role' of node 'door' is 'door': give 'station', 'source' or 'sink'"),
        (format!("{source}{station}{}", edge("source", "a")), "line 4: node 'a' has no route onward"),
        (format!("{source}{station}{station}"), "line 5: a second node has the id 'a'"),
        (
            format!(
                "{source}{station}<node id='b'><data key='m'>1</data></node>\n{}{}{}",
                edge("source", "a"),
                edge("a", "a"),
                edge("b", "a")
            ),
            "line 5: no token can ever come to node 'b'",
        ),
    ];
    for (inner, expected) in cases {
        let text = said("directed", &inner, &Defaults::default());
        assert!(text.starts_with("net.graphml, ") && text.contains(expected), "{text}\ninstead of\n{expected}");
    }
}
