//! `imminent bench`: what the machinery costs on a device. One file for each subject.

mod launch;
mod timing;
mod transfer;

use super::selection::DeviceArgs;
use super::{Failure, print_json, print_text};
use clap::{Args, Subcommand};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::{Device, DeviceInfo};
use serde::Serialize;
use std::time::Duration;

/// Options of `imminent bench`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, Subcommand)]
enum Subject {
    /// What launches, their results and steps of a program cost beside the kernel itself.
    Launch {
        #[command(flatten)]
        common: Common,
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
struct Measured<'d, F> {
    bench: &'static str,
    device: &'d DeviceInfo,
    figures: Vec<F>,
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.subject {
            Subject::Launch { common } => common.measure("launch", launch::measure),
            Subject::Transfer { common, most } => {
                common.measure("transfer", |device, time| transfer::measure(device, time, most))
            }
        }
    }
}

impl Common {
    fn measure<F: Figure>(
        &self,
        bench: &'static str,
        measure: impl FnOnce(&Device, Duration) -> imminent::Result<Vec<F>>,
    ) -> Result<(), Failure> {
        let (device, why) = self.device.open()?;
        let figures = measure(&device, Duration::from_millis(self.time)).map_err(Failure::run)?;
        let measured = Measured { bench, device: device.info(), figures };
        if self.json {
            return print_json(&measured);
        }
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(F::HEAD);
        table.add_rows(measured.figures.iter().map(F::cells));
        let info = device.info();
        print_text(&format!(
            "{bench} on {} {}, {}: {} ({why})\n{table}\n",
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
