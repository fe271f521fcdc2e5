#![allow(clippy::unwrap_used)]

use super::*;
use crate::run::model::place::Before;
use imminent::models::catalogue;
use imminent::models::study::Configuration;
use imminent::models::study::experiment::{Detail, Given};
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
    let configuration = Configuration::read(&**model, Some(&file)).unwrap();
    let given = options.iter().fold(Given::default(), |given, option| given.with(option, ""));
    let mut experiment = model.experiments().unwrap().prepare(&configuration, &given).unwrap();
    let outcome = experiment.run(None, Detail::Full, &mut |_| ControlFlow::Continue(())).unwrap();
    let (backend, device) = ("none".to_owned(), "<a> & \"b\"".to_owned());
    let place = Place { backend, device, why: None, memory: None, before: Before::default() };
    (outcome.digest.clone(), page(&outcome, &place).unwrap())
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
    // The table of nodes has a row for each node.
    let sortable = elements(&document, "table").find(|table| table.attribute("class") == Some("sortable")).unwrap();
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
    assert!(headings.ends_with(&["Classes", "Class a at the average station", "Class b at the average station"]));
    let tables = elements(&document, "table").filter(|table| table.attribute("class") == Some("sortable"));
    let rows = tables.map(|table| table.descendants().filter(|node| node.tag_name().name() == "tr").count());
    assert_eq!(rows.collect::<Vec<_>>(), [1 + 2, 1 + 4]);
}
