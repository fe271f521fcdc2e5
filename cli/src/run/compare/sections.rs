//! Differences between configurations, for people and as a table for files.

use super::super::trials::{TrialArgs, shown};
use super::told::{Compared, Configuration, Difference};
use imminent::models::answer::Answer;
use imminent::models::estimate::Estimate;
use imminent::models::sheet::{Kind, Value};
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Listing, Section};
use imminent_console::Failure;
use imminent_report::digits::{or_dash, with_interval};

/// Name of the table for files.
pub(super) const TABLE: &str = "comparison";

/// Returns the results for people, with the table of all measures for files.
pub(super) fn outcome(compared: &Compared, args: &TrialArgs) -> Result<Outcome, Failure> {
    let shown = shown(&compared.names, args)?;
    let facts = vec![
        ("replications".to_owned(), format!("{} of each on common random numbers", compared.replications)),
        ("seed".to_owned(), compared.seed.to_string()),
        ("compared with".to_owned(), reference(compared).map_or_else(String::new, |first| first.file.clone())),
    ];
    let mut sections = vec![];
    let mut add = |heading: &str, content: Content| sections.push(Section::new(heading, content));
    match compared.comparisons.as_slice() {
        [pair] => {
            add("The difference", Content::Text(format!("first:  {}\nsecond: {}", pair.first, pair.second)));
            add("The difference", of_pair(compared, pair, &shown));
        }
        _ => {
            add("Side by side", side_by_side(compared, &shown));
            add("Differences", differences(compared, &shown));
            add("Differences", Content::Text(together(compared)));
        }
    }
    let has_pair = compared.comparisons.len() == 1;
    let ratio = "variance ratio: the difference's variance on independent streams over the one here";
    sections.extend(has_pair.then(|| Section::new("The difference", Content::Text(ratio.to_owned()))));
    let of_each = |texts: fn(&Configuration) -> &Vec<String>| {
        let named = |of: &Configuration| texts(of).iter().map(|text| named(of, text)).collect::<Vec<_>>();
        compared.configurations.iter().flat_map(named).collect::<Vec<_>>()
    };
    let digest = |of: &Configuration| format!("{}  {}", of.digest, of.file);
    Ok(Outcome {
        title: format!("Comparison of {} configurations", compared.configurations.len()),
        answer: Some(answer(compared, &shown)),
        facts,
        sections,
        notes: of_each(|of| &of.notes),
        warnings: of_each(|of| &of.warnings),
        digest: compared.configurations.iter().map(digest).collect::<Vec<_>>().join("; "),
        tables: vec![table(compared).named(TABLE)],
        ..Outcome::default()
    })
}

/// Puts the name of a configuration before a text, unless the text begins with it.
fn named(of: &Configuration, text: &str) -> String {
    // A warning about a key begins with the file already.
    if text.starts_with(&of.file) { text.to_owned() } else { format!("{}: {text}", of.file) }
}

/// Returns the configuration with which the others are compared.
fn reference(compared: &Compared) -> Option<&Configuration> {
    compared.configurations.get(compared.against)
}

/// Says which intervals hold together.
fn together(compared: &Compared) -> String {
    let Compared { together, confidence, .. } = compared;
    format!(
        "the intervals of one measure cover all its differences together with a probability of {confidence} ({together} comparisons, Bonferroni); * marks those without 0"
    )
}

fn answer(compared: &Compared, shown: &[String]) -> Answer {
    let first = reference(compared).map_or("", |first| &first.file);
    let differ = |of: &Difference| {
        let differs = |name: &&String| of.measures.get(*name).is_some_and(|comparison| comparison.differs());
        let differing: Vec<_> = shown.iter().filter(differs).map(|name| name.replace('_', " ")).collect();
        if differing.is_empty() {
            format!("{}: no measure is seen to differ.", of.second)
        } else {
            format!("{}: {}.", of.second, differing.join(", "))
        }
    };
    Answer {
        question: format!("In which measures do the configurations differ from {first}?"),
        results: compared.comparisons.iter().map(differ).collect(),
        certainty: format!(
            "Pairs of {} replications on common random numbers. The intervals of one measure hold for all configurations together, with a probability of {}.",
            compared.replications, compared.confidence
        ),
    }
}

/// Returns all that is known of the difference of two configurations.
fn of_pair(compared: &Compared, pair: &Difference, shown: &[String]) -> Content {
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.5}"));
    let row = |name: &String| {
        let comparison = pair.measures.get(name)?;
        let half = comparison.difference.half_width().map_or_else(|| "–".to_owned(), |half| format!("± {half:.5}"));
        Some(vec![
            name.replace('_', " "),
            number(comparison.first.mean),
            number(comparison.second.mean),
            number(comparison.difference.mean),
            half,
            if comparison.differs() { "yes" } else { "not seen" }.to_owned(),
            comparison.correlation.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
            comparison.variance_ratio.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")),
        ])
    };
    let interval = format!("{} interval", compared.confidence);
    let columns =
        ["statistic", "first", "second", "second - first", &interval, "differ?", "correlation", "variance ratio"];
    Content::Table { columns: columns.map(str::to_owned).to_vec(), rows: shown.iter().filter_map(row).collect() }
}

/// Returns the means of the measures, with a column for each configuration.
fn side_by_side(compared: &Compared, shown: &[String]) -> Content {
    let mut columns = vec!["mean".to_owned()];
    columns.extend(compared.configurations.iter().map(|of| of.file.clone()));
    let row = |name: &String| {
        let mut row = vec![name.replace('_', " ")];
        let estimate = |of: &Configuration| with_interval(&of.replications.estimate(name, compared.confidence));
        row.extend(compared.configurations.iter().map(estimate));
        row
    };
    Content::Table { columns, rows: shown.iter().map(row).collect() }
}

/// Returns the differences of the measures, with a column for each configuration but the reference.
fn differences(compared: &Compared, shown: &[String]) -> Content {
    let first = reference(compared).map_or("", |first| &first.file);
    let mut columns = vec![format!("less {first}")];
    columns.extend(compared.comparisons.iter().map(|of| of.second.clone()));
    let cell = |of: &Difference, name: &String| {
        let comparison = of.measures.get(name)?;
        let mark = if comparison.differs() { " *" } else { "" };
        Some(format!("{}{mark}", signed(&comparison.simultaneous)))
    };
    let row = |name: &String| {
        let mut row = vec![name.replace('_', " ")];
        row.extend(compared.comparisons.iter().map(|of| cell(of, name).unwrap_or_else(|| or_dash(None))));
        row
    };
    Content::Table { columns, rows: shown.iter().map(row).collect() }
}

/// Returns a difference with its interval and a sign.
fn signed(estimate: &Estimate) -> String {
    let text = with_interval(estimate);
    if estimate.mean.is_some_and(|mean| mean > 0.0) { format!("+{text}") } else { text }
}

/// Returns the table of all measures of all configurations.
fn table(compared: &Compared) -> Listing {
    let key = compared.confidence.key();
    let columns = [
        ("configuration".to_owned(), Kind::Text),
        ("measure".to_owned(), Kind::Text),
        ("mean".to_owned(), Kind::Number),
        (format!("mean_{key}"), Kind::Number),
        ("difference".to_owned(), Kind::Number),
        (format!("difference_{key}"), Kind::Number),
        (format!("simultaneous_{key}"), Kind::Number),
        ("correlation".to_owned(), Kind::Number),
        ("variance_ratio".to_owned(), Kind::Number),
    ];
    let row = |of: &Configuration, name: &String| {
        let estimate = of.replications.estimate(name, compared.confidence);
        let comparison = compared.comparisons.iter().find(|other| other.second == of.file);
        let comparison = comparison.and_then(|other| other.measures.get(name));
        let numbers = [
            estimate.mean,
            estimate.half_width(),
            comparison.and_then(|of| of.difference.mean),
            comparison.and_then(|of| of.difference.half_width()),
            comparison.and_then(|of| of.simultaneous.half_width()),
            comparison.and_then(|of| of.correlation),
            comparison.and_then(|of| of.variance_ratio),
        ];
        let names = [Value::Text(of.file.clone()), Value::Text(name.clone())];
        names.into_iter().chain(numbers.map(Value::Number)).collect()
    };
    let rows: Vec<Vec<Value>> =
        compared.configurations.iter().flat_map(|of| compared.names.iter().map(move |name| row(of, name))).collect();
    let all = rows.len();
    Listing { columns: columns.map(|(name, kind)| (name, kind, false)).to_vec(), rows, all, ..Listing::default() }
}
