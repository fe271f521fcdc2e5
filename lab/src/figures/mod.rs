//! The command `lab figures`. It repeats measurements of papers: Table 5-2 and figures 5-4 to 5-6, which compare the
//! clustered engine with the exact one, and the figures on hybrid traffic, cell spaces and parameter studies. Others
//! are in the packages of the models.

mod cells;
mod lines;
mod measured;
mod of_models;
mod out;
mod parts;
mod printed;
mod queueing;
mod studies;
mod target;
mod traffic;
mod validation;

use crate::models::Either;
use clap::{Args, Subcommand};
use imminent_console::Failure;
use of_models::OfModel;
use queueing::Queueing;

/// Options of `lab figures`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Figures {
    #[command(subcommand)]
    other: Option<Either<Other, OfModel>>,
    #[command(flatten)]
    queueing: Queueing,
}

/// Figures of other papers.
#[derive(Debug, Subcommand)]
enum Other {
    /// Figures 8 to 10 of hybrid traffic: wall time of a simulated second by campuses, shares of packets and batches,
    /// in several places.
    Traffic(Box<traffic::TrafficFigures>),
    /// Figures 6 and 7 of hybrid traffic: a queue and the windows of the validation network over time.
    Validation(Box<validation::ValidationFigures>),
    /// Figures 11 and 12 of cell spaces: times of the fire and the flood, in several places.
    Cells(Box<cells::CellFigures>),
    /// Figures 6 to 13 of parameter studies: events per second by simulations, modules and mappings, cost of events,
    /// and the wireless mesh, in several places.
    Studies(Box<studies::StudyFigures>),
}

impl Figures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.other {
            Some(Either::Own(other)) => other.run(),
            Some(Either::OfModel(figures)) => figures.run(),
            None => self.queueing.run(),
        }
    }
}

impl Other {
    fn run(self) -> Result<(), Failure> {
        match self {
            Other::Traffic(figures) => figures.run(),
            Other::Validation(figures) => figures.run(),
            Other::Cells(figures) => figures.run(),
            Other::Studies(figures) => figures.run(),
        }
    }
}
