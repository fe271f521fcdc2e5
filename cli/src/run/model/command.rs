//! The options of a model: one for each key of its configuration.

use crate::describe::{default, takes};
use crate::name::program;
use crate::results::ResultsArgs;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, value_parser};
use imminent::models::study::description::Domain;
use imminent::models::study::experiment::RunOption;
use imminent::models::study::{Key, Model, Value};
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;

/// Options that every model has, so no key becomes one of them.
const COMMON: [&str; 10] =
    ["backend", "device", "device-option", "force", "help", "json", "out", "quiet", "set", "version"];

/// Names of options of all runs, which are given to keys of these names where a model has such keys.
const COUNTS: [(&str, &str); 2] =
    [("replications", "Number of replications."), ("seed", "Seed of all random numbers.")];

/// Returns the parser of a model's options.
pub(crate) fn command(model: &dyn Model) -> Command {
    let description = model.description();
    let options = options(model);
    let file = Arg::new("FILE").help("Configuration (TOML), whose values options replace.");
    let mut command = Command::new(description.name.clone()).arg(file.required(model.needs_file()));
    for (option, key) in &options {
        let help = format!("{} Takes {} [default: {}].", key.about, takes(key), default(key));
        let unit = if key.unit.is_empty() { "VALUE" } else { key.unit.as_str() };
        command = command.arg(
            Arg::new(key.name.clone())
                .long(option.clone())
                .value_name(unit.to_owned())
                .help(help)
                .action(ArgAction::Set),
        );
    }
    for (name, help) in COUNTS.iter().filter(|(name, _)| options.iter().all(|(option, _)| option != name)) {
        let count = Arg::new(*name).long(*name).value_name("N").default_value("1").value_parser(value_parser!(u64));
        command = command.arg(count.help(*help));
    }
    for option in run_options(model) {
        let arg = Arg::new(option.name).long(option.name).help(option.about);
        command = command.arg(match option.value {
            Some(value) => arg.value_name(value).action(ArgAction::Set),
            None => arg.action(ArgAction::SetTrue),
        });
    }
    for (option, _) in earlier(model, &options) {
        let arg = Arg::new(earlier_id(&option)).long(option).num_args(0..=1).hide(true).action(ArgAction::Set);
        command = command.arg(arg);
    }
    let set = format!(
        "Give a key of the configuration a value, as `{} describe {}` lists them; may be given several times.",
        program(),
        description.name
    );
    command = command.arg(Arg::new("set").long("set").value_name("KEY=VALUE").help(set).action(ArgAction::Append));
    // The groups of options bring descriptions of their own.
    ResultsArgs::augment_args(DeviceArgs::augment_args(command)).about(description.about)
}

/// Returns the keys that have an option of their own, each with its name. Others are given by `--set`.
///
/// The option of a key has the name of its last part, or the whole key where two keys end alike.
pub(super) fn options(model: &dyn Model) -> Vec<(String, Key)> {
    let keys: Vec<Key> = model.keys().all().into_iter().filter(is_single).collect();
    let name = |key: &Key| {
        let short = last(&key.name);
        let is_alone = keys.iter().filter(|other| last(&other.name) == short).count() == 1;
        dashed(if is_alone { short } else { &key.name })
    };
    let named: Vec<_> = keys.iter().map(|key| (name(key), key.clone())).collect();
    named.into_iter().filter(|(option, _)| !COMMON.contains(&option.as_str())).collect()
}

/// Returns the options of a model that are no keys.
fn run_options(model: &dyn Model) -> impl Iterator<Item = &RunOption> {
    model.experiments().into_iter().flat_map(|experiments| experiments.options())
}

/// Refuses options by their earlier names.
pub(super) fn refuse_earlier(model: &dyn Model, matches: &ArgMatches) -> Result<(), Failure> {
    let given = |option: &str| matches.contains_id(&earlier_id(option));
    match earlier(model, &options(model)).into_iter().find(|(option, _)| given(option)) {
        Some((old, new)) => Err(Failure::usage(format!("--{old} is called {new} now"))),
        None => Ok(()),
    }
}

/// Returns earlier names of options, each with today's.
fn earlier(model: &dyn Model, options: &[(String, Key)]) -> Vec<(String, String)> {
    let mut earlier: Vec<(String, String)> = vec![];
    for (old, new) in model.renamed() {
        let option = dashed(last(old));
        let now = options.iter().find(|(_, key)| key.name == *new);
        let now = now.map_or_else(|| format!("--set {new}=VALUE"), |(option, _)| format!("--{option}"));
        let is_taken = options.iter().any(|(name, _)| *name == option)
            || COMMON.contains(&option.as_str())
            || COUNTS.iter().any(|(name, _)| *name == option)
            || run_options(model).any(|of_run| of_run.name == option)
            || earlier.iter().any(|(name, _)| *name == option);
        if !is_taken {
            earlier.push((option, now));
        }
    }
    earlier
}

fn earlier_id(option: &str) -> String {
    format!("earlier {option}")
}

/// Returns `true` for a key that takes a single value and is no element of a list.
fn is_single(key: &Key) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    key.domain.is_some() && key.name.chars().all(is_plain)
}

fn last(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(_, last)| last)
}

fn dashed(key: &str) -> String {
    key.replace(['_', '.'], "-")
}

/// Parses a value of a key.
pub(super) fn value(key: &Key, text: &str) -> Result<Value, String> {
    let refused = || format!("takes {}", takes(key));
    match &key.domain {
        Some(Domain::Boolean) => text.parse().map(Value::Boolean).map_err(|_| refused()),
        Some(Domain::Integer { .. }) => text.parse().map(Value::Integer).map_err(|_| refused()),
        Some(Domain::Number { .. }) => text.parse().map(Value::Number).map_err(|_| refused()),
        Some(Domain::Text { .. }) => Ok(Value::Text(text.to_owned())),
        None => Err("is a list or a table; name a key in it".to_owned()),
    }
}

/// Returns the values that `--set` gives, as key and text.
pub(super) fn set(matches: &ArgMatches) -> Result<Vec<(String, String)>, Failure> {
    let split = |given: &String| match given.split_once('=') {
        Some((key, text)) => Ok((key.to_owned(), text.to_owned())),
        None => Err(Failure::usage(format!("--set {given}: write it as KEY=VALUE, for instance run.seed=7"))),
    };
    matches.get_many::<String>("set").into_iter().flatten().map(split).collect()
}
