//! Runs of models that tell their outcome in full.

use super::command::{self, EXPLAIN, set, texts};
use super::run_device::{Before, RunDevice};
use super::{grids, records, text};
use crate::memory::MemoryFigures;
use crate::results::{ResultsArgs, told};
use clap::ArgMatches;
use clap::parser::ValueSource;
use imminent::models::study::experiment::{Detail, ExperimentError, Experiments, NO_PICTURES, OptionValues, RunsOn};
use imminent::models::study::laboratory::Fault;
use imminent::models::study::{Configuration, Experiment, Model, Outcome};
use imminent::{Device, Work};
use imminent_console::backends::backends;
use imminent_console::clock::{self, timed};
use imminent_console::print::{print_json, print_text, tell};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, interrupt};
use imminent_report::folder::{Draft, FolderError, Names};
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

pub(super) fn run(
    model: &dyn Model,
    experiments: &dyn Experiments,
    matches: &ArgMatches,
    args: &DeviceArgs,
    results: &ResultsArgs,
) -> Result<(), Failure> {
    let file = matches.get_one::<String>("FILE").map(Path::new);
    let mut configuration = configuration(model, file, matches)?;
    let given = given(experiments, matches).naming_device(!args.is_free());
    let draws = !given.is_given(NO_PICTURES.name);
    if results.named().is_none() {
        refuse_without_folder(experiments, &given)?;
    }
    grids::check(experiments, results)?;
    let name = model.description().name;
    let prepare = || experiments.prepare(&mut configuration, &given);
    let (mut experiment, device, mut run_device) = prepared(&name, prepare, args, matches.get_flag(EXPLAIN))?;
    // The simulation can use the memory of a large file.
    drop(configuration);
    let detail = match results.named() {
        Some(_) => Detail::Full,
        None if results.json => Detail::Printed,
        None => Detail::Text,
    };
    experiment.check_memory(device.as_ref(), detail).map_err(Failure::usage)?;
    let tables = experiments.tables().iter().flat_map(|table| ["csv", "parquet"].map(|kind| format!("{table}.{kind}")));
    let tables: Vec<String> = tables.collect();
    let written = ["result.json", "report.html"].into_iter().chain(tables.iter().map(|table| &**table));
    let written: Vec<&str> = written.chain(experiments.files().iter().copied()).collect();
    let folder = results.folder(Names { written: &written, kept: &[] })?;
    run_device.before.all = clock::elapsed();
    let mut outcome = interrupt::watched(|| simulate(&mut *experiment, device.as_ref(), detail))?;
    run_device.memory = device.as_ref().map(MemoryFigures::of);
    let object = match folder {
        None if detail == Detail::Text => Map::new(),
        None => object(&name, &run_device, &outcome),
        Some(folder) => {
            let (drawn, took) = timed(|| grids::draw(&mut outcome, draws));
            drawn?;
            let outcome = &mut outcome;
            add_to_files(outcome, took);
            let mut written = Map::new();
            let replaced = folder.replace(|folder| {
                let (saved, took) = timed(|| save(outcome, &run_device, folder));
                saved?;
                add_to_files(outcome, took);
                written = object(&name, &run_device, outcome);
                folder.json(&written)
            });
            // What cannot be kept is printed all the same: nobody wants to simulate it again.
            match replaced {
                Ok(()) => written,
                Err(error) => {
                    outcome.failures.push(error.to_string());
                    object(&name, &run_device, outcome)
                }
            }
        }
    };
    if results.json {
        print_json(&object)?
    } else {
        print_text(&text::text(&outcome, &run_device))?
    }
    let ended = unfinished(outcome);
    if let (Some(device), Ok(())) = (&device, &ended) {
        backends().note_run(device.info(), &name);
    }
    // Nothing follows but the end of the process, when the system takes all memory back at once. To free gigabytes
    // piece by piece, and to close the device, took a tenth of the run of a large network.
    std::mem::forget((experiment, device));
    ended
}

/// Refuses options whose effect a folder of results alone shows.
fn refuse_without_folder(experiments: &dyn Experiments, given: &OptionValues) -> Result<(), Failure> {
    let of_files = experiments.options_of_data().iter().copied().chain([NO_PICTURES.name]);
    match of_files.into_iter().find(|option| given.is_given(option)) {
        Some(option) => Err(Failure::usage(format!(
            "--{option}: has an effect on the files of --out alone; add --out DIR, or leave it out"
        ))),
        None => Ok(()),
    }
}

/// Returns the failure that tells what an outcome lacks, if it lacks anything.
fn unfinished(outcome: Outcome) -> Result<(), Failure> {
    let partial = outcome.partial.map(|partial| format!("interrupted: {partial}"));
    told(partial.into_iter().chain(outcome.failures))
}

/// Writes the files of an outcome, but its object for programs, which tells the time that they took.
pub(in crate::run) fn save(outcome: &Outcome, run_device: &RunDevice, folder: &Draft) -> Result<(), FolderError> {
    outcome.tables.iter().try_for_each(|table| folder.sheet(&**table))?;
    let mut files = outcome.files.iter();
    files.try_for_each(|of| folder.save(&of.name, |file| std::io::Write::write_all(file, &of.bytes)))?;
    #[cfg(feature = "report")]
    folder.page(super::page::page(outcome, run_device))?;
    #[cfg(not(feature = "report"))]
    let _ = run_device;
    Ok(())
}

/// Adds to the time of files, if the model measures its phases.
fn add_to_files(outcome: &mut Outcome, took: Duration) {
    if let Some(phases) = &mut outcome.phases {
        phases.files += took;
    }
}

/// Reads a configuration, and gives its keys the values of options.
pub(crate) fn configuration(
    model: &dyn Model,
    file: Option<&Path>,
    matches: &ArgMatches,
) -> Result<Configuration, Failure> {
    let mut configuration = Configuration::read(model, file).map_err(Failure::usage)?;
    for key in command::given(model, configuration.keys(), matches) {
        let given = texts(&key, matches);
        let Some(last) = given.last() else { continue };
        let set = if key.is_list {
            configuration.set_list(&key.name, &given)
        } else {
            let set = configuration.set_text(&key.name, last);
            set.map_err(|problem| command::spread(model, configuration.keys(), &key, last).unwrap_or(problem))
        };
        set.map_err(|problem| Failure::usage(format!("--{} {last}: {problem}", command::option_of(model, &key))))?;
    }
    for (name, text) in set(matches)? {
        let set = configuration.set_text(&name, &text);
        set.map_err(|problem| Failure::usage(format!("--set {name}={text}: {problem}")))?;
    }
    Ok(configuration)
}

/// Returns the options that are no keys.
fn given(experiments: &dyn Experiments, matches: &ArgMatches) -> OptionValues {
    let mut given = OptionValues::default().recording_by(records::begin);
    for option in experiments.options() {
        if matches.value_source(option.name) == Some(ValueSource::CommandLine) {
            given = match option.value {
                None => given.with(option.name, ""),
                Some(_) => {
                    let values = matches.get_many::<String>(option.name).into_iter().flatten();
                    values.fold(given, |given, value| given.with(option.name, value))
                }
            };
        }
    }
    given
}

/// Experiment with its device.
type Prepared = (Box<dyn Experiment>, Option<Device>, RunDevice);

/// Prepares an experiment of a model while its device is opened, and after it where the work decides about the device.
fn prepared(
    model_name: &str,
    prepare: impl FnOnce() -> Result<Box<dyn Experiment>, Fault>,
    args: &DeviceArgs,
    explain: bool,
) -> Result<Prepared, Failure> {
    let prepare = || timed(prepare);
    let ((experiment, model), opened) = if args.is_free() {
        (prepare(), None)
    } else {
        let (prepared, opened, took) = args.open_while(prepare);
        (prepared, Some((opened, took)))
    };
    // Errors of the configuration are reported before errors of the device.
    let experiment = experiment.map_err(Failure::usage)?;
    let work = match experiment.place() {
        RunsOn::Host(engine) | RunsOn::Threads(engine) => {
            let threads = if matches!(experiment.place(), RunsOn::Host(_)) { "one thread" } else { "the threads" };
            args.warn_unused(engine);
            if explain {
                tell(&format!("nothing is predicted: the engine `{engine}` runs on {threads} of the host"));
            }
            let before = Before { model, ..Before::default() };
            let (backend, device) = ("none".to_owned(), format!("{threads} of the host"));
            return Ok((experiment, None, RunDevice { backend, device, why: None, memory: None, before }));
        }
        RunsOn::Device(work) => work,
    };
    if explain {
        tell(&explained(model_name, work, args));
    }
    let (opened, device) = opened.unwrap_or_else(|| timed(|| args.open_for(model_name, work)));
    let (opened, why) = opened?;
    let info = opened.info();
    let before = Before { device, model, ..Before::default() };
    let (backend, name) = (info.backend.clone(), info.name.clone());
    let run_device = RunDevice { backend, device: name, why: Some(why), memory: None, before };
    Ok((experiment, Some(opened), run_device))
}

/// Returns the predicted times of some work of a model, in words.
pub(crate) fn explained(model: &str, work: Option<Work>, args: &DeviceArgs) -> String {
    match work {
        Some(work) => backends().predict(model, work, args.selection().threads()).to_string(),
        None => format!("nothing is predicted: `{model}` does not tell how much work a run is"),
    }
}

/// Executes an experiment with a bar of progress, until the user interrupts it.
pub(crate) fn simulate(
    experiment: &mut dyn Experiment,
    device: Option<&Device>,
    detail: Detail,
) -> Result<Outcome, Failure> {
    let (parts, unit) = experiment.parts();
    let bar = parts.map_or_else(|| Bar::counting(unit), |parts| Bar::new(parts, unit));
    let ran = experiment.run(device, detail, &mut |progress| {
        if parts.is_some() {
            bar.of(progress.all);
        }
        bar.done(progress.done);
        bar.say(progress.now);
        if progress.has_results {
            interrupt::note_results();
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ran.map_err(|error| match error {
        ExperimentError::Invalid(error) => Failure::usage(error),
        other => Failure::run(other),
    })
}

/// Returns the object for programs.
fn object(model: &str, run_device: &RunDevice, outcome: &Outcome) -> Map<String, Json> {
    let mut object = Map::new();
    let mut add = |key: &str, value: Json| object.insert(key.to_owned(), value);
    add("model", json!(model));
    add("partial", json!(outcome.partial));
    add("backend", json!(run_device.backend));
    add("device", json!(run_device.device));
    add("why", json!(run_device.why));
    for (key, value) in &outcome.values {
        add(key, value.clone());
    }
    if !outcome.failures.is_empty() {
        add("failed", json!(outcome.failures));
    }
    add("notes", json!(outcome.notes));
    add("warnings", json!(outcome.warnings));
    add("digest", json!(outcome.digest));
    add("memory", json!(run_device.memory));
    object.extend(run_device.times(outcome));
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_hides_no_failure() {
        let told = |partial: Option<&str>, failures: &[&str]| {
            let failures = failures.iter().map(|failure| (*failure).to_owned()).collect();
            let outcome = Outcome { partial: partial.map(str::to_owned), failures, ..Outcome::default() };
            unfinished(outcome).err().map(|failure| failure.to_string())
        };
        assert_eq!(told(None, &[]), None);
        assert_eq!(told(None, &["lost", "late"]).as_deref(), Some("lost\nlate"));
        let both = told(Some("2 of 9 replications have ended"), &["lost"]);
        assert_eq!(both.as_deref(), Some("interrupted: 2 of 9 replications have ended\nlost"));
    }
}
