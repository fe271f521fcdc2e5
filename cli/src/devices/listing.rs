//! The devices of all backends, as they are printed.

use crate::memory::MemoryFigures;
use imminent::{Capabilities, DeviceInfo, DeviceSelection, Error};
use imminent_console::backends::backends;
use serde::Serialize;

/// All backends.
#[derive(Serialize)]
pub(crate) struct Listing {
    pub(crate) backends: Vec<BackendListing>,
}

/// A backend with its devices.
#[derive(Serialize)]
pub(crate) struct BackendListing {
    pub(crate) backend: String,
    /// Reason if the backend has no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Reason and remedy, without what was tried.
    #[serde(skip)]
    pub(crate) short: Option<String>,
    pub(crate) devices: Vec<DeviceListing>,
}

/// A device, with what it can do.
#[derive(Serialize)]
pub(crate) struct DeviceListing {
    #[serde(flatten)]
    pub(crate) info: DeviceInfo,
    /// Capabilities of the device, or the error of opening it in `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) capabilities: Option<Capabilities>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory: Option<MemoryFigures>,
}

impl BackendListing {
    /// Lists a backend without devices.
    pub(crate) fn absent(backend: String, error: &Error) -> BackendListing {
        let short = match error {
            Error::Unavailable { reason, remedy, .. } => format!("{reason}. {remedy}"),
            other => other.to_string(),
        };
        BackendListing { backend, reason: Some(error.to_string()), short: Some(short), devices: Vec::new() }
    }

    /// Opens and probes the devices that were found.
    pub(crate) fn of(found: imminent::BackendDevices) -> BackendListing {
        let backend = found.backend;
        match found.devices {
            Ok(devices) => BackendListing {
                reason: None,
                short: None,
                devices: devices.into_iter().map(|info| probe(&backend, info)).collect(),
                backend,
            },
            Err(error) => BackendListing::absent(backend, &error),
        }
    }
}

fn probe(backend: &str, info: DeviceInfo) -> DeviceListing {
    match backends().open(&DeviceSelection::backend(backend).device(info.index)) {
        Ok(device) => {
            let (capabilities, memory) = (device.capabilities().clone(), MemoryFigures::of(&device));
            DeviceListing { info, capabilities: Some(capabilities), error: None, memory: Some(memory) }
        }
        Err(error) => DeviceListing { info, capabilities: None, error: Some(error.to_string()), memory: None },
    }
}
