use super::*;
use crate::traffic::network::{Discipline, Room};

const ZOO: &str = r#"<graphml>
<key id="L" for="node" attr.name="label"/><key id="x" for="node" attr.name="Longitude"/><key id="y" for="node" attr.name="Latitude"/>
<key id="s" for="edge" attr.name="LinkSpeedRaw"/><key id="S" for="edge" attr.name="LinkSpeed"/><key id="u" for="edge" attr.name="LinkSpeedUnits"/>
<key id="d" for="edge" attr.name="delay"/><key id="b" for="edge" attr.name="buffer"/>
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
        queues: QueueRule { room: Room::Time(0.1), discipline: Discipline::DropTail },
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
    // About 68.6 km, at 199,862 km/s.
    assert!(fast.delay.abs_diff(343_000) < 3_000, "{}", fast.delay);
    assert_eq!((fast.delay, back.delay, last.delay), (slow.delay, fast.delay, 4_000_000));
    let filled = Filled { edges: 3, bandwidth: 1, delay: 0, delay_from_places: 2 };
    assert_eq!(zoo(edges, &gaps).unwrap().filled, filled);
    let near = zoo(edges, &Gaps { least_delay: 1_000_000, ..gaps }).unwrap().network;
    assert_eq!(near.links()[0].delay, 1_000_000);
}

#[test]
fn what_is_missing_is_named_with_the_edge_and_the_remedy() {
    let error = |edges, gaps: &Gaps| zoo(edges, gaps).unwrap_err().to_string();
    let none = Gaps::default();
    let plain = r#"<edge source="0" target="1"/>"#;
    let speed = "zoo.graphml, line 9: the edge from '0' to '1' has no 'LinkSpeedRaw' (bits per second): add it, or give 'bandwidth' in [topology], for all edges that have none";
    assert_eq!(error(plain, &none), speed);
    let nowhere = r#"<edge source="1" target="2"><data key="s">1e6</data></edge>"#;
    let delay = "zoo.graphml, line 9: the edge from '1' to '2' has no 'delay' (seconds), and its ends no 'Longitude'";
    assert!(error(nowhere, &none).starts_with(delay));
    let somewhere = zoo(nowhere, &Gaps { delay: Some(7), ..none }).unwrap();
    assert_eq!(somewhere.network.links()[0].delay, 7);
    assert_eq!(somewhere.filled, Filled { edges: 1, delay: 1, ..Filled::default() });
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
        assert!(error.starts_with(&format!("zoo.graphml, line 9: {expected}")), "{error}");
    }
    let circle = r#"<edge source="0" target="0"><data key="s">1e6</data></edge>"#;
    assert_eq!(
        error(circle, &none),
        "zoo.graphml: the link from 'Bern' leads to 'Bern' itself: remove it, or give it another end"
    );
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
    let unit = sndlib("", "", &Gaps { unit: 1e3, ..gaps }).unwrap();
    assert_eq!((unit.network.links()[0].bandwidth, unit.demands[0].rate), (155_000, 12_500));
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
            "net.xml, line 11: 'capacity' is -1, with a unit of 1000000 bit/s",
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

/// Name, nodes and links of what is at hand.
const REAL: [(&str, usize, usize); 5] =
    [("Abilene", 11, 14), ("AttMpls", 25, 57), ("Geant2012", 40, 61), ("Nsfnet", 13, 15), ("Sprint", 11, 18)];

#[test]
#[cfg_attr(not(topology_zoo), ignore = "the Internet Topology Zoo is not at ../shared/data/zoo")]
fn real_networks_have_delays_of_their_size() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/zoo");
    for (name, nodes, links) in REAL {
        let path = folder.join(name).with_extension("graphml");
        let gaps = Gaps { bandwidth: Some(1_000_000_000), delay: Some(10_000_000), ..Gaps::default() };
        let network = read(&path, &gaps).unwrap().network;
        assert_eq!((network.nodes(), network.links().len()), (nodes, 2 * links), "{name}");
        // No link is longer than half the equator.
        assert!(network.links().iter().all(|link| (100_000..100_200_000).contains(&link.delay)), "{name}");
        let given = network.links().iter().filter(|link| link.bandwidth != 1_000_000_000).count();
        assert_eq!(given > 0, name == "Geant2012", "{name}");
        let error = read(&path, &Gaps::default()).unwrap_err().to_string();
        assert!(error.contains("has no 'LinkSpeedRaw'") && error.contains("'bandwidth' in [topology]"), "{error}");
    }
}
