//! Options that choose a device.

use super::{Failure, interrupt};
use crate::backends::{self, backends};
use crate::clock::timed;
use crate::last_resort::watch_for_aborts;
use crate::print::tell;
use clap::Args;
use imminent::{Device, DeviceInfo, DeviceSelection, Error, Work};
use std::error::Error as _;
use std::panic::resume_unwind;
use std::time::Duration;

/// Options for the choice of a device.
#[derive(Clone, Debug, Default, Args)]
pub struct DeviceArgs {
    /// Name of the backend, or `auto`.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = backend, help = backends::help())]
    pub backend: String,
    /// Number of the device among the backend's devices, as the command `devices` lists them; its fastest if left out.
    #[arg(long, value_name = "K")]
    pub device: Option<u32>,
    /// Option of the backend, for instance threads=1, int64=emulated or faults=operands; may be given several times.
    #[arg(long = "device-option", value_name = "KEY=VALUE", value_parser = key_value)]
    pub device_options: Vec<(String, String)>,
    /// Device that is already open, which overrides the options.
    #[arg(skip)]
    pub opened: Option<(Device, String)>,
}

/// Open devices, and reasons for those that cannot be opened.
#[derive(Default)]
pub struct Opened {
    /// Open devices.
    pub devices: Vec<Device>,
    /// Reasons why devices cannot be opened.
    pub refused: Vec<String>,
}

/// Parses an option of a backend, `KEY=VALUE`.
pub fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE, for instance threads=1".to_owned()),
    }
}

/// Parses the name of a backend, or `auto`.
pub fn backend(text: &str) -> Result<String, String> {
    if text != "auto" {
        backends().get(text).map_err(|error| error.to_string())?;
    }
    Ok(text.to_owned())
}

/// Parses a backend, with the number of a device if it is not the first, as in `opencl:1`.
pub fn numbered(text: &str) -> Result<(String, Option<u32>), String> {
    let (name, number) = match text.split_once(':') {
        Some((name, number)) => {
            (name, Some(number.parse().map_err(|_| format!("`{text}`: write it as opencl or opencl:1"))?))
        }
        None => (text, None),
    };
    Ok((backend(name)?, number))
}

impl DeviceArgs {
    /// Returns the selection of the options.
    pub fn selection(&self) -> DeviceSelection {
        let mut selection = DeviceSelection::default();
        selection.backend = (self.backend != "auto").then(|| self.backend.clone());
        selection.index = self.device;
        selection.options.clone_from(&self.device_options);
        selection
    }

    /// Returns `true` if no option says which device, and none is open.
    pub fn is_free(&self) -> bool {
        self.backend == "auto" && self.device.is_none() && self.opened.is_none()
    }

    /// Warns of options that have no effect, because an engine runs without a device.
    pub fn warn_unused(&self, engine: &str) {
        let options = [
            ("--backend", self.backend != "auto"),
            ("--device", self.device.is_some()),
            ("--device-option", !self.device_options.is_empty()),
        ];
        for (option, _) in options.into_iter().filter(|(_, given)| *given) {
            tell(&format!("warning: {option} has no effect: the engine `{engine}` runs on the host, without a device"));
        }
    }

    /// Opens the device for work of unknown size. Also returns the reason for its choice.
    pub fn open(&self) -> Result<(Device, String), Failure> {
        self.open_for("", None)
    }

    /// Opens the device for some work of a model: without a choice, the one that is predicted to end first. Also
    /// returns the reason for its choice.
    pub fn open_for(&self, model: &str, work: Option<Work>) -> Result<(Device, String), Failure> {
        if let Some(opened) = &self.opened {
            return Ok(opened.clone());
        }
        self.limit_threads();
        let opened = backends().open_for(&self.selection(), model, work);
        watch_for_aborts();
        let (device, why) = opened.map_err(opening)?;
        if device.info().backend != "cpu" {
            interrupt::note_driver();
        }
        if let Some(trouble) = device.backend().trouble() {
            tell(&format!("warning: {trouble}"));
        }
        Ok((device, why))
    }

    /// Opens the device in another thread while `build` runs in this one. Returns what `build` returned, the device,
    /// and the time to open it.
    pub fn open_while<T>(&self, build: impl FnOnce() -> T) -> (T, Result<(Device, String), Failure>, Duration) {
        self.limit_threads();
        std::thread::scope(|scope| {
            let opening = std::thread::Builder::new().spawn_scoped(scope, || timed(|| self.open()));
            let built = build();
            // Without a thread, the one after the other.
            let joined = opening.map(|opening| opening.join().unwrap_or_else(|panic| resume_unwind(panic)));
            let (opened, took) = joined.unwrap_or_else(|_| timed(|| self.open()));
            (built, opened, took)
        })
    }

    /// Starts the threads of loops on the host: as many as the option `threads`, or one per processor. The first call
    /// counts. Where the system refuses threads, loops run in the calling one.
    fn limit_threads(&self) {
        let threads = self.device_options.iter().filter(|(key, _)| key == "threads");
        let threads = threads.filter_map(|(_, value)| value.parse().ok()).next_back().unwrap_or(0);
        let pool = || rayon::ThreadPoolBuilder::new();
        // An error of the system has a source; a second pool is another error.
        if pool().num_threads(threads).build_global().is_err_and(|error| error.source().is_some()) {
            let _ = pool().num_threads(1).use_current_thread().build_global();
        }
    }

    /// Opens every device of every backend with these options.
    pub fn every(&self) -> Opened {
        let mut opened = Opened::default();
        for info in every_device() {
            let args = DeviceArgs {
                backend: info.backend.clone(),
                device: Some(info.index),
                device_options: self.device_options.clone(),
                ..DeviceArgs::default()
            };
            match args.open() {
                Ok((device, _)) => opened.devices.push(device),
                Err(error) => opened.refused.push(format!("{} {}: {error}", info.backend, info.index)),
            }
        }
        opened
    }
}

/// Lists the devices of all backends, in this process.
pub fn every_device() -> Vec<DeviceInfo> {
    backends().devices().into_iter().flat_map(|backend| backend.devices.unwrap_or_default()).collect()
}

/// Converts an error of opening a device. A choice that cannot be met is a usage error; a refusal by the machine is
/// not.
fn opening(error: Error) -> Failure {
    match error {
        Error::Invalid { .. } | Error::NoDevice { .. } => Failure::usage(error),
        Error::Unavailable { ref reason, .. } if reason.contains("compiled in") => Failure::usage(error),
        other => Failure::run(other),
    }
}
