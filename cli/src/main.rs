//! The program `imminent`.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: imminent_cli::Allocator = imminent_cli::Allocator;

fn main() -> ExitCode {
    imminent_cli::clock::start();
    imminent_cli::watch_for_exhaustion();
    // SAFETY: no other thread has been started yet.
    unsafe { imminent_cli::look_for_no_display() };
    match imminent_cli::Cli::of_process().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, imminent_cli::Failure::Told(_)) {
                imminent_cli::tell(&format!("imminent: {failure}"));
            }
            failure.exit_code()
        }
    }
}
