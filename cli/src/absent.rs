//! Parts that a build of the program may lack, and the texts that say how to get them.
//!
//! The texts exist in every build. A test lists them all.

#[cfg(not(all(feature = "conformance", feature = "cuda", feature = "models", feature = "shell")))]
mod commands;

#[cfg(not(feature = "models"))]
pub(crate) use commands::Emit;
#[cfg(not(feature = "cuda"))]
pub(crate) use commands::Precompile;
#[cfg(not(feature = "shell"))]
pub(crate) use commands::Shell;
#[cfg(not(feature = "conformance"))]
pub(crate) use commands::Suite;

use crate::package;
use std::path::PathBuf;
use thiserror::Error;

/// Part of the program that a build without its feature lacks. The text says how to build a program that has it.
#[derive(Debug, Clone, Error)]
#[allow(dead_code, reason = "each build lacks other parts, and their texts are reviewed in all builds")]
pub(crate) enum Absent {
    /// The commands `conform`, `fuzz`, `bisect` and `doctor`.
    #[error("this command needs the conformance suite, which this program was built without: {}", with("conformance"))]
    Suite,
    /// The commands `study` and `emit`, and the models of `run` but queueing networks.
    #[error(
        "this command needs all models, and this program was built for queueing networks alone: {}",
        with("models")
    )]
    Models,
    /// The commands `completions` and `manual`.
    #[error(
        "this command needs what writes scripts and pages, which this program was built without: {}",
        with("shell")
    )]
    Shell,
    /// The command `precompile`.
    #[error("this command needs the CUDA backend, which this program was built without: {}", with("cuda"))]
    Cuda,
    /// An option or a model that reads or writes maps.
    #[error("{what} needs maps, which this program was built without: {}", with("maps"))]
    Maps {
        /// Name of the option or of the model.
        what: &'static str,
    },
    /// A trace in the format Parquet.
    #[error(
        "--record {}: this program was built without Parquet: name a file that ends in .bin, or build it with `--features parquet`",
        file.display()
    )]
    Parquet {
        /// Path of the trace.
        file: PathBuf,
    },
    /// Studies over ranks of MPI.
    #[error(
        "--mpi: this program was built without MPI: build it with `--features mpi`, which needs an MPI library with `mpicc`, and libclang"
    )]
    Mpi,
}

/// Commands that this build lacks, and the features that have them.
const COMMANDS: &[(&[&str], &str)] = &[
    #[cfg(not(feature = "conformance"))]
    (&["doctor", "conform", "fuzz", "bisect"], "conformance"),
    #[cfg(not(feature = "models"))]
    (&["emit"], "models"),
    #[cfg(not(feature = "cuda"))]
    (&["precompile"], "cuda"),
    #[cfg(not(feature = "shell"))]
    (&["completions", "manual"], "shell"),
];

/// Leaves the commands that this build lacks out of the help's list, and tells below which features have them.
pub(crate) fn told(mut program: clap::Command) -> clap::Command {
    for name in COMMANDS.iter().flat_map(|(names, _)| *names) {
        program = program.mut_subcommand(name, |command| command.hide(true));
    }
    let told: Vec<_> =
        COMMANDS.iter().map(|(names, feature)| format!("{} (feature `{feature}`)", names.join(", "))).collect();
    match told.as_slice() {
        [] => program,
        told => program.after_help(format!("Not in this build: {}.", told.join("; "))),
    }
}

/// Returns the request to build the program with a feature. A crate with a model of its own has features of its own.
fn with(feature: &str) -> String {
    match package::of_program() {
        Some(_) => format!(
            "build it with the feature `imminent-cli/{feature}`, as `cargo run --release --features imminent-cli/{feature} --` does"
        ),
        None => format!(
            "build it with `--features {feature}`, or with `--features full` for every backend too, for instance `cargo run --release --features full --`"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::Absent;
    use crate::moved::Moved;
    use imminent::Backends;
    use imminent_testkit::error_texts;
    use imminent_testkit::error_texts::ErrorTexts;

    #[test]
    fn every_part_that_a_build_may_lack_has_a_text() {
        let mut texts = ErrorTexts::default();
        error_texts!(texts, Absent {
            Suite => [Absent::Suite],
            Models => [Absent::Models],
            Shell => [Absent::Shell],
            Cuda => [Absent::Cuda],
            Maps => [Absent::Maps { what: "--out" }, Absent::Maps { what: "wildfire" }],
            Parquet => [Absent::Parquet { file: "visits.parquet".into() }],
            Mpi => [Absent::Mpi],
        });
        for backend in Backends::standard().names() {
            texts.add(&format!("imminent::select: {backend}, not compiled in"), &imminent::not_compiled_in(backend));
        }
        texts.add("Moved", &Moved::text("bench", &["launch".to_owned()]));
        insta::assert_snapshot!("absent_parts", texts);
    }
}
