//! `imminent fuzz`.

mod apart;
mod own;

use clap::Args;
use imminent::conformance::{Fuzz as Fuzzer, FuzzFailure, FuzzReport, KernelCheck, Regression};
use imminent::models::input;
use imminent::models::study::Catalogue;
use imminent::{Device, DeviceInfo};
use imminent_console::progress::Bar;
use imminent_console::selection::DeviceArgs;
use imminent_console::{
    Failure,
    print::{print_json, print_text},
};
use imminent_report::json;
use serde::Serialize;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of kernels between two lines of progress.
const TOLD_EVERY: u32 = 16;

/// Options of `imminent fuzz`.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    #[command(flatten)]
    device: DeviceArgs,
    /// Try the kernels of this module or model of the program on random rows, instead of random kernels; may be given
    /// several times.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["shrink", "keep", "again"])]
    module: Vec<String>,
    /// Number of kernels to try on each device; with --module, the number of launches of each kernel.
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    cases: u32,
    /// Seed of the random kernels.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Time to search for simpler kernels after a failure, in seconds.
    #[arg(long, default_value_t = 90, value_name = "SECONDS")]
    shrink: u32,
    /// Write the simplest kernel that fails into this file (JSON), for --again.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Try the kernel in this file instead of random ones.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "seed", "shrink", "keep"])]
    again: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Try the kernels in this process, and write each into this file before it is tried.
    #[arg(long, value_name = "FILE", hide = true)]
    write_down: Option<PathBuf>,
}

#[derive(Serialize)]
struct Tried {
    device: DeviceInfo,
    #[serde(flatten)]
    report: FuzzReport,
}

impl Fuzz {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        if !self.module.is_empty() {
            let check = KernelCheck::new().launches(self.cases).seed(self.seed);
            return own::run(&self.module, &self.device, check, self.json, catalogue);
        }
        let again = self.again.as_deref().map(read).transpose()?;
        if self.write_down.is_none() {
            return apart::run(self.again.as_deref(), self.keep.as_deref());
        }
        let mut tried = Vec::new();
        for device in self.devices()? {
            let report = match &again {
                Some(case) => case.again(&device).map_err(Failure::usage)?,
                None => self.test(&device)?,
            };
            if let (Some(file), Some(failure)) = (&self.keep, &report.failure) {
                keep(file, &failure.case)?;
            }
            let device = device.info().clone();
            if !self.json {
                print_text(&format!("{} {}: {report}\n", device.backend, device.name))?;
            }
            tried.push(Tried { device, report });
        }
        if self.json {
            print_json(&tried)?;
        }
        if tried.iter().any(|tried| tried.report.failure.is_some()) {
            return Err(Failure::run(
                "a device and the intermediate representation of a kernel differ: see the failure above",
            ));
        }
        if tried.iter().all(|tried| tried.report.refused.is_some()) {
            return Err(Failure::run("no device can run this kernel: each is told above with its reason"));
        }
        Ok(())
    }

    /// Opens the given device, or every device that runs kernels from their intermediate representation.
    fn devices(&self) -> Result<Vec<Device>, Failure> {
        if self.device.backend != "auto" {
            return Ok(vec![self.device.open()?.0]);
        }
        let devices = self.device.every().devices;
        let devices: Vec<Device> = devices.into_iter().filter(|device| !device.capabilities().native_rows).collect();
        if devices.is_empty() {
            return Err(Failure::run(
                "the CPU backend cannot run random kernels, and there is no other device: install the driver of one; `imminent devices` says what is missing",
            ));
        }
        Ok(devices)
    }

    fn test(&self, device: &Device) -> Result<FuzzReport, Failure> {
        let name = format!("{} {}", device.info().backend, device.info().name);
        let bar = Bar::new(self.cases.into(), "kernels");
        bar.say(name.clone());
        let next = Cell::new(TOLD_EVERY);
        let updated = |tried: u32| {
            bar.done(tried.into());
            if tried == next.get() {
                bar.line_without_bar(&format!("{name}: {tried} of {} kernels tried", self.cases));
                next.set(tried + TOLD_EVERY);
            }
        };
        let failed = |failure: &FuzzFailure| {
            bar.line(&format!("{name}: a kernel differs: {}", failure.message));
            let kept = match self.keep.as_deref().map(|file| keep(file, &failure.case)) {
                None => String::new(),
                Some(Ok(())) => "it is kept; ".to_owned(),
                Some(Err(error)) => format!("{error}; "),
            };
            bar.line(&format!("{name}: {kept}simpler ones are looked for, for at most {} s (--shrink)", self.shrink));
            bar.say(format!("{name}: simpler kernels"));
        };
        // A kernel that cannot be written down is tried all the same.
        let begun = |case: &Regression| {
            let _ = self.write_down.as_deref().map(|file| keep(file, case));
        };
        Fuzzer::new(device)
            .on_begin(begun)
            .cases(self.cases)
            .seed(self.seed)
            .shrinking_for(Duration::from_secs(self.shrink.into()))
            .on_update(updated)
            .on_failure(failed)
            .run()
            .map_err(Failure::usage)
    }
}

fn keep(file: &Path, case: &Regression) -> Result<(), Failure> {
    let json = json::text(case).map_err(Failure::run)?;
    Ok(imminent_report::file::write(file, json.as_bytes())?)
}

fn read(file: &Path) -> Result<Regression, Failure> {
    let text = input::text(file).map_err(Failure::usage)?;
    serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}
