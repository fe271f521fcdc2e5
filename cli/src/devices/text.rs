//! The list of devices for people: a table, or a list where the table would not fit.

use super::listing::{BackendListing, DeviceListing, Listing};
use comfy_table::{ContentArrangement, Table, presets};
use imminent::{FloatProbe, Int64};

/// Fewest columns of a terminal in which the table is readable.
const MIN_TABLE_COLUMNS: u16 = 140;

/// Columns of the table after backend, number and name.
const PROPERTIES: [&str; 8] =
    ["driver", "kind", "memory", "largest table", "largest column", "64-bit integers", "f32", "f64"];

/// Formats the devices for a terminal of so many columns, or for a reader without limit.
pub(super) fn text(listing: &Listing, columns: Option<u16>) -> String {
    let devices = match columns.filter(|columns| *columns < MIN_TABLE_COLUMNS) {
        Some(columns) => list(listing, columns),
        None => table(listing, columns),
    };
    devices + &absent(listing, columns)
}

/// Returns the backends with their devices.
fn devices(listing: &Listing) -> impl Iterator<Item = (&BackendListing, &DeviceListing)> {
    listing.backends.iter().flat_map(|backend| backend.devices.iter().map(move |device| (backend, device)))
}

fn table(listing: &Listing, columns: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(columns) = columns {
        table.set_width(columns);
    }
    table.set_header(["backend", "no.", "device"].into_iter().chain(PROPERTIES));
    for (backend, device) in devices(listing) {
        let first = [backend.backend.clone(), device.info.index.to_string(), device.info.name.clone()];
        table.add_row(first.into_iter().chain(properties(device)));
    }
    format!("{table}\n")
}

fn list(listing: &Listing, columns: u16) -> String {
    let mut text = String::new();
    for (backend, device) in devices(listing) {
        let names = PROPERTIES.map(str::to_owned).into_iter();
        text += &format!("{} {}: {}\n", backend.backend, device.info.index, device.info.name);
        text += &(aligned(names.zip(properties(device)), columns) + "\n");
    }
    text
}

/// Formats the reasons why backends have no device, one line each.
fn absent(listing: &Listing, columns: Option<u16>) -> String {
    let reasons = listing.backends.iter().filter_map(|backend| Some((&backend.backend, backend.short.as_ref()?)));
    let lines = reasons.map(|(backend, reason)| (format!("no {backend}"), reason.clone()));
    let text = aligned(lines, columns.unwrap_or(u16::MAX));
    text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// Formats names and values below one another, with long values continued below their beginning.
fn aligned(lines: impl Iterator<Item = (String, String)>, columns: u16) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    lines.for_each(|(name, value)| {
        table.add_row([name, value]);
    });
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Returns the properties of a device, or the error of opening it in place of those that are unknown.
fn properties(device: &DeviceListing) -> Vec<String> {
    let kind = serde_json::to_value(device.info.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    let mut row = vec![device.info.driver.clone(), kind.unwrap_or_default()];
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
    row
}

/// Formats what a probe of floats found.
pub(crate) fn floats(probe: &FloatProbe) -> String {
    let defects = probe.defects();
    if defects.is_empty() { "reproducible".to_owned() } else { format!("bounded: {}", defects.join(", ")) }
}

/// Formats the size of the memory, and its free part.
pub(crate) fn memory(all: Option<u64>, free: Option<u64>) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use imminent::{DeviceInfo, DeviceKind};

    fn listing() -> Listing {
        let info = DeviceInfo {
            backend: "opencl".to_owned(),
            index: 1,
            name: "a device with a name".to_owned(),
            driver: "Portable Computing Language, OpenCL 3.0 PoCL 3.1, LLVM 15.0.6, SLEEF, DISTRO, POCL_DEBUG"
                .to_owned(),
            kind: DeviceKind::CpuDevice,
        };
        let refused = DeviceListing::refused(info, "it is in use".to_owned());
        let absent = |short: &str| BackendListing { short: Some(short.to_owned()), ..BackendListing::empty("cuda") };
        Listing {
            backends: vec![
                BackendListing { devices: vec![refused], ..BackendListing::empty("opencl") },
                absent("it is not compiled in. Build with `--features cuda`, or `--features full` for every backend"),
            ],
        }
    }

    #[test]
    fn a_narrow_terminal_gets_a_list() {
        let text = text(&listing(), Some(60));
        insta::assert_snapshot!(text);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
    }

    #[test]
    fn a_wide_terminal_gets_a_table_and_a_line_for_each_absent_backend() {
        for columns in [None, Some(200)] {
            let text = text(&listing(), columns);
            assert!(text.starts_with('┌') && text.contains("it is in use"), "{text}");
            let last = text.lines().next_back().unwrap();
            assert!(last.starts_with("no cuda") && last.contains("--features cuda"), "{text}");
        }
    }
}
