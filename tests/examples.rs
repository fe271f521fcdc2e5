//! Examples: each is short, and runs to its end. `cargo test` builds them.

#![cfg(feature = "full")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Most lines of an example: each has fewer than 80.
const MAX_LINES: usize = 79;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

#[test]
fn examples_are_numbered_and_short() {
    let examples = examples();
    assert_eq!(examples.len(), 14);
    for (number, file) in (1..).zip(&examples) {
        let name = file.file_stem().unwrap().to_string_lossy();
        assert!(name.starts_with(&format!("{number:02}_")), "`{name}` should have number {number:02}");
        let lines = std::fs::read_to_string(file).unwrap().lines().count();
        assert!(lines <= MAX_LINES, "`{name}` has {lines} lines, more than {MAX_LINES}");
    }
}

#[test]
fn examples_run() {
    // This test's program is in `deps`, beside the folder of the examples.
    let programs = std::env::current_exe().unwrap().parent().unwrap().with_file_name("examples");
    for file in examples() {
        let program = programs.join(file.file_stem().unwrap());
        let run = Command::new(&program).output().unwrap_or_else(|error| {
            panic!("{}: {error}. Build it first: cargo build -p imminent --examples --features full", program.display())
        });
        let (said, failed) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{} ended with {}: {failed}", program.display(), run.status);
        assert!(!said.is_empty(), "{} printed no result", program.display());
    }
}
