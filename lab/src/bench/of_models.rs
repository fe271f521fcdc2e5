//! Benchmarks that models of the catalogue offer.

use super::common::Common;
use crate::models::{OfModels, read, with_options};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use imminent::Error;
use imminent::models::study::Benchmark;
use imminent_console::Failure;

/// Benchmark of a model, with its command line.
#[derive(Debug)]
pub(super) struct OfModel {
    benchmark: Benchmark,
    common: Common,
    matches: ArgMatches,
}

fn all() -> Vec<Benchmark> {
    imminent::models::catalogue().benchmarks()
}

impl OfModels for OfModel {
    fn commands() -> Vec<Command> {
        let command = |benchmark: Benchmark| {
            let command = Common::augment_args(Command::new(benchmark.name)).about(benchmark.about);
            with_options(command, benchmark.options())
        };
        all().into_iter().map(command).collect()
    }

    fn read(name: &str, matches: &ArgMatches) -> Result<Self, clap::Error> {
        let benchmark = all().into_iter().find(|benchmark| benchmark.name == name);
        let benchmark = benchmark.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidSubcommand))?;
        Ok(Self { benchmark, common: Common::from_arg_matches(matches)?, matches: matches.clone() })
    }
}

impl OfModel {
    pub(super) fn run(self) -> Result<(), Failure> {
        let options = read(self.benchmark.options(), &self.matches)?;
        self.common.publish(self.benchmark.name, |device, time| {
            let found = self.benchmark.measure(device, time, options);
            found.map_err(|fault| match fault.downcast::<Error>() {
                Ok(error) if matches!(*error, Error::Invalid { .. }) => Failure::usage(error),
                Ok(error) => Failure::run(error),
                Err(fault) => Failure::run(fault),
            })
        })
    }
}
