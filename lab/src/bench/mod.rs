//! `lab bench`: what the machinery costs on a device. One file for each subject.

pub(super) mod events;
mod fluids;
pub(super) mod hybrid;
mod launch;
pub(super) mod networks;
mod pipeline;
mod primitives;
mod timing;
mod transfer;

use clap::{Args, Subcommand};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::{Device, DeviceInfo, Error};
use imminent_cli::selection::DeviceArgs;
use imminent_cli::{Failure, print_json, print_text};
use serde::Serialize;
use std::time::Duration;

/// Options of `lab bench`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, Subcommand)]
enum Subject {
    /// Many simulations at once, event by event: events a second of the benchmarks of parameter studies.
    Events {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: events::Options,
    },
    /// Fluid traffic on campus networks: wall time for a simulated second, and memory.
    Fluids {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: fluids::Options,
    },
    /// Fluids and packets that share queues: wall time for a simulated second, and what the host does in it.
    Hybrid {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: hybrid::Options,
    },
    /// What launches, their results and steps of a program cost beside the kernel itself.
    Launch {
        #[command(flatten)]
        common: Common,
    },
    /// Reductions, scans, selections, sorts and moves of columns, at many sizes.
    Primitives {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: primitives::Options,
    },
    /// How much of the speed of its slowest stage a pipeline of uploads, kernels and downloads reaches.
    Pipeline {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: pipeline::Options,
    },
    /// How fast bytes go to the device, from it, and from one of its tables to another.
    Transfer {
        #[command(flatten)]
        common: Common,
        /// Largest transfer, in MiB.
        #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=16_384))]
        most: u32,
    },
}

/// Options of every subject.
#[derive(Debug, Args)]
struct Common {
    #[command(flatten)]
    device: DeviceArgs,
    /// How long each figure is measured, in milliseconds: more runs, steadier medians.
    #[arg(long, default_value_t = 300, value_name = "MS")]
    time: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Measured<'d, F, L> {
    bench: &'static str,
    device: &'d DeviceInfo,
    #[serde(flatten)]
    found: Found<F, L>,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Found<F, L> {
    figures: Vec<F>,
    /// What was not, and why.
    left_out: Vec<L>,
}

impl<F> From<Vec<F>> for Found<F, &'static str> {
    fn from(figures: Vec<F>) -> Self {
        Found { figures, left_out: Vec::new() }
    }
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.subject {
            Subject::Events { common, options } => {
                common.measure("events", |device, time| events::measure(device, time, &options).map(Found::from))
            }
            Subject::Fluids { common, options } => {
                common.measure("fluids", |device, time| fluids::measure(device, time, &options).map(Found::from))
            }
            Subject::Hybrid { common, options } => {
                common.measure("hybrid", |device, time| hybrid::measure(device, time, &options).map(Found::from))
            }
            Subject::Launch { common } => {
                common.measure("launch", |device, time| launch::measure(device, time).map(Found::from))
            }
            Subject::Primitives { common, options } => {
                common.measure("primitives", |device, time| primitives::measure(device, time, &options))
            }
            Subject::Pipeline { common, options } => {
                common.measure("pipeline", |device, time| pipeline::measure(device, time, &options).map(Found::from))
            }
            Subject::Transfer { common, most } => {
                common.measure("transfer", |device, time| transfer::measure(device, time, most).map(Found::from))
            }
        }
    }
}

impl Common {
    fn measure<F: Figure, L: Serialize + std::fmt::Display>(
        &self,
        bench: &'static str,
        measure: impl FnOnce(&Device, Duration) -> imminent::Result<Found<F, L>>,
    ) -> Result<(), Failure> {
        let (device, why) = self.device.open()?;
        let found = measure(&device, Duration::from_millis(self.time)).map_err(|error| match error {
            Error::Invalid { .. } => Failure::usage(error),
            other => Failure::run(other),
        })?;
        let measured = Measured { bench, device: device.info(), found };
        if self.json {
            return print_json(&measured);
        }
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(F::HEAD);
        table.add_rows(measured.found.figures.iter().map(F::cells));
        let info = device.info();
        let left_out: String = measured.found.left_out.iter().map(|left| format!("left out: {left}\n")).collect();
        print_text(&format!(
            "{bench} on {} {}, {}: {} ({why})\n{table}\n{left_out}",
            info.backend, info.index, info.name, info.driver
        ))
    }
}

/// One line of a subject's table.
trait Figure: Serialize {
    /// What the columns are called.
    const HEAD: &'static [&'static str];

    /// What stands in them.
    fn cells(&self) -> Vec<String>;
}
