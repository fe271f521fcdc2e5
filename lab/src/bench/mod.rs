//! The command `lab bench`: cost of the runtime and of models on a device. One file for each subject; others are in the
//! packages of the models.

mod common;
mod launch;
mod model;
mod of_models;
mod pipeline;
mod primitives;
mod timing;
mod transfer;

use crate::models::Either;
use clap::{Args, Subcommand};
use common::Common;
use imminent_console::Failure;
use of_models::OfModel;

/// Options of `lab bench`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    subject: Either<Subject, OfModel>,
}

#[derive(Debug, Subcommand)]
enum Subject {
    /// Cost of launches, of their results, and of steps of a program, beyond that of the kernel.
    Launch {
        #[command(flatten)]
        common: Common,
    },
    /// Any model of the catalogue: wall time of runs by a configuration.
    Model {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: model::Options,
    },
    /// Reductions, scans, selections, sorts and moves of columns, at many sizes.
    Primitives {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: primitives::Options,
    },
    /// Speed of a pipeline of uploads, kernels and downloads relative to its slowest stage.
    Pipeline {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: pipeline::Options,
    },
    /// Speed of transfers to the device, from it, and between its tables.
    Transfer {
        #[command(flatten)]
        common: Common,
        /// Size of the largest transfer, in MiB.
        #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=16_384))]
        most: u32,
    },
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.subject {
            Either::Own(subject) => subject.run(),
            Either::OfModel(benchmark) => benchmark.run(),
        }
    }
}

impl Subject {
    fn run(self) -> Result<(), Failure> {
        match self {
            Subject::Launch { common } => common.measure("launch", launch::measure),
            Subject::Model { common, options } => {
                common.publish("model", |device, time| model::measure(device, time, &options))
            }
            Subject::Primitives { common, options } => {
                common.measure("primitives", |device, time| primitives::measure(device, time, &options))
            }
            Subject::Pipeline { common, options } => {
                common.measure("pipeline", |device, time| pipeline::measure(device, time, &options))
            }
            Subject::Transfer { common, most } => {
                common.measure("transfer", |device, time| transfer::measure(device, time, most))
            }
        }
    }
}
