//! `imminent doctor`: every device examined within two minutes.

mod findings;
mod measure;
mod text;
mod verdict;

use crate::conform::side_by_side;
use crate::devices::{DeviceListing, Listing, PATIENCE, look};
use crate::version;
use clap::Args;
use findings::{Backend, Device, Findings, System, Verdict};
use imminent::conformance::{Expectation, known_failures};
use imminent::models::study::Catalogue;
use imminent::{DeviceInfo, DeviceSelection};
use imminent_console::Failure;
use imminent_console::print::{print_text, tell};
use imminent_report::json;
use measure::Measures;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Options of `imminent doctor`.
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Time for the whole examination, in seconds. Cases of the suite that it does not suffice for are told.
    #[arg(long, default_value_t = 110, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write the findings into this file, to attach to an issue: JSON if its name ends in .json, else text.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only measure this device, and write the figures as lines of JSON, for a parent process.
    #[arg(long, hide = true, num_args = 2, value_names = ["BACKEND", "DEVICE"])]
    only_measure: Vec<String>,
}

impl Doctor {
    pub(crate) fn run(self, _: &Catalogue) -> Result<(), Failure> {
        if let [backend, device] = self.only_measure.as_slice() {
            let index = device.parse().map_err(|error| Failure::usage(format!("--only-measure {device}: {error}")))?;
            return measure::write_lines(&DeviceSelection::backend(backend).device(index));
        }
        let begun = Instant::now();
        let findings = self.examine(begun);
        let document = json::text(&findings).map_err(Failure::run)?;
        let text = text::text(&findings);
        if let Some(file) = &self.out {
            let is_json = file.extension().is_some_and(|ending| ending == "json");
            let contents = if is_json { &document } else { &text };
            imminent_report::file::write(file, contents.as_bytes())?;
        }
        print_text(if self.json { &document } else { &text })?;
        match findings.backends.iter().find(|backend| backend.verdict == Verdict::Wrong) {
            Some(wrong) => Err(Failure::run(format!("{}: the verdict above is a fault", wrong.backend))),
            None => Ok(()),
        }
    }

    fn examine(&self, begun: Instant) -> Findings {
        tell("looking for devices");
        let listed = look(PATIENCE);
        let known = known_failures();
        let until = begun + Duration::from_secs(self.seconds);
        let mut backends = begin(listed, &known, until);
        let devices: Vec<(DeviceInfo, Vec<String>)> = backends
            .iter()
            .flat_map(|backend| &backend.devices)
            .filter(|device| device.listing.capabilities.is_some())
            .map(|device| (device.listing.info.clone(), arguments(&device.listing.info)))
            .collect();
        let devices: Vec<_> = devices.iter().map(|(info, arguments)| (info, arguments.clone())).collect();
        let tried = side_by_side(&devices, Some(until));
        let examined = backends.iter_mut().flat_map(|backend| &mut backend.devices);
        for (device, tried) in examined.filter(|device| device.listing.capabilities.is_some()).zip(tried) {
            device.note(tried);
        }
        for backend in &mut backends {
            backend.verdict = Verdict::of(&backend.devices);
            backend.line = verdict::line(backend);
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let system = System { os: std::env::consts::OS, architecture: std::env::consts::ARCH, processors };
        Findings { program: version::long(), system, seconds: begun.elapsed().as_secs_f64(), backends }
    }
}

/// Describes and measures the devices that were found.
fn begin(listed: Listing, known: &[Expectation], until: Instant) -> Vec<Backend> {
    let device = |listing: DeviceListing| {
        let measures = listing.capabilities.is_some().then(|| {
            tell(&format!("measuring {} {}: {}", listing.info.backend, listing.info.index, listing.info.name));
            Measures::of(&listing.info, measure::share(until.saturating_duration_since(Instant::now())))
        });
        let known = known.iter().filter(|known| known.concerns(&listing.info)).cloned().collect();
        Device { listing, measures, known, suite: None, untried: 0, next: None, refused: None }
    };
    let backend = |listing: crate::devices::Listed| Backend {
        backend: listing.backend,
        verdict: Verdict::Absent,
        line: String::new(),
        reason: listing.short,
        devices: listing.devices.into_iter().map(device).collect(),
    };
    listed.backends.into_iter().map(backend).collect()
}

/// Returns the arguments of a process that executes the quick suite on a device.
fn arguments(info: &DeviceInfo) -> Vec<String> {
    let words = ["conform", "--backend", &info.backend, "--device", &info.index.to_string()];
    words.map(str::to_owned).to_vec()
}
