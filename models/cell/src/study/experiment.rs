//! One run of a simulation of cells, with its outcome.

use super::simulation::{Account, CellConfig, CellSimulation, Findings, Setting};
use crate::time::MILLISECONDS_PER_HOUR;
use crate::{Engine, Run, Spent};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::description::Measure;
use imminent_study::experiment::{Detail, Experiment, ExperimentError, Progress, RunsOn};
use imminent_study::outcome::{Outcome, Phases, Section};
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;

/// One run of a simulation.
#[derive(Debug)]
pub struct OneRun<S: CellSimulation> {
    /// The simulation.
    pub simulation: S,
    /// Configuration of the simulation.
    pub config: S::Config,
    /// Files that are written during the run.
    pub records: Option<S::Records>,
    /// `true` to draw pictures.
    pub draws: bool,
    /// Warnings about the configuration.
    pub warnings: Vec<String>,
}

impl<S: CellSimulation> Experiment for OneRun<S> {
    fn place(&self) -> RunsOn {
        match self.config.engine() {
            Engine::Sequential => RunsOn::Host("sequential"),
            _ => RunsOn::Device(self.simulation.work()),
        }
    }

    fn parts(&self) -> (Option<u64>, &'static str) {
        self.simulation.parts()
    }

    fn run(
        &mut self,
        device: Option<&Device>,
        detail: Detail,
        watch: &mut (dyn FnMut(Progress) -> ControlFlow<()> + Send),
    ) -> Result<Outcome, ExperimentError> {
        let (simulation, began) = (&self.simulation, Instant::now());
        let all = simulation.parts().0.unwrap_or(0);
        let keeps = simulation.has_partial_outcomes();
        let setting = Setting { config: &self.config, seed: self.config.seed(), device, records: self.records.take() };
        let ran = simulation.run(setting, &mut |now| {
            let (done, has_results) = (now.steps, keeps && now.steps > 0);
            watch(Progress { done, all, now: String::new(), has_results })
        })?;
        let (findings, account) = (simulation.findings(&ran.outcome), simulation.account(&ran.outcome));
        // What is neither set-up nor simulation is reading.
        let Spent { set_up, simulation: simulated, .. } = ran.spent;
        let reading = began.elapsed().saturating_sub(set_up + simulated);
        let phases = Phases { set_up, simulation: simulated, reading, ..Phases::default() };
        let config = serde_json::to_value(&self.config).unwrap_or_default();
        let mut outcome = outcome(&simulation.measures(), config, &ran, findings, account, phases);
        outcome.warnings.extend(self.warnings.iter().cloned());
        if detail.has_data() {
            let began = Instant::now();
            let exhibits = simulation.exhibits(&ran.outcome, self.draws).map_err(ExperimentError::Failed)?;
            outcome.phases = Some(Phases { files: began.elapsed(), ..phases });
            outcome.sections.extend(exhibits.sections);
            (outcome.files, outcome.tables) = (exhibits.files, exhibits.tables);
        }
        Ok(outcome)
    }
}

/// Returns the outcome of a run.
fn outcome<O>(
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
        ("simulated".to_owned(), format!("{} h", simulated as f64 / MILLISECONDS_PER_HOUR)),
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
        partial: account.partial,
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
