//! `imminent conform`.

mod apart;
mod models;
mod watch;

pub(crate) use apart::{Tried, Untested};

use crate::devices::{DeviceListing, PATIENCE, look};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use imminent::conformance::{Mode, Report, Suite, matrix::Matrix};
use imminent::models::study::Catalogue;
use imminent::{Device, DeviceInfo, DeviceKind, DeviceSelection};
use imminent_console::selection::DeviceArgs;
use imminent_console::{Failure, print::print_text};
use imminent_report::json;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use watch::Watch;

/// Options of `imminent conform`.
#[derive(Debug, Args)]
pub(crate) struct Conform {
    #[command(flatten)]
    device: DeviceArgs,
    /// Test every device of every backend at the same time, and print one table.
    #[arg(long, conflicts_with_all = ["backend", "device"])]
    all: bool,
    /// Every case, with operands and sizes that take seconds (the default).
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Every case, with many more operands and larger sizes.
    #[arg(long)]
    full: bool,
    /// Run only the cases whose group and name, as `kernels: …`, contain this; may be given several times.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    only: Vec<String>,
    /// Leave out the cases whose group and name, as `kernels: …`, contain this; may be given several times.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    except: Vec<String>,
    /// Seed of the random operands.
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Skip COUNT cases and report the others as lines of JSON, for a parent process.
    #[arg(long, hide = true, value_name = "COUNT")]
    tell_after: Option<usize>,
    /// Run every PARTS-th case only, from number PART on, for a parent process.
    #[arg(long, hide = true, num_args = 2, value_names = ["PART", "PARTS"])]
    part: Vec<usize>,
    /// Write the report into this file: JSON or HTML, by its ending; may be given several times.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
}

impl Conform {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        for file in &self.report {
            Format::of(file)?;
        }
        let mode = if self.full { Mode::Full } else { Mode::Quick };
        if let Some(count) = self.tell_after {
            return apart::write_lines(self.suite(&self.device.open()?.0, mode, catalogue).after(count));
        }
        let opened = if self.all {
            // The cases are the same for every device.
            if let Ok(device) = imminent::open(&DeviceSelection::backend("cpu")) {
                self.check_texts(&device, catalogue)?;
            }
            self.every_device()
        } else {
            let device = self.device.open()?.0;
            self.check_texts(&device, catalogue)?;
            Tested { reports: vec![self.test(&device, mode, catalogue)], ..Tested::default() }
        };
        let reports = opened.reports;
        let (passed, text, json, html) = match reports.as_slice() {
            [report] if !self.all => (report.passed(), report.to_text(), document(report)?, report.to_html()),
            _ => {
                // A run without any device, or with a digest that differs between devices, does not pass.
                let matrix = Matrix::new(&reports).without(opened.absent).spoiled_by(opened.refused);
                (matrix.passed(), matrix.to_text(), document(&matrix)?, matrix.to_html())
            }
        };
        for file in &self.report {
            let contents = match Format::of(file)? {
                Format::Json => &json,
                Format::Html => &html,
            };
            imminent_report::file::write(file, contents.as_bytes())?;
        }
        print_text(if self.json { &json } else { &text })?;
        match reports.iter().find(|report| report.counts().total() == 0).and_then(Report::problem) {
            _ if passed => Ok(()),
            Some(problem) => Err(Failure::run(format!("--only and --except: {problem}"))),
            None => Err(Failure::run("the conformance suite did not pass")),
        }
    }

    /// Refuses texts of `--only` and `--except` that no case contains.
    fn check_texts(&self, device: &Device, catalogue: &Catalogue) -> Result<(), Failure> {
        let options = [("--only", &self.only), ("--except", &self.except)];
        let mut texts = options.into_iter().flat_map(|(option, texts)| texts.iter().map(move |text| (option, text)));
        let stray = texts
            .find(|(_, text)| models::add(Suite::new(device), catalogue).matching(text.as_str()).names().is_empty());
        stray.map_or(Ok(()), |(option, text)| {
            let problem = "no case has this in its group and name: `imminent conform` prints them";
            Err(Failure::usage(format!("{option} {text}: {problem}")))
        })
    }

    /// Tests every device that can be opened in its own process. Also returns why backends have no device, and why
    /// devices cannot be opened.
    fn every_device(&self) -> Tested {
        let (mut opened, mut listed) = (Tested::default(), Vec::new());
        for backend in look(PATIENCE).backends {
            opened.absent.extend(backend.reason);
            for DeviceListing { info, error, .. } in backend.devices {
                match error {
                    Some(error) => opened.refused.push(format!("{} {}: {error}", info.backend, info.index)),
                    None => listed.push(info),
                }
            }
        }
        let devices: Vec<_> = listed.iter().map(|info| (info, self.arguments(info))).collect();
        for tried in side_by_side(&devices, None) {
            match tried {
                Ok(tried) => opened.reports.push(tried.report),
                Err(reason) => opened.refused.push(reason.to_string()),
            }
        }
        opened
    }

    /// Returns the arguments of a process that tests a device with the options of this one.
    fn arguments(&self, info: &DeviceInfo) -> Vec<String> {
        let mut arguments = vec!["conform".to_owned(), "--backend".to_owned(), info.backend.clone()];
        arguments.extend(["--device".to_owned(), info.index.to_string(), "--seed".to_owned(), self.seed.to_string()]);
        for (key, value) in &self.device.device_options {
            arguments.extend(["--device-option".to_owned(), format!("{key}={value}")]);
        }
        for (option, texts) in [("--only", &self.only), ("--except", &self.except)] {
            arguments.extend(texts.iter().flat_map(|text| [option.to_owned(), text.clone()]));
        }
        arguments.extend(self.full.then(|| "--full".to_owned()));
        arguments
    }

    fn suite<'d>(&self, device: &'d Device, mode: Mode, catalogue: &Catalogue) -> Suite<'d> {
        let suite = models::add(Suite::new(device).mode(mode).seed(self.seed), catalogue);
        let suite = self.only.iter().fold(suite, |suite, text| suite.matching(text));
        let suite = self.except.iter().fold(suite, |suite, text| suite.except(text));
        match self.part[..] {
            [part, parts] => suite.part(part, parts),
            _ => suite,
        }
    }

    fn test(&self, device: &Device, mode: Mode, catalogue: &Catalogue) -> Report {
        let suite = self.suite(device, mode, catalogue);
        let info = device.info();
        let mut watch = Watch::new(format!("{} {}", info.backend, info.name), suite.names().len());
        suite.on_update(move |update| watch.case(update.case)).run()
    }
}

/// Largest number of processes that test one device.
const MAX_PARTS: usize = 8;

/// Returns how many processes test a device at the same time. A GPU takes one, and the host's own backend too. What a
/// driver on the CPU needs is time to compile, of one thread each: such drivers share the cores.
fn parts(info: &DeviceInfo, devices: &[(&DeviceInfo, Vec<String>)]) -> usize {
    if info.kind != DeviceKind::CpuDevice {
        return 1;
    }
    let sharing = devices.iter().filter(|(info, _)| info.kind == DeviceKind::CpuDevice).count();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / sharing.max(1)).clamp(1, MAX_PARTS)
}

/// Tests devices at the same time, each in processes of its own with these arguments, until a time if there is one.
pub(crate) fn side_by_side(
    devices: &[(&DeviceInfo, Vec<String>)],
    until: Option<Instant>,
) -> Vec<Result<Tried, Untested>> {
    let test = |(info, arguments): &(&DeviceInfo, Vec<String>)| {
        apart::test_in_parts(arguments, parts(info, devices), &format!("{} {}", info.backend, info.index), until)
    };
    std::thread::scope(|scope| {
        let tests: Vec<_> = devices.iter().map(|device| scope.spawn(move || test(device))).collect();
        let ends = tests.into_iter().zip(devices).map(|(test, (info, _))| {
            let ended = || format!("{} {}: the test ended by itself", info.backend, info.index);
            test.join().unwrap_or_else(|_| Err(Untested::Refused(ended())))
        });
        ends.collect()
    })
}

/// Returns a report as the JSON that is printed or written.
fn document(report: &impl Serialize) -> Result<String, Failure> {
    json::text(report).map_err(Failure::run)
}

/// Reports of the devices, and reasons for those that could not be tested.
#[derive(Default)]
struct Tested {
    reports: Vec<Report>,
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
            _ => Err(Failure::usage(format!(
                "{}: the name of a report ends in .json or .html: rename it",
                file.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::models::printable::is_control;

    #[test]
    fn reports_have_no_raw_control_characters() {
        let device = imminent::open(&DeviceSelection::backend("cpu")).unwrap();
        let report = Suite::new(&device).matching("\u{9b}2J\u{202e}\u{7f}").begun();
        let written = document(&report).unwrap();
        assert!(written.contains(r"\u009b2J\u202e\u007f") && !written.contains(is_control), "{written}");
        assert_eq!(Report::from_json(&written).unwrap().selection, report.selection);
    }
}
