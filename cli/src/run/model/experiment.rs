//! Runs of models that tell their outcome in full.

use super::command::{options, set, value};
use super::place::Place;
use super::text;
use crate::results::ResultsArgs;
use clap::ArgMatches;
use clap::parser::ValueSource;
use imminent::Device;
use imminent::models::study::experiment::{Detail, ExperimentError, Experiments, Given, RunsOn};
use imminent::models::study::{Configuration, Experiment, Model, Outcome};
use imminent_console::print::{print_json, print_text};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, clock, interrupt};
use imminent_report::folder::Names;
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;
use std::path::Path;

pub(super) fn run(
    model: &dyn Model,
    experiments: &dyn Experiments,
    matches: &ArgMatches,
    args: &DeviceArgs,
    results: &ResultsArgs,
) -> Result<(), Failure> {
    let configuration = configuration(model, matches)?;
    let mut experiment = experiments.prepare(&configuration, &given(experiments, matches)).map_err(Failure::usage)?;
    let (device, place) = open(&*experiment, args)?;
    let detail = if results.named().is_some() { Detail::Full } else { Detail::Printed };
    experiment.check_memory(device.as_ref(), detail).map_err(Failure::usage)?;
    let tables = experiments.tables().iter().flat_map(|table| ["csv", "parquet"].map(|kind| format!("{table}.{kind}")));
    let tables: Vec<String> = tables.collect();
    let written: Vec<&str> = ["result.json", "report.html"].into_iter().chain(tables.iter().map(|t| &**t)).collect();
    let folder = results.folder(Names { written: &written, kept: &[] })?;
    let outcome = interrupt::watched(|| simulate(&mut *experiment, device.as_ref(), detail))?;
    let object = object(&model.description().name, &place, &outcome);
    if let Some(folder) = folder {
        folder.replace(|folder| {
            folder.json(&object)?;
            outcome.tables.iter().try_for_each(|table| folder.sheet(&**table))?;
            #[cfg(feature = "report")]
            folder.page(Ok(super::page::page(&outcome, &place)))?;
            Ok(())
        })?;
    }
    if results.json {
        print_json(&object)?
    } else {
        print_text(&text::text(&outcome, &place))?
    }
    outcome.partial.map_or(Ok(()), |partial| Err(Failure::run(format!("interrupted: {partial}"))))
}

/// Reads the configuration, and gives its keys the values of options.
fn configuration(model: &dyn Model, matches: &ArgMatches) -> Result<Configuration, Failure> {
    let file = matches.get_one::<String>("FILE").map(Path::new);
    let mut configuration = Configuration::read(model, file).map_err(Failure::usage)?;
    for (option, key) in options(model) {
        if let Some(text) = matches.get_one::<String>(&key.name) {
            let set = value(&key, text).and_then(|value| configuration.set(&key.name, &value));
            set.map_err(|problem| Failure::usage(format!("--{option} {text}: {problem}")))?;
        }
    }
    for (name, text) in set(matches)? {
        let known = configuration.keys().key(&name);
        let value = known.map_or_else(|| Ok(text.as_str().into()), |key| value(&key, &text));
        let set = value.and_then(|value| configuration.set(&name, &value));
        set.map_err(|problem| Failure::usage(format!("--set {name}={text}: {problem}")))?;
    }
    Ok(configuration)
}

/// Returns the options that are no keys.
fn given(experiments: &dyn Experiments, matches: &ArgMatches) -> Given {
    let mut given = Given::default();
    for option in experiments.options() {
        if matches.value_source(option.name) == Some(ValueSource::CommandLine) {
            let value = option.value.and_then(|_| matches.get_one::<String>(option.name));
            given = given.with(option.name, value.map_or("", String::as_str));
        }
    }
    given
}

/// Opens the device on which an experiment runs.
fn open(experiment: &dyn Experiment, args: &DeviceArgs) -> Result<(Option<Device>, Place), Failure> {
    match experiment.place() {
        RunsOn::Host(engine) => {
            args.warn_unused(engine);
            let device = "one thread of the host".to_owned();
            Ok((None, Place { backend: "none".to_owned(), device, why: None }))
        }
        RunsOn::Device(work) => {
            let (device, why) = args.open_for(work)?;
            let info = device.info();
            let place = Place { backend: info.backend.clone(), device: info.name.clone(), why: Some(why) };
            Ok((Some(device), place))
        }
    }
}

/// Executes an experiment with a bar of progress, until the user interrupts it.
fn simulate(experiment: &mut dyn Experiment, device: Option<&Device>, detail: Detail) -> Result<Outcome, Failure> {
    let bar = Bar::new(0, "replications");
    let ran = experiment.run(device, detail, &mut |progress| {
        bar.of(progress.all);
        bar.done(progress.done);
        bar.say(progress.now);
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ran.map_err(|error| match error {
        ExperimentError::Invalid(error) => Failure::usage(error),
        other => Failure::run(other),
    })
}

/// Returns the object for programs.
fn object(model: &str, place: &Place, outcome: &Outcome) -> Map<String, Json> {
    let mut object = Map::new();
    let mut add = |key: &str, value: Json| object.insert(key.to_owned(), value);
    add("model", json!(model));
    add("partial", json!(outcome.partial));
    add("backend", json!(place.backend));
    add("device", json!(place.device));
    add("why", json!(place.why));
    for (key, value) in &outcome.values {
        add(key, value.clone());
    }
    add("notes", json!(outcome.notes));
    add("warnings", json!(outcome.warnings));
    add("digest", json!(outcome.digest));
    add("total_s", json!(clock::elapsed().as_secs_f64()));
    object
}
