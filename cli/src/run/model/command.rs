//! The options of a model: one for each key of its configuration.

use crate::describe::{default, takes};
use crate::results::ResultsArgs;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, builder};
use imminent::models::study::description::Domain;
use imminent::models::study::experiment::RunOption;
use imminent::models::study::{Key, Keys, MeasuredExperiments, Model};
use imminent_console::Failure;
use imminent_console::name::program;
use imminent_console::selection::DeviceArgs;
use std::sync::LazyLock;

/// Options that the program has beside those of its commands.
const OF_PROGRAM: [&str; 3] = ["help", "quiet", "version"];

/// Options that every model has, so no key becomes one of them.
static COMMON: LazyLock<Vec<String>> = LazyLock::new(|| {
    let command = with_common(Command::new("run"), "MODEL");
    let own = command.get_arguments().filter_map(|argument| argument.get_long());
    own.chain(OF_PROGRAM).map(str::to_owned).collect()
});

/// Adds the options that every model has.
fn with_common(command: Command, model: &str) -> Command {
    ResultsArgs::augment_args(DeviceArgs::augment_args(command.arg(of_set(model))).arg(of_explain()))
}

/// Name of the option that prints predicted times.
pub(in crate::run) const EXPLAIN: &str = "explain";

/// Returns the option that prints predicted times.
pub(in crate::run) fn of_explain() -> Arg {
    let help = "Print on standard error how long the run is predicted to take on the host and on GPUs.";
    Arg::new(EXPLAIN).long(EXPLAIN).help(help).action(ArgAction::SetTrue)
}

/// Earlier names of options that every model had, each with what is said of it today.
const EARLIER: [(&str, &str); 1] = [("config", "called FILE, without an option,")];

/// Returns `true` for an option that every model has, which is no key.
pub(crate) fn is_common(option: &str) -> bool {
    COMMON.iter().any(|common| common == option)
}

/// Returns the parser of a model's options.
pub(crate) fn command(model: &dyn Model) -> Command {
    let options = options(model);
    let file =
        Arg::new("FILE").help("Configuration, whose values options replace: TOML, or a file of the model's own.");
    let mut command = listed(model).arg(file.required(model.needs_file()));
    for (option, key) in &options {
        command = command.arg(of_key(option, key));
    }
    command = command.args(of_experiments(model).map(arg));
    for (option, _) in earlier(model, &options) {
        let arg = Arg::new(earlier_id(&option)).long(option).num_args(0..=1).hide(true).action(ArgAction::Set);
        command = command.arg(arg);
    }
    let description = model.description();
    // The groups of options bring descriptions of their own.
    with_common(command, &description.name).about(description.about)
}

/// Returns the command of a model without options, for lists of commands.
pub(crate) fn listed(model: &dyn Model) -> Command {
    let description = model.description();
    Command::new(description.name).about(description.about)
}

/// Returns the option of a key, whose identifier is the key.
fn of_key(option: &str, key: &Key) -> Arg {
    let several = if key.is_list { " May be given several times." } else { "" };
    let help = format!("{} Takes {} [default: {}].{several}", key.about, takes(key), default(key));
    let unit = match key.unit.as_str() {
        _ if key.is_path => "FILE",
        "" => "VALUE",
        unit => unit,
    };
    let arg = Arg::new(key.name.clone()).long(option.to_owned()).value_name(unit.to_owned()).help(help);
    // The keys of tables inside are many; the long help has them.
    let arg = arg.hide_short_help(key.depth() > 2);
    match key.domain {
        _ if key.is_list => arg.action(ArgAction::Append).allow_hyphen_values(true),
        // A value stands after `=`: what follows a blank is FILE.
        Some(Domain::Boolean) => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        _ => arg.action(ArgAction::Set),
    }
}

/// Returns the keys that have an option of their own, each with its name. Others are given by `--set`.
fn options(model: &dyn Model) -> Vec<(String, Key)> {
    let of_runs = of_experiments(model).map(|option| option.name.to_owned());
    model.keys().short_names(COMMON.iter().cloned().chain(of_runs).collect())
}

/// Returns the parser of an option that is no key.
pub(crate) fn arg(option: &RunOption) -> Arg {
    let arg = Arg::new(option.name).long(option.name).help(option.about);
    match option.value {
        Some(value) => {
            let action = if option.repeats() { ArgAction::Append } else { ArgAction::Set };
            arg.value_name(value.trim_end_matches('.'))
                .action(action)
                .value_parser(builder::NonEmptyStringValueParser::new())
        }
        None => arg.action(ArgAction::SetTrue),
    }
}

/// Returns the options of keys in the section `[run]`, or of those without a section if there is none, and `--set`.
pub(crate) fn options_of_runs(model: &dyn Model) -> Vec<Arg> {
    let (of_run, others): (Vec<_>, Vec<_>) =
        options(model).into_iter().partition(|(_, key)| key.name.starts_with("run."));
    let chosen = match of_run.is_empty() {
        true => others.into_iter().filter(|(_, key)| !key.name.contains('.')).collect(),
        false => of_run,
    };
    let args = chosen.iter().map(|(option, key)| of_key(option, key));
    args.chain([of_set(&model.description().name)]).collect()
}

/// Returns the option that gives any key a value.
fn of_set(model: &str) -> Arg {
    let set = format!(
        "Give a key of the configuration a value, as `{} describe {model}` lists them; may be given several times.",
        program()
    );
    Arg::new("set").long("set").value_name("KEY=VALUE").help(set).action(ArgAction::Append)
}

/// Returns the options of a model that are no keys.
fn of_experiments(model: &dyn Model) -> impl Iterator<Item = &RunOption> {
    model.experiments().map_or(MeasuredExperiments::OPTIONS, |experiments| experiments.options()).iter()
}

/// Refuses options by their earlier names.
pub(super) fn refuse_earlier(model: &dyn Model, matches: &ArgMatches) -> Result<(), Failure> {
    let Some(old) = matches.ids().find_map(|id| id.as_str().strip_prefix(EARLIER_ID)) else { return Ok(()) };
    match earlier(model, &options(model)).into_iter().find(|(option, _)| option == old) {
        Some((old, new)) => Err(Failure::usage(format!("--{old} is {new} now"))),
        None => Ok(()),
    }
}

/// Returns the keys whose options were given.
pub(super) fn given(model: &dyn Model, keys: &Keys, matches: &ArgMatches) -> Vec<Key> {
    let is_other = |id: &str| is_common(id) || of_experiments(model).any(|option| option.name == id);
    let ids = matches.ids().map(clap::Id::as_str);
    let given = ids.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine) && !is_other(id));
    given.filter_map(|id| keys.key(id)).collect()
}

/// Returns the name of a key's option.
pub(super) fn option_of(model: &dyn Model, key: &Key) -> String {
    let found = options(model).into_iter().find(|(_, other)| other.name == key.name);
    found.map_or_else(|| key.name.clone(), |(option, _)| option)
}

/// Returns earlier names of options, each with what is said of it today.
fn earlier(model: &dyn Model, options: &[(String, Key)]) -> Vec<(String, String)> {
    let mut earlier: Vec<(String, String)> = vec![];
    let of_runs = model.experiments().into_iter().flat_map(|experiments| experiments.earlier_options());
    let renamed = model.renamed().iter().chain(of_runs).map(|(old, new)| {
        let now = match options.iter().find(|(_, key)| key.name == *new) {
            Some((option, _)) => format!("--{option}"),
            None if of_experiments(model).any(|of_run| of_run.name == *new) => format!("--{new}"),
            None if new.starts_with('-') => (*new).to_owned(),
            None => format!("--set {new}=VALUE"),
        };
        (*old, format!("called {now}"))
    });
    let of_other = |(other, keys): &(&'static str, &'static [&'static str])| {
        let said = format!("an option of `{} run {other}`", program());
        keys.iter().map(move |old| (*old, said.clone()))
    };
    let of_all = EARLIER.iter().map(|(old, now)| (*old, (*now).to_owned()));
    for (old, now) in renamed.chain(of_all).chain(model.moved().iter().flat_map(of_other)) {
        let option = dashed(last(old));
        let is_taken = options.iter().any(|(name, _)| *name == option)
            || is_common(&option)
            || of_experiments(model).any(|of_run| of_run.name == option)
            || earlier.iter().any(|(name, _)| *name == option);
        if !is_taken {
            earlier.push((option, now));
        }
    }
    earlier
}

/// Beginning of the identifiers of earlier names of options.
const EARLIER_ID: &str = "earlier ";

fn earlier_id(option: &str) -> String {
    format!("{EARLIER_ID}{option}")
}

fn last(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(_, last)| last)
}

fn dashed(key: &str) -> String {
    key.replace(['_', '.'], "-")
}

/// Says how a range of a key is written, which was its value in earlier versions.
pub(super) fn spread(model: &dyn Model, keys: &Keys, key: &Key, text: &str) -> Option<String> {
    let (middle, spread, half) = keys.range(&key.name, text)?;
    let [of_key, of_spread] = [key, &spread].map(|key| option_of(model, key));
    Some(format!("a range is its middle and its spread now: give --{of_key} {middle} --{of_spread} {half}"))
}

/// Returns the texts that are given for a key's option.
pub(super) fn texts<'m>(key: &Key, matches: &'m ArgMatches) -> Vec<&'m str> {
    matches.try_get_many::<String>(&key.name).ok().flatten().into_iter().flatten().map(String::as_str).collect()
}

/// Returns the values that `--set` gives, as key and text.
pub(super) fn set(matches: &ArgMatches) -> Result<Vec<(String, String)>, Failure> {
    let split = |given: &String| match given.split_once('=') {
        Some((key, text)) => Ok((key.to_owned(), text.to_owned())),
        None => Err(Failure::usage(format!("--set {given}: write it as KEY=VALUE, for instance run.seed=7"))),
    };
    matches.get_many::<String>("set").into_iter().flatten().map(split).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::models::catalogue;

    #[test]
    fn options_without_a_value_leave_the_file_alone() {
        let mut tried = vec![];
        for model in catalogue().iter() {
            let is_boolean = |key: &Key| key.domain == Some(Domain::Boolean);
            for (option, key) in options(model).into_iter().filter(|(_, key)| is_boolean(key)) {
                let read = |option: &str| {
                    let matches = command(model).try_get_matches_from(["run", option, "net.toml"]).unwrap();
                    assert_eq!(matches.get_one::<String>("FILE").unwrap(), "net.toml", "{option}");
                    matches.get_one::<String>(&key.name).unwrap().clone()
                };
                assert_eq!(read(&format!("--{option}")), "true");
                assert_eq!(read(&format!("--{option}=false")), "false");
                tried.push(option);
            }
        }
        assert!(["packets", "shared"].iter().all(|option| tried.iter().any(|tried| tried == option)), "{tried:?}");
    }

    #[test]
    fn options_of_runs_refuse_empty_values() {
        let mut tried = 0;
        for model in catalogue().iter() {
            for option in of_experiments(model).filter(|option| option.value.is_some()) {
                let given = format!("--{}=", option.name);
                let error = command(model).try_get_matches_from(["run", &given]).unwrap_err().to_string();
                assert!(error.contains(&format!("'--{} <", option.name)), "{error}");
                tried += 1;
            }
        }
        assert!(tried > 3);
    }
}
