//! Result of a search, for people, programs and files.

use super::super::trials::Trials;
use super::options::Goal;
use imminent::models::answer::Answer;
use imminent::models::estimate::{Confidence, Estimate};
use imminent::models::output::Selection;
use imminent::models::output::selection::{Ending, Limit, Rules, State};
use imminent::models::sheet::{Kind, Value};
use imminent::models::study::Outcome;
use imminent::models::study::outcome::{Content, Listing, Section};
use imminent_report::digits::with_interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// Name of the table for files.
pub(super) const TABLE: &str = "alternatives";

/// Limit of a measure.
#[derive(Serialize)]
struct Limited {
    measure: String,
    at_most: Option<f64>,
    at_least: Option<f64>,
    zone: f64,
}

/// Result of one alternative.
#[derive(Serialize)]
struct Alternative {
    name: String,
    set: BTreeMap<String, String>,
    replications: usize,
    /// `chosen`, `left`, `fails` or `beaten`.
    result: &'static str,
    /// Limit that it fails, or name of the alternative that is better.
    by: Option<String>,
    /// Replications after which that was known.
    after: Option<usize>,
    /// Means of the measure and of those with limits.
    means: BTreeMap<String, Estimate>,
}

/// Result of a search.
#[derive(Serialize)]
pub(super) struct Found {
    file: String,
    procedure: &'static str,
    seed: u64,
    /// Probability of a correct selection.
    confidence: Confidence,
    indifference: f64,
    first: usize,
    most: usize,
    measure: String,
    is_maximum: bool,
    limits: Vec<Limited>,
    /// Name of the chosen alternative, if there is one.
    chosen: Option<String>,
    replications: usize,
    alternatives: Vec<Alternative>,
}

/// Procedure, with its source.
const PROCEDURE: &str = "Andradóttir and Kim 2010, on common random numbers";

impl Found {
    pub(super) fn new(
        trials: &Trials,
        file: &str,
        values: &[Vec<(String, String)>],
        (goal, rules): (&Goal, &Rules),
        selection: &Selection,
    ) -> Self {
        let chosen = match selection.ending() {
            Ending::Chosen(one) => Some(one),
            Ending::None | Ending::Undecided(_) => None,
        };
        let estimate = |one: usize, place: usize, sign: f64| {
            trials.confidence.of(&selection.values(one, place).map(|value| sign * value).collect::<Vec<_>>())
        };
        let alternative = |(one, values): (usize, &Vec<(String, String)>)| {
            let state = selection.states().get(one).copied().unwrap_or(State::In { meets: false });
            let (result, by, after) = match state {
                _ if chosen == Some(one) => ("chosen", None, None),
                State::In { .. } => ("left", None, None),
                State::Fails { limit, after } => {
                    ("fails", goal.limits.get(limit).map(|(measure, _)| measure.clone()), Some(after))
                }
                State::Beaten { by, after } => ("beaten", Some(trials.name(by).to_owned()), Some(after)),
            };
            let sign = if goal.is_maximum { -1.0 } else { 1.0 };
            let mut means = BTreeMap::from([(goal.measure.clone(), estimate(one, 0, sign))]);
            for (place, (measure, _)) in goal.limits.iter().enumerate() {
                means.entry(measure.clone()).or_insert_with(|| estimate(one, place + 1, 1.0));
            }
            let replications = selection.replications(one);
            let (name, set) = (trials.name(one).to_owned(), values.iter().cloned().collect());
            Alternative { name, set, replications, result, by, after, means }
        };
        let limit = |(measure, limit): &(String, Limit)| {
            let value = |is: bool| is.then_some(limit.value);
            let (at_most, at_least) = (value(limit.is_upper), value(!limit.is_upper));
            Limited { measure: measure.clone(), at_most, at_least, zone: limit.tolerance }
        };
        let all = 0..trials.len();
        Self {
            file: file.to_owned(),
            procedure: PROCEDURE,
            seed: trials.seed,
            confidence: trials.confidence,
            indifference: rules.indifference,
            first: rules.first,
            most: rules.most,
            measure: goal.measure.clone(),
            is_maximum: goal.is_maximum,
            limits: goal.limits.iter().map(limit).collect(),
            chosen: chosen.map(|one| trials.name(one).to_owned()),
            replications: all.map(|one| selection.replications(one)).sum(),
            alternatives: values.iter().enumerate().map(alternative).collect(),
        }
    }

    /// Describes the limits.
    fn limits(&self) -> Vec<String> {
        let one = |of: &Limited| {
            let (word, value) = of.at_most.map_or(("at least", of.at_least), |value| ("at most", Some(value)));
            format!("{} {word} {} (either way within {})", of.measure, value.unwrap_or_default(), of.zone)
        };
        self.limits.iter().map(one).collect()
    }

    /// Returns the measures of the search in their order.
    fn measures(&self) -> Vec<&String> {
        let mut all = vec![&self.measure];
        for Limited { measure, .. } in &self.limits {
            if !all.contains(&measure) {
                all.push(measure);
            }
        }
        all
    }
}

/// Returns the result for people, with the table of alternatives for files.
pub(super) fn outcome(found: &Found) -> Outcome {
    let goal = if found.is_maximum { "greatest" } else { "least" };
    let limits = found.limits();
    let mut facts = vec![
        ("configuration".to_owned(), found.file.clone()),
        ("goal".to_owned(), format!("{goal} {}; differences of {} matter", found.measure, found.indifference)),
    ];
    facts.extend(limits.iter().map(|limit| ("limit".to_owned(), limit.clone())));
    let chosen = match &found.chosen {
        Some(name) => name.clone(),
        None if found.alternatives.iter().all(|of| of.result == "fails") => {
            "none: no alternative meets the limits".to_owned()
        }
        None => "not decided".to_owned(),
    };
    facts.extend([
        ("procedure".to_owned(), found.procedure.to_owned()),
        ("probability of a correct selection".to_owned(), format!("at least {}", found.confidence)),
        (
            "replications".to_owned(),
            format!("{} in all, the first {} of each alternative for variances", found.replications, found.first),
        ),
        ("seed".to_owned(), found.seed.to_string()),
        ("chosen".to_owned(), chosen.clone()),
    ]);
    let mean = |of: &Alternative| {
        found
            .measures()
            .into_iter()
            .filter_map(|measure| Some(format!("{measure} {}", with_interval(of.means.get(measure)?))))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let best = found.alternatives.iter().find(|of| of.result == "chosen");
    let result = best.map_or(chosen, |of| format!("{}: {}.", of.name, mean(of)));
    let under = if limits.is_empty() { String::new() } else { format!(" with {}", limits.join(" and ")) };
    Outcome {
        title: "Search among alternatives".to_owned(),
        answer: Some(Answer {
            question: format!(
                "Which of {} alternatives has the {goal} {}{under}?",
                found.alternatives.len(),
                found.measure
            ),
            results: vec![result],
            certainty: format!(
                "The selection is correct with a probability of at least {}, if the means of replications are normal and the best differs from all others by {} or more.",
                found.confidence, found.indifference
            ),
        }),
        facts,
        sections: vec![Section::new("Alternatives", Content::Listing(listing(found)))],
        tables: vec![listing(found).named(TABLE)],
        ..Outcome::default()
    }
}

/// Returns a row for each alternative.
fn listing(found: &Found) -> Listing {
    let ci = found.confidence.key();
    let text = |name: &str| (name.to_owned(), Kind::Text, true);
    let mut columns = vec![text("alternative")];
    for measure in found.measures() {
        columns.push((measure.clone(), Kind::Number, true));
        columns.push((format!("{measure}_{ci}"), Kind::Number, true));
    }
    columns.extend([("replications".to_owned(), Kind::Count, true), text("result")]);
    let row = |of: &Alternative| {
        let mut row = vec![Value::Text(of.name.clone())];
        for measure in found.measures() {
            let estimate = of.means.get(measure);
            row.push(Value::Number(estimate.and_then(|estimate| estimate.mean)));
            row.push(Value::Number(estimate.and_then(|estimate| estimate.half_width())));
        }
        row.push(Value::Count(of.replications as u64));
        let result = match (of.by.as_deref(), of.after) {
            (Some(by), Some(after)) if of.result == "beaten" => format!("beaten by {by} after {after}"),
            (Some(by), Some(after)) => format!("fails {by} after {after}"),
            _ => of.result.to_owned(),
        };
        row.push(Value::Text(result));
        row
    };
    let rows: Vec<_> = found.alternatives.iter().map(row).collect();
    let all = rows.len();
    Listing { columns, rows, all, printed: all, head: "alternative".to_owned() }
}
