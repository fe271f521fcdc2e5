//! The devices of all backends, as they are printed.

use crate::memory::MemoryFigures;
use imminent::{Capabilities, DeviceInfo, DeviceSelection};
use imminent_console::backends::backends;
use serde::{Deserialize, Serialize};

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
#[derive(Serialize, Deserialize)]
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
    /// Begins the listing of a backend, without devices.
    pub(crate) fn empty(backend: &str) -> BackendListing {
        BackendListing { backend: backend.to_owned(), reason: None, short: None, devices: Vec::new() }
    }
}

impl DeviceListing {
    /// Lists a device that cannot be opened.
    pub(crate) fn refused(info: DeviceInfo, error: String) -> DeviceListing {
        DeviceListing { info, capabilities: None, error: Some(error), memory: None }
    }
}

/// Opens and probes a device.
pub(super) fn probe(info: DeviceInfo) -> DeviceListing {
    match backends().open(&DeviceSelection::backend(&info.backend).device(info.index)) {
        Ok(device) => {
            let (capabilities, memory) = (device.capabilities().clone(), MemoryFigures::of(&device));
            DeviceListing { info, capabilities: Some(capabilities), error: None, memory: Some(memory) }
        }
        Err(error) => DeviceListing::refused(info, error.to_string()),
    }
}
