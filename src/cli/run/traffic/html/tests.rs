#![allow(clippy::unwrap_used)]

use super::super::engine::{Ground, begin};
use super::super::record::{Plan, carry_out};
use super::super::report::Ran;
use super::*;
use crate::cli::selection::DeviceArgs;
use imminent::models::traffic::TrafficConfig;
use roxmltree::{Document, Node, ParsingOptions};
use std::time::Duration;

/// The page of a run of two seconds, by an engine of the host.
fn page_of(text: &str) -> String {
    let config = TrafficConfig::from_toml(text, "t.toml").unwrap();
    let traffic = config.traffic().unwrap();
    let engine = config.engine(&traffic).unwrap();
    let device = DeviceArgs { backend: "cpu".to_owned(), device: None, device_options: vec![], opened: None };
    let Ok((mut simulation, ground)) = begin(engine, &config, &traffic, &device) else { panic!("a valid run") };
    let plan = Plan::new(config.run.times().unwrap(), simulation.quantum(), &traffic);
    let seen = carry_out(simulation.as_mut(), &traffic, plan, 100).unwrap();
    let rows = Rows::of(&traffic, &seen);
    let assumed = vec!["<much>".to_owned()];
    let ran = Ran { engine, config, assumed, traffic: &traffic, set_up: Duration::ZERO, warnings: vec![] };
    let report = Report::new(ran, Ground { device: None, ..ground }, plan, &seen, &rows);
    page(&report, &traffic, &rows, &seen).unwrap()
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
    // Lengths, windows, and the map; no reference to anything outside.
    assert_eq!(elements(&document, "svg").count(), 3);
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        assert!(!["src", "href"].contains(&attribute.name()), "{attribute:?}");
    }
    assert!(!page.contains("url(") && !page.contains("@import") && page.contains("&lt;much&gt;"));
    let text = |name: &str, words: &str| {
        elements(&document, name).any(|node| node.text().is_some_and(|text| text.contains(words)))
    };
    assert!(text("td", "a<&\" -> b") && text("th", "round trip") && text("text", "window in packets"));
    // Two edges, the two links that carry something, and three nodes are drawn.
    let map = elements(&document, "svg").last().unwrap();
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
        elements(&document, "text").any(|node| node.text() == Some("50 % of flows are below"))
            || page.contains("flow 0, packets")
    );
    assert!(elements(&document, "th").any(|node| node.text() == Some("p99 delay")));
}

#[test]
fn what_was_not_seen_is_said() {
    let page = page_of(&format!(
        "{THREE}[[traffic.flow]]\nfrom = 'c'\nto = 'b'\nkind = 'udp'\nrate = 1e5\n[run]\nengine = 'sequential'\nhorizon = 0.5\n"
    ));
    assert!(page.contains("No session of TCP was followed") && page.contains("was longer than nothing"), "{page}");
}
