#![allow(clippy::unwrap_used)]

use super::*;
use imminent::models::queueing::analysis::ClassFindings;
use imminent::models::queueing::config::NetworkConfig;
use imminent::models::queueing::experiment::Timed;
use imminent::models::queueing::report::{Provenance, Report, Spending, TimesReport, of_classes};
use imminent::models::queueing::sequential;
use imminent::models::queueing::trace::{Counter, replay};
use roxmltree::{Document, Node, ParsingOptions};
use std::convert::Infallible;

fn finished(text: &str) -> (Finished<NetworkConfig>, Experiment) {
    let config = NetworkConfig::from_toml(text, "net.toml").unwrap();
    let experiment = config.experiment().unwrap();
    let findings = experiment.run(|s| Ok::<_, Infallible>(Timed::measure(|| sequential::simulate(s))), drop).unwrap();
    let mut counter = Counter::new(&experiment, &findings);
    replay(&experiment, &findings, |replication, _, visit| counter.add(replication, visit)).unwrap();
    let times = counter.finish();
    let provenance = Provenance { model: "network", backend: "none", device: "<a> & \"b\"", engine: "sequential" };
    let mut report = Report::new(&provenance, config, &experiment, &findings, Spending::default());
    report.times = Some(TimesReport::of(&times, findings.tick));
    (
        Finished { report, findings, times: Some(times), classes: None, end_to_end: None, why: None, memory: None },
        experiment,
    )
}

const NETWORK: &str = "[network]\nlinks = [['a<&\"', 'b'], ['b', 'c']]\n[run]\nhorizon = 2000\n";

fn elements<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

fn parse(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let (finished, experiment) = finished(&format!("{NETWORK}batches = 20\nwarm_up = 100\n"));
    let page = page(&finished, &experiment).unwrap();
    let document = parse(&page);
    // Two plots of convergence, two histograms and two maps; no reference to anything outside.
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
    assert!(text("td", &finished.report.digest.to_string()) && text("td", "<a> & \"b\"") && text("td", "a<&\""));
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
    let (finished, experiment) = finished(&format!("{NETWORK}until_count = 1000000\n"));
    let page = page(&finished, &experiment).unwrap();
    let document = parse(&page);
    let warning = elements(&document, "p").find(|p| p.attribute("class") == Some("warning")).unwrap();
    assert!(warning.text().unwrap().contains("before 1000000 services"));
}

#[test]
fn a_run_without_a_series_says_what_would_give_one() {
    let (finished, experiment) = finished(NETWORK);
    let page = page(&finished, &experiment).unwrap();
    assert!(parse(&page).descendants().any(|node| node.text().is_some_and(|text| text.contains("--observations"))));
}

#[test]
fn convergence_is_over_replications_where_there_is_no_time() {
    let (finished, _) = finished(&format!("{NETWORK}replications = 6\n"));
    let figure = convergence::figure(&finished.findings, Measure::Sojourn).unwrap();
    assert!(figure.contains("from the first replications") && parse(&figure).root_element().has_children());
}

#[test]
fn classes_have_tables_of_their_own() {
    let network = "[network]\nclasses = ['a', 'b']\nmean = 1.0\nedges = [['x', 'y'], ['y', 'x']]\ntokens = 2\n[[network.node]]\nname = 'x'\ntokens = { a = 2, b = 3 }\n[run]\nhorizon = 500\n";
    let (mut finished, experiment) = finished(network);
    let classes = ClassFindings::of(&experiment, &finished.findings).unwrap();
    finished.report.classes = Some(of_classes(&experiment.network, &classes));
    finished.classes = Some(classes);
    let page = page(&finished, &experiment).unwrap();
    let document = parse(&page);
    let headings = elements(&document, "h3").filter_map(|node| node.text()).collect::<Vec<_>>();
    assert_eq!(headings, ["a at the average station", "b at the average station"]);
    let tables = elements(&document, "table").filter(|table| table.attribute("class") == Some("sortable"));
    let rows = tables.map(|table| table.descendants().filter(|node| node.tag_name().name() == "tr").count());
    assert_eq!(rows.collect::<Vec<_>>(), [1 + 2, 1 + 4]);
}
