//! The devices of all backends, as they are printed.

use crate::memory::MemoryFigures;
use imminent::{Capabilities, DeviceInfo, DeviceSelection, Error};
use imminent_console::backends::backends;
use serde::Serialize;

/// All backends.
#[derive(Serialize)]
pub(super) struct Listing {
    pub(super) backends: Vec<BackendListing>,
}

/// A backend with its devices.
#[derive(Serialize)]
pub(super) struct BackendListing {
    pub(super) backend: String,
    /// Reason if the backend has no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// Reason and remedy, without what was tried.
    #[serde(skip)]
    pub(super) short: Option<String>,
    pub(super) devices: Vec<DeviceListing>,
}

/// A device, with what it can do.
#[derive(Serialize)]
pub(super) struct DeviceListing {
    #[serde(flatten)]
    pub(super) info: DeviceInfo,
    /// Capabilities of the device, or the error of opening it in `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) capabilities: Option<Capabilities>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<MemoryFigures>,
}

impl BackendListing {
    /// Lists a backend without devices.
    pub(super) fn absent(backend: String, error: &Error) -> BackendListing {
        let short = match error {
            Error::Unavailable { reason, remedy, .. } => format!("{reason}. {remedy}"),
            other => other.to_string(),
        };
        BackendListing { backend, reason: Some(error.to_string()), short: Some(short), devices: Vec::new() }
    }

    /// Opens and probes the devices that were found.
    pub(super) fn of(found: imminent::BackendDevices) -> BackendListing {
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
