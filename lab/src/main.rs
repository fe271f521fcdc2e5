//! The program `lab`: measures the cost of the runtime, and repeats measurements of papers.

mod bench;
mod figures;
mod models;

use clap::{Args, Parser, Subcommand};
use figures::OfModel;
use imminent_console::Failure;
use models::Either;
use std::process::ExitCode;

/// Version with the commit, if the lab is built from a checkout.
const VERSION: &str = match option_env!("IMMINENT_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Measures Imminent: the cost of its runtime, and the papers' figures.
#[derive(Debug, Parser)]
#[command(version = VERSION, about, arg_required_else_help = true)]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure the papers' figures anew, in several places.
    #[command(arg_required_else_help = true)]
    Figures(Box<Figures>),
    /// Measure the cost of the runtime on a device.
    Bench(Box<bench::Bench>),
}

/// Options of `lab figures`.
#[derive(Debug, Args)]
struct Figures {
    #[command(subcommand)]
    publication: Either<NoFigures, OfModel>,
}

/// Figures of the lab's own: all are those of models.
#[derive(Debug, Subcommand)]
enum NoFigures {}

impl Lab {
    fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Figures(figures) => match figures.publication {
                Either::Own(own) => match own {},
                Either::OfModel(figures) => figures.run(),
            },
            Command::Bench(command) => command.run(),
        }
    }
}

fn main() -> ExitCode {
    imminent_console::clock::start();
    imminent_report::page::set_version(&format!("Imminent {VERSION}"));
    // SAFETY: no thread has been started yet: this is the only one.
    unsafe { imminent_console::display::look_for_none() };
    match Lab::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lab: {failure}");
            ExitCode::from(failure.status())
        }
    }
}
