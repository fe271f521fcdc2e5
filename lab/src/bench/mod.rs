//! The command `lab bench`: cost of the runtime on a device. One file for each subject.

mod delivery;
pub(super) mod events;
mod fluids;
pub(super) mod hybrid;
mod launch;
pub(super) mod manet;
pub(super) mod networks;
mod on;
mod pipeline;
mod primitives;
mod timing;
mod transfer;

use clap::{Args, Subcommand};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::{Device, DeviceInfo, Error};
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
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
    /// Packets by GPSR on random connected unit-disk graphs, which must all be delivered.
    Delivery {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: delivery::Options,
    },
    /// Many simulations at once, event by event: events per second of the benchmarks of parameter studies.
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
    /// Fluids and packets that share queues: wall time for a simulated second, and its parts on the host.
    Hybrid {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: hybrid::Options,
    },
    /// Cost of launches, of their results, and of steps of a program, beyond that of the kernel.
    Launch {
        #[command(flatten)]
        common: Common,
    },
    /// Mobile ad hoc networks: simulated time per wall time, beside the sequential program.
    Manet {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        options: manet::Options,
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

/// Options of every subject.
#[derive(Debug, Args)]
struct Common {
    #[command(flatten)]
    device: DeviceArgs,
    /// Time of measuring each figure, in milliseconds: more runs, steadier medians.
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

/// Measurements of a subject.
#[derive(Debug, Serialize)]
struct Found<F, L> {
    figures: Vec<F>,
    /// Cases that were not measured, with reasons.
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
            Subject::Delivery { common, options } => {
                common.measure("delivery", |_, _| Ok(Found::from(delivery::measure(&options))))
            }
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
            Subject::Manet { common, options } => {
                common.measure("manet", |device, _| manet::measure(device, &options).map(Found::from))
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
    /// Names of the columns.
    const HEAD: &'static [&'static str];

    /// Returns the cells of the line.
    fn cells(&self) -> Vec<String>;
}
