//! The command line.

mod cli;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::clock::start();
    // SAFETY: nothing has been started yet: this is the only thread.
    unsafe { cli::look_for_no_display() };
    match cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("imminent: {failure}");
            failure.exit_code()
        }
    }
}
