//! `imminent fuzz`.

use super::progress::Bar;
use super::selection::DeviceArgs;
use super::{Failure, print_json, print_text};
use clap::Args;
use imminent::conformance::{Fuzz as Fuzzer, FuzzReport, Regression};
use imminent::{Device, DeviceInfo};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Options of `imminent fuzz`.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    #[command(flatten)]
    device: DeviceArgs,
    /// How many kernels are tried on each device.
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,
    /// Seed: other kernels.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Write the simplest kernel that fails into this file (JSON), for --again.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Try the kernel in this file instead of random ones.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "seed", "keep"])]
    again: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Tried {
    device: DeviceInfo,
    #[serde(flatten)]
    report: FuzzReport,
}

impl Fuzz {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let again = self.again.as_deref().map(read).transpose()?;
        let mut tried = Vec::new();
        for device in self.devices()? {
            let report = match &again {
                Some(case) => case.again(&device),
                None => self.test(&device)?,
            };
            tried.push(Tried { device: device.info().clone(), report });
        }
        let failed = tried.iter().find_map(|tried| tried.report.failure.as_ref());
        if let (Some(file), Some(failure)) = (&self.keep, failed) {
            let json = serde_json::to_string_pretty(&failure.case).map_err(Failure::run)?;
            std::fs::write(file, json)
                .map_err(|error| Failure::run(format!("{}: cannot be written: {error}", file.display())))?;
        }
        if self.json {
            print_json(&tried)?;
        } else {
            let line = |tried: &Tried| format!("{} {}: {}\n", tried.device.backend, tried.device.name, tried.report);
            print_text(&tried.iter().map(line).collect::<String>())?;
        }
        match failed {
            None => Ok(()),
            Some(_) => Err(Failure::run("a device does not do what a kernel says")),
        }
    }

    /// The device that was named, or every device that runs kernels by their intermediate representation.
    fn devices(&self) -> Result<Vec<Device>, Failure> {
        if self.device.backend != "auto" {
            return Ok(vec![self.device.open()?.0]);
        }
        let devices = self.device.every().devices;
        let devices: Vec<Device> = devices.into_iter().filter(|device| !device.capabilities().native_rows).collect();
        if devices.is_empty() {
            return Err(Failure::run("there is no device but the CPU backend's, whose kernels rustc compiles ahead"));
        }
        Ok(devices)
    }

    fn test(&self, device: &Device) -> Result<FuzzReport, Failure> {
        let bar = Bar::new(self.cases.into(), "kernels");
        bar.say(device.info().name.clone());
        let fuzzer = Fuzzer::new(device).cases(self.cases).seed(self.seed);
        fuzzer.on_update(|tried| bar.done(tried.into())).run().map_err(Failure::usage)
    }
}

fn read(file: &Path) -> Result<Regression, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::usage(format!("{}: cannot be read: {error}", file.display())))?;
    serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}
