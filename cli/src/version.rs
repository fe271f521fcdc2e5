//! Version of the program, its commit, and the parts that are compiled in.

use crate::package::{self, Package};
use clap::Command;
use imminent::BackendProvider;
use imminent_console::backends::backends;

/// Version with the commit, if the program is built from a checkout.
pub(crate) const SHORT: &str = match option_env!("IMMINENT_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

const FEATURES: [(&str, bool); 7] = [
    ("models", cfg!(feature = "models")),
    ("maps", cfg!(feature = "maps")),
    ("conformance", cfg!(feature = "conformance")),
    ("report", cfg!(feature = "report")),
    ("parquet", cfg!(feature = "parquet")),
    ("shell", cfg!(feature = "shell")),
    ("mpi", cfg!(feature = "mpi")),
];

/// Returns version, commit, backends and features.
pub(crate) fn long() -> String {
    let profile = if cfg!(debug_assertions) { ", a debug build" } else { "" };
    // Their features are those of the library: a crate may set them without those of this one.
    let backends = backends().iter().filter(|backend| backend.is_compiled_in()).map(BackendProvider::name);
    let features = FEATURES.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
    format!("{SHORT}{profile}\nbackends: {}\nfeatures: {}", listed(backends), listed(features))
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Adds the version to the parser of the program: of its crate, if that is known, and of this package.
pub(crate) fn of_program(command: Command) -> Command {
    match package::of_program() {
        None => command.version(SHORT).long_version(long()),
        Some(Package { name, version }) => {
            let beside = |version_of_ours: &str| format!("{version}\nimminent {version_of_ours}");
            command.display_name(name).version(beside(SHORT)).long_version(beside(&long()))
        }
    }
}
