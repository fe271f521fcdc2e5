//! The program `imminent`: commands, their options, and exit statuses.
//!
//! This library is only for the programs of this project.

#[cfg(not(feature = "conformance"))]
mod absent;
#[cfg(feature = "conformance")]
mod bisect;
#[doc(hidden)]
pub mod clock;
#[cfg(feature = "conformance")]
mod conform;
mod devices;
mod digits;
mod display;
mod emit;
mod file;
#[doc(hidden)]
pub mod folder;
#[cfg(feature = "conformance")]
mod fuzz;
#[doc(hidden)]
pub mod interrupt;
mod memory;
mod moved;
#[cfg(feature = "report")]
#[doc(hidden)]
pub mod page;
#[cfg(feature = "report")]
#[doc(hidden)]
pub mod plot;
#[doc(hidden)]
pub mod progress;
mod results;
mod run;
#[doc(hidden)]
pub mod selection;
#[doc(hidden)]
pub mod sheet;
mod study;

#[doc(hidden)]
pub use display::look_for_none as look_for_no_display;

#[cfg(not(feature = "conformance"))]
use absent::{Absent as Bisect, Absent as Conform, Absent as Fuzz};
#[cfg(feature = "conformance")]
use bisect::Bisect;
use clap::{Parser, Subcommand};
#[cfg(feature = "conformance")]
use conform::Conform;
#[cfg(feature = "conformance")]
use fuzz::Fuzz;
use moved::Moved;
use std::process::ExitCode;

/// Portable compute backends for discrete-event simulation.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the devices of every backend, or the reasons why there are none.
    Devices(devices::Devices),
    /// Simulate a model.
    Run(Box<run::Run>),
    /// Simulate two or more networks on common random numbers, and estimate their differences.
    Compare(Box<run::Compare>),
    /// Run a parameter study: many runs of a model in parallel, resumable.
    Study(study::StudyArgs),
    /// Run the conformance suite on a device.
    Conform(Conform),
    /// Run random kernels on a device, and compare the results with their intermediate representation.
    Fuzz(Fuzz),
    /// Run a model on two devices in step, and find the first launch, row and column that differ.
    Bisect(Box<Bisect>),
    /// Print the generated code of a model's kernels.
    Emit(emit::Emit),
    /// Measure overheads on a device.
    #[command(hide = true)]
    Bench(Moved),
    /// Reproduce the papers' figures.
    #[command(hide = true)]
    Figures(Moved),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`] with the reason.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Devices(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Study(command) => command.run(),
            Command::Conform(command) => command.run(),
            Command::Fuzz(command) => command.run(),
            Command::Bisect(command) => command.run(),
            Command::Emit(command) => command.run(),
            Command::Bench(command) => command.run("bench"),
            Command::Figures(command) => command.run("figures"),
        }
    }
}

/// Reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error during the run: exit status 1.
    #[error("{0}")]
    Run(String),
    /// Error in the command line or a configuration: exit status 2.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// Returns the exit status of a process with this failure.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
        })
    }

    /// Creates a failure during a run.
    pub fn run(error: impl std::fmt::Display) -> Failure {
        Failure::Run(error.to_string())
    }

    /// Creates a failure of the command line or a configuration.
    pub fn usage(error: impl std::fmt::Display) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// Prints a value as one JSON object.
#[doc(hidden)]
pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    use std::io::{BufWriter, Error, Write};
    // The output is streamed: the result of a study may not fit into memory.
    let mut out = BufWriter::new(std::io::stdout().lock());
    let written = serde_json::to_writer_pretty(&mut out, value).map_err(Error::from);
    printed(written.and_then(|()| writeln!(out)).and_then(|()| out.flush()))
}

/// Prints text. A reader that has exited, such as `head`, causes no failure.
#[doc(hidden)]
pub fn print_text(text: &str) -> Result<(), Failure> {
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
