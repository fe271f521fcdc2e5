//! Differences between configurations, for people and programs.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::estimate::Confidence;
use imminent::models::output::Comparison;
use serde::Serialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Results of one configuration.
#[derive(Serialize)]
pub(super) struct Simulated {
    pub(super) file: String,
    /// Digest of the results.
    pub(super) digest: String,
    /// Statistics as the JSON object of `run` has them.
    pub(super) stats: Json,
    /// Values of each measure, replication by replication.
    #[serde(skip)]
    pub(super) values: BTreeMap<String, Vec<Option<f64>>>,
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// Differences between one configuration and the first, by the names of measures.
#[derive(Serialize)]
struct Difference {
    first: String,
    second: String,
    measures: BTreeMap<String, Comparison>,
}

/// Results of all configurations.
#[derive(Serialize)]
pub(super) struct Compared {
    seed: u64,
    replications: u64,
    confidence: Confidence,
    configurations: Vec<Simulated>,
    comparisons: Vec<Difference>,
}

impl Compared {
    /// Compares each configuration with the first.
    pub(super) fn new(
        (seed, replications): (u64, u64),
        confidence: Confidence,
        configurations: Vec<Simulated>,
    ) -> Self {
        let difference = |first: &Simulated, second: &Simulated| {
            let measures =
                first.values.iter().filter_map(|(name, values)| Some((name, values, second.values.get(name)?)));
            let measures =
                measures.map(|(name, first, second)| (name.clone(), paired(first, second, confidence))).collect();
            Difference { first: first.file.clone(), second: second.file.clone(), measures }
        };
        let first = configurations.first();
        let comparisons =
            first.map(|first| configurations.iter().skip(1).map(|other| difference(first, other)).collect());
        Self { seed, replications, confidence, comparisons: comparisons.unwrap_or_default(), configurations }
    }
}

/// Compares two configurations by the replications in which both have a value.
fn paired(first: &[Option<f64>], second: &[Option<f64>], confidence: Confidence) -> Comparison {
    let both = first.iter().zip(second).filter_map(|(first, second)| Some((*first.as_ref()?, *second.as_ref()?)));
    let (first, second): (Vec<f64>, Vec<f64>) = both.unzip();
    Comparison::at(&first, &second, confidence)
}

/// Writes the differences for people.
pub(super) fn text(compared: &Compared) -> String {
    let mut text =
        format!("{} replications of each on common random numbers (seed {})\n", compared.replications, compared.seed);
    let interval = format!("{} interval", compared.confidence);
    for difference in &compared.comparisons {
        let _ = writeln!(text, "\nfirst:  {}\nsecond: {}", difference.first, difference.second);
        let mut table = Table::new();
        let names =
            ["statistic", "first", "second", "second - first", &interval, "differ?", "correlation", "variance ratio"];
        table.load_style(UTF8_FULL_CONDENSED).set_header(names);
        for (name, comparison) in &difference.measures {
            let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.5}"));
            let half = comparison.difference.half_width().map_or_else(|| "–".to_owned(), |half| format!("± {half:.5}"));
            table.add_row([
                name.replace('_', " "),
                number(comparison.first.mean),
                number(comparison.second.mean),
                number(comparison.difference.mean),
                half,
                if comparison.differs() { "yes" } else { "not seen" }.to_owned(),
                comparison.correlation.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
                comparison.variance_ratio.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")),
            ]);
        }
        let _ = writeln!(text, "{table}");
    }
    text.push_str("variance ratio: the difference's variance on independent streams over the one here\n");
    for configuration in &compared.configurations {
        for note in &configuration.notes {
            let _ = writeln!(text, "note: {}: {note}", configuration.file);
        }
        for warning in &configuration.warnings {
            // A warning about a key begins with the file already.
            let file = if warning.starts_with(&configuration.file) { "" } else { &format!("{}: ", configuration.file) };
            let _ = writeln!(text, "warning: {file}{warning}");
        }
        let _ = writeln!(text, "digest {}  {}", configuration.digest, configuration.file);
    }
    text
}
