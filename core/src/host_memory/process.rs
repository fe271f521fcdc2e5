//! Limits of the machine and of the process itself.

use super::files::{Files, field};
use super::limit::Limit;

/// Returns the memory of the machine. The unused part is the kernel's estimate, which includes pages of files.
pub(super) fn machine(files: &Files) -> Option<Limit> {
    let text = files.read("/proc/meminfo")?;
    let bytes = |name| field(&text, name)?.checked_mul(1024);
    let (all, rest) = (bytes("MemTotal:")?, bytes("MemAvailable:")?);
    Some(Limit { bytes: all, used: all.saturating_sub(rest) })
}

/// Returns the limits of the address space and of the private data, where they are set.
pub(super) fn own(files: &Files) -> impl Iterator<Item = Limit> {
    let limits = files.read("/proc/self/limits").unwrap_or_default();
    let status = files.read("/proc/self/status").unwrap_or_default();
    [("Max address space", "VmSize:"), ("Max data size", "VmData:")].into_iter().filter_map(move |(limit, used)| {
        let bytes = field(&limits, limit)?;
        Some(Limit { bytes, used: field(&status, used).map_or(0, |kilobytes| kilobytes.saturating_mul(1024)) })
    })
}
