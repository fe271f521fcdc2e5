#![allow(clippy::unwrap_used)]

use super::super::report::Carried;
use super::*;
use imminent::models::study::Finished;
use imminent::models::study::definition::{Axis, Definition, Method, Sample, Spacing};
use imminent::models::study::description::{Description, Measure, Parameter};
use roxmltree::{Document, Node, ParsingOptions};
use std::time::Duration;

fn study() -> Study {
    let description = Description::new("m", "1", "A <model>.")
        .parameter(Parameter::number("y", "", 0.0..=100.0, "The third."))
        .parameter(Parameter::choice("kind", ["a<b", "c"], "The second."))
        .parameter(Parameter::number("x", "m/s", 0.0..=1.0, "The \"first\"."))
        .measure(Measure::new("wait", "s", "How long."))
        .measure(Measure::new("never", "", "Nothing."));
    let sample = Sample::new(Method::LatinHypercube, 20).over("y", 0.1, 100.0, Spacing::Log);
    let definition = Definition::new("m")
        .repetitions(3)
        .axis(Axis::values("x", [0.25, 0.5]))
        .axis(Axis::values("kind", ["a<b", "c"]))
        .sample(sample);
    definition.plan(description).unwrap()
}

fn results(study: &Study, runs: u64) -> Results {
    let mut results = Results::new(study).unwrap();
    for run in study.select(0..runs).iter() {
        let wait = run.point.number_of("x").unwrap() + f64::from(run.repetition);
        results.insert(&Finished { run: run.number, events: 2, values: vec![Some(wait), None] }).unwrap();
    }
    results
}

fn page_of(study: &Study, results: &Results) -> String {
    let report = Report::new(study, results, &Carried::default(), Duration::from_secs(1), 0);
    page(&report, study, results).unwrap()
}

fn parse(page: &str) -> Document<'_> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() }).unwrap()
}

fn elements<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

#[test]
fn the_page_is_well_formed_and_needs_nothing_else() {
    let study = study();
    let page = page_of(&study, &results(&study, study.runs()));
    let document = parse(&page);
    // Main effects of three parameters and interactions of three pairs; nothing for measures without values.
    assert_eq!(elements(&document, "svg").count(), 6);
    for attribute in document.descendants().flat_map(|node| node.attributes()) {
        assert!(!["src", "href"].contains(&attribute.name()), "{attribute:?}");
    }
    assert!(!page.contains("url(") && !page.contains("#000000") && page.contains("currentColor"));
    let text = |name: &str, words: &str| {
        elements(&document, name).any(|node| node.text().is_some_and(|text| text.contains(words)))
    };
    assert!(text("td", "A <model>.") && text("td", "The \"first\".") && text("p", "No run has a value of never"));
    assert!(text("text", "a<b") && text("text", "x in m/s") && text("text", "logarithmic"), "names and units on axes");
    assert!(!text("p", "runs are finished"));
    // Each mean is that of forty points.
    let tied = "from 1.25 (x = 0.25, kind = a<b, y = ";
    assert!(text("td", tied) && text("td", "; 38 more points) to 1.50 (x = 0.5"), "{page}");
    // Axes come before samples, and both before measures.
    let heads = elements(&document, "th").filter_map(|node| node.text());
    let heads: Vec<_> = heads.filter(|head| ["x", "kind", "y", "measure"].contains(head)).collect();
    assert!(heads.ends_with(&["x", "kind", "y", "measure"]), "{heads:?}");
    // 80 points with two measures each.
    let table = elements(&document, "table").find(|table| table.attribute("class") == Some("sortable")).unwrap();
    assert_eq!(table.descendants().filter(|node| node.tag_name().name() == "tr").count(), 1 + 160);
}

#[test]
fn what_is_missing_is_said() {
    let study = study();
    let page = page_of(&study, &results(&study, 10));
    let document = parse(&page);
    let warning = elements(&document, "p").find(|p| p.attribute("class") == Some("warning")).unwrap();
    assert!(warning.text().unwrap().contains("10 of 240 runs are finished"));
    // Events are counted beside runs, and are no share of them.
    assert!(page.contains("<td>20 in 10 finished runs</td>"), "{page}");
    // Nothing at all is no error either.
    assert!(page_of(&study, &results(&study, 0)).contains("0 of 240"));
}
