//! `imminent compare`: differences between two or more configurations of a model, on common random numbers.

mod common;
mod measures;
mod networks;
mod told;

use super::model::{arg, configuration, options_of_runs};
use crate::describe::get;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use common::{SCHEDULE, key_of};
use imminent::models::study::{Catalogue, MeasuredExperiments};
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use std::path::PathBuf;
use told::text;

/// Name of the model whose configurations are compared unless another is named.
const MODEL: &str = "network";

/// Option that names the model.
const OPTION: &str = "model";

/// Options of `imminent compare`, beside those of the model's runs.
#[derive(Debug)]
pub(crate) struct Compare {
    device: DeviceArgs,
    matches: ArgMatches,
}

impl FromArgMatches for Compare {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self { device: DeviceArgs::from_arg_matches(matches)?, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Compare {
    fn augment_args(command: Command) -> Command {
        let files = Arg::new("FILE").help("Configurations: each is compared with the first.").num_args(2..);
        let model = Arg::new(OPTION).long(OPTION).value_name("MODEL").default_value(MODEL);
        let model = model.help("Model of the configurations, by whose measures they are compared.");
        let json = Arg::new("json").long("json").help("Print one JSON object.").action(ArgAction::SetTrue);
        let command = command.arg(files.required(true).value_parser(value_parser!(PathBuf))).arg(model).arg(json);
        DeviceArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Adds the options of runs of the model that the arguments name.
pub(crate) fn with_model(command: Command, catalogue: &Catalogue, arguments: &[String]) -> Command {
    let named = arguments.iter().rev().find_map(|argument| argument.strip_prefix("--model="));
    let option = format!("--{OPTION}");
    let follows = || arguments.windows(2).rev().find(|pair| pair.first() == Some(&option))?.last();
    let name = named.or_else(|| follows().map(String::as_str)).unwrap_or(MODEL);
    // A name that no model has is told when the command runs.
    let Some(model) = catalogue.get(name).map(|model| &**model) else { return command };
    let command = command.args(options_of_runs(model));
    let counts = MeasuredExperiments::OPTIONS.iter().filter(|option| key_of(model, option.name).is_none());
    let own = model.experiments().into_iter().flat_map(|experiments| experiments.options());
    command.args(counts.chain(own.filter(|option| option.name == SCHEDULE)).map(arg))
}

impl Compare {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let name = self.matches.get_one::<String>(OPTION).map_or(MODEL, String::as_str);
        let model = get(catalogue, name)?;
        let files = self.matches.get_many::<PathBuf>("FILE").into_iter().flatten();
        let read =
            |file: &PathBuf| Ok((file.display().to_string(), configuration(&**model, Some(file), &self.matches)?));
        let configurations = files.map(read).collect::<Result<Vec<_>, Failure>>()?;
        let compared = match name {
            MODEL => networks::compare(configurations, &self.matches, &self.device),
            _ => measures::compare(model, configurations, &self.matches, &self.device),
        }?;
        if self.matches.get_flag("json") { print_json(&compared) } else { print_text(&text(&compared)) }
    }
}
