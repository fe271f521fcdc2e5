#![allow(clippy::unwrap_used)]

use super::super::report::{Ground, Ran};
use super::*;
use imminent::models::traffic::TrafficConfig;
use imminent::models::traffic::simulation::Setup;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::ControlFlow;
use std::time::Duration;

/// Returns the page of a run of two seconds on an engine of the host.
fn page_of(text: &str) -> String {
    let config = TrafficConfig::from_toml(text, "t.toml").unwrap();
    let traffic = config.traffic().unwrap();
    let setup = Setup::new(&config, &traffic).unwrap();
    let (engine, step, simulation) = (setup.engine(), setup.step(), setup.begin(None).unwrap());
    let schedule = simulation.schedule();
    let record = simulation.run(100, &mut |_| ControlFlow::Continue(())).unwrap();
    let rows = Results::of(&traffic, &record);
    let assumed = vec!["<much>".to_owned()];
    let ran =
        Ran { engine, config: config.clone(), assumed, traffic: &traffic, set_up: Duration::ZERO, warnings: vec![] };
    let report = Report::new(ran, Ground { device: None, step }, schedule, &record, &rows);
    page(&report, &traffic, &rows, &record).unwrap()
}

fn parse(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

fn elements<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

const THREE: &str = "[topology]\nbandwidth = 1e6\ndelay = 0.01\nbuffer = 20000
[[topology.link]]\nfrom = 'a<&\"'\nto = 'b'\n[[topology.link]]\nfrom = 'b'\nto = 'c'\n[traffic]\n";

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let flows =
        "[[traffic.flow]]\nfrom = 'a<&\"'\nto = 'c'\nsessions = 2\n[run]\nengine = 'sequential'\nhorizon = 2.0\n";
    let page = page_of(&format!("{THREE}{flows}"));
    let document = parse(&page);
    // Four figures: the map, throughput, lengths and windows. The page has no reference to anything outside.
    assert_eq!(elements(&document, "svg").count(), 4);
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        assert!(!["src", "href"].contains(&attribute.name()), "{attribute:?}");
    }
    assert!(!page.contains("url(") && !page.contains("@import") && page.contains("&lt;much&gt;"));
    let text = |name: &str, words: &str| {
        elements(&document, name).any(|node| node.text().is_some_and(|text| text.contains(words)))
    };
    assert!(
        text("td", "The busiest link is a<&\" -> b: ")
            && text("th", "round trip ms")
            && text("text", "window in packets")
    );
    assert!(text("th", "offered Mb/s") && text("th", "carried Mb/s") && text("text", "fluids, sent"));
    // Links have the names of their ends, the most loaded first. The link of 1 Mb/s has an offered load far above that,
    // and is fully used.
    let links = elements(&document, "tbody").nth(2).unwrap();
    let cells =
        |row: Node<'_, '_>| row.children().filter_map(|cell| cell.text().map(str::to_owned)).collect::<Vec<_>>();
    let first = cells(links.children().find(|node| node.tag_name().name() == "tr").unwrap());
    assert_eq!((first[0].as_str(), first[1].as_str(), first[2].as_str()), ("a<&\"", "b", "1.00"), "{first:?}");
    assert!(first[3].parse::<f64>().unwrap() >= first[4].parse::<f64>().unwrap(), "{first:?}");
    assert!((0.5..=1.0).contains(&first[4].parse::<f64>().unwrap()), "{first:?}");
    // The map has two edges, two links with traffic, and three nodes.
    let map = elements(&document, "svg").next().unwrap();
    let count = |name: &str| map.children().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((count("line"), count("circle")), (2 + 2, 3));
    assert!(map.descendants().any(|node| node.text().is_some_and(|text| text.starts_with("b -> c: "))));
}

#[test]
fn many_flows_are_shown_by_quantiles_and_packets_by_their_delays() {
    let page = page_of(&format!(
        "{THREE}gravity = 1e6\npackets = true\ndemanded = 'tcp'\nsession_rate = 1e4\n[run]\nhorizon = 2.0\n"
    ));
    let document = parse(&page);
    assert!(
        elements(&document, "text")
            .any(|node| node.text().is_some_and(|text| text.trim() == "50 % of flows are below"))
            || elements(&document, "text")
                .any(|node| node.text().is_some_and(|text| text.trim().ends_with(", packets")))
    );
    assert!(elements(&document, "th").any(|node| node.text() == Some("99 % ms")));
    assert!(elements(&document, "text").any(|node| node.text().is_some_and(|text| text.trim() == "all packets")));
    assert!(elements(&document, "text").any(|node| node.text().is_some_and(|text| text.contains(" -> "))));
    assert!(page.contains("within 0.8 % of the delays"));
}

#[test]
fn what_was_not_seen_is_said() {
    let page = page_of(&format!(
        "{THREE}[[traffic.flow]]\nfrom = 'c'\nto = 'b'\nkind = 'udp'\nrate = 1e5\n[run]\nengine = 'sequential'\nhorizon = 0.5\n"
    ));
    assert!(page.contains("No session of TCP was followed") && page.contains("was longer than nothing"), "{page}");
}
