//! Models of the catalogue: wall time of a run by a configuration.

use super::timing::{Timing, time};
use clap::Args;
use imminent::models::study::benchmark::{Line, Measurements};
use imminent::models::study::experiment::{Detail, ExperimentError, Experiments, OptionValues, RunsOn};
use imminent::models::study::laboratory::{Fault, Update};
use imminent::models::study::{Catalogue, Configuration, Definition, Means, Model, Value};
use imminent::{Device, Error, Result, models};
use serde::Serialize;
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Models and their configurations.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Models to run [default: all].
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// Configuration (TOML) of each model.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Give a key of the configuration a value, as `imminent describe` lists them; may be given several times.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

/// Times of the runs of a model.
#[derive(Debug, Serialize)]
pub(super) struct Cost {
    model: String,
    /// Time of the first run, which compiles kernels, in seconds.
    first_s: f64,
    #[serde(flatten)]
    each: Timing,
    #[serde(flatten)]
    result: Run,
}

/// Result of a run, equal in all.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Run {
    /// Number of events, if the model counts them.
    events: Option<u64>,
    /// Digest of the results, if the model tells outcomes in full.
    digest: Option<String>,
}

impl Line for Cost {
    const HEAD: &'static [&'static str] =
        &["model", "first run, s", "median, ms", "half of the runs", "runs", "M events/s", "digest"];

    fn cells(&self) -> Vec<String> {
        let Timing { median_s, low_s, high_s, runs } = self.each;
        vec![
            self.model.clone(),
            format!("{:.3}", self.first_s),
            format!("{:.3}", median_s * 1e3),
            format!("{:.3} to {:.3}", low_s * 1e3, high_s * 1e3),
            runs.to_string(),
            self.result.events.map_or_else(String::new, |events| format!("{:.2}", events as f64 / median_s / 1e6)),
            self.result.digest.as_deref().unwrap_or_default().chars().take(8).collect(),
        ]
    }
}

/// Measures the models, each for about the given time. Unless they are named, those that cannot be run by their default
/// configurations are left out.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Measurements> {
    let catalogue = models::catalogue();
    let names = if options.models.is_empty() { catalogue.names() } else { options.models.clone() };
    let (mut lines, mut left_out) = (vec![], vec![]);
    for name in names {
        match one(&catalogue, &name, (device, budget), options) {
            Ok(line) => lines.push(line),
            Err(fault) if options.models.is_empty() => {
                left_out.push((format!("{name}: {fault}"), json!({ "model": name, "reason": fault.to_string() })));
            }
            Err(fault) => {
                return Err(fault
                    .downcast()
                    .map_or_else(|fault| Error::invalid(&name, fault.to_string()), |error| *error));
            }
        }
    }
    Ok(Measurements { left_out, ..Measurements::from(lines) })
}

fn one(
    catalogue: &Catalogue,
    name: &str,
    (device, budget): (&Device, Duration),
    options: &Options,
) -> std::result::Result<Cost, Fault> {
    let model = catalogue
        .get(name)
        .ok_or_else(|| format!("there is no such model; give one of {}", catalogue.names().join(", ")))?;
    let set =
        options.set.iter().map(|text| key_value(&**model, text)).collect::<std::result::Result<Vec<_>, Fault>>()?;
    let file = options.file.as_deref();
    let mut run = match model.experiments() {
        Some(experiments) => experiment(&**model, experiments, (file, set), device)?,
        None => study(catalogue, name, (file, set), device)?,
    };
    let began = Instant::now();
    let result = run()?;
    let first_s = began.elapsed().as_secs_f64();
    let each = time(budget, || match run()? == result {
        true => Ok(()),
        false => Err(Fault::from("two runs have different results; please report this")),
    })?;
    Ok(Cost { model: name.to_owned(), first_s, each, result })
}

/// Function that executes a run.
type Execute<'r> = Box<dyn FnMut() -> std::result::Result<Run, Fault> + 'r>;

/// File of a configuration, and keys that are given values.
type Source<'f> = (Option<&'f Path>, Vec<(String, Value)>);

/// Prepares runs of a model that tells outcomes.
fn experiment<'r>(
    model: &dyn Model,
    experiments: &dyn Experiments,
    (file, set): Source<'_>,
    device: &'r Device,
) -> std::result::Result<Execute<'r>, Fault> {
    let mut configuration = Configuration::read(model, file)?;
    for (key, value) in set {
        configuration.set(&key, &value).map_err(|problem| format!("--set {key}: {problem}"))?;
    }
    let mut experiment = experiments.prepare(&configuration, &OptionValues::default())?;
    let device = match experiment.place() {
        RunsOn::Device(_) => Some(device),
        RunsOn::Host(_) => None,
    };
    experiment.check_memory(device, Detail::Printed)?;
    Ok(Box::new(move || {
        let outcome = experiment.run(device, Detail::Printed, &mut |_| ControlFlow::Continue(()));
        let outcome = outcome.map_err(|error| match error {
            ExperimentError::Invalid(fault) | ExperimentError::Failed(fault) => fault,
            other => other.into(),
        })?;
        Ok(Run { events: None, digest: Some(outcome.digest) })
    }))
}

/// Prepares runs of a model that measures values only: studies of one run.
fn study<'r>(
    catalogue: &Catalogue,
    name: &str,
    (file, set): Source<'_>,
    device: &'r Device,
) -> std::result::Result<Execute<'r>, Fault> {
    let file = file.map(|file| ("file".to_owned(), Value::Text(file.display().to_string())));
    let keys = file.into_iter().chain(set);
    let definition = keys.fold(Definition::new(name), |definition, (key, value)| definition.fix(&key, value));
    let planned = catalogue.plan(&definition, Path::new(""))?;
    Ok(Box::new(move || {
        let (mut events, mut failed) = (None, None);
        let mut laboratory = planned.model.open(&planned.base, device, &Means::default())?;
        laboratory.run(&planned.study.select(0..planned.study.runs()), &mut |update| {
            match update {
                Update::Finished(run) => events = Some(run.events),
                Update::Failed(run) => failed = Some(run.why),
                Update::Progress { .. } => {}
            }
            ControlFlow::Continue(())
        })?;
        failed.map_or(Ok(Run { events, digest: None }), |why| Err(why.into()))
    }))
}

/// Splits a key from its value.
fn key_value(model: &dyn Model, text: &str) -> std::result::Result<(String, Value), Fault> {
    let (key, value) =
        text.split_once('=').ok_or_else(|| format!("--set {text}: write it as KEY=VALUE, for instance run.seed=7"))?;
    let value = match model.keys().key(key) {
        Some(known) => known.read(value).map_err(|takes| format!("--set {text}: takes {takes}"))?,
        // The configuration names the key that was meant.
        None => Value::Text(value.to_owned()),
    };
    Ok((key.to_owned(), value))
}
