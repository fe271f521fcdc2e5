//! `imminent run`.

#[cfg(feature = "models")]
mod cells;
mod compare;
mod model;

pub(super) use compare::{Compare, MODEL as COMPARED};
use model::ModelRun;
pub(crate) use model::{command, listed, run_options};

#[cfg(not(feature = "models"))]
use super::absent::{Models as FileArgs, Models as FireArgs, Models as FloodArgs};
#[cfg(feature = "models")]
use cells::{FileArgs, FireArgs, FloodArgs};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use imminent::Device;
use imminent::models::study::Catalogue;
use imminent_console::Failure;
use imminent_console::selection::DeviceArgs;

/// Options of `imminent run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(subcommand)]
    model: Chosen,
}

/// Model that a command line chooses, with its options.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// Model with a command of its own.
    Own(Box<Model>),
    /// Model of the catalogue, whose command the parser of the program has.
    Catalogue(ModelRun),
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand() {
            Some((name, options)) if !Model::has_subcommand(name) => {
                Ok(Self::Catalogue(ModelRun { name: name.to_owned(), matches: options.clone() }))
            }
            _ => Ok(Self::Own(Box::new(Model::from_arg_matches(matches)?))),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Chosen {
    fn augment_subcommands(command: Command) -> Command {
        Model::augment_subcommands(command)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Model::augment_subcommands_for_update(command)
    }

    fn has_subcommand(_: &str) -> bool {
        true
    }
}

impl Chosen {
    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    pub(crate) fn run(self, device: Option<Device>, catalogue: &Catalogue) -> Result<(), Failure> {
        match self {
            Self::Own(model) => model.run(device),
            Self::Catalogue(model) => model.run(catalogue, device),
        }
    }
}

/// Model with a command of its own.
#[derive(Debug, Subcommand)]
pub(crate) enum Model {
    /// A forest fire that spreads over a grid of cells (Cell-DEVS), with the published rates of spread.
    Fire(Box<FireArgs>),
    /// Water that spreads over a grid of cells until it is level (Cell-DEVS).
    Flood(Box<FloodArgs>),
    /// A cell space from a CD++ rule file.
    Cells(Box<FileArgs>),
}

impl Run {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        self.model.run(None, catalogue)
    }
}

impl Model {
    /// Returns the model's device options.
    fn device_mut(&mut self) -> &mut DeviceArgs {
        match self {
            Model::Fire(fire) => fire.device_mut(),
            Model::Flood(flood) => flood.device_mut(),
            Model::Cells(cells) => cells.device_mut(),
        }
    }

    /// Runs the model, on `device` if that is open already and else on the one that the options name.
    fn run(mut self, device: Option<Device>) -> Result<(), Failure> {
        if let Some(device) = device {
            self.device_mut().opened = Some((device, "it was asked for".to_owned()));
        }
        match self {
            Model::Fire(fire) => fire.run(),
            Model::Flood(flood) => flood.run(),
            Model::Cells(cells) => cells.run(),
        }
    }
}
