//! Studies that are checked, with their models.

use super::base::{Base, FILE};
use super::conduct::{ConductError, Ending, Progress, conduct};
use super::configuration::Configuration;
use super::definition::{Definition, DefinitionError, Sample};
use super::key;
use super::laboratory::{Fault, Laboratory};
use super::model::{Means, Model};
use super::plan::{Files, MAX_CHECKED, Study};
use super::results::Results;
use super::unused::Unused;
use imminent_common::toml_text::TomlError;
use imminent_core::clock::Instant;
use imminent_core::{Device, Work};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A study with its model.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Configuration from which points start.
    pub base: Arc<Base>,
    /// The study.
    pub study: Study,
    /// Warnings about the configuration, with their lines.
    pub warnings: Vec<String>,
}

/// The most points of a study whose work is added up.
const MAX_POINTS_SEEN: u64 = 256;

/// Results of executed runs.
#[derive(Debug)]
pub struct Executed {
    /// Results of the runs that ended.
    pub results: Results,
    /// Ending, or the fault that prevented all further runs.
    pub ending: Result<Ending, Fault>,
    /// Time of opening the laboratory.
    pub set_up: Duration,
    /// Time of the runs.
    pub simulation: Duration,
}

impl Planned {
    /// Checks a study whose points start from a configuration. Files that are read meanwhile belong to the study:
    /// those that it names, and those that the model reads to set up its points.
    pub(crate) fn new(
        model: &Arc<dyn Model>,
        base: impl FnOnce() -> Result<Base, DefinitionError>,
        definition: &Definition,
    ) -> Result<Self, DefinitionError> {
        let (files, checked) = Files::read_by(|| {
            let base = Arc::new(base()?);
            let study = definition.plan(base.description().clone())?;
            study.check(&mut *model.possible(&base))?;
            Ok::<_, DefinitionError>((base, study))
        });
        let (base, study) = checked?;
        let study = study.with_files(files);
        if let Some((at, Unused { key, why })) = unused(&**model, &base, definition, &study) {
            let problem = format!("`{key}` has no effect: {why}; remove it");
            return Err(DefinitionError::value(&at, problem));
        }
        Ok(Self { model: Arc::clone(model), base, study, warnings: vec![] })
    }

    /// Plans runs of one configuration; the definition has their number and seed. Values that the configuration was
    /// given are fixed parameters of the study, from which seeds derive, except for lists and tables.
    ///
    /// # Errors
    /// A fault that begins with the key that is at fault, if one is.
    pub fn of(
        model: &Arc<dyn Model>,
        configuration: &Configuration,
        mut definition: Definition,
    ) -> Result<Self, Fault> {
        let mut own = configuration.ungiven();
        if let Some(file) = own.file() {
            definition = definition.fix(FILE, file.display().to_string());
        }
        for name in configuration.given() {
            let Ok(Some(value)) = key::find(configuration.table(), name) else { continue };
            match key::value(value) {
                Ok(value) => definition = definition.fix(name, value),
                Err(_) => own.put(name, value.clone())?,
            }
        }
        let planned = Self::new(model, || Base::of(&**model, own, &definition, Path::new("")), &definition);
        let mut planned: Self = planned.map_err(|error| match error {
            DefinitionError::Toml(TomlError::Value { key, problem, .. }) => match key.strip_prefix("fixed.") {
                Some(key) => TomlError::value(key, problem).into(),
                None if key == "repetitions" => format!("replications: {problem}").into(),
                None => problem.into(),
            },
            other => Fault::from(other),
        })?;
        let unused = planned.study.point(0).map_or_else(Vec::new, |point| model.unused(&planned.base, &point));
        planned.warnings = configuration.check_unused(unused)?;
        Ok(planned)
    }

    /// Returns the work of all runs, if the model tells it: that of points at even distances where there are many.
    #[must_use]
    pub fn work(&self) -> Option<Work> {
        let (points, repetitions) = (self.study.points(), self.study.repetitions());
        let seen = points.clamp(1, MAX_POINTS_SEEN);
        let share = points as f64 / seen as f64 * repetitions as f64;
        let works = (0..seen).map(|k| {
            let point = self.study.point(k * points / seen)?;
            Some(self.model.work(&self.base, &point)?.times(share))
        });
        works.reduce(|all, work| Some(all?.and(work?)))?
    }

    /// Executes all runs on a device. `watch` is called as [`conduct`] does.
    ///
    /// # Errors
    /// A fault that prevents all runs, and errors of [`conduct`] before any run has ended.
    pub fn execute(
        &self,
        device: &Device,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Executed, Fault> {
        let (mut results, began) = (Results::new(&self.study)?, Instant::now());
        let mut laboratory = self.model.open(&self.base, device, &Means::default())?;
        let (set_up, began) = (began.elapsed(), Instant::now());
        let ending = conducted(&self.study, &mut results, &mut *laboratory, watch)?;
        Ok(Executed { results, ending, set_up, simulation: began.elapsed() })
    }
}

/// Conducts runs. A fault after some of them have ended is part of the ending, so their results are kept.
pub(super) fn conducted(
    study: &Study,
    results: &mut Results,
    laboratory: &mut dyn Laboratory,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Result<Ending, Fault>, Fault> {
    let ending = conduct(study, results, laboratory, None, watch).map_err(|error| match error {
        ConductError::Laboratory(fault) => fault,
        other => other.into(),
    });
    match ending {
        Err(fault) if results.done() == 0 => Err(fault),
        ending => Ok(ending),
    }
}

/// Returns a key that a study sets and that has no effect at any point, with its place in the study.
fn unused(model: &dyn Model, base: &Base, definition: &Definition, study: &Study) -> Option<(String, Unused)> {
    let at = |key: &str| {
        let axis = definition.axis.iter().position(|axis| axis.parameter == key);
        let of_sample = |(place, sample): (usize, &Sample)| {
            let axis = sample.axis.iter().position(|axis| axis.parameter == key)?;
            Some(format!("sample[{place}].axis[{axis}].parameter"))
        };
        let sampled = || definition.sample.iter().enumerate().find_map(of_sample);
        axis.map(|axis| format!("axis[{axis}].parameter")).or_else(sampled).unwrap_or(format!("fixed.{key}"))
    };
    // As many points as are checked, evenly among all; mostly the first one shows that there is none.
    let stride = study.points().div_ceil(MAX_CHECKED).max(1) as usize;
    let mut left: Option<Vec<Unused>> = None;
    for point in (0..study.points()).step_by(stride).filter_map(|number| study.point(number)) {
        let now = model.unused(base, &point);
        let still = match left {
            None => now.into_iter().filter(|unused| base.given_key(unused).is_some()).collect(),
            Some(left) => left.into_iter().filter(|unused| now.iter().any(|now| now.key == unused.key)).collect(),
        };
        left = Some(still).filter(|still: &Vec<_>| !still.is_empty());
        left.as_ref()?;
    }
    let unused = left?.into_iter().next()?;
    let key = base.given_key(&unused)?.to_owned();
    Some((at(&key), Unused { key, ..unused }))
}
