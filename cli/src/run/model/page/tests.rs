#![allow(clippy::unwrap_used)]

use super::*;
use crate::run::model::run_device::Before;
use imminent::models::catalogue;
use imminent::models::figure::{Line, LinkLoad, LinkMap, Plot};
use imminent::models::sheet::{Of, Records};
use imminent::models::study::Configuration;
use imminent::models::study::experiment::{Detail, OptionValues};
use imminent::models::study::outcome::Listing;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::ControlFlow;

const NETWORK: &str = "[network]\nlinks = [['a<&\"', 'b'], ['b', 'c']]\n[run]\nengine = 'sequential'\nhorizon = 2000\n";

/// Returns the digest and the page of a run of a network.
fn page_of(text: &str, options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    std::fs::write(&file, text).unwrap();
    let catalogue = catalogue();
    let model = catalogue.get("network").unwrap();
    let mut configuration = Configuration::read(&**model, Some(&file)).unwrap();
    let given = options.iter().fold(OptionValues::default(), |given, option| given.with(option, ""));
    let mut experiment = model.experiments().unwrap().prepare(&mut configuration, &given).unwrap();
    let outcome = experiment.run(None, Detail::Full, &mut |_| ControlFlow::Continue(())).unwrap();
    let (backend, device) = ("none".to_owned(), "<a> & \"b\"".to_owned());
    let run_device = RunDevice { backend, device, why: None, memory: None, before: Before::default() };
    (outcome.digest.clone(), page(&outcome, &run_device).unwrap())
}

fn elements<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

fn parse(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let (digest, page) = page_of(&format!("{NETWORK}batches = 20\nwarm_up = 100\n"), &["histogram"]);
    let document = parse(&page);
    // Two plots of convergence, two densities and two maps; no reference to anything outside.
    assert_eq!(elements(&document, "svg").count(), 6);
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        assert!(!["src", "href"].contains(&attribute.name()), "{attribute:?}");
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    // The page has both colour schemes, and plots in the page's text colour.
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("currentColor"));
    assert!(!page.contains("#000000") && !page.contains("#FFFFFF") && !page.contains("\"black\""));
    let text = |name: &str, words: &str| {
        elements(&document, name).any(|node| node.text().is_some_and(|text| text.contains(words)))
    };
    assert!(text("td", &digest) && text("td", "<a> & \"b\"") && text("td", "a<&\""));
    assert!(text("th", "utilization ±") && text("text", "sojourn"));
    // The first table is that of the whole network. The table of nodes has a row for each node.
    let mut sortable = elements(&document, "table").filter(|table| table.attribute("class") == Some("sortable"));
    let sortable = sortable.nth(1).unwrap();
    assert_eq!(sortable.descendants().filter(|node| node.tag_name().name() == "tr").count(), 1 + 3);
    // Each map has its nodes, and a legend with three numbers.
    let map = elements(&document, "svg").next().unwrap();
    assert_eq!(map.descendants().filter(|node| node.tag_name().name() == "circle").count(), 3);
    let marks = map.descendants().filter(|node| node.tag_name().name() == "text");
    assert_eq!(marks.filter(|mark| mark.text().unwrap().parse::<f64>().is_ok()).count(), 3);
}

#[test]
fn warnings_stand_on_the_page() {
    let (_, page) = page_of(&format!("{NETWORK}until_count = 1000000\n"), &[]);
    let document = parse(&page);
    let warning = elements(&document, "p").find(|p| p.attribute("class") == Some("warning")).unwrap();
    assert!(warning.text().unwrap().contains("before 1000000 services"));
}

#[test]
fn a_run_without_a_series_says_what_would_give_one() {
    let (_, page) = page_of(NETWORK, &[]);
    assert!(parse(&page).descendants().any(|node| node.text().is_some_and(|text| text.contains("--observations"))));
    let (_, page) = page_of(&format!("{NETWORK}replications = 6\n"), &[]);
    assert!(page.contains("from the first replications"));
}

#[test]
fn classes_have_tables_of_their_own() {
    let network = "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['x', 'y'], ['y', 'x']]\ntokens = 2\n[[network.node]]\nname = 'x'\ntokens = { a = 2, b = 3 }\n[run]\nhorizon = 500\nengine = 'sequential'\n";
    let (_, page) = page_of(network, &["by-class"]);
    let document = parse(&page);
    let headings = elements(&document, "h2").filter_map(|node| node.text()).collect::<Vec<_>>();
    assert!(headings.contains(&"The whole network") && headings.contains(&"Classes"), "{headings:?}");
    let tables = elements(&document, "table").filter(|table| table.attribute("class") == Some("sortable"));
    let rows = tables.map(|table| table.descendants().filter(|node| node.tag_name().name() == "tr").count());
    // The whole network and both classes; both nodes; each class at each node.
    assert_eq!(rows.collect::<Vec<_>>(), [1 + 3, 1 + 2, 1 + 4]);
}

/// Two nodes whose links in both directions carry traffic, and a third one whose link carries none.
#[test]
fn plots_maps_of_links_and_listings_are_drawn() {
    let map = LinkMap {
        positions: vec![Some((0.0, 0.0)), Some((1.0, 0.0)), Some((1.0, 2.0))],
        names: ["a<&\"", "b", "c"].map(str::to_owned).to_vec(),
        edges: vec![[0, 1], [1, 2]],
        loads: [[0, 1], [1, 0]].map(|ends| LinkLoad { ends, share: 0.5, title: "a<&\"".to_owned() }).to_vec(),
        caption: "Load < 1".to_owned(),
    };
    let line = |name: &str| Line::new(name.to_owned(), [(0.0, 1.0), (2.0, 3.0)]);
    let plot = Plot::new(vec![line("x & y"), line("z")], ["seconds", "Mb/s"], "Two lines");
    let numbers: Vec<f64> = (0..2001).map(f64::from).collect();
    let columns = [("number", Of::Number(|number: &f64| Some(*number)))];
    let listing = Listing::of_report(&Records { name: "numbers", columns: &columns, rows: &numbers });
    let sections = vec![
        Section::excerpt("terminal", [""], vec![["not in a report".to_owned()]]),
        Section::new("Map & more", Content::LinkMap(map)),
        Section::new("Map & more", Content::Plot(plot)),
        Section::new("Nothing", Content::Plot(Plot::empty("No lines"))),
        Section::new("Numbers", Content::Remark("Numbers < 2001".to_owned())),
        Section::new("Numbers", Content::Listing(listing)),
    ];
    let outcome = Outcome { title: "<Network>".to_owned(), sections, ..Outcome::default() };
    let (backend, device) = ("none".to_owned(), "host".to_owned());
    let page =
        page(&outcome, &RunDevice { backend, device, why: None, memory: None, before: Before::default() }).unwrap();
    let document = parse(&page);
    assert!(!page.contains("not in a report") && page.contains("<p>No lines</p>"));
    assert_eq!((elements(&document, "svg").count(), elements(&document, "h2").count()), (2, 3));
    let map = elements(&document, "svg").next().unwrap();
    let count = |name: &str| map.descendants().filter(|node| node.tag_name().name() == name).count();
    assert_eq!((count("line"), count("circle")), (2 + 2, 3));
    // 2,000 rows of numbers, of which the last is 1999.
    assert!(page.contains("The busiest 2000 of 2001 rows") && page.contains("Numbers &lt; 2001"));
    assert!(page.contains("<td>1999</td>") && !page.contains("<td>2000</td>"));
}
