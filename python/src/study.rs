//! Parameter studies, for Python.

use crate::errors::Trouble;
use crate::opened::{BACKENDS, Selected};
use crate::table::Table;
use crate::watched::Watch;
use imminent::models::study::conduct::Ending;
use imminent::models::study::experiment::Progress;
use imminent::models::study::laboratory::Fault;
use imminent::models::study::sheets::{Points, Runs};
use imminent::models::study::{Catalogue, Definition, DefinitionError, Executed};
use pyo3::prelude::*;
use std::path::Path;

/// Outcome of a study.
#[pyclass(frozen, module = "imminent._native", get_all)]
#[derive(Debug)]
pub(crate) struct StudyOutcome {
    /// Name of the model.
    model: String,
    /// Title, if the study has one.
    title: Option<String>,
    /// Part that ended, if the study was interrupted or failed.
    partial: Option<String>,
    /// Runs that failed, with the reasons.
    failures: Vec<(u64, String)>,
    /// Warnings.
    warnings: Vec<String>,
    /// A row for each run that ended.
    runs: Table,
    /// A row for each measure at each point.
    points: Table,
    /// Name of the backend.
    backend: String,
    /// Name of the device.
    device: String,
    /// Reason for the choice of the device.
    why: String,
    /// Wall time of the runs, in seconds.
    seconds: f64,
}

/// Carries out a study.
pub(crate) fn execute(
    catalogue: &Catalogue,
    text: &str,
    folder: &Path,
    selected: &Selected,
    watch: &Watch,
) -> Result<StudyOutcome, Trouble> {
    let name = "study";
    let refused = |error: DefinitionError| Trouble::fault(&Fault::from(error.located(text, name)), Some(text));
    let definition = Definition::from_toml(text, name).map_err(refused)?;
    let planned = catalogue.plan(&definition, folder).map_err(refused)?;
    let model = planned.study.description().name.clone();
    let (device, why) = selected.open(&model, planned.work())?;
    let executed = planned.execute(&device, &mut |progress| {
        let done = ((progress.share * progress.runs as f64) as u64).max(progress.done + progress.failed);
        let now = Progress { done, all: progress.runs, now: String::new(), has_results: progress.done > 0 };
        watch.note(now)
    });
    let Executed { results, ending, simulation, .. } = executed.map_err(|fault| Trouble::failed(&fault))?;
    let (done, all) = (results.done(), results.runs());
    if done == 0 && matches!(ending, Ok(Ending::Interrupted)) {
        return Err(Trouble::NoResults("interrupted before a run had ended, so there are no results".to_owned()));
    }
    let table = |table: Result<Table, _>| table.map_err(Trouble::run);
    let failures = results.failures().map(|(run, why)| (run, why.to_string())).collect();
    let info = device.info();
    if matches!(ending, Ok(Ending::Complete)) {
        BACKENDS.note_run(info, &model);
    }
    Ok(StudyOutcome {
        partial: match ending {
            Ok(Ending::Complete) => None,
            Ok(_) => Some(format!("{done} of {all} runs have ended")),
            Err(fault) => Some(format!("{done} of {all} runs have ended: {fault}")),
        },
        title: definition.title,
        failures,
        warnings: planned.warnings.clone(),
        runs: table(Table::of(&Runs::new(&planned.study, &results)))?,
        points: table(Table::of(&Points::new(&planned.study, &results)))?,
        backend: info.backend.clone(),
        device: info.name.clone(),
        why,
        seconds: simulation.as_secs_f64(),
        model,
    })
}
