//! Commands, their options, and how they end.

mod bench;
mod bisect;
pub(crate) mod clock;
mod conform;
mod devices;
mod digits;
mod display;
mod emit;
mod figures;
mod file;
mod folder;
mod fuzz;
mod interrupt;
mod memory;
#[cfg(feature = "report")]
mod page;
#[cfg(feature = "report")]
mod plot;
mod progress;
mod results;
mod run;
mod selection;
mod sheet;
mod study;

pub(crate) use display::look_for_none as look_for_no_display;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Portable compute backends for discrete-event simulation.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the devices of every backend, or why there are none.
    Devices(devices::Devices),
    /// Simulate a model.
    Run(Box<run::Run>),
    /// Simulate two or more networks on common random numbers, and say what they differ by.
    Compare(Box<run::Compare>),
    /// Carry out a parameter study: many runs of a model, side by side, resumable.
    Study(study::StudyArgs),
    /// Run the conformance suite on a device.
    Conform(conform::Conform),
    /// Run random kernels on a device and compare with what their intermediate representation says.
    Fuzz(fuzz::Fuzz),
    /// Run a model on two devices in step, and find the first launch, row and column that differ.
    Bisect(Box<bisect::Bisect>),
    /// Measure the papers' figures anew: Table 5-2 and figures 5-4 to 5-6, the clustered engine beside the exact one; with `traffic` figures 8 to 10 of fluids and packets, with `studies` 6 to 13 of parameter studies.
    Figures(Box<figures::Figures>),
    /// Measure what the machinery costs on a device.
    Bench(bench::Bench),
    /// Print the generated code of a model's kernels.
    Emit(emit::Emit),
}

impl Cli {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Devices(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Study(command) => command.run(),
            Command::Conform(command) => command.run(),
            Command::Fuzz(command) => command.run(),
            Command::Bisect(command) => command.run(),
            Command::Figures(command) => command.run(),
            Command::Bench(command) => command.run(),
            Command::Emit(command) => command.run(),
        }
    }
}

/// Why a command did not succeed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something went wrong while it ran: exit status 1.
    #[error("{0}")]
    Run(String),
    /// The command line or a configuration asks for something that does not exist: exit status 2.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
        })
    }

    /// A failure while something ran.
    pub(crate) fn run(error: impl std::fmt::Display) -> Failure {
        Failure::Run(error.to_string())
    }

    /// A mistake in what was asked for.
    pub(crate) fn usage(error: impl std::fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// Prints a value as one JSON object.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    use std::io::{BufWriter, Error, Write};
    // Written as it is made: a study may have more to say than there is memory for.
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut out, value).map_err(Error::from);
    printed(written.and_then(|()| writeln!(out)).and_then(|()| out.flush()))
}

/// Prints text. A reader that has gone away, such as `head`, is no failure.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    let mut output = std::io::stdout().lock();
    printed(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

fn printed(written: std::io::Result<()>) -> Result<(), Failure> {
    use std::io::ErrorKind;
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::run(format!("cannot write the output: {error}")))
        }
        _ => Ok(()),
    }
}
