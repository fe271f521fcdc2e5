//! Runs of models that measure values only: a study of one point.

use super::command::{options, set, texts, value};
use crate::results::ResultsArgs;
use crate::study::StudyArgs;
use clap::ArgMatches;
use imminent::models::study::definition::DefinitionError;
use imminent::models::study::{Catalogue, Configuration, Definition, Key, Model, Value};
use imminent::models::toml_text::TomlError;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use std::path::Path;

pub(super) fn run(
    model: &dyn Model,
    matches: &ArgMatches,
    device: DeviceArgs,
    results: ResultsArgs,
    catalogue: &Catalogue,
) -> Result<(), Failure> {
    // An error of the file is told in full: the user has named it.
    let file = matches.get_one::<String>("FILE").map(Path::new);
    Configuration::read(model, file).map_err(Failure::usage)?;
    let options = options(model);
    let count = |name: &str| matches.try_get_one::<u64>(name).ok().flatten().copied().unwrap_or(1);
    let file = matches.get_one::<String>("FILE").map(String::as_str);
    let definition = definition(model, &options, file, matches)?;
    let definition = definition.repetitions(count("replications")).seed(count("seed"));
    let planned = catalogue.plan(&definition, Path::new("")).map_err(|error| told(&error, &options))?;
    StudyArgs::run_point(planned, device, results)
}

/// Returns the study with one point that a file and the options describe.
pub(crate) fn definition(
    model: &dyn Model,
    options: &[(String, Key)],
    file: Option<&str>,
    matches: &ArgMatches,
) -> Result<Definition, Failure> {
    let mut definition = Definition::new(&model.description().name);
    if let Some(file) = file {
        definition = definition.fix("file", file);
    }
    for (option, key) in options {
        if let Some(text) = texts(key, matches).last() {
            let wrong = |problem| Failure::usage(format!("--{option} {text}: {problem}"));
            definition = definition.fix(&key.name, value(key, text).map_err(wrong)?);
        }
    }
    for (name, text) in set(matches)? {
        let value = match model.keys().key(&name) {
            Some(key) => {
                value(&key, &text).map_err(|problem| Failure::usage(format!("--set {name}={text}: {problem}")))?
            }
            // The plan names the key that was meant.
            None => Value::Text(text),
        };
        definition = definition.fix(&name, value);
    }
    Ok(definition)
}

/// Says an error in terms of options.
pub(crate) fn told(error: &DefinitionError, options: &[(String, Key)]) -> Failure {
    let DefinitionError::Toml(TomlError::Value { key, problem, .. }) = error else { return Failure::usage(error) };
    let name = key.strip_prefix("fixed.");
    match name.map(|name| (name, options.iter().find(|(_, key)| key.name == name))) {
        Some((_, Some((option, _)))) => Failure::usage(format!("--{option}: {problem}")),
        Some((name, None)) => Failure::usage(format!("--set {name}: {problem}")),
        None if key == "repetitions" => Failure::usage(format!("--replications: {problem}")),
        None => Failure::usage(problem),
    }
}
