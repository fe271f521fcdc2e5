//! Differences between configurations, for people and programs.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::estimate::Estimate;
use imminent::models::output::Comparison;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Results of one configuration.
#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) file: String,
    /// Digest of the results, if the model has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) digest: Option<String>,
    pub(super) stats: BTreeMap<String, Estimate>,
    pub(super) warnings: Vec<String>,
}

/// Differences between one configuration and the first, by the names of measures.
#[derive(Serialize)]
pub(super) struct Difference {
    pub(super) first: String,
    pub(super) second: String,
    pub(super) measures: BTreeMap<String, Comparison>,
}

/// Results of all configurations.
#[derive(Serialize)]
pub(super) struct Compared {
    pub(super) seed: u64,
    pub(super) replications: u64,
    pub(super) configurations: Vec<Configuration>,
    pub(super) comparisons: Vec<Difference>,
}

/// Writes the differences for people.
pub(super) fn text(compared: &Compared) -> String {
    let mut text =
        format!("{} replications of each on common random numbers (seed {})\n", compared.replications, compared.seed);
    for difference in &compared.comparisons {
        let _ = writeln!(text, "\nfirst:  {}\nsecond: {}", difference.first, difference.second);
        let mut table = Table::new();
        let names = [
            "statistic",
            "first",
            "second",
            "second - first",
            "95 % interval",
            "differ?",
            "correlation",
            "variance ratio",
        ];
        table.load_style(UTF8_FULL_CONDENSED).set_header(names);
        for (name, comparison) in &difference.measures {
            let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.5}"));
            let ci95 = comparison.difference.ci95.map_or_else(|| "–".to_owned(), |half| format!("± {half:.5}"));
            table.add_row([
                name.replace('_', " "),
                number(comparison.first.mean),
                number(comparison.second.mean),
                number(comparison.difference.mean),
                ci95,
                if comparison.differs() { "yes" } else { "not seen" }.to_owned(),
                comparison.correlation.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
                comparison.variance_ratio.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")),
            ]);
        }
        let _ = writeln!(text, "{table}");
    }
    text.push_str("variance ratio: the difference's variance on independent streams over the one here\n");
    for configuration in &compared.configurations {
        for warning in &configuration.warnings {
            // A warning about a key begins with the file already.
            let file = if warning.starts_with(&configuration.file) { "" } else { &format!("{}: ", configuration.file) };
            let _ = writeln!(text, "warning: {file}{warning}");
        }
        if let Some(digest) = &configuration.digest {
            let _ = writeln!(text, "digest {digest}  {}", configuration.file);
        }
    }
    text
}
