//! The program `imminent`.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: imminent_cli::Allocator = imminent_cli::Allocator;

fn main() -> ExitCode {
    imminent_cli::main(&imminent::models::catalogue())
}
