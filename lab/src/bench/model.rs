//! Models of the catalogue: wall time of a run by a configuration.

use super::timing::{Timing, time};
use clap::Args;
use imminent::models::study::benchmark::{Line, Measurements};
use imminent::models::study::experiment::{Detail, ExperimentError, OptionValues, RunsOn};
use imminent::models::study::laboratory::Fault;
use imminent::models::study::{Catalogue, Configuration, MeasuredExperiments};
use imminent::{Device, models};
use imminent_console::Failure;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Models and their configurations.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Models to run [default: all].
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// Configuration (TOML) of each model.
    #[arg(long, value_name = "FILE", requires = "models")]
    file: Option<PathBuf>,
    /// Give a key of the configuration a value, as `imminent describe` lists them; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", requires = "models")]
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
    digest: String,
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
            self.result.digest.chars().take(8).collect(),
        ]
    }
}

/// Measures the models, each for about the given time. Unless they are named, those that cannot be prepared by their
/// default configurations are left out.
///
/// # Errors
/// A failure of the command line for a model that cannot be prepared, and of the run for one that fails, or whose runs
/// differ.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Measurements, Failure> {
    let catalogue = models::catalogue();
    let names = if options.models.is_empty() { catalogue.names() } else { options.models.clone() };
    let (mut lines, mut left_out) = (vec![], vec![]);
    for name in names {
        let mut run = match prepare(&catalogue, &name, device, options) {
            Ok(run) => run,
            Err(fault) if options.models.is_empty() => {
                left_out.push((format!("{name}: {fault}"), json!({ "model": name, "reason": fault.to_string() })));
                continue;
            }
            Err(fault) => return Err(Failure::usage(format!("{name}: {fault}"))),
        };
        let cost = cost(&name, budget, &mut *run);
        lines.push(cost.map_err(|fault| Failure::run(format!("{name}: {fault}")))?);
    }
    Ok(Measurements { left_out, ..Measurements::from(lines) })
}

/// Measures runs of a model.
fn cost(name: &str, budget: Duration, run: &mut dyn FnMut() -> Result<Run, Fault>) -> Result<Cost, Fault> {
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
type Execute<'r> = Box<dyn FnMut() -> Result<Run, Fault> + 'r>;

/// Prepares runs of a model.
fn prepare<'r>(catalogue: &Catalogue, name: &str, device: &'r Device, options: &Options) -> Result<Execute<'r>, Fault> {
    let model = catalogue
        .get(name)
        .ok_or_else(|| format!("there is no such model; give one of {}", catalogue.names().join(", ")))?;
    let mut configuration = Configuration::read(&**model, options.file.as_deref())?;
    for set in &options.set {
        let (key, text) = set
            .split_once('=')
            .ok_or_else(|| format!("--set {set}: write it as KEY=VALUE, for instance run.seed=7"))?;
        configuration.set_text(key, text).map_err(|problem| format!("--set {set}: {problem}"))?;
    }
    let measured = MeasuredExperiments::new(model);
    let experiments = model.experiments().unwrap_or(&measured);
    let mut experiment = experiments.prepare(&mut configuration, &OptionValues::default())?;
    let device = match experiment.place() {
        RunsOn::Device(_) => Some(device),
        RunsOn::Host(_) | RunsOn::Threads(_) => None,
    };
    experiment.check_memory(device, Detail::Printed)?;
    Ok(Box::new(move || {
        let outcome = experiment.run(device, Detail::Printed, &mut |_| ControlFlow::Continue(()));
        let outcome = outcome.map_err(|error| match error {
            ExperimentError::Invalid(fault) | ExperimentError::Failed(fault) => fault,
            other => other.into(),
        })?;
        Ok(Run { events: outcome.values.get("events").and_then(Json::as_u64), digest: outcome.digest })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_differ_are_an_error() {
        let mut events = 0..;
        let differ = cost("dice", Duration::ZERO, &mut || Ok(Run { events: events.next(), digest: String::new() }));
        assert!(differ.unwrap_err().to_string().contains("different results"));
        let fails = cost("dice", Duration::ZERO, &mut || Err("the device was lost".into()));
        assert_eq!(fails.unwrap_err().to_string(), "the device was lost");
    }
}
