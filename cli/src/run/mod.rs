//! `imminent run`, and the commands that run several configurations.

mod compare;
mod model;
mod search;
mod sensitivity;
mod trials;

pub(super) use compare::Compare;
pub use model::begin_records;
pub(crate) use model::{ModelRun, command, explained, is_common, listed};
pub(super) use search::Search;
pub(super) use sensitivity::Sensitivity;
pub(super) use trials::with_model;

use clap::Args;
use imminent::models::study::Catalogue;
use imminent_console::Failure;

/// Options of `imminent run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(subcommand)]
    model: ModelRun,
}

impl Run {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        self.model.run(catalogue, None)
    }
}
