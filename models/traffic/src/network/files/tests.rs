use super::*;
use crate::network::{Demand, Discipline, Disciplines, QueueKind, QueueRule, Red, Room};

const ZOO: &str = r#"<graphml>
<key id="L" for="node" attr.name="label"/><key id="x" for="node" attr.name="Longitude"/><key id="y" for="node" attr.name="Latitude"/>
<key id="s" for="edge" attr.name="LinkSpeedRaw"/><key id="S" for="edge" attr.name="LinkSpeed"/><key id="u" for="edge" attr.name="LinkSpeedUnits"/>
<key id="d" for="edge" attr.name="delay"/><key id="b" for="edge" attr.name="buffer"/><key id="e" for="edge" attr.name="loss"/>
<key id="q" for="edge" attr.name="discipline"/><key id="m" for="edge" attr.name="red_most"/>
<graph edgedefault="undirected">
<node id="0"><data key="L">Bern</data><data key="x">7.45</data><data key="y">46.95</data></node>
<node id="1"><data key="L">Basel</data><data key="x">7.59</data><data key="y">47.56</data></node>
<node id="2"><data key="L">Basel</data></node>
EDGES
</graph></graphml>"#;

fn zoo(edges: &str, gaps: &Gaps) -> Result<Read, ReadError> {
    parse(&ZOO.replace("EDGES", edges), "zoo.graphml", gaps)
}

#[test]
fn speeds_come_in_three_ways_and_delays_from_places() {
    let edges = r#"<edge source="0" target="1"><data key="s">2500000000.0</data></edge>
        <edge source="0" target="1"><data key="S">155</data><data key="u">M</data><data key="b">70000</data></edge>
        <edge source="1" target="2" directed="true"><data key="d">0.004</data></edge>"#;
    let gaps = Gaps {
        bandwidth: Some(1_000),
        queues: QueueRule {
            room: Room::Time { seconds: 0.1, least: 0 },
            packet: 1000,
            discipline: Discipline::DropTail,
        },
        ..Gaps::default()
    };
    let network = zoo(edges, &gaps).unwrap().network;
    assert_eq!((network.nodes(), network.links().len()), (3, 5));
    assert_eq!((network.label(0), network.label(1), network.label(2)), ("Bern", "Basel (1)", "Basel (2)"));
    let [fast, back, slow, _, last] = network.links() else { panic!("five links") };
    assert_eq!(
        (fast.bandwidth, back.bandwidth, slow.bandwidth, last.bandwidth),
        (2_500_000_000, 2_500_000_000, 155_000_000, 1_000)
    );
    assert_eq!((fast.queue.capacity, slow.queue.capacity), (31_250_000, 70_000));
    // The distance is about 68.6 km, at 199,862 km/s.
    assert!(fast.delay.abs_diff(343_000) < 3_000, "{}", fast.delay);
    assert_eq!((fast.delay, back.delay, last.delay), (slow.delay, fast.delay, 4_000_000));
    let filled =
        Filled { edges: 3, bandwidth: 1, delay_from_places: 2, bare_delays: 1, own_buffer: 1, ..Filled::default() };
    assert_eq!(zoo(edges, &gaps).unwrap().filled, filled);
    let near = zoo(edges, &Gaps { least_delay: 1_000_000, ..gaps }).unwrap().network;
    assert_eq!(near.links()[0].delay, 1_000_000);
}

#[test]
fn edges_have_losses_and_disciplines_of_their_own() {
    let edges = r#"<edge source="0" target="1"><data key="s">1e6</data><data key="e">0.01</data><data key="q">red</data><data key="m">0.9</data></edge>
        <edge source="0" target="1"><data key="s">1e6</data></edge>"#;
    let tail = QueueRule { room: Room::Bytes(5_000), packet: 1000, discipline: Discipline::DropTail };
    let disciplines = Disciplines { red: Red { weight: 0.5, ..Red::default() }, ..Disciplines::default() };
    let gaps = Gaps { loss: 0.5, queues: tail, disciplines, ..Gaps::default() };
    let network = zoo(edges, &gaps).unwrap().network;
    let of = |link: usize| (network.links()[link].loss, network.links()[link].queue.discipline);
    let red = Discipline::Red(Red { weight: 0.5, most: 0.9, ..Red::default() });
    assert_eq!(
        [0, 1, 2, 3].map(of),
        [(0.01, red), (0.01, red), (0.5, Discipline::DropTail), (0.5, Discipline::DropTail)]
    );
    let queue = |data: &str| {
        let edge = format!(r#"<edge source="0" target="1"><data key="s">1</data>{data}</edge>"#);
        zoo(&edge, &gaps).unwrap().network.links()[0].queue
    };
    assert_eq!(queue("<data key='q'>fq-codel</data>").discipline.kind(), QueueKind::FqCodel);
    let packets = queue("<data key='b'>7 packets</data>");
    assert_eq!((packets.capacity, packets.packets), (7_000, Some(7)));
    assert_eq!(queue("<data key='b'>2 kB</data>").capacity, 2_000);
    for (data, expected) in [
        ("<data key='e'>1</data>", "'loss' of the edge from '0' to '1' is '1': give a share of at least 0 and below 1"),
        (
            "<data key='q'>blue</data>",
            "'discipline' of the edge from '0' to '1' is 'blue': give 'red', 'drop-tail', 'codel' or",
        ),
        ("<data key='m'>0.9</data>", "the edge from '0' to '1': the queue is drop-tail and has parameters of RED"),
        (
            "<data key='q'>red</data><data key='m'>2</data>",
            "the edge from '0' to '1': 'most' of RED is 2: it must be above 'least'",
        ),
    ] {
        let edge = format!("<edge source='0' target='1'><data key='s'>1e6</data>{data}</edge>");
        let error = zoo(&edge, &gaps).unwrap_err().to_string();
        assert!(error.starts_with(&format!("zoo.graphml, line 10: {expected}")), "{error}");
    }
    let sndlib = sndlib("", "", &Gaps { loss: 0.5, ..Gaps::default() }).unwrap();
    assert!(sndlib.network.links().iter().all(|link| link.loss == 0.5));
}

#[test]
fn what_is_missing_is_named_with_the_edge_and_the_remedy() {
    let error = |edges, gaps: &Gaps| zoo(edges, gaps).unwrap_err().to_string();
    let none = Gaps::default();
    let plain = r#"<edge source="0" target="1"/>"#;
    let speed = "zoo.graphml, line 10: the edge from '0' to '1' has no 'bandwidth' or 'LinkSpeedRaw' (bits per second): add it, or give 'bandwidth' in [topology], for all edges that have none";
    assert_eq!(error(plain, &none), speed);
    let nowhere = r#"<edge source="1" target="2"><data key="s">1e6</data></edge>"#;
    let delay = "zoo.graphml, line 10: the edge from '1' to '2' has no 'delay' (seconds), and its ends no 'Longitude'";
    assert!(error(nowhere, &none).starts_with(delay));
    let somewhere = zoo(nowhere, &Gaps { delay: Some(7), ..none }).unwrap();
    assert_eq!(somewhere.network.links()[0].delay, 7);
    assert_eq!(somewhere.filled, Filled { edges: 1, delay: 1, red: 1, with_red: 1, ..Filled::default() });
    for (edge, expected) in [
        (
            r#"<edge source="0" target="1"><data key="s">0</data></edge>"#,
            "'LinkSpeedRaw' of the edge from '0' to '1' is '0': give a number of bits",
        ),
        (
            r#"<edge source="0" target="1"><data key="u">Q</data></edge>"#,
            "'LinkSpeedUnits' of the edge from '0' to '1' is 'Q': give 'K'",
        ),
        (
            r#"<edge source="0" target="1"><data key="s">1</data><data key="d">-1</data></edge>"#,
            "'delay' of the edge from '0' to '1' is '-1'",
        ),
        (
            r#"<edge source="0" target="1"><data key="s">1</data><data key="b">0</data></edge>"#,
            "'buffer' of the edge from '0' to '1' is '0'",
        ),
        (r#"<edge source="0" target="9"/>"#, "the edge's target is '9', which is no node's id"),
    ] {
        let error = error(edge, &none);
        assert!(error.starts_with(&format!("zoo.graphml, line 10: {expected}")), "{error}");
    }
}

/// Reads two nodes and one edge with these attributes.
fn edge(attributes: &[(&str, &str)], gaps: &Gaps) -> Result<Read, ReadError> {
    let keys: String =
        attributes.iter().map(|(name, _)| format!("<key id='{name}' for='edge' attr.name='{name}'/>")).collect();
    let data: String = attributes.iter().map(|(name, value)| format!("<data key='{name}'>{value}</data>")).collect();
    let nodes = "<node id='a'/><node id='b'/>";
    let edge = format!("<edge source='a' target='b'>{data}</edge>");
    parse(
        &format!("<graphml>{keys}<graph edgedefault='undirected'>{nodes}{edge}</graph></graphml>"),
        "sdn.graphml",
        gaps,
    )
}

#[test]
fn values_have_units_of_their_own_or_of_all_bare_numbers() {
    let link = |attributes: &[(&str, &str)], gaps: &Gaps| {
        let read = edge(attributes, gaps).unwrap();
        (read.network.links()[0].bandwidth, read.network.links()[0].delay)
    };
    let (none, mega) = (Gaps::default(), Gaps { unit: Some(1e6), delay_unit: Some(1e-3), ..Gaps::default() });
    let expected = (100_000_000, 5_000_000);
    for attributes in [
        [("bandwidth", "100 Mbit"), ("delay", "5ms")],
        [("bw", "0.1Gbps"), ("latency", "0.005")],
        [("capacity", "1e8"), ("Delay", "5000 us")],
        [("LinkSpeedRaw", "100000000"), ("delay", "0.005 s")],
    ] {
        assert_eq!(link(&attributes, &none), expected, "{attributes:?}");
    }
    assert_eq!(link(&[("bandwidth", "100"), ("delay", "5")], &mega), expected);
    assert_eq!(link(&[("LinkSpeedRaw", "100000000"), ("latency", "5")], &mega), expected);
    assert_eq!(link(&[("bw", "100 Mbps"), ("latency", "0.005 s")], &mega), expected);
    // Units that are meant are taken as they are.
    let slow = Gaps { unit: Some(1.0), delay_unit: Some(1.0), ..none };
    assert_eq!(link(&[("bandwidth", "100"), ("delay", "5")], &slow), (100, 5_000_000_000));
}

#[test]
fn bare_numbers_that_are_hardly_meant_are_refused() {
    for (attributes, expected) in [
        (
            [("bandwidth", "100"), ("delay", "5")],
            "'bandwidth' of the edge from 'a' to 'b' is '100': a bare number is taken as bits per second",
        ),
        ([("bw", "1000"), ("latency", "5ms")], "'bw' of the edge from 'a' to 'b' is '1000': a bare number"),
        (
            [("bandwidth", "1e8"), ("delay", "5")],
            "'delay' of the edge from 'a' to 'b' is '5': a bare number is taken as seconds",
        ),
        (
            [("bandwidth", "NaN"), ("delay", "5ms")],
            "'bandwidth' of the edge from 'a' to 'b' is 'NaN': give a number of bits",
        ),
        (
            [("bandwidth", "1 Gbps"), ("latency", "nan")],
            "'latency' of the edge from 'a' to 'b' is 'nan': give a number of seconds",
        ),
        (
            [("bandwidth", "1 GHz"), ("delay", "5ms")],
            "'bandwidth' of the edge from 'a' to 'b' is '1 GHz': give a number of bits",
        ),
    ] {
        let error = edge(&attributes, &Gaps::default()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("sdn.graphml, line 1: {expected}")), "{error}");
    }
}

#[test]
fn attributes_that_look_like_bandwidths_or_delays_are_named() {
    let gaps = Gaps { bandwidth: Some(1_000_000), delay: Some(1), ..Gaps::default() };
    let unread = |attributes: &[(&str, &str)]| edge(attributes, &gaps).unwrap().unread.into_keys().collect::<Vec<_>>();
    assert_eq!(unread(&[("link_speed", "100"), ("RTT", "5"), ("weight", "2")]), ["RTT", "link_speed"]);
    assert_eq!(unread(&[("bandwidth", "1e9"), ("capacity", "40"), ("LinkSpeed", "1")]), ["capacity"]);
    assert!(unread(&[("bandwidth", "1e9"), ("latency", "1 ms"), ("LinkSpeedRaw", "1")]).is_empty());
}

#[test]
fn self_loops_are_left_out_and_counted() {
    let edges = r#"<edge source="0" target="0"/><edge source="0" target="1"><data key="s">1e6</data></edge>
        <edge source="2" target="2" directed="true"><data key="d">never</data></edge>"#;
    let read = zoo(edges, &Gaps::default()).unwrap();
    assert_eq!((read.network.links().len(), read.left_out), (2, LeftOut { loops: 2, ..LeftOut::default() }));
    assert_eq!((read.filled.edges, read.network.isolated()), (1, 1));
}

const SNDLIB: &str = r#"<?xml version="1.0"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0">
<networkStructure>
<nodes coordinatesType="geographical">
<node id="A"><coordinates><x>7.45</x><y>46.95</y></coordinates></node>
<node id="B"><coordinates><x>7.59</x><y>47.56</y></coordinates></node>
<node id="C"/>
</nodes>
<links>
<link id="L1"><source>A</source><target>B</target><preInstalledModule><capacity>155.0</capacity></preInstalledModule></link>
LINK
</links>
</networkStructure>
<demands>
<demand id="D1"><source>B</source><target>A</target><demandValue>12.5</demandValue></demand>
DEMAND
</demands>
</network>"#;

fn sndlib(link: &str, demand: &str, gaps: &Gaps) -> Result<Read, ReadError> {
    parse(&SNDLIB.replace("LINK", link).replace("DEMAND", demand), "net.xml", gaps)
}

#[test]
fn sndlib_gives_capacities_modules_and_demands() {
    let link = "<link id='L2'><source>B</source><target>C</target><preInstalledModule><capacity>0</capacity></preInstalledModule>
        <additionalModules><addModule><capacity>622</capacity></addModule><addModule><capacity>2.5</capacity></addModule></additionalModules></link>";
    let gaps = Gaps { delay: Some(5_000_000), ..Gaps::default() };
    let read = sndlib(link, "", &gaps).unwrap();
    let bandwidths: Vec<_> = read.network.links().iter().map(|link| (link.bandwidth, link.delay > 4_000_000)).collect();
    assert_eq!(bandwidths, [(155_000_000, false), (155_000_000, false), (2_500_000, true), (2_500_000, true)]);
    assert_eq!(read.demands, [Demand { from: 1, to: 0, rate: 12_500_000 }]);
    // One capacity is pre-installed, the other is a module.
    assert_eq!((read.filled.edges, read.filled.modules, read.filled.bandwidth), (2, 1, 0));
}

#[test]
fn the_unit_of_sndlib_is_given_or_read_or_taken_for_megabits() {
    let read = |meta: &str, unit| {
        let text = SNDLIB
            .replace("LINK", "")
            .replace("DEMAND", "")
            .replace("<networkStructure>", &format!("{meta}<networkStructure>"));
        parse(&text, "net.xml", &Gaps { unit, ..Gaps::default() })
            .map(|read| (read.network.links()[0].bandwidth, read.demands[0].rate, read.filled.unit))
    };
    let meta = |unit: &str| format!("<meta><granularity>7day</granularity><unit>{unit}</unit></meta>");
    assert_eq!(read("", None), Ok((155_000_000, 12_500_000, Some(UnitFrom::Nobody))));
    assert_eq!(read("", Some(1e3)), Ok((155_000, 12_500, Some(UnitFrom::Gaps))));
    for (unit, factor) in
        [("MBITPERSEC", 1e6), ("BITSPERSEC", 1.0), (" Gbit/s ", 1e9), ("kbps", 1e3), ("TeraBitPerSecond", 1e12)]
    {
        let expected = (155.0 * factor) as u64;
        let (bandwidth, rate, from) = read(&meta(unit), None).unwrap_or((expected, 0, Some(UnitFrom::File)));
        assert_eq!((bandwidth, from), (expected, Some(UnitFrom::File)), "{unit}");
        assert!(factor > 1e9 || rate.abs_diff((12.5 * factor) as u64) <= 1, "{unit}: {rate}");
    }
    assert_eq!(read(&meta("BITSPERSEC"), Some(1e6)).unwrap().2, Some(UnitFrom::Gaps));
    // STM1 is no rate, so the default unit is used.
    assert_eq!(read(&meta("STM1"), None).unwrap().2, Some(UnitFrom::Nobody));
    let large = read("", Some(1e12)).unwrap_err().to_string();
    let expected = "'capacity' is 155 units of 1000000000000 bit/s, and 0 to 10^13 bit/s are possible: give the file's unit by 'unit' in [topology], or --unit";
    assert!(large.ends_with(expected), "{large}");
}

#[test]
fn links_and_demands_to_themselves_are_left_out_and_counted() {
    let link = "<link id='L2'><source>C</source><target>C</target></link>";
    let demand = |value: &str| {
        format!("<demand id='D2'><source>A</source><target>A</target><demandValue>{value}</demandValue></demand>")
    };
    let read = sndlib(link, &format!("{}{}", demand("3"), demand("0")), &Gaps::default()).unwrap();
    assert_eq!((read.network.links().len(), read.demands.len()), (2, 1));
    assert_eq!(read.left_out, LeftOut { loops: 1, demands: 1, pairs: 0 });
}

#[test]
fn mistakes_in_sndlib_files_are_told_with_their_lines() {
    let link = |inner: &str| format!("<link id='L2'><source>A</source><target>B</target>{inner}</link>");
    let error = |link: &str, demand: &str| sndlib(link, demand, &Gaps::default()).unwrap_err().to_string();
    let cases = [
        (
            error(&link(""), ""),
            "net.xml, line 11: link 'L2' has no capacity, neither pre-installed nor as a module: add it, or give 'bandwidth' in [topology]",
        ),
        (
            error(
                "<link id='L2'><source>B</source><target>C</target><preInstalledModule><capacity>1</capacity></preInstalledModule></link>",
                "",
            ),
            "net.xml, line 11: link 'L2' has no delay",
        ),
        (
            error(&link("<preInstalledModule><capacity>much</capacity></preInstalledModule>"), ""),
            "net.xml, line 11: 'capacity' is 'much': give a number",
        ),
        (
            error(&link("<preInstalledModule><capacity>-1</capacity></preInstalledModule>"), ""),
            "net.xml, line 11: 'capacity' is -1 units of 1000000 bit/s, and 0 to 10^13",
        ),
        (error("<link id='L2'><source>A</source></link>", ""), "net.xml, line 11: 'link' has no 'target' inside"),
        (
            error("", "<demand><source>Z</source><target>A</target></demand>"),
            "net.xml, line 16: the demand's source is 'Z', which is no node's id",
        ),
        (
            parse("<network/>", "net.xml", &Gaps::default()).unwrap_err().to_string(),
            "net.xml, line 1: 'network' has no 'networkStructure' inside",
        ),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}\ninstead of\n{expected}");
    }
}

/// An undirected edge, a directed one, and two directed ones that are opposite to each other.
#[test]
fn edges_have_the_direction_that_the_user_says() {
    let edges = r#"<edge source="0" target="1" directed="false"><data key="s">1e6</data></edge>
        <edge source="1" target="2" directed="true"><data key="s">2e6</data></edge>
        <edge source="0" target="2" directed="true"><data key="s">3e6</data></edge>
        <edge source="2" target="0" directed="true"><data key="s">4e6</data></edge>"#;
    let links = |edges: &str, kind| {
        let gaps = Gaps { edges: kind, delay: Some(1), ..Gaps::default() };
        let network = zoo(edges, &gaps).unwrap().network;
        let mut links: Vec<_> =
            network.links().iter().map(|link| [link.from, link.to, (link.bandwidth / 1_000_000) as u32]).collect();
        links.sort_unstable();
        links
    };
    assert_eq!(links(edges, None), [[0, 1, 1], [0, 2, 3], [1, 0, 1], [1, 2, 2], [2, 0, 4]]);
    assert_eq!(links(edges, Some(EdgeKind::OneWay)), [[0, 1, 1], [0, 2, 3], [1, 2, 2], [2, 0, 4]]);
    // What has an opposite in the file gets no second one.
    assert_eq!(
        links(edges, Some(EdgeKind::TwoWay)),
        [[0, 1, 1], [0, 2, 3], [1, 0, 1], [1, 2, 2], [2, 0, 4], [2, 1, 2]]
    );
    let gaps = |edges| Gaps { edges, ..Gaps::default() };
    let [both, one] =
        [None, Some(EdgeKind::OneWay)].map(|edges| sndlib("", "", &gaps(edges)).unwrap().network.links().len());
    assert_eq!((both, one), (2, 1));
}

/// An instance of REPETITA: bandwidths in kb/s, and delays of a unit that the user says.
#[test]
fn repetita_needs_the_unit_of_its_delays() {
    let text = "NODES 2\nlabel x y\nA 0.0 0.0\nB 0.0 0.0\n\nEDGES 2\nlabel src dest weight bw delay\n\
                e0 0 1 10 9953280 7\ne1 1 0 10 155000 9\n";
    let error = parse(text, "a.graph", &Gaps::default()).unwrap_err().to_string();
    assert!(error.starts_with("a.graph, line 8: 'delay' of the edge from '0' to '1' is '7'"), "{error}");
    let gaps = Gaps { delay_unit: Some(1e-3), ..Gaps::default() };
    let network = parse(text, "a.graph", &gaps).unwrap().network;
    let links: Vec<_> = network.links().iter().map(|link| (link.from, link.to, link.bandwidth, link.delay)).collect();
    assert_eq!(links, [(0, 1, 9_953_280_000, 7_000_000), (1, 0, 155_000_000, 9_000_000)]);
    assert_eq!(network.label(1), "B");
}

/// Links of drawings have labels alone.
#[test]
fn labels_with_units_are_bandwidths_and_delays() {
    let text = |label: &str| {
        format!(
            "{{\"nodes\": [{{\"id\": 0, \"lon\": 7, \"lat\": 47}}, {{\"id\": 1, \"longitude\": 7, \"latitude\": 48}}],
            \"edges\": [{{\"source\": 0, \"target\": 1, \"label\": \"{label}\"}}]}}"
        )
    };
    let gaps = Gaps { bandwidth: Some(7), ..Gaps::default() };
    let link = |label: &str| {
        let read = parse(&text(label), "net.json", &gaps).unwrap();
        let link = read.network.links()[0];
        (link.bandwidth, link.delay, read.filled.bandwidth)
    };
    // A degree is 111.2 km.
    let (bandwidth, far, filled) = link("fibre 5");
    assert_eq!((bandwidth, far / 1_000, filled), (7, 556, 1));
    assert_eq!(link("100 Mbit/s, 5 ms"), (100_000_000, 5_000_000, 0));
    assert_eq!(link("5ms; to the roof;10G"), (10_000_000_000, 5_000_000, 0));
    for label in ["5 m", "100", "-1 ms", "0 Mbps", "1 Mbps 2"] {
        assert_eq!(link(label), (7, far, 1), "{label}");
    }
}
