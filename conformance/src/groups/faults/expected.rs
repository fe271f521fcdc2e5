//! Rows, results and faults as the cases expect them.

use crate::case::{Stop, error_of, fail};
use crate::kernels::faults::faulty::{Given, Seen};
use crate::kernels::faults::{FILE, SOURCE};
use imminent_core::fault::FaultKind;
use imminent_core::{Error, Fault};

/// A row that does not fault anywhere.
pub(super) const GOOD: Given = Given { a: 1, b: 1, c: 1, d: 1 };

/// A result that no kernel has written.
pub(super) const BLANK: Seen = Seen { x: 1111, wide: 2222, signed: 3333, after: 0, numbers: [4444; 4] };

/// Returns the fault of a call that must have failed with one.
pub(super) fn fault_of<T>(what: &str, result: Result<T, Error>) -> Result<Fault, Stop> {
    match error_of(what, result)? {
        Error::Fault(fault) => Ok(fault),
        other => fail(format!("{what}: expected `Error::Fault`, found: {other}")),
    }
}

/// Checks a fault against the source of the kernels.
pub(super) fn check(fault: &Fault, kernel: &str, row: u32, kind: FaultKind, marker: &str) -> Result<(), Stop> {
    let line = line_of(marker)?;
    let found = (fault.kernel.as_str(), fault.row, fault.kind, fault.file.as_str(), fault.line);
    let expected = (kernel, row, kind, FILE, line);
    if found == expected && fault.column > 0 {
        return Ok(());
    }
    fail(format!(
        "expected a fault of kernel `{kernel}` in row {row}: {kind}, at {FILE}:{line}; found: {fault} (column {})",
        fault.column
    ))
}

/// Returns the line that ends with a marker.
fn line_of(marker: &str) -> Result<u32, Stop> {
    let wanted = format!("// marker: {marker}");
    match (1..).zip(SOURCE.lines()).find(|(_, line)| line.ends_with(&wanted)) {
        Some((line, _)) => Ok(line),
        None => fail(format!("the suite itself is wrong: no line of its source has the marker `{marker}`")),
    }
}
