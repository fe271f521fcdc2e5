//! One run of a simulation of cells, with its outcome.

use super::simulation::{Account, CellConfig, CellSimulation, Findings, HOUR, Setting};
use crate::{Engine, Run, Spent};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::description::Measure;
use imminent_study::experiment::{Detail, Experiment, ExperimentError, Progress, RunsOn};
use imminent_study::outcome::{Outcome, Phases, Section};
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;

/// One run of a simulation.
pub(super) struct OneRun<S: CellSimulation> {
    pub(super) simulation: S,
    pub(super) config: S::Config,
    pub(super) records: Option<S::Records>,
    /// `true` to draw pictures.
    pub(super) draws: bool,
    /// Warnings about the configuration.
    pub(super) warnings: Vec<String>,
}

impl<S: CellSimulation> Experiment for OneRun<S> {
    fn place(&self) -> RunsOn {
        match self.config.engine() {
            Engine::Sequential => RunsOn::Host("sequential"),
            _ => RunsOn::Device(self.simulation.work()),
        }
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        (self.simulation.steps(), "steps")
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let (simulation, began) = (&self.simulation, Instant::now());
        let all = simulation.steps().unwrap_or(0);
        let setting = Setting { config: &self.config, seed: self.config.seed(), device, records: self.records.take() };
        let ran = simulation.run(setting, &mut |now| {
            watch(Progress { done: now.steps, all, now: String::new(), has_results: false })
        })?;
        let findings = simulation.findings(&ran.outcome);
        let account = simulation.account(&ran.outcome);
        let phases = phases(&ran.spent, began);
        let config = serde_json::to_value(&self.config).unwrap_or_default();
        let mut outcome = outcome(&S::description().measures, config, &ran, findings, account, phases);
        outcome.warnings.extend(self.warnings.iter().cloned());
        if detail == Detail::Full {
            let exhibits = simulation.exhibits(&ran.outcome, self.draws).map_err(ExperimentError::Failed)?;
            outcome.sections.extend(exhibits.sections);
            outcome.files = exhibits.files;
        }
        Ok(outcome)
    }
}

/// Returns the times of a run that began at an instant: what is neither set-up nor simulation is reading.
#[must_use]
pub fn phases(spent: &Spent, began: Instant) -> Phases {
    let Spent { set_up, simulation, .. } = *spent;
    Phases { set_up, simulation, reading: began.elapsed().saturating_sub(set_up + simulation) }
}

/// Returns the outcome of a run.
#[must_use]
pub fn outcome<O>(
    measures: &[Measure],
    config: Json,
    ran: &Run<O>,
    findings: Findings,
    account: Account,
    phases: Phases,
) -> Outcome {
    let Findings { events, values, digest, simulated } = findings;
    let found = || measures.iter().zip(&values);
    let wall = phases.simulation.as_secs_f64();
    let rate = events as f64 / wall.max(f64::MIN_POSITIVE);
    let row = |(measure, value): (&Measure, &Option<f64>)| {
        [measure.label().replace('_', " "), value.map_or_else(|| "-".to_owned(), shown)]
    };
    let mut facts = vec![
        ("engine".to_owned(), ran.engine.to_string()),
        ("simulated".to_owned(), format!("{} h", f64::from(simulated) / HOUR)),
    ];
    facts.extend(account.facts.into_iter().map(|(name, value)| (name.to_owned(), value)));
    facts.extend(account.assumed.iter().map(|assumed| ("assumed".to_owned(), assumed.clone())));
    let stats: Map<String, Json> =
        found().map(|(measure, value)| (measure.name.clone(), json!({ "mean": value, "ci95": null }))).collect();
    let values = json!({
        "engine": ran.engine,
        "config": config,
        "events": events,
        "simulated_time": simulated,
        "steps": ran.steps,
        "stats": stats,
        "assumed": account.assumed,
        "events_per_s": rate,
    });
    Outcome {
        title: account.title.to_owned(),
        answer: Some(account.answer),
        facts,
        sections: vec![Section::table("Measures", ["", "value"], found().map(row).collect())],
        speed: format!("{events} outputs, {} steps: {rate:.0} outputs/s", ran.steps),
        phases: Some(phases),
        digest: digest.to_string(),
        warnings: account.warnings,
        values: if let Json::Object(values) = values { values } else { Map::new() },
        ..Outcome::default()
    }
}

/// Formats a value for people, with six decimals if it has any.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.6}") }
}
