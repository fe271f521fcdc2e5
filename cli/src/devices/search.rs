//! Search for devices in a process of its own, where a driver that crashes or does not return does no harm.
//!
//! The process writes lines of JSON: the devices that it found, then each of them when it has been opened and probed.

use super::listing::{BackendListing, DeviceListing, probe};
use crate::child;
use imminent::{BackendProvider, DeviceInfo, Error};
use imminent_console::Failure;
use imminent_console::backends::backends;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

/// Line that the process writes.
#[derive(Serialize, Deserialize)]
enum Line {
    /// Reason why there is no device, and the short form with its remedy.
    Absent {
        reason: String,
        short: String,
    },
    Found(Vec<DeviceInfo>),
    Probed(Box<DeviceListing>),
}

/// Searches for the devices of a backend, and writes what is found. Does not probe the first `skipped` devices.
pub(super) fn write_lines(backend: &str, skipped: usize) -> Result<(), Failure> {
    let found = match backends().devices_of(backend).devices {
        Ok(found) => found,
        Err(error) => return child::say(&Line::Absent { reason: error.to_string(), short: short(&error) }),
    };
    child::say(&Line::Found(found.clone()))?;
    found.into_iter().skip(skipped).try_for_each(|info| child::say(&Line::Probed(Box::new(probe(info)))))
}

/// Lists the devices of a backend. Those that are not probed in time have an error.
pub(super) fn list(backend: &dyn BackendProvider, until: Instant) -> BackendListing {
    let mut listing = BackendListing::empty(backend.name());
    if backend.loads_drivers() {
        let command = |skipped: usize| {
            let mut program = child::program()?;
            program.args(["devices", "--only-look", backend.name(), &skipped.to_string()]);
            Ok(program)
        };
        if look(&mut listing, command, until).is_ok() {
            return listing;
        }
    }
    // Nothing foreign is loaded, or no process can be started.
    match backends().devices_of(backend.name()).devices {
        Ok(found) => listing.devices = found.into_iter().map(probe).collect(),
        Err(error) => (listing.reason, listing.short) = (Some(error.to_string()), Some(short(&error))),
    }
    listing
}

/// Returns reason and remedy, without what was tried.
fn short(error: &Error) -> String {
    match error {
        Error::Unavailable { reason, remedy, .. } => format!("{reason}. {remedy}"),
        other => other.to_string(),
    }
}

/// Runs processes until every device is listed: one more after each device that ended its process.
fn look(
    listing: &mut BackendListing,
    command: impl Fn(usize) -> Result<Command, String>,
    until: Instant,
) -> Result<(), String> {
    let mut found: Option<Vec<DeviceInfo>> = None;
    loop {
        let begun = Instant::now();
        let ended = child::run(command(listing.devices.len())?, |lines: &Receiver<Line>| {
            loop {
                match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(Line::Absent { reason, short }) => (listing.reason, listing.short) = (Some(reason), Some(short)),
                    Ok(Line::Found(devices)) => found = Some(devices),
                    Ok(Line::Probed(device)) => listing.devices.push(*device),
                    Err(RecvTimeoutError::Timeout) => return false,
                    Err(RecvTimeoutError::Disconnected) => return true,
                }
            }
        })?;
        let trouble = match ended.is_late {
            true => format!("did not end within {:.0} s: a driver hangs", begun.elapsed().as_secs_f64()),
            false if ended.status.success() => return Ok(()),
            false if ended.complaint.is_empty() => format!("ended a process ({}): a driver crashes", ended.status),
            false => format!("ended a process ({}: {}): a driver crashes", ended.status, ended.complaint),
        };
        let Some(found) = &found else {
            let reason =
                format!("looking for devices {trouble} when it is loaded. Look at {}", files(&listing.backend));
            (listing.reason, listing.short) = (Some(format!("{}: {reason}", listing.backend)), Some(reason));
            return Ok(());
        };
        let Some(lost) = found.get(listing.devices.len()) else { return Ok(()) };
        listing.devices.push(DeviceListing::refused(lost.clone(), format!("opening it {trouble}")));
        if ended.is_late {
            let no_time =
                |info: &DeviceInfo| DeviceListing::refused(info.clone(), "no time was left for it".to_owned());
            listing.devices.extend(found.get(listing.devices.len()..).unwrap_or_default().iter().map(no_time));
            return Ok(());
        }
        if listing.devices.len() == found.len() {
            return Ok(());
        }
    }
}

/// Returns the files that name the drivers of a backend.
fn files(backend: &str) -> &'static str {
    match backend {
        "opencl" => "the .icd files in /etc/OpenCL/vendors, or in the folder that OCL_ICD_VENDORS names",
        "wgpu" => "the files in /usr/share/vulkan/icd.d, or those that VK_DRIVER_FILES names",
        "cuda" => "the NVIDIA driver's library, libcuda.so.1",
        _ => "the libraries that it loads",
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::DeviceKind;
    use std::time::Duration;

    fn info(index: u32) -> DeviceInfo {
        let [backend, name, driver] = ["opencl", "a device", "a driver"].map(str::to_owned);
        DeviceInfo { backend, name, driver, kind: DeviceKind::CpuDevice, index }
    }

    /// Runs a script in place of the process, which gets the number of devices to skip.
    fn listed(script: &str, milliseconds: u64) -> BackendListing {
        let line = |line: &Line| format!("echo '{}'", serde_json::to_string(line).unwrap());
        let probed = |index| line(&Line::Probed(Box::new(DeviceListing::refused(info(index), "probed".to_owned()))));
        let found = line(&Line::Found((0..3).map(info).collect()));
        let script = script.replace("FOUND", &found).replace("FIRST", &probed(0)).replace("THIRD", &probed(2));
        let mut listing = BackendListing::empty("opencl");
        let command = |skipped: usize| {
            let mut command = Command::new("sh");
            command.args(["-c", &script, "sh", &skipped.to_string()]);
            Ok(command)
        };
        look(&mut listing, command, Instant::now() + Duration::from_millis(milliseconds)).unwrap();
        listing
    }

    fn errors(listing: &BackendListing) -> Vec<&str> {
        listing.devices.iter().map(|device| device.error.as_deref().unwrap()).collect()
    }

    #[test]
    fn a_device_that_ends_its_process_is_listed_with_the_others() {
        let listing = listed("FOUND; if [ $1 = 0 ]; then FIRST; kill -ABRT $$; fi; THIRD", 60_000);
        let [first, second, third] = errors(&listing)[..] else { panic!("{:?}", errors(&listing)) };
        assert_eq!((first, third), ("probed", "probed"));
        assert!(second.starts_with("opening it ended a process (signal: 6"), "{second}");
    }

    #[test]
    fn a_driver_that_does_not_return_is_given_up() {
        let listing = listed("FOUND; FIRST; exec sleep 600", 300);
        let [first, second, third] = errors(&listing)[..] else { panic!("{:?}", errors(&listing)) };
        assert_eq!((first, third), ("probed", "no time was left for it"));
        assert!(second.starts_with("opening it did not end within"), "{second}");
        let listing = listed("exec sleep 600", 50);
        let reason = listing.reason.unwrap();
        assert!(reason.contains("a driver hangs when it is loaded") && reason.contains("OCL_ICD_VENDORS"), "{reason}");
    }
}
