//! Tells the program which commit it is built from, if it is built from a git checkout of this project.
//!
//! The script runs again when the checkout moves to another commit, and at no other time.

use std::path::Path;
use std::process::Command;

pub(crate) fn main() {
    // Without this line the script would run again after every change of a file of the package.
    println!("cargo::rerun-if-changed=build.rs");
    // A copy of the sources inside the repository of another project has not the commits of that one.
    let project = Path::new("..").canonicalize().ok();
    if project.is_none()
        || git(&["rev-parse", "--show-toplevel"]).and_then(|top| Path::new(&top).canonicalize().ok()) != project
    {
        return;
    }
    let Some(commit) = git(&["log", "-1", "--format=%h, %cs"]) else { return };
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=IMMINENT_VERSION={version} ({commit})");
    // The log gets a line whenever the checkout moves; `HEAD` alone changes with the branch only.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(file) = git(&["rev-parse", "--git-path", name]).filter(|file| Path::new(file).exists()) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
}

/// Returns what a command of git prints, or `None` if it fails or there is no git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
