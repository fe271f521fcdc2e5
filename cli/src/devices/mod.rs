//! `imminent devices`.

mod canary;

use crate::memory::MemoryFigures;
use crate::{Failure, print_json, print_text};
use clap::Args;
use comfy_table::{ContentArrangement, Table, presets::UTF8_FULL_CONDENSED};
use imminent::{BACKENDS, BackendName, Capabilities, DeviceInfo, DeviceSelection, FloatProbe, Int64, OpenDevice};
use serde::Serialize;
use std::str::FromStr;

/// Options of `imminent devices`.
#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Only search for the devices of this backend, without output: a parent process checks that this works.
    #[arg(long, hide = true, value_name = "NAME")]
    only_look: Option<String>,
}

#[derive(Serialize)]
struct Listing {
    backends: Vec<BackendListing>,
}

#[derive(Serialize)]
struct BackendListing {
    backend: BackendName,
    /// Reason if the backend has no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    devices: Vec<DeviceListing>,
}

#[derive(Serialize)]
struct DeviceListing {
    #[serde(flatten)]
    info: DeviceInfo,
    /// Capabilities of the device, or the error of opening it in `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<Capabilities>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<MemoryFigures>,
}

impl Devices {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(name) = &self.only_look {
            let backend = BackendName::from_str(name).map_err(Failure::usage)?;
            drop(imminent::devices_of(backend));
            return Ok(());
        }
        // Drivers are foreign code: a crash would lose the whole list.
        let looks = BACKENDS.map(|backend| (backend, canary::send(backend)));
        let list = |(backend, look): (BackendName, canary::Look)| match look.reason() {
            None => list(imminent::devices_of(backend)),
            Some(reason) => BackendListing { backend, reason: Some(reason), devices: Vec::new() },
        };
        let listing = Listing { backends: looks.into_iter().map(list).collect() };
        if self.json { print_json(&listing) } else { print_text(&text(&listing)) }
    }
}

fn list(found: imminent::Found) -> BackendListing {
    let backend = found.backend;
    match found.devices {
        Ok(devices) => BackendListing {
            backend,
            reason: None,
            devices: devices.into_iter().map(|info| probe(backend, info)).collect(),
        },
        Err(error) => BackendListing { backend, reason: Some(error.to_string()), devices: Vec::new() },
    }
}

fn probe(backend: BackendName, info: DeviceInfo) -> DeviceListing {
    let selection = DeviceSelection { backend: Some(backend), index: Some(info.index), options: Vec::new() };
    match imminent::select(&selection).and_then(|(opened, _)| opened.open_device()) {
        Ok(device) => {
            let (capabilities, memory) = (device.capabilities().clone(), MemoryFigures::of(&device));
            DeviceListing { info, capabilities: Some(capabilities), error: None, memory: Some(memory) }
        }
        Err(error) => DeviceListing { info, capabilities: None, error: Some(error.to_string()), memory: None },
    }
}

fn text(listing: &Listing) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        "backend",
        "no.",
        "device",
        "driver",
        "kind",
        "memory",
        "largest table",
        "largest column",
        "64-bit integers",
        "f32",
        "f64",
    ]);
    for backend in &listing.backends {
        for device in &backend.devices {
            let info = &device.info;
            let kind = serde_json::to_value(info.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
            let mut row = vec![
                backend.backend.to_string(),
                info.index.to_string(),
                info.name.clone(),
                info.driver.clone(),
                kind.unwrap_or_default(),
            ];
            match &device.capabilities {
                Some(can) => row.extend([
                    memory(can.limits.memory_bytes, device.memory.as_ref().and_then(|memory| memory.free)),
                    bytes(can.limits.table_bytes),
                    bytes(can.limits.column_bytes),
                    match can.int64 {
                        Int64::Native => "native".to_owned(),
                        Int64::Emulated => "emulated".to_owned(),
                    },
                    can.f32.as_ref().map_or_else(|| "unknown".to_owned(), floats),
                    can.f64.as_ref().map_or_else(|| "none".to_owned(), floats),
                ]),
                None => row.push(device.error.clone().unwrap_or_default()),
            }
            table.add_row(row);
        }
    }
    let missing = listing.backends.iter().filter_map(|backend| backend.reason.as_ref());
    missing.fold(format!("{table}\n"), |text, reason| text + reason + "\n")
}

fn floats(probe: &FloatProbe) -> String {
    let defects = probe.defects();
    if defects.is_empty() { "reproducible".to_owned() } else { format!("bounded: {}", defects.join(", ")) }
}

/// Formats the size of the memory, and its free part.
fn memory(all: Option<u64>, free: Option<u64>) -> String {
    match (all, free) {
        (Some(all), Some(free)) => format!("{}, {} free", bytes(all), bytes(free)),
        (Some(all), None) => bytes(all),
        (None, Some(free)) => format!("{} free", bytes(free)),
        (None, None) => "unknown".to_owned(),
    }
}

fn bytes(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}
