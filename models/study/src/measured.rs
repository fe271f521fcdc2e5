//! Experiments of models that measure values only: a study of one point.

use super::conduct::Ending;
use super::configuration::Configuration;
use super::definition::Definition;
use super::description::Measure;
use super::experiment::{
    CONFIDENCE, Detail, Experiment, ExperimentError, Experiments, OptionValues, Progress, RunOption, RunsOn,
};
use super::laboratory::Fault;
use super::model::Model;
use super::outcome::{Content, Listing, Outcome, Phases, Section};
use super::plan::Study;
use super::planned::{Executed, Planned};
use super::results::{Results, Summary};
use imminent_common::answer::Answer;
use imminent_common::digits::{grouped, mean_beside, three};
use imminent_common::sheet::{Kind, Sheet, Value};
use imminent_core::Device;
use imminent_core::clock::Instant;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Experiments of a model that measures values only, of which [`Model::experiments`] has none.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredExperiments<'m> {
    model: &'m Arc<dyn Model>,
    /// `true` if seeds depend on the replication alone.
    are_seeds_common: bool,
}

impl<'m> MeasuredExperiments<'m> {
    /// Creates the experiments of a model.
    #[must_use]
    pub fn new(model: &'m Arc<dyn Model>) -> Self {
        Self { model, are_seeds_common: false }
    }

    /// With the same seeds for every configuration, so that configurations can be compared replication by replication.
    #[must_use]
    pub fn common_random_numbers(self) -> Self {
        Self { are_seeds_common: true, ..self }
    }

    /// Options of a run beside the keys of its configuration.
    pub const OPTIONS: &'static [RunOption] = &[
        RunOption { name: "replications", value: Some("N"), about: "Number of replications [default: 1]." },
        RunOption { name: "seed", value: Some("N"), about: "Seed of all random numbers [default: 1]." },
        CONFIDENCE,
    ];
}

impl Experiments for MeasuredExperiments<'_> {
    fn options(&self) -> &'static [RunOption] {
        Self::OPTIONS
    }

    fn tables(&self) -> &'static [&'static str] {
        &["runs"]
    }

    fn measures_replications(&self) -> bool {
        true
    }

    fn prepare(&self, configuration: &mut Configuration, given: &OptionValues) -> Result<Box<dyn Experiment>, Fault> {
        let count = |option: &str| {
            let number = given.value(option).map_or(Ok(1), str::parse::<u64>);
            number.map_err(|_| format!("--{option}: takes a whole number, 0 or more"))
        };
        let definition = Definition::new(&self.model.description().name);
        let definition = definition.repetitions(count("replications")?).seed(count("seed")?);
        let mut definition = definition.confidence(given.confidence()?);
        if self.are_seeds_common {
            definition = definition.common_random_numbers();
        }
        let planned = Planned::of(self.model, configuration, definition)?;
        Ok(Box::new(Replications { planned, config: json!(configuration.table()) }))
    }
}

/// Replications of a configuration.
struct Replications {
    planned: Planned,
    config: Json,
}

impl Experiment for Replications {
    fn place(&self) -> RunsOn {
        RunsOn::Device(self.planned.work())
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (Some(self.planned.study.runs()), "replications")
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        _: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let planned = &self.planned;
        let device = device.ok_or_else(|| ExperimentError::Invalid("replications run on a device: open one".into()))?;
        let executed = planned
            .execute(device, &mut |progress| {
                let done = ((progress.share * progress.runs as f64) as u64).max(progress.done + progress.failed);
                watch(Progress { done, all: progress.runs, now: String::new(), has_results: progress.done > 0 })
            })
            .map_err(ExperimentError::Failed)?;
        if executed.results.done() == 0 {
            return Err(match executed.results.failures().next() {
                Some((run, why)) => ExperimentError::Failed(failure(run, why).into()),
                None => ExperimentError::NoResults { key: "--replications" },
            });
        }
        Ok(Outcome { warnings: planned.warnings.clone(), ..outcome(&planned.study, executed, &self.config) })
    }
}

fn failure(run: u64, why: &str) -> String {
    format!("replication {run} failed: {why}")
}

/// Returns the first failures, and the fault that ended the run early.
fn failures(results: &Results, ending: &Result<Ending, Fault>) -> Vec<String> {
    let told = results.failures().take(MAX_FAILURES).map(|(run, why)| failure(run, why));
    let more = results.failed().saturating_sub(MAX_FAILURES as u64);
    let more = (more > 0).then(|| format!("and {more} more replications failed"));
    told.chain(more).chain(ending.as_ref().err().map(ToString::to_string)).collect()
}

/// Largest number of failures that are told.
const MAX_FAILURES: usize = 10;

/// Returns the outcome of the replications that ended.
pub(super) fn outcome(study: &Study, executed: Executed, config: &Json) -> Outcome {
    let Executed { results, ending, set_up, simulation } = executed;
    let (description, all, done, began) = (study.description(), study.runs(), results.done(), Instant::now());
    let summaries = (0..description.measures.len()).map(|measure| results.summary(study, 0, measure));
    let measures: Vec<_> = description.measures.iter().zip(summaries).collect();
    let row = |(measure, summary): &(&Measure, Summary)| {
        let [name, unit] = [measure.name.replace('_', " "), measure.unit.clone()].map(Value::Text);
        let mean = summary.mean.map_or_else(|| "–".to_owned(), |mean| mean_beside(mean, summary.half_width()));
        vec![name, Value::Text(mean), Value::Number(summary.half_width()), unit]
    };
    let half = format!("{} ±", study.confidence());
    let listing = Listing {
        columns: [("measure", Kind::Text), ("mean", Kind::Number), (&half, Kind::Number), ("unit", Kind::Text)]
            .map(|(name, kind)| (name.to_owned(), kind, true))
            .to_vec(),
        rows: measures.iter().map(row).collect(),
        all: measures.len(),
        printed: measures.len(),
        head: "measure".to_owned(),
    };
    let events: u64 = (0..all).filter_map(|run| results.events(run)).sum();
    let rate = events as f64 / simulation.as_secs_f64().max(f64::MIN_POSITIVE);
    let stats: BTreeMap<&str, _> = measures.iter().map(|(of, summary)| (of.name.as_str(), *summary)).collect();
    let mut values = Map::new();
    for (key, value) in [
        ("revision", json!(description.revision)),
        ("seed", json!(study.seed())),
        ("replications", json!(done)),
        ("requested_replications", json!(all)),
        ("config", config.clone()),
        ("events", json!(events)),
        ("events_per_s", json!((events > 0).then_some(rate))),
        ("stats", json!(stats)),
    ] {
        values.insert(key.to_owned(), value);
    }
    let of_measure = |measure: usize| (0..all).map(|run| results.value(run, measure)).collect();
    let replications =
        measures.iter().enumerate().map(|(place, (of, _))| (of.name.clone(), of_measure(place))).collect();
    let is_partial = !matches!(ending, Ok(Ending::Complete | Ending::Failed));
    let of_all = if done < all { format!("{} of {}", grouped(done), grouped(all)) } else { grouped(all) };
    let told = measures.iter().filter_map(|(of, summary)| Some(format!("{}: {}", of.label(), three(summary.mean?))));
    Outcome {
        title: format!("{}: {}", description.name, description.about),
        answer: Some(Answer {
            question: "What are the results?".to_owned(),
            results: told.take(MAX_ANSWERS).collect(),
            certainty: match done {
                1 => "Not known: a single replication has no interval. `--replications` gives more.".to_owned(),
                _ => format!(
                    "Means over {done} replications. The intervals cover the true means with a probability of {}.",
                    study.confidence()
                ),
            },
        }),
        facts: vec![("replications".to_owned(), of_all), ("seed".to_owned(), study.seed().to_string())],
        partial: is_partial.then(|| format!("{done} of {all} replications have ended")),
        failures: failures(&results, &ending),
        sections: vec![Section::new("Measures", Content::Listing(listing))],
        notes: description.notes.clone(),
        speed: format!(
            "{} events in {:.3} s: {} events/s",
            grouped(events),
            simulation.as_secs_f64(),
            grouped(rate as u64)
        ),
        digest: results.digest(),
        replications,
        phases: Some(Phases { set_up, simulation, reading: began.elapsed(), ..Phases::default() }),
        tables: vec![Box::new(Runs { study: study.clone(), runs: results.finished().iter().collect(), results })],
        values,
        ..Outcome::default()
    }
}

/// Largest number of measures in the answer.
const MAX_ANSWERS: usize = 4;

/// Table with a row for each finished replication.
struct Runs {
    study: Study,
    results: Results,
    runs: Vec<u64>,
}

impl Sheet for Runs {
    fn name(&self) -> &'static str {
        "runs"
    }

    fn columns(&self) -> Vec<(String, Kind)> {
        let counts = ["run", "seed", "events"].map(|name| (name.to_owned(), Kind::Count));
        let measures = self.study.description().measures.iter().map(|measure| (measure.name.clone(), Kind::Number));
        counts.into_iter().chain(measures).collect()
    }

    fn rows(&self) -> usize {
        self.runs.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        let run = self.runs.get(row).copied().unwrap_or(u64::MAX);
        match column {
            0 => Value::Count(run),
            1 => Value::Count(self.study.seed_of(0, run).unwrap_or(0)),
            2 => Value::Count(self.results.events(run).unwrap_or(0)),
            measure => Value::Number(self.results.value(run, measure - 3)),
        }
    }
}
