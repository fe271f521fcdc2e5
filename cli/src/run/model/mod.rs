//! `imminent run MODEL` for the models of the catalogue: options from the keys of their configurations.

mod command;
mod experiment;
mod grids;
#[cfg(feature = "report")]
mod page;
mod records;
mod run_device;
mod text;

pub(super) use command::{EXPLAIN, arg, of_explain, options_of_runs};
pub(crate) use command::{command, is_common, listed};
pub(crate) use experiment::explained;
pub(super) use experiment::{configuration, save, simulate};
pub use records::begin as begin_records;
pub(super) use run_device::RunDevice;
pub(super) use text::sections;

use crate::describe::get;
use crate::results::ResultsArgs;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use imminent::Device;
use imminent::models::study::{Catalogue, MeasuredExperiments};
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;

/// A model of the catalogue with its options. The parser of the program has its command.
#[derive(Debug)]
pub(crate) struct ModelRun {
    name: String,
    matches: ArgMatches,
}

impl FromArgMatches for ModelRun {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { name: name.to_owned(), matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for ModelRun {
    fn augment_subcommands(command: Command) -> Command {
        // Of a model that the program was built without, `get` says more than the parser.
        let command = command.allow_external_subcommands(cfg!(not(all(feature = "models", feature = "maps"))));
        command.subcommand_required(true).arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(_: &str) -> bool {
        true
    }
}

impl ModelRun {
    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    pub(crate) fn run(&self, catalogue: &Catalogue, device: Option<Device>) -> Result<(), Failure> {
        let (model, matches) = (get(catalogue, &self.name)?, &self.matches);
        let results = ResultsArgs::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        let mut args = DeviceArgs::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        args.opened = device.map(|device| (device, "it was asked for".to_owned()));
        command::refuse_earlier(&**model, matches)?;
        let measured = MeasuredExperiments::new(model);
        experiment::run(&**model, model.experiments().unwrap_or(&measured), matches, &args, &results)
    }
}
