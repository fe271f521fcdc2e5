//! Search for platforms and devices, skipping those that do not work.

use super::BACKEND;
use super::facts::Facts;
use crate::cl::{self, DeviceId, Failure, PlatformId};
use crate::loader::{self, LIBRARY_VARIABLE};
use crate::options::Options;
use imminent_core::{Capabilities, DeviceInfo, Error};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};

/// A device that can be opened, and its capabilities under given options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Adapter {
    /// Name, driver and kind.
    pub info: DeviceInfo,
    /// Capabilities of the device. Float probes are omitted: they need the device to run.
    pub capabilities: Capabilities,
}

/// A platform: an OpenCL driver, with the results of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Platform {
    /// Name of the platform; empty if it does not report one.
    pub name: String,
    /// Devices of the platform that can be opened.
    pub devices: Vec<Adapter>,
    /// Devices left out, or the whole platform, each with the reason.
    pub skipped: Vec<String>,
}

/// A device that was found, with the ids needed to open it.
#[derive(Clone, Debug)]
pub(super) struct Candidate<Id = DeviceId> {
    pub(super) device: Id,
    pub(super) facts: Facts,
    pub(super) info: DeviceInfo,
}

/// Answers of a platform.
#[derive(Debug)]
struct Answers<Id> {
    name: Result<String, Failure>,
    version: Result<String, Failure>,
    devices: Result<Vec<Answered<Id>>, Failure>,
}

/// A device, and its answers.
type Answered<Id> = (Id, Result<Facts, Failure>);

/// Result of evaluating a platform's answers.
#[derive(Debug)]
struct Surveyed<Id = DeviceId> {
    name: String,
    found: Vec<Candidate<Id>>,
    skipped: Vec<String>,
}

/// Some drivers crash when several threads query them, or open devices, for the first time at once.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs calls that two threads must not make at the same time.
pub(super) fn alone<T>(calls: impl FnOnce() -> T) -> T {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    calls()
}

const PLATFORM_VERSION: u32 = 0x0901;
const PLATFORM_NAME: u32 = 0x0902;

fn ask(platform: PlatformId) -> Answers<DeviceId> {
    let facts = |device| (device, Facts::of(device));
    Answers {
        name: platform.text(PLATFORM_NAME),
        version: platform.text(PLATFORM_VERSION),
        devices: cl::device_ids(platform).map(|devices| devices.into_iter().map(facts).collect()),
    }
}

/// Returns the usable devices of a platform, numbered from `next` on. A failure skips the device, or the platform.
fn survey<Id>(number: usize, answers: Answers<Id>, next: &mut u32) -> Surveyed<Id> {
    let name = answers.name.clone().unwrap_or_default();
    let mut surveyed = Surveyed { name: name.clone(), found: Vec::new(), skipped: Vec::new() };
    let whole = answers.name.and(answers.version).and_then(|version| Ok((version, answers.devices?)));
    let (version, devices) = match whole {
        Ok(whole) => whole,
        Err(failure) => {
            surveyed.skipped.push(format!("platform {number} `{name}`: {failure}"));
            return surveyed;
        }
    };
    for ((device, facts), position) in devices.into_iter().zip(0..) {
        let facts = facts.map_err(|failure| failure.to_string());
        match facts.and_then(|facts| facts.usable().map_err(str::to_owned).map(|()| facts)) {
            Ok(facts) => {
                let info = DeviceInfo {
                    backend: BACKEND.to_owned(),
                    name: facts.name.clone(),
                    driver: format!("{name}, {version}, driver {}", facts.driver),
                    kind: facts.kind,
                    index: *next,
                };
                *next += 1;
                surveyed.found.push(Candidate { device, facts, info });
            }
            Err(reason) => surveyed.skipped.push(format!("device {position} of platform `{name}`: {reason}")),
        }
    }
    surveyed
}

fn survey_all() -> imminent_core::Result<Vec<Surveyed>> {
    loader::load().map_err(|absent| Error::Unavailable {
        backend: BACKEND.to_owned(),
        reason: "the OpenCL loader is not installed".to_owned(),
        tried: absent.tried.join(", "),
        remedy: format!(
            "Install it, `ocl-icd-libopencl1` on Debian and Ubuntu, and a driver, for instance `pocl-opencl-icd` or that \
             of your GPU; or name the library in {LIBRARY_VARIABLE}"
        ),
    })?;
    alone(|| {
        let platforms = cl::platform_ids().map_err(|failure| none(&[failure.to_string()]))?;
        let mut next = 0;
        let surveyed = platforms.into_iter().zip(0..).map(|(id, number)| survey(number, ask(id), &mut next));
        Ok(surveyed.collect())
    })
}

/// Returns the error of a search that found no device.
fn none(skipped: &[String]) -> Error {
    let reason = match skipped {
        [] => "no OpenCL driver is installed, or none offers a device".to_owned(),
        skipped => format!("no OpenCL device can be used: {}", skipped.join("; ")),
    };
    Error::Unavailable {
        backend: BACKEND.to_owned(),
        reason,
        tried: drivers().join(", "),
        remedy: "Install an OpenCL 1.2 driver: that of your GPU, or `pocl-opencl-icd`, which runs on the CPU. \
                 OCL_ICD_VENDORS must name its folder, if it is set"
            .to_owned(),
    }
}

/// Lists the places where the loader looks for drivers, with the drivers that they name.
fn drivers() -> Vec<String> {
    let mut places = Vec::new();
    for variable in ["OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"] {
        if let Some(value) = std::env::var_os(variable) {
            places.push(format!("{variable}={}", value.display()));
        }
    }
    let folder = std::env::var_os("OCL_ICD_VENDORS").unwrap_or_else(|| "/etc/OpenCL/vendors".into());
    match std::fs::read_dir(&folder) {
        Ok(entries) => {
            let files = entries.flatten().map(|entry| entry.path());
            let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "icd")).collect();
            files.sort();
            if files.is_empty() {
                places.push(format!("{} (no .icd files)", folder.display()));
            }
            for file in files {
                let library = std::fs::read_to_string(&file).unwrap_or_default();
                places.push(format!("{} ({})", file.display(), library.trim()));
            }
        }
        Err(error) => places.push(format!("{} ({error})", folder.display())),
    }
    places
}

/// Returns every device that can be opened, in the order of their numbers. At least one.
pub(super) fn found() -> imminent_core::Result<Vec<Candidate>> {
    let (found, skipped): (Vec<_>, Vec<_>) = survey_all()?.into_iter().map(|one| (one.found, one.skipped)).unzip();
    let found: Vec<Candidate> = found.into_iter().flatten().collect();
    if found.is_empty() { Err(none(&skipped.concat())) } else { Ok(found) }
}

fn adapter(found: &Candidate, options: &Options) -> Adapter {
    Adapter { info: found.info.clone(), capabilities: found.facts.capabilities(options) }
}

/// Lists every device, with its capabilities under the options.
pub(crate) fn adapters(options: &Options) -> imminent_core::Result<Vec<Adapter>> {
    Ok(found()?.iter().map(|found| adapter(found, options)).collect())
}

/// Lists every platform, including the broken ones.
pub(crate) fn platforms(options: &Options) -> imminent_core::Result<Vec<Platform>> {
    let platforms = survey_all()?.into_iter().map(|one| Platform {
        name: one.name,
        devices: one.found.iter().map(|found| adapter(found, options)).collect(),
        skipped: one.skipped,
    });
    Ok(platforms.collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const BROKEN: Failure = Failure { call: "clGetDeviceIDs", status: -6 };

    fn answers(devices: Result<Vec<Result<Facts, Failure>>, Failure>) -> Answers<u8> {
        Answers {
            name: Ok("Vendor".to_owned()),
            version: Ok("OpenCL 1.2".to_owned()),
            devices: devices.map(|devices| (0..).zip(devices).collect()),
        }
    }

    #[test]
    fn a_broken_platform_or_device_is_skipped_and_told_of_and_the_others_are_numbered() {
        let mut next = 0;
        let first = survey(0, answers(Err(BROKEN)), &mut next);
        assert!(first.found.is_empty());
        assert!(first.skipped[0].contains("`Vendor`") && first.skipped[0].contains("CL_OUT_OF_HOST_MEMORY"));
        let nameless = Answers { name: Err(BROKEN), ..answers(Ok(vec![Ok(Facts::sample(Ok(())))])) };
        assert_eq!(survey(1, nameless, &mut next).skipped.len(), 1);
        let devices = vec![
            Err(BROKEN),
            Ok(Facts::sample(Ok(()))),
            Ok(Facts::sample(Err("it is old"))),
            Ok(Facts::sample(Ok(()))),
        ];
        let third = survey(2, answers(Ok(devices)), &mut next);
        let found: Vec<(u8, u32)> = third.found.iter().map(|found| (found.device, found.info.index)).collect();
        assert_eq!(found, [(1, 0), (3, 1)]);
        assert!(third.skipped[0].contains("device 0") && third.skipped[0].contains("clGetDeviceIDs"));
        assert!(third.skipped[1].contains("device 2") && third.skipped[1].contains("it is old"));
        let last = survey(3, answers(Ok(vec![Ok(Facts::sample(Ok(())))])), &mut next);
        assert_eq!(last.found[0].info.index, 2);
    }

    #[test]
    fn without_a_device_the_error_says_what_failed_and_what_to_do() {
        let text = none(&["platform 0 `Vendor`: it fell over".to_owned()]).to_string();
        for part in ["it fell over", "OCL_ICD_VENDORS", "pocl-opencl-icd"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(none(&[]).to_string().contains("no OpenCL driver is installed"));
    }
}
