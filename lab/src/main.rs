//! The program `lab`: measures the cost of the runtime, and repeats measurements of papers.

mod bench;
mod figures;
mod models;

use clap::{Parser, Subcommand};
use imminent_console::Failure;
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
    /// Measure the papers' figures anew: Table 5-2 and figures 5-4 to 5-6, which compare the clustered engine with the
    /// exact one. With `traffic`, figures 8 to 10 of fluids and packets, with `validation`, figures 6 and 7; with
    /// `studies`, figures 6 to 13 of parameter studies; with `cells`, figures 11 and 12 of cell spaces.
    Figures(Box<figures::Figures>),
    /// Measure the cost of the runtime on a device.
    Bench(Box<bench::Bench>),
}

impl Lab {
    fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Figures(command) => command.run(),
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
            failure.exit_code()
        }
    }
}
