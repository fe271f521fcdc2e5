//! Options and output that all subjects share.

use clap::Args;
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use imminent::models::study::benchmark::Measurements;
use imminent::{Device, DeviceInfo, Error};
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use serde::Serialize;
use serde_json::Value as Json;
use std::time::Duration;

/// Options of every subject.
#[derive(Debug, Args)]
pub(super) struct Common {
    #[command(flatten)]
    device: DeviceArgs,
    /// Time of measuring each figure, in milliseconds: more runs, steadier medians.
    #[arg(long, default_value_t = 300, value_name = "MS")]
    time: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Object for programs.
#[derive(Serialize)]
struct Measured<'m> {
    bench: &'m str,
    device: &'m DeviceInfo,
    figures: &'m [Json],
    left_out: Vec<&'m Json>,
}

impl Common {
    /// Opens the device, measures a subject and prints what was measured.
    pub(super) fn measure<M: Into<Measurements>>(
        &self,
        bench: &str,
        measure: impl FnOnce(&Device, Duration) -> imminent::Result<M>,
    ) -> Result<(), Failure> {
        self.publish(bench, |device, time| {
            let found = measure(device, time).map_err(|error| match error {
                Error::Invalid { .. } => Failure::usage(error),
                other => Failure::run(other),
            });
            found.map(Into::into)
        })
    }

    /// Opens the device, measures a subject by a function that tells which errors are of the command line, and prints
    /// what was measured.
    pub(super) fn publish(
        &self,
        bench: &str,
        measure: impl FnOnce(&Device, Duration) -> Result<Measurements, Failure>,
    ) -> Result<(), Failure> {
        let (device, why) = self.device.open()?;
        let found = measure(&device, Duration::from_millis(self.time))?;
        let info = device.info();
        if self.json {
            let left_out = found.left_out.iter().map(|(_, object)| object).collect();
            return print_json(&Measured { bench, device: info, figures: &found.figures, left_out });
        }
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(found.head);
        table.add_rows(found.lines);
        let left_out: String = found.left_out.iter().map(|(reason, _)| format!("left out: {reason}\n")).collect();
        print_text(&format!(
            "{bench} on {} {}, {}: {} ({why})\n{table}\n{left_out}",
            info.backend, info.index, info.name, info.driver
        ))
    }
}
