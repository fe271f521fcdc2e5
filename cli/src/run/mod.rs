//! `imminent run`.

mod compare;
mod model;

pub(super) use compare::{Compare, with_model};
pub(crate) use model::{ModelRun, command, explained, is_common, listed};

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
