//! `imminent run MODEL` for the models of the catalogue: options from the keys of their configurations.

mod command;
mod experiment;
mod measured;
#[cfg(feature = "report")]
mod page;
mod place;
mod records;
mod text;

pub(crate) use command::{command, listed, options, run_options};
pub(super) use experiment::configuration;
pub(super) use measured::{definition, told};

use crate::describe::get;
use crate::results::ResultsArgs;
use clap::{ArgMatches, FromArgMatches};
use imminent::Device;
use imminent::models::study::Catalogue;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;

/// A model of the catalogue with its options.
#[derive(Debug)]
pub(crate) struct ModelRun {
    pub(crate) name: String,
    pub(crate) matches: ArgMatches,
}

impl ModelRun {
    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    pub(crate) fn run(&self, catalogue: &Catalogue, device: Option<Device>) -> Result<(), Failure> {
        let (model, matches) = (get(catalogue, &self.name)?, &self.matches);
        let results = ResultsArgs::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        let mut args = DeviceArgs::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        args.opened = device.map(|device| (device, "it was asked for".to_owned()));
        command::refuse_earlier(model, matches)?;
        match model.experiments() {
            Some(experiments) => experiment::run(model, experiments, matches, &args, &results),
            None => measured::run(model, matches, args, results, catalogue),
        }
    }
}
