//! Derivatives of measures, for people, programs and files.

use super::super::trials::{Simulated, TrialArgs, Trials, shown};
use super::key::{Kind as Step, Varied};
use imminent::models::answer::Answer;
use imminent::models::estimate::{Confidence, Estimate};
use imminent::models::sheet::{Kind, Value};
use imminent::models::study::Outcome;
use imminent::models::study::compared::Replications;
use imminent::models::study::outcome::{Content, Listing, Section};
use imminent_console::Failure;
use imminent_report::digits::{or_dash, with_interval};
use serde::Serialize;
use std::collections::BTreeMap;

/// Name of the table for files.
pub(super) const TABLE: &str = "sensitivity";

/// Derivative of a measure with respect to a key.
#[derive(Serialize)]
pub(super) struct Derivative {
    /// Change of the measure for each unit of the key.
    derivative: Estimate,
    /// Change of the measure in percent for each percent of the key.
    elasticity: Estimate,
}

/// Derivatives with respect to a key, by the names of measures.
#[derive(Serialize)]
pub(super) struct OfKey {
    key: String,
    /// `true` if `value` is a factor of all numbers of a list.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_factor: bool,
    value: f64,
    low: f64,
    high: f64,
    measures: BTreeMap<String, Derivative>,
}

/// Derivatives of all measures with respect to all keys.
#[derive(Serialize)]
pub(super) struct Derivatives {
    file: String,
    seed: u64,
    replications: u64,
    confidence: Confidence,
    /// Means of the measures.
    means: BTreeMap<String, Estimate>,
    keys: Vec<OfKey>,
    /// Names of the keys by falling amount of the elasticity, for each measure.
    ranked: BTreeMap<String, Vec<String>>,
    #[serde(skip)]
    names: Vec<String>,
}

impl Derivatives {
    /// Differentiates: the first of `measured` is the configuration, the others are its variants in the order of keys.
    pub(super) fn new(
        trials: &Trials,
        file: &str,
        keys: &[Varied],
        measured: &[Replications],
    ) -> Result<Self, Failure> {
        let (names, confidence) = (Replications::all_names(measured), trials.confidence);
        let lacks = || Failure::run("a variant was not simulated");
        let (at_value, mut variants) = measured.split_first().ok_or_else(lacks)?;
        let means: BTreeMap<_, _> =
            names.iter().map(|name| (name.clone(), at_value.estimate(name, confidence))).collect();
        let mut of_keys = vec![];
        for varied in keys {
            let taken = if varied.begins_at_value() { 1 } else { 2 };
            let (own, rest) = variants.split_at_checked(taken).ok_or_else(lacks)?;
            variants = rest;
            let (low, high) = match own {
                [low, high] => (low, high),
                [high] => (at_value, high),
                _ => return Err(lacks()),
            };
            let derivative = |name: &String| {
                let (low, high) = low.pairs(high, name);
                let step = varied.high - varied.low;
                let slopes: Vec<f64> = low.iter().zip(&high).map(|(low, high)| (high - low) / step).collect();
                let derivative = confidence.of(&slopes);
                let mean = means.get(name).and_then(|mean| mean.mean).filter(|mean| *mean != 0.0);
                let elasticity = mean.map_or(confidence.of(&[]), |mean| derivative.times(varied.value / mean));
                (name.clone(), Derivative { derivative, elasticity })
            };
            of_keys.push(OfKey {
                key: varied.key.clone(),
                is_factor: varied.kind == Step::Factor,
                value: varied.value,
                low: varied.low,
                high: varied.high,
                measures: names.iter().map(derivative).collect(),
            });
        }
        let ranked = names.iter().map(|name| (name.clone(), ranked(&of_keys, name))).collect();
        let (seed, replications) = (trials.seed, trials.replications);
        Ok(Self { file: file.to_owned(), seed, replications, confidence, means, keys: of_keys, ranked, names })
    }

    fn of(&self, key: &str, measure: &str) -> Option<&Derivative> {
        self.keys.iter().find(|of| of.key == key)?.measures.get(measure)
    }
}

/// Returns the keys by falling amount of the elasticity of a measure.
fn ranked(keys: &[OfKey], measure: &str) -> Vec<String> {
    let amount = |of: &OfKey| of.measures.get(measure).and_then(|of| of.elasticity.mean).map_or(-1.0, f64::abs);
    let mut keys: Vec<_> = keys.iter().map(|of| (amount(of), of.key.clone())).collect();
    keys.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    keys.into_iter().map(|(_, key)| key).collect()
}

/// Returns the results for people; `base` is the outcome of the configuration itself.
pub(super) fn outcome(all: &Derivatives, base: Option<Simulated>, args: &TrialArgs) -> Result<Outcome, Failure> {
    let shown = shown(&all.names, args)?;
    let base = base.map(|simulated| simulated.outcome).unwrap_or_default();
    let facts = vec![
        ("configuration".to_owned(), all.file.clone()),
        ("replications".to_owned(), format!("{} of each value on common random numbers", all.replications)),
        ("seed".to_owned(), all.seed.to_string()),
    ];
    let steps =
        all.keys.iter().map(|of| vec![of.key.clone(), of.value.to_string(), of.low.to_string(), of.high.to_string()]);
    let steps =
        Content::Table { columns: ["key", "value", "from", "to"].map(str::to_owned).to_vec(), rows: steps.collect() };
    let listing = listing(all, &shown);
    let first = shown.first().map(|name| (name, all.ranked.get(name).cloned().unwrap_or_default()));
    let strongest = first.map(|(name, keys)| {
        let named = |key: &String| {
            let elasticity = all.of(key, name).map_or_else(|| or_dash(None), |of| with_interval(&of.elasticity));
            format!("{}: {elasticity} % for each percent of {key}.", name.replace('_', " "))
        };
        keys.iter().map(named).collect::<Vec<_>>()
    });
    Ok(Outcome {
        title: "Sensitivity of measures to keys".to_owned(),
        answer: Some(Answer {
            question: "Which keys change the measures most?".to_owned(),
            results: strongest.unwrap_or_default(),
            certainty: format!(
                "Central differences of {} pairs of replications on common random numbers. Each interval covers the mean difference quotient with a probability of {}.",
                all.replications, all.confidence
            ),
        }),
        facts,
        sections: vec![Section::new("Steps", steps), Section::new("Derivatives", Content::Listing(listing))],
        notes: factors(all),
        warnings: base.warnings,
        digest: base.digest,
        tables: vec![self::listing(all, &all.names).named(TABLE)],
        ..Outcome::default()
    })
}

/// Describes the keys of lists.
fn factors(all: &Derivatives) -> Vec<String> {
    let factor = |of: &&OfKey| of.is_factor;
    let note = |of: &OfKey| {
        format!("{} is a list: its value here is a factor by which all of its numbers are multiplied", of.key)
    };
    all.keys.iter().filter(factor).map(note).collect()
}

/// Returns a row for each measure and key, the keys by falling amount of the elasticity.
fn listing(all: &Derivatives, names: &[String]) -> Listing {
    let ci = all.confidence.key();
    let columns = [
        ("measure".to_owned(), Kind::Text),
        ("key".to_owned(), Kind::Text),
        ("mean".to_owned(), Kind::Number),
        ("derivative".to_owned(), Kind::Number),
        (format!("derivative_{ci}"), Kind::Number),
        ("elasticity".to_owned(), Kind::Number),
        (format!("elasticity_{ci}"), Kind::Number),
    ];
    let row = |name: &String, key: &String| {
        let of = all.of(key, name)?;
        let mean = all.means.get(name).and_then(|mean| mean.mean);
        let numbers =
            [mean, of.derivative.mean, of.derivative.half_width(), of.elasticity.mean, of.elasticity.half_width()];
        let texts = [name.replace('_', " "), key.clone()].map(Value::Text);
        Some(texts.into_iter().chain(numbers.map(Value::Number)).collect::<Vec<_>>())
    };
    let keys = |name: &String| all.ranked.get(name).cloned().unwrap_or_default();
    let rows: Vec<_> =
        names.iter().flat_map(|name| keys(name).into_iter().filter_map(move |key| row(name, &key))).collect();
    let all = rows.len();
    Listing {
        columns: columns.map(|(name, kind)| (name, kind, true)).to_vec(),
        rows,
        all,
        printed: all,
        head: "measure".to_owned(),
    }
}
