//! `imminent conform`.

use super::progress::Bar;
use super::selection::DeviceArgs;
use super::{Failure, print_text};
use clap::Args;
use imminent::Device;
use imminent::conformance::{Mode, Report, Suite, matrix::Matrix};
use std::path::{Path, PathBuf};

/// Options of `imminent conform`.
#[derive(Debug, Args)]
pub(crate) struct Conform {
    #[command(flatten)]
    device: DeviceArgs,
    /// Test every device of every backend, and print one table.
    #[arg(long, conflicts_with_all = ["backend", "device"])]
    all: bool,
    /// Every case, with operands and sizes that take seconds (the default).
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Every case, with many more operands and larger sizes.
    #[arg(long)]
    full: bool,
    /// Run only the cases whose group and name, as `kernels: …`, contain this; may be given several times.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Seed of the random operands.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the report into this file: JSON or HTML, by its ending; may be given several times.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
}

impl Conform {
    pub(crate) fn run(self) -> Result<(), Failure> {
        for file in &self.report {
            Format::of(file)?;
        }
        let mode = if self.full { Mode::Full } else { Mode::Quick };
        let opened = if self.all {
            self.every_device()
        } else {
            Opened { devices: vec![self.device.open()?.0], ..Opened::default() }
        };
        let reports: Vec<Report> = opened.devices.iter().map(|device| self.test(device, mode)).collect();
        let (passed, text, json, html) = match reports.as_slice() {
            [report] if !self.all => {
                (report.passed(), report.to_text(), report.to_json().map_err(Failure::run)?, report.to_html())
            }
            _ => {
                // No device at all, or a digest that differs between devices, is not a pass.
                let matrix = Matrix::new(&reports).without(opened.absent).spoiled_by(opened.refused);
                (matrix.passed(), matrix.to_text(), matrix.to_json().map_err(Failure::run)?, matrix.to_html())
            }
        };
        for file in &self.report {
            let contents = match Format::of(file)? {
                Format::Json => &json,
                Format::Html => &html,
            };
            std::fs::write(file, contents)
                .map_err(|error| Failure::run(format!("{}: cannot be written: {error}", file.display())))?;
        }
        print_text(if self.json { &json } else { &text })?;
        if passed { Ok(()) } else { Err(Failure::run("the conformance suite did not pass")) }
    }

    /// Every device that can be opened; why backends have none; and why devices that were found cannot be opened.
    fn every_device(&self) -> Opened {
        let mut opened = Opened::default();
        for backend in imminent::devices() {
            let list = match backend.devices {
                Ok(list) => list,
                Err(reason) => {
                    opened.absent.push(reason.to_string());
                    continue;
                }
            };
            for info in list {
                let args = DeviceArgs {
                    backend: backend.backend.to_string(),
                    device: Some(info.index),
                    device_options: self.device.device_options.clone(),
                };
                match args.open() {
                    Ok((device, _)) => opened.devices.push(device),
                    Err(error) => opened.refused.push(format!("{} {}: {error}", info.backend, info.index)),
                }
            }
        }
        opened
    }

    fn test(&self, device: &Device, mode: Mode) -> Report {
        let suite =
            self.only.iter().fold(Suite::new(device).mode(mode).seed(self.seed), |suite, text| suite.matching(text));
        let bar = Bar::new(suite.names().len() as u64, "cases");
        bar.say(device.info().name.clone());
        suite.on_update(|update| bar.done(update.done as u64)).run()
    }
}

/// The devices to test, and those that cannot be.
#[derive(Default)]
struct Opened {
    devices: Vec<Device>,
    absent: Vec<String>,
    refused: Vec<String>,
}

/// The format of a report's file.
enum Format {
    Json,
    Html,
}

impl Format {
    fn of(file: &Path) -> Result<Format, Failure> {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("json") => Ok(Format::Json),
            Some("html") => Ok(Format::Html),
            _ => Err(Failure::usage(format!("{}: a report's file ends in .json or .html", file.display()))),
        }
    }
}
