//! The models of a catalogue, for Python.

use crate::errors::Trouble;
use crate::files::Files;
use crate::given::Given;
use crate::opened::{BACKENDS, Selected, refuse_fork};
use crate::outcome::{Outcome, Place};
use crate::study::{self, StudyOutcome};
use crate::typed::{Dictionary, Told};
use crate::watched::{Watch, watched};
use crate::words::Words;
use imminent::models::study::experiment::{Detail, ExperimentError, Progress, RunsOn};
use imminent::models::study::laboratory::Fault;
use imminent::models::study::{Catalogue, MeasuredExperiments, Model};
use imminent::models::toml_text::nearest;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::Arc;

/// The models of a catalogue.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub struct Models {
    catalogue: Arc<Catalogue>,
}

impl Models {
    /// Checks the descriptions of the models of a catalogue.
    pub(crate) fn checked(catalogue: Catalogue) -> PyResult<Self> {
        catalogue.check().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(Models { catalogue: Arc::new(catalogue) })
    }

    fn model(&self, name: &str) -> Result<&Arc<dyn Model>, Trouble> {
        self.catalogue.get(name).ok_or_else(|| {
            let names = self.catalogue.names();
            let hint = match nearest(name, names.iter().map(String::as_str)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            Trouble::configuration(format!("there is no model `{name}`: {hint}"))
        })
    }
}

#[pymethods]
impl Models {
    /// Returns the name of each model, its sentence, and whether it needs a configuration.
    fn listed(&self) -> Vec<(String, String, bool)> {
        let models = self.catalogue.iter();
        models
            .map(|model| {
                let description = model.description();
                (description.name, description.about, model.needs_file())
            })
            .collect()
    }

    /// Returns the JSON Schema of a model's configurations, with its measures.
    fn schema<'py>(&self, py: Python<'py>, model: &str) -> PyResult<Dictionary<'py>> {
        Dictionary::of(py, &self.model(model)?.schema())
    }

    /// Returns the keys that take files, and their short names.
    fn files(&self, model: &str) -> PyResult<Vec<String>> {
        let keys = self.model(model)?.keys();
        let short = keys.short_names(vec![]).into_iter().filter(|(_, key)| key.is_path).map(|(name, _)| name);
        let short: Vec<String> = short.map(|name| name.replace('-', "_")).collect();
        Ok(keys.all().into_iter().filter(|key| key.is_path).map(|key| key.name).chain(short).collect())
    }

    /// Returns name, key, sentence, and unit of each argument of a run: keys of the configuration, and options, whose
    /// key is empty.
    fn arguments(&self, model: &str) -> PyResult<Vec<(String, String, String, String)>> {
        let model = self.model(model)?;
        let measured = MeasuredExperiments::new(model);
        let options = model.experiments().unwrap_or(&measured).options();
        let keys = model.keys().short_names(options.iter().map(|option| option.name.to_owned()).collect());
        let of_keys = keys.into_iter().map(|(name, key)| (name.replace('-', "_"), key.name, key.about, key.unit));
        let of_options = options
            .iter()
            .map(|option| (option.name.replace('-', "_"), String::new(), option.about.to_owned(), String::new()));
        Ok(of_keys.chain(of_options).collect())
    }

    /// Runs a model. `told` is called with progress; `are_common` gives replications of models that measure values only
    /// the same seeds in every configuration.
    #[pyo3(signature = (model, given, selected, told = None, are_common = false))]
    fn run(
        &self,
        py: Python<'_>,
        model: &str,
        given: Given,
        selected: Selected,
        told: Option<Told>,
        are_common: bool,
    ) -> PyResult<Outcome> {
        refuse_fork()?;
        let model = self.model(model)?.clone();
        let run = move |watch: &Watch| {
            let words = Words::new(&model);
            let outcome = execute(&model, &given, &selected, are_common, watch);
            outcome.map(|outcome| outcome.worded(&words)).map_err(|trouble| trouble.worded(&words))
        };
        let (outcome, trouble) = watched(py, told.as_ref(), run)?;
        concluded(py, outcome, trouble)
    }

    /// Carries out a study. `text` is its definition in TOML, in which names of files start from `folder`; `files` are
    /// those in memory, by the paths that it has for them.
    #[pyo3(signature = (text, folder, files, selected, told = None))]
    fn study(
        &self,
        py: Python<'_>,
        text: String,
        folder: std::path::PathBuf,
        files: Files,
        selected: Selected,
        told: Option<Told>,
    ) -> PyResult<StudyOutcome> {
        refuse_fork()?;
        let catalogue = self.catalogue.clone();
        let study = move |watch: &Watch| {
            let _lent = files.lent();
            study::execute(&catalogue, &text, &folder, &selected, watch)
        };
        let (outcome, trouble) = watched(py, told.as_ref(), study)?;
        concluded(py, outcome, trouble)
    }
}

/// Returns the results of work that an exception may have ended. Those that had ended before Ctrl-C are kept; any other
/// exception is raised.
fn concluded<T>(py: Python<'_>, outcome: Result<T, Trouble>, trouble: Option<PyErr>) -> PyResult<T> {
    match (outcome, trouble) {
        (outcome, None) => Ok(outcome?),
        (Ok(outcome), Some(error)) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Ok(outcome),
        (_, Some(error)) => Err(error),
    }
}

/// Executes all replications of a configuration.
fn execute(
    model: &Arc<dyn Model>,
    given: &Given,
    selected: &Selected,
    are_common: bool,
    watch: &Watch,
) -> Result<Outcome, Trouble> {
    let measured = MeasuredExperiments::new(model);
    let measured = if are_common { measured.common_random_numbers() } else { measured };
    let own = model.experiments().filter(|own| !are_common || own.measures_replications());
    let experiments = own.unwrap_or(&measured);
    let name = model.description().name;
    let _lent = given.files.lent();
    let (mut configuration, options) = given.read(&**model, experiments)?;
    let refused = |fault: Fault| Trouble::fault(&fault, given.made());
    let mut experiment = experiments.prepare(&mut configuration, &options).map_err(refused)?;
    drop(configuration);
    let (device, place) = match experiment.place() {
        RunsOn::Device(work) => {
            let (device, why) = selected.open(&name, work)?;
            let place = Place::device(&device, why);
            (Some(device), place)
        }
        place => (None, Place::host(&place)),
    };
    experiment.check_memory(device.as_ref(), Detail::Data).map_err(refused)?;
    let outcome = experiment.run(device.as_ref(), Detail::Data, &mut |progress: Progress| watch.note(progress));
    let outcome = outcome.map_err(|error| match error {
        ExperimentError::Invalid(fault) => refused(fault),
        ExperimentError::NoResults { .. } => Trouble::NoResults(error.to_string()),
        ExperimentError::Failed(fault) => Trouble::failed(&fault),
        other => Trouble::run(other),
    })?;
    if let (Some(device), true) = (&device, outcome.failures.is_empty()) {
        BACKENDS.note_run(device.info(), &name);
    }
    Outcome::new(name, place, outcome)
}
