#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]
use super::*;

/// A graph of three nodes in each format: `a` to `b` at 2 with label, `b` to `c` at 2.5, one way.
const FORMATS: [&str; 4] = [
    r#"<graphml><key id='d0' for='edge' attr.name='delay' attr.type='long'/>
        <key id='d1' for='edge' attr.name='delay' attr.type='double'/><key id='n' for='node' attr.name='label'/>
        <graph edgedefault='directed'>
        <node id='a'><data key='n'>Ömer &amp; Co</data></node><node id='b'/><node id='c'/>
        <edge source='a' target='b'><data key='d0'>2</data></edge>
        <edge source='b' target='c'><data key='d1'>2.5</data></edge>
    </graph></graphml>"#,
    r#"<?xml version="1.0"?><gexf xmlns="http://gexf.net/1.3"><graph defaultedgetype="directed">
        <attributes class="edge"><attribute id="0" title="delay" type="double"><default>2</default></attribute></attributes>
        <nodes><node id="a" label="Ömer &amp; Co"/><node id="b"/><node id="c"/></nodes>
        <edges><edge id="0" source="a" target="b"/>
        <edge id="1" source="b" target="c"><attvalues><attvalue for="0" value="2.5"/></attvalues></edge></edges>
    </graph></gexf>"#,
    "# by hand\nCreator \"me\" graph [ directed 1\n  node [ id a label \"Ömer &amp; Co\" graphics [ x 1 y 2 ] ]
  node [ id b ] node [ id c ]\n  edge [ source a target b delay 2 ]\n  edge [ source b target c delay 2.5 ]\n]\n",
    r#"{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": "a", "label": "Ömer & Co"}, {"id": "b"},
        {"id": "c", "seen": null}],
        "links": [{"source": "a", "target": "b", "delay": 2}, {"source": "b", "target": "c", "delay": 2.5}]}"#,
];

#[test]
fn all_formats_mean_the_same() {
    for text in FORMATS {
        assert!(is_graph(text), "{text}");
        let graph = Graph::of(text, "net").unwrap();
        let ids: Vec<_> = graph.nodes().iter().map(|node| &*node.id).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        assert_eq!(graph.of_node(&graph.nodes()[0]).label(), Some("Ömer & Co"));
        assert_eq!(graph.of_node(&graph.nodes()[1]).label(), None);
        let edges = graph.edges().iter().map(|edge| {
            let delay = graph.of_edge(edge).number("delay").unwrap();
            (edge.from, edge.to, edge.one_way, delay)
        });
        assert_eq!(edges.collect::<Vec<_>>(), [(0, 1, true, Some(2.0)), (1, 2, true, Some(2.5))], "{text}");
    }
}

#[test]
fn errors_name_the_line_in_every_format() {
    let lines = [(FORMATS[0], "line 6"), (FORMATS[1], "line 5"), (FORMATS[2], "line 6"), (FORMATS[3], "line 3")];
    for (text, line) in lines {
        let text = text.replace("2.5", "-");
        let graph = Graph::of(&text, "net");
        // A lone sign is no JSON, and its parser tells the line.
        let error = match &graph {
            Ok(graph) => graph.of_edge(&graph.edges()[1]).number("delay").unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(line), "{error}");
    }
    for text in FORMATS {
        let text = text.replacen("target='c'", "target='d'", 1).replacen("target=\"c\"", "target=\"d\"", 1);
        let text = text.replacen("target c", "target d", 1).replacen("\"target\": \"c\"", "\"target\": \"d\"", 1);
        let error = Graph::of(&text, "net").unwrap_err().to_string();
        assert!(error.starts_with("net, line ") && error.contains("the edge's target is 'd'"), "{error}");
    }
}

#[test]
fn other_texts_are_no_graphs() {
    for text in ["", "[network]\nmean = 1", "graph = 'a.gml'", "# a\n[run]", "mean = 1", "network.graph = \"x\""] {
        assert!(!is_graph(text), "{text}");
        assert!(matches!(Graph::of(text, "net"), Err(FileError::NoFormat { .. })), "{text}");
    }
    for (text, reason) in [
        ("graph [ node [ id 1 ]", "has no end"),
        ("graph [ node [ id ] ]", "no value"),
        ("graph [ node [ label \"a ] ]", "has no end"),
        ("graph [ node [ label 1 ] ]", "no `id`"),
        ("graph 1", "no list"),
        ("graph [ ] ]", "a name is expected"),
        ("graph [ ]", "no nodes"),
        ("Version 1", "no 'graph'"),
        ("{}", "missing field `nodes`"),
        ("{\"nodes\": [1], \"edges\": []}", "no object"),
        ("{\"nodes\": [{\"id\": 1}, {}], \"edges\": []}", "no `id`"),
        ("{\"nodes\": [{\"id\": [1]}], \"edges\": []}", "no `id`"),
        ("<svg/>", "root element is 'svg'"),
        ("<gexf><graph/></gexf>", "no nodes"),
    ] {
        let error = Graph::of(text, "net").unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let deep = "graph [ ".repeat(100_000);
    assert!(Graph::of(&deep, "net").unwrap_err().to_string().contains("too deep"));
}

#[test]
fn edges_of_json_without_ids_have_numbers() {
    let graph = Graph::of("{\"nodes\": [{\"name\": \"x\"}, {}], \"links\": [{\"source\": 0, \"target\": 1}]}", "net");
    let graph = graph.unwrap();
    assert_eq!(
        graph.edges().iter().map(|edge| (edge.from, edge.to, edge.one_way)).collect::<Vec<_>>(),
        [(0, 1, false)]
    );
    assert_eq!(graph.of_node(&graph.nodes()[0]).text("name"), Some("x"));
}

#[test]
fn an_undirected_edge_leaves_both_of_its_ends() {
    let text = "<graphml><key id='m' for='edge' attr.name='minutes'/><graph edgedefault='undirected'>
        <node id='a'/><node id='b'/><node id='c'/>
        <edge source='a' target='b'><data key='m'>7</data></edge>
        <edge source='c' target='a' directed='true'><data key='m'>-1</data></edge>
        <edge source='b' target='b'/>
    </graph></graphml>";
    let graph = Graph::of(text, "roads.graphml").unwrap();
    let minutes = |edge: &Edge<'_>| graph.of_edge(edge).whole("minutes");
    let leaving = graph.leaving();
    let leads: Vec<Vec<u32>> = leaving.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
    assert_eq!(leads, [vec![1], vec![0, 1], vec![0]]);
    assert_eq!([minutes(leaving[0][0].1), minutes(leaving[1][1].1)], [Ok(Some(7)), Ok(None)]);
    let error = minutes(leaving[2][0].1).unwrap_err().to_string();
    assert!(error.contains("line 4: 'minutes' of the edge from 'c' to 'a' is '-1'"), "{error}");
}

/// The file of yEd: a label inside a drawing, and a group, whose nodes stay.
#[test]
fn labels_and_groups_of_yed_are_read() {
    let text =
        "<graphml xmlns:y='http://www.yworks.com/xml/graphml'><key id='d5' for='node' yfiles.type='nodegraphics'/>
        <graph edgedefault='directed'><node id='n0'><data key='d5'><y:ShapeNode><y:NodeLabel>Desk
        </y:NodeLabel></y:ShapeNode></data></node>
        <node id='n1' yfiles.foldertype='group'><data key='d5'><y:NodeLabel>Back office</y:NodeLabel></data>
        <graph edgedefault='directed' id='n1:'><node id='n1::n0'/><node id='n1::n1'/>
        <edge source='n1::n0' target='n1::n1'/></graph></node>
        <edge source='n0' target='n1::n0'/></graph></graphml>";
    let graph = Graph::of(text, "yed").unwrap();
    let label = |node| graph.of_node(node).label().map(str::to_owned);
    let nodes: Vec<_> = graph.nodes().iter().map(|node| (&*node.id, label(node))).collect();
    assert_eq!(nodes, [("n0", Some("Desk".to_owned())), ("n1::n0", None), ("n1::n1", None)]);
    assert_eq!(graph.edges().iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    let plain =
        "<graphml><graph edgedefault='directed'><node id='n'><graph edgedefault='directed'/></node></graph></graphml>";
    assert!(matches!(Graph::of(plain, "plain"), Err(FileError::Unsupported { .. })));
}

proptest::proptest! {
    /// No text makes a reader panic, and formats keep their meaning when they are cut.
    #[test]
    fn any_text_is_a_graph_or_an_error(
        parts in proptest::collection::vec("[\\[\\]{}\":,#&; \n]|graph|node|edge|id|source|target|nodes|links|a|1|&#1;|&amp|é", 0..40),
        format in 0_usize..4, cut in 0_usize..400,
    ) {
        let _ = Graph::of(&parts.concat(), "net");
        let text = FORMATS[format];
        let end = (0..=cut.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        proptest::prop_assert!(end == text.len() || Graph::of(&text[..end], "net").is_err() || format == 2);
        let _ = Graph::of(&format!("{}{}", &text[..end], parts.concat()), "net");
    }
}

/// The first edges of two instances of REPETITA, one with places and one without.
#[test]
fn repetita_has_tables_of_nodes_and_edges() {
    let text = "NODES 3\nlabel x y\n0_New_York -74.0 40.7\n1_Chicago -87.65 41.85\n2_Denver 0 0\n\nEDGES 2\n\
                label src dest weight bw delay\nedge_0 0 1 10 9953280 1913\nedge_1 1 0 10 155000 7\n";
    assert!(is_graph(text) && is_graph(&text.replace('\n', "\r\n")));
    let graph = Graph::of(text, "net.graph").unwrap();
    let [york, denver] = [0, 2].map(|node: usize| graph.of_node(&graph.nodes()[node]));
    assert_eq!(
        (york.label(), york.number("Longitude"), york.number("Latitude")),
        (Some("0_New_York"), Ok(Some(-74.0)), Ok(Some(40.7)))
    );
    assert_eq!((denver.label(), denver.number("Latitude")), (Some("2_Denver"), Ok(Some(0.0))));
    let edges = graph.edges().iter().map(|edge| {
        let of = graph.of_edge(edge);
        (edge.from, edge.to, edge.one_way, of.text("bandwidth"), of.text("delay"), of.line())
    });
    let expected =
        [(0, 1, true, Some("9953280 kbps"), Some("1913"), 9), (1, 0, true, Some("155000 kbps"), Some("7"), 10)];
    assert_eq!(edges.collect::<Vec<_>>(), expected);
    let nowhere = text.replace("-74.0 40.7", "0.0 0.0").replace("-87.65 41.85", "0 0");
    let graph = Graph::of(&nowhere, "net.graph").unwrap();
    assert_eq!(graph.of_node(&graph.nodes()[0]).number("Longitude"), Ok(None));
    for (old, new, expected) in [
        ("NODES 3", "NODES 4", "net.graph, line 1: not well-formed REPETITA: the table has another length"),
        ("EDGES 2", "EDGES two", "net.graph, line 7: not well-formed REPETITA: a table is expected here"),
        (
            "0_New_York",
            "0 New York",
            "net.graph, line 3: not well-formed REPETITA: a row has too few or too many words",
        ),
        ("edge_1 1 0", "edge_1 1 3", "net.graph, line 10: the edge's target is '3', which is no node's id"),
    ] {
        let error = Graph::of(&text.replace(old, new), "net.graph").unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let (nodes, _) = text.split_once("EDGES").unwrap();
    let error = Graph::of(nodes, "net.graph").unwrap_err().to_string();
    assert!(error.contains("line 7: not well-formed REPETITA: a table is expected here"), "{error}");
}

/// First lines as their programs write them.
#[test]
fn topologies_of_other_programs_are_refused_by_name() {
    for (text, name) in [
        (
            "1 @San+Jose,+CA + bb (3) &1 -> <2> <3> <4> {-5} =sj1.example.net! r0\n",
            "net: a map of Rocketfuel has neither",
        ),
        ("-42   =192.0.2.1 r1\n-41 =192.0.2.2 r1\n", "net: a map of Rocketfuel has neither"),
        ("Oslo,+Norway17 Bergen,+Norway4 2.5\n", "net: a list of edges, such as Rocketfuel's"),
        ("\u{feff}# made by hand\na b 1\nb c 2\n", "net: a list of edges"),
        ("10 9\n0 17 4\n", "net: a table of numbers, such as Inet's"),
        ("0 1 1 0\n1 0 0 0\n", "net: a table of numbers"),
        ("Source,Target,Weight\na,b,1\n", "net: a table of edges"),
        ("Topology: ( 10 Nodes, 20 Edges )\nModel (5 - TopDown)\n", "net: a topology of BRITE"),
        ("# comment\n\nrouter\n# node comment yPos xPos\na NA 1 2\n", "net: an annotated topology of ndnSIM"),
        ("?SNDlib native format; type: network; version: 1.0\n", "net: SNDlib's native format"),
        ("digraph g {\na -> b\n}", "net: a graph of Graphviz"),
        ("graph {\na -- b\n}", "net: a graph of Graphviz"),
        ("strict graph \"g\" {", "net: a graph of Graphviz"),
        ("*Vertices 3\n1 \"a\"\n", "net: a network of Pajek"),
        ("nodedef>name VARCHAR\na\n", "net: a graph of GUESS"),
    ] {
        assert!(is_graph(text), "{text}");
        let error = Graph::of(text, "net").unwrap_err().to_string();
        assert!(error.starts_with(name) && error.contains("; "), "{error}");
    }
    for text in ["a = 1, 2\n", "a.b = 'x, y'\n", "[[topology.link]]\n", "[topology]", "[ a ]", "# a, b\n", "[\"a\"]"] {
        assert!(!is_graph(text), "{text}");
    }
}

/// Drawings whose edges end at groups, and have labels, arrowheads and ports, as yEd and yFiles for HTML write them.
#[test]
fn drawings_have_groups_labels_and_arrowheads() {
    let edge = |from: &str, to: &str, inner: &str| {
        format!(
            "<edge source='{from}' target='{to}'><data key='e'><y:PolyLineEdge>{inner}</y:PolyLineEdge></data></edge>"
        )
    };
    let text = format!(
        "<graphml xmlns:y='http://www.yworks.com/xml/graphml'>
        <key id='e' for='edge' yfiles.type='edgegraphics'/><key id='l' for='node' attr.name='NodeLabels'/>
        <graph edgedefault='directed'><node id='a'><data key='l'><y:Label><y:Label.Text>Anna</y:Label.Text></y:Label></data>
        <port name='p0'/></node>
        <node id='g'><data key='l'><y:NodeLabel>Office</y:NodeLabel></data><graph edgedefault='directed' id='g:'>
        <node id='g::b'/></graph></node>
        <node id='h'><graph edgedefault='directed' id='h:'><node id='h::c'/></graph></node>{}{}{}{}</graph></graphml>",
        edge("a", "g", "<y:Arrows source='none' target='standard'/>"),
        edge("a", "g::b", "<y:Arrows source='none' target='none'/><y:EdgeLabel>5 ms<y:LabelModel/></y:EdgeLabel>"),
        edge("a", "h::c", "<y:Arrows source='delta' target='standard'/>"),
        edge("h::c", "g::b", ""),
    );
    let graph = Graph::of(&text, "drawing").unwrap();
    let nodes: Vec<_> = graph.nodes().iter().map(|node| (&*node.id, graph.of_node(node).label())).collect();
    assert_eq!(nodes, [("a", Some("Anna")), ("g::b", None), ("h::c", None), ("g", Some("Office"))]);
    let edges: Vec<_> =
        graph.edges().iter().map(|edge| (edge.from, edge.to, edge.one_way, graph.of_edge(edge).label())).collect();
    assert_eq!(edges, [(0, 3, true, None), (0, 1, false, Some("5 ms")), (0, 2, false, None), (2, 1, true, None)]);
    let twice = text.replace("id='h'", "id='g'");
    assert!(Graph::of(&twice, "drawing").unwrap_err().to_string().contains("a second node has the id 'g'"));
    let gml = "graph [ directed 1 node [ id 0 ] node [ id 1 isGroup 1 ] node [ id 2 isGroup 1 ] node [ id 3 gid 2 ]
        edge [ source 0 target 2 ] ]";
    let graph = Graph::of(gml, "drawing").unwrap();
    assert_eq!(graph.nodes().iter().map(|node| &*node.id).collect::<Vec<_>>(), ["0", "3", "2"]);
}

#[test]
fn gml_tells_its_direction_inside_the_graph_or_before_it() {
    for (before, inside, one_way) in [("", "", false), ("directed 1", "", true), ("directed 1", "directed 0", false)] {
        let text = format!("{before} graph [ {inside} node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]");
        assert_eq!(Graph::of(&text, "net").unwrap().edges()[0].one_way, one_way, "{text}");
    }
}

#[test]
fn json_identifies_nodes_as_its_writers_do() {
    let ends = |nodes: &str, edges: &str, more: &str| {
        let text = format!("{{\"nodes\": [{nodes}], \"links\": [{edges}]{more}}}");
        let graph = Graph::of(&text, "net").unwrap();
        graph.edges().iter().map(|edge| (edge.from, edge.to, edge.one_way)).collect::<Vec<_>>()
    };
    // Places beside ids that are texts, as in D3 3; ids beside ids that are numbers, as in networkx.
    let edge = r#"{"source": 0, "target": 2}"#;
    assert_eq!(ends(r#"{"id": "2"}, {"id": "1"}, {"id": "0"}"#, edge, ""), [(0, 2, false)]);
    assert_eq!(ends(r#"{"id": 2}, {"id": 1}, {"id": 0}"#, edge, ""), [(2, 0, false)]);
    let names = r#"{"name": "x"}, {"name": "y"}"#;
    assert_eq!(ends(names, r#"{"source": "y", "target": "x"}"#, ""), [(1, 0, false)]);
    // graphology.
    let keys = r#"{"key": "1", "attributes": {"label": "x"}}, {"key": "0"}"#;
    let edges = r#"{"source": "0", "target": "1"}, {"source": "1", "target": "0", "undirected": true}"#;
    assert_eq!(ends(keys, edges, ""), [(1, 0, true), (0, 1, false)]);
    assert_eq!(ends(keys, r#"{"source": 0, "target": 1}"#, ""), [(0, 1, false)]);
    let undirected = r#", "options": {"type": "undirected"}"#;
    assert_eq!(ends(keys, edges, undirected), [(1, 0, false), (0, 1, false)]);
    let text = format!("{{\"nodes\": [{keys}], \"edges\": []}}");
    let graph = Graph::of(&text, "net").unwrap();
    assert_eq!(graph.of_node(&graph.nodes()[0]).label(), Some("x"));
    for list in ["[{\"source\": 0, \"target\": 1}]", "[ [0, 1] ]", "[[\"a\", \"b\"]]"] {
        assert!(is_graph(list));
        assert!(Graph::of(list, "net").unwrap_err().to_string().contains("it is a list"), "{list}");
    }
}

#[test]
fn what_gexf_has_for_a_time_or_inside_is_an_error() {
    let gexf = |node: &str, edge: &str| {
        format!(
            "<gexf><graph><nodes><node id='a'{node}/><node id='b'/></nodes><edges><edge source='a' target='b'{edge}</edges></graph></gexf>"
        )
    };
    assert!(Graph::of(&gexf("", "/>"), "net").is_ok());
    for (node, edge, what) in [
        (" start='2009'", "/>", "a node that exists for a time"),
        ("", " end='3'/>", "an edge that exists for a time"),
        ("", "><spells><spell start='1'/></spells></edge>", "an edge that exists for a time"),
        (" pid='b'", "/>", "a node inside a node"),
    ] {
        let error = Graph::of(&gexf(node, edge), "net").unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}
