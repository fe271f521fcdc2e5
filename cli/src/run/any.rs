//! `imminent run MODEL` for the models of the catalogue that have no command of their own: replications of one
//! configuration.

use crate::describe::{default, get, takes};
use crate::given::with_negative_numbers;
use crate::results::ResultsArgs;
use crate::study::StudyArgs;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use imminent::Device;
use imminent::models::study::definition::DefinitionError;
use imminent::models::study::description::Domain;
use imminent::models::study::{Catalogue, Definition, Key, Keys, Model, Value};
use imminent::models::toml_text::TomlError;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;
use std::ffi::OsString;
use std::path::Path;

/// Options that every model has, so no key becomes one of them.
const COMMON: [&str; 9] = ["backend", "device", "device-option", "force", "json", "out", "replications", "seed", "set"];

/// Runs the model that the first argument names, with the other arguments as its options.
pub(super) fn run(arguments: &[OsString], catalogue: &Catalogue, device: Option<Device>) -> Result<(), Failure> {
    let name = arguments.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let model = get(catalogue, &name)?;
    let keys = model.keys();
    let mut command = with_negative_numbers(command(model, &keys));
    let matches = command.try_get_matches_from_mut(arguments).unwrap_or_else(|error| error.exit());
    let results = ResultsArgs::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let mut args = DeviceArgs::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    args.opened = device.map(|device| (device, "it was asked for".to_owned()));
    let definition = definition(&name, &keys, &matches)?;
    let planned = catalogue.plan(&definition, Path::new("")).map_err(|error| told(&error, &keys))?;
    StudyArgs::run_point(planned, args, results)
}

/// Returns the parser of a model's options.
fn command(model: &dyn Model, keys: &Keys) -> Command {
    let description = model.description();
    let mut command = Command::new(description.name.clone())
        .bin_name(format!("imminent run {}", description.name))
        .about(description.about)
        .arg(Arg::new("FILE").help("Configuration (TOML), whose values options replace.").required(model.needs_file()));
    for key in keys.all().iter().filter(|key| is_option(key)) {
        let help = format!("{} Takes {} [default: {}].", key.about, takes(key), default(key));
        let unit = if key.unit.is_empty() { "VALUE" } else { key.unit.as_str() };
        command = command.arg(
            Arg::new(key.name.clone()).long(option(key)).value_name(unit.to_owned()).help(help).action(ArgAction::Set),
        );
    }
    let count = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("N").default_value("1").value_parser(value_parser!(u64)).help(help)
    };
    let set = "Give a key of the configuration a value, as `imminent describe` lists them; may be given several times.";
    command = command
        .arg(Arg::new("set").long("set").value_name("KEY=VALUE").help(set).action(ArgAction::Append))
        .arg(count("replications", "Number of replications."))
        .arg(count("seed", "Seed of all random numbers."));
    ResultsArgs::augment_args(DeviceArgs::augment_args(command))
}

/// Returns `true` if a key has an option of its own. Others are given by `--set`.
fn is_option(key: &Key) -> bool {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    key.domain.is_some() && key.name.chars().all(is_word) && !COMMON.contains(&option(key).as_str())
}

fn option(key: &Key) -> String {
    key.name.replace('_', "-")
}

/// Returns the study with one point that the options describe.
fn definition(name: &str, keys: &Keys, matches: &ArgMatches) -> Result<Definition, Failure> {
    let count = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let mut definition = Definition::new(name).repetitions(count("replications")).seed(count("seed"));
    if let Some(file) = matches.get_one::<String>("FILE") {
        definition = definition.fix("file", file.as_str());
    }
    for key in keys.all().iter().filter(|key| is_option(key)) {
        if let Some(text) = matches.get_one::<String>(&key.name) {
            let wrong = |problem| Failure::usage(format!("--{} {text}: {problem}", option(key)));
            definition = definition.fix(&key.name, value(key, text).map_err(wrong)?);
        }
    }
    for given in matches.get_many::<String>("set").into_iter().flatten() {
        let wrong = |problem: String| Failure::usage(format!("--set {given}: {problem}"));
        let (name, text) =
            given.split_once('=').ok_or_else(|| wrong("write it as KEY=VALUE, for instance run.seed=7".to_owned()))?;
        let value = match keys.key(name) {
            Some(key) => value(&key, text).map_err(wrong)?,
            // The plan names the key that was meant.
            None => Value::Text(text.to_owned()),
        };
        definition = definition.fix(name, value);
    }
    Ok(definition)
}

/// Parses a value of a key.
fn value(key: &Key, text: &str) -> Result<Value, String> {
    let refused = || format!("takes {}", takes(key));
    match &key.domain {
        Some(Domain::Boolean) => text.parse().map(Value::Boolean).map_err(|_| refused()),
        Some(Domain::Integer { .. }) => text.parse().map(Value::Integer).map_err(|_| refused()),
        Some(Domain::Number { .. }) => text.parse().map(Value::Number).map_err(|_| refused()),
        Some(Domain::Text { .. }) => Ok(Value::Text(text.to_owned())),
        None => Err("is a list or a table; name a key in it".to_owned()),
    }
}

/// Says an error in terms of options.
fn told(error: &DefinitionError, keys: &Keys) -> Failure {
    let DefinitionError::Toml(TomlError::Value { key, problem, .. }) = error else { return Failure::usage(error) };
    let name = key.strip_prefix("fixed.");
    match name.map(|name| (name, keys.key(name).filter(is_option))) {
        Some((_, Some(key))) => Failure::usage(format!("--{}: {problem}", option(&key))),
        Some((name, None)) => Failure::usage(format!("--set {name}: {problem}")),
        None if key == "repetitions" => Failure::usage(format!("--replications: {problem}")),
        None => Failure::usage(problem),
    }
}
