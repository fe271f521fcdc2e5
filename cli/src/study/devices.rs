//! Options that choose the devices of a study.

use clap::Args;
use imminent_console::Failure;
use imminent_console::backends::{self, backends};
use imminent_console::selection::{DeviceArgs, backend, key_value};
use std::str::FromStr;

/// Which devices to run on.
#[derive(Clone, Debug, Args)]
pub(super) struct DevicesArgs {
    /// Name of the backend, or `auto`.
    #[arg(long, default_value = "auto", value_name = "NAME", value_parser = backend, help = backends::help())]
    backend: String,
    /// Devices that the runs are spread over, separated by commas: K for a number among the backend's devices, NAME:K
    /// with the backend's name, NAME:* for all of a backend.
    #[arg(long, value_delimiter = ',', value_name = "K,NAME:K,NAME:*,...")]
    device: Vec<Choice>,
    /// Option of the backend, for instance threads=1, int64=emulated or faults=operands; may be given several times.
    #[arg(long = "device-option", value_name = "KEY=VALUE", value_parser = key_value)]
    device_options: Vec<(String, String)>,
}

/// A device that is asked for, or all devices of a backend.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    backend: Option<String>,
    number: Option<u32>,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (backend, number) = match text.split_once(':') {
            Some((name, number)) => {
                backends().get(name).map_err(|error| error.to_string())?;
                (Some(name.to_owned()), number)
            }
            None => (None, text),
        };
        let number = match number {
            "*" => None,
            number => Some(number.parse().map_err(|_| {
                "a device is a number, or a backend with a number, or with * for all: 1, cuda:1, cuda:*".to_owned()
            })?),
        };
        Ok(Choice { backend, number })
    }
}

impl DevicesArgs {
    /// Returns the options for opening each device, in the order of the list; a device that is listed twice is opened
    /// twice.
    pub(super) fn each(&self) -> Result<Vec<DeviceArgs>, Failure> {
        let one = |backend: &str, device| DeviceArgs {
            backend: backend.to_owned(),
            device,
            device_options: self.device_options.clone(),
            ..DeviceArgs::default()
        };
        let mut each = vec![];
        for choice in &self.device {
            let name = match &choice.backend {
                Some(named) if self.backend != "auto" && self.backend != *named => {
                    let backend = &self.backend;
                    return Err(Failure::usage(format!(
                        "--backend {backend} has no device of {named}: remove --backend"
                    )));
                }
                Some(named) => named,
                None => &self.backend,
            };
            match choice.number {
                Some(number) => each.push(one(name, Some(number))),
                None if name == "auto" => {
                    let reason = "--device *: all devices of which backend? write for instance cuda:*";
                    return Err(Failure::usage(reason));
                }
                None => {
                    let devices = backends().devices_of(name).devices.map_err(Failure::run)?;
                    each.extend(devices.iter().map(|device| one(name, Some(device.index))));
                }
            }
        }
        if self.device.is_empty() {
            each.push(one(&self.backend, None));
        }
        Ok(each)
    }
}
