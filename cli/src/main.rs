//! The program `imminent`.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    imminent_cli::clock::start();
    // SAFETY: no other thread has been started yet.
    unsafe { imminent_cli::look_for_no_display() };
    match imminent_cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            imminent_cli::tell(&format!("imminent: {failure}"));
            failure.exit_code()
        }
    }
}
