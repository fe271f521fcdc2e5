//! Commands that models of the catalogue offer, beside the lab's own.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches, Subcommand};
use imminent::models::study::options::{Options, Read};
use imminent_console::Failure;

/// Command of the lab, or one that a model offers.
#[derive(Debug)]
pub(crate) enum Either<O, M> {
    /// Command of the lab.
    Own(O),
    /// Command of a model.
    OfModel(M),
}

/// Commands that models offer.
pub(crate) trait OfModels: Sized {
    /// Returns the parsers of all commands.
    fn commands() -> Vec<Command>;

    /// Reads the command line of one of them.
    fn read(name: &str, matches: &ArgMatches) -> Result<Self, Error>;
}

impl<O: Subcommand, M: OfModels> FromArgMatches for Either<O, M> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        match matches.subcommand() {
            Some((name, matches)) if has::<M>(name) => M::read(name, matches).map(Either::OfModel),
            _ => O::from_arg_matches(matches).map(Either::Own),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<O: Subcommand, M: OfModels> Subcommand for Either<O, M> {
    fn augment_subcommands(command: Command) -> Command {
        O::augment_subcommands(command).subcommands(M::commands())
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        O::has_subcommand(name) || has::<M>(name)
    }
}

fn has<M: OfModels>(name: &str) -> bool {
    M::commands().iter().any(|command| command.get_name() == name)
}

/// Adds options to a command.
pub(crate) fn with_options(command: Command, options: &Options) -> Command {
    options.all().into_iter().fold(command, |command, option| {
        let default = option.default.map_or_else(String::new, |default| format!(" [default: {default}]"));
        let arg = Arg::new(option.name.clone()).long(option.name).help(option.about + &default);
        command.arg(match option.is_flag {
            true => arg.action(ArgAction::SetTrue),
            false if option.unit.is_empty() => arg.value_name("VALUE"),
            false => arg.value_name(option.unit),
        })
    })
}

/// Reads the options of a command.
pub(crate) fn read(options: &Options, matches: &ArgMatches) -> Result<Read, Failure> {
    let all = options.all();
    let given = all.iter().filter_map(|option| match option.is_flag {
        true => matches.get_flag(&option.name).then_some((option.name.as_str(), "")),
        false => Some((option.name.as_str(), matches.get_one::<String>(&option.name)?.as_str())),
    });
    options.read(given).map_err(Failure::usage)
}
