#![allow(clippy::unwrap_used)]

use super::*;
use crate::study::NetworkTraffic;
use imminent_common::figure::{LinkMap, Plot};
use imminent_common::sheet::{Sheet, Value};
use imminent_study::outcome::{Content, Listing, Section};
use imminent_study::{Model, Value as Setting};

/// Prepares the experiment of a configuration, with keys that are given values.
fn prepared(text: &str, name: &str, keys: &[(&str, Setting)]) -> Result<Box<dyn Experiment>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let mut configuration = Configuration::read(&NetworkTraffic, Some(&path)).map_err(|error| error.to_string())?;
    for (key, value) in keys {
        configuration.set(key, value)?;
    }
    let experiments = NetworkTraffic.experiments().unwrap();
    experiments.prepare(&mut configuration, &OptionValues::default()).map_err(|error| error.to_string())
}

/// Runs a configuration on an engine of the host.
fn run(text: &str) -> Outcome {
    let mut experiment = prepared(text, "t.toml", &[]).unwrap();
    experiment.run(None, Detail::Full, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn section<'o>(outcome: &'o Outcome, heading: &str) -> &'o [Section] {
    let at = outcome.sections.iter().position(|section| section.heading == heading).unwrap();
    &outcome.sections[at..]
}

fn plot<'o>(outcome: &'o Outcome, heading: &str) -> &'o Plot {
    let Content::Plot(plot) = &section(outcome, heading)[0].content else { panic!("{heading}") };
    plot
}

fn map(outcome: &Outcome) -> &LinkMap {
    let Content::LinkMap(map) = &section(outcome, "Load of links")[0].content else { panic!("no map") };
    map
}

fn listing(section: &Section) -> &Listing {
    let Content::Listing(listing) = &section.content else { panic!("{section:?}") };
    listing
}

const THREE: &str = "[topology]\nbandwidth = 1e6\ndelay = 0.01\nbuffer = 20000
[[topology.link]]\nfrom = 'a'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'\n[traffic]\n";

#[test]
fn an_outcome_has_a_map_plots_and_listings() {
    let flows = "[[traffic.flow]]\nfrom = 'a'\nto = 'c'\nsessions = 2\n[run]\nengine = 'sequential'\nhorizon = 2.0\n";
    let outcome = run(&format!("{THREE}{flows}"));
    let answer = outcome.answer.as_ref().unwrap();
    assert!(answer.results[0].starts_with("The busiest link is a -> b: "), "{answer:?}");
    // The network has two edges, two links with traffic, and three nodes, of which one is in the middle.
    let map = map(&outcome);
    assert_eq!((map.edges.len(), map.loads.len(), map.names.len()), (2, 2, 3));
    assert!(map.loads[0].title.starts_with("b -> c: ") && map.loads[0].share <= map.loads[1].share, "{map:?}");
    let radius = |node: usize| map.positions[node].map(|(x, y)| x.hypot(y)).unwrap();
    assert!((radius(1) - 0.7).abs() < 1e-9 && (radius(0) - 1.0).abs() < 1e-9, "{map:?}");
    // The link of 1 Mb/s has an offered load far above that, and is fully used.
    let links = listing(&section(&outcome, "Load of links")[2]);
    assert_eq!((links.value(0, 0), links.value(0, 2)), (Value::Text("a".to_owned()), Value::Number(Some(1.0))));
    let (Value::Number(Some(offered)), Value::Number(Some(carried))) = (links.value(0, 3), links.value(0, 4)) else {
        panic!("{links:?}")
    };
    assert!(offered >= carried && (0.5..=1.0).contains(&carried), "{offered} {carried}");
    assert_eq!(plot(&outcome, "Throughput over time").lines[0].name, "fluids, sent");
    assert_eq!(plot(&outcome, "Windows over time").labels[1], "window in packets");
    let names: Vec<_> = outcome.tables.iter().map(|table| table.name()).collect();
    assert_eq!(names, ["queues", "flows", "queue_series", "flow_series"]);
    assert_eq!(outcome.values["size"]["hops"], 2);
}

#[test]
fn many_flows_are_told_by_quantiles_and_packets_by_their_delays() {
    let outcome = run(&format!(
        "{THREE}gravity = 1e6\npackets = true\ndemanded = 'tcp'\nsession_rate = 1e4\n[run]\nhorizon = 2.0\n"
    ));
    // Six pairs of three nodes send, as many as a plot has lines.
    assert!(plot(&outcome, "Windows over time").lines.iter().all(|line| line.name.ends_with(", packets")));
    let delays = plot(&outcome, "Delays of packets");
    let names: Vec<_> = delays.lines.iter().map(|line| line.name.as_str()).collect();
    assert!(names[0] == "all packets" && names[1].contains(" -> ") && names.len() == 6, "{names:?}");
    assert!(delays.lines.iter().all(|line| line.points.is_sorted_by_key(|point| point.y)), "{delays:?}");
    let packets = listing(&section(&outcome, "Delays of packets")[2]);
    assert!(packets.columns().iter().any(|(name, _)| name == "99 % ms") && packets.all == 6);
    assert!(outcome.notes[0].contains("within 0.8 % of the delays"), "{:?}", outcome.notes);
    assert_eq!(outcome.tables.len(), tables::NAMES.len());
}

#[test]
fn an_outcome_tells_what_there_is_not_to_see() {
    let flow = "[[traffic.flow]]\nfrom = 'c'\nto = 'b'\nkind = 'udp'\nrate = 1e5\n[run]\nengine = 'sequential'\nhorizon = 0.5\n";
    let outcome = run(&format!("{THREE}{flow}"));
    assert_eq!(plot(&outcome, "Windows over time"), &Plot::empty("No session of TCP was followed."));
    assert!(plot(&outcome, "Queues over time").caption.ends_with("was longer than nothing."));
}

/// A network alone is completed by assumptions, which what is given replaces.
#[test]
fn a_network_alone_is_the_value_of_its_key() {
    let graph = "<graphml><key id='w' for='edge' attr.name='bandwidth'/><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'><data key='w'>2</data></edge></graph></graphml>";
    let with = |unit: Setting, more: &[(&str, Setting)]| {
        prepared(graph, "net.graphml", &[&[("topology.unit", unit)], more].concat())
    };
    let sequential = || ("run.engine", "sequential".into());
    let bandwidth = |unit: Setting| {
        let mut experiment = with(unit, &[sequential(), ("run.horizon", 0.1.into())]).unwrap();
        let outcome = experiment.run(None, Detail::Printed, &mut |_| ControlFlow::Continue(())).unwrap();
        (outcome.values["queues"][0]["bandwidth"].as_u64(), outcome.facts)
    };
    let (by_name, facts) = bandwidth("Mbps".into());
    assert_eq!((by_name, bandwidth(1e6.into()).0), (Some(2_000_000), Some(2_000_000)));
    let assumed: Vec<_> = facts.iter().filter(|(name, _)| name == "assumed").map(|(_, what)| what.as_str()).collect();
    assert!(assumed.iter().any(|what| what.contains("10 ms for the 1 of 1 edges")), "{assumed:?}");
    let error = |unit: &str, more: &[(&str, Setting)]| with(unit.into(), more).err().unwrap();
    assert!(error("Mparsec", &[]).starts_with("topology.unit: 'Mparsec' is not a unit"), "{}", error("Mparsec", &[]));
    let unused = error("Mbps", &[sequential(), ("topology.bandwidth", 1e9.into())]);
    assert!(unused.starts_with("topology.bandwidth: has no effect: no link takes it"), "{unused}");
    let step = error("Mbps", &[("run.scheme", "lock-step".into())]);
    assert_eq!(step, "run.scheme: has no effect: the engine `fluid` does not use it; leave it out");
}

/// A given value replaces the file's, also where the file gives another key for the same.
#[test]
fn what_is_given_replaces_what_contradicts_it() {
    let flow = "[[traffic.flow]]\nfrom = 'a'\nto = 'c'\n[run]\nengine = 'sequential'\nbatch = 2\nhorizon = 0.1\n";
    let text = format!("{THREE}{flow}");
    let mut experiment = prepared(&text, "t.toml", &[("topology.buffer_time", 0.1.into())]).unwrap();
    let outcome = experiment.run(None, Detail::Printed, &mut |_| ControlFlow::Continue(())).unwrap();
    // 0.1 s of 1 Mb/s are 12,500 bytes.
    assert_eq!(outcome.values["queues"][0]["capacity"], 12_500);
    let [warning] = &outcome.warnings[..] else { panic!("{:?}", outcome.warnings) };
    assert!(
        warning.ends_with("line 17: run.batch: has no effect: the engine `sequential` does not use it"),
        "{warning}"
    );
}

/// Two links of which one fails and one marks, and a session with ECN.
fn marked_and_failed(discipline: &str, failures: &str, horizon: u32) -> String {
    format!(
        "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = '200 packets'\ndiscipline = '{discipline}'
[[topology.link]]\nfrom = 'a'\nto = 'b'\n{failures}
[[traffic.flow]]\nfrom = 'a'\nto = 'b'\ntcp = 'cubic'\nsessions = 3\necn = true\n[run]\nhorizon = {horizon}\n"
    )
}

#[test]
fn tables_for_terminals_have_marks_and_failures_where_there_are_some() {
    let failure = "[[topology.failure]]\nfrom = 'a'\nto = 'b'\nstart = 2\nstop = 2.5\n";
    let columns = |text: &str| {
        let outcome = run(text);
        ["most loaded links", "packets of flow"].map(|heading| {
            let Content::Excerpt { columns, rows } = &section(&outcome, heading)[0].content else {
                panic!("{heading}")
            };
            let cell =
                |name: &str| columns.iter().position(|column| column == name).map(|place| rows[0][place].clone());
            assert!(rows.iter().all(|row| row.len() == columns.len()));
            ["marked", "failed"].map(cell)
        })
    };
    for cells in columns(&marked_and_failed("codel", failure, 4)).concat() {
        assert!(cells.as_ref().is_some_and(|cell| cell != "0"), "{cells:?}");
    }
    assert_eq!(columns(&marked_and_failed("drop-tail", "", 4)), [[None, None], [None, None]]);
}

#[test]
fn marks_and_failures_that_cannot_be_are_warnings() {
    let warnings = |text: &str| run(text).warnings;
    let failure = |start: u32| format!("[[topology.failure]]\nfrom = 'a'\nto = 'b'\nstart = {start}\n");
    let tail = warnings(&marked_and_failed("drop-tail", "", 1));
    assert_eq!(tail.len(), 1, "{tail:?}");
    assert!(tail[0].ends_with("traffic.flow[0].ecn: has no effect: every queue is drop-tail, which marks no packets"));
    assert_eq!(warnings(&marked_and_failed("codel", &failure(0), 1)), Vec::<String>::new());
    let late = warnings(&marked_and_failed("codel", &(failure(1) + &failure(5)), 1));
    assert!(
        late.len() == 1
            && late[0].ends_with("topology.failure: has no effect: the run ends at 1 s, before any link fails")
    );
    let some = warnings(&marked_and_failed("codel", &(failure(0) + &failure(1)), 1));
    assert_eq!(some, ["1 of 2 failures begin when the run is over, at 1 s"]);
    let ecn = |discipline: &str| {
        prepared(&marked_and_failed(discipline, "", 1), "t.toml", &[("packets.ecn", true.into())])
            .map(|_| ())
            .unwrap_err()
    };
    assert!(ecn("drop-tail").contains("packets.ecn: has no effect: every queue is drop-tail"), "{}", ecn("drop-tail"));
    assert!(ecn("codel").contains("packets.ecn: has no effect: no flow takes it"), "{}", ecn("codel"));
}
