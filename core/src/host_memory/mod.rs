//! Memory of the host that this process may use.
//!
//! | limit | source on Linux |
//! | --- | --- |
//! | memory of the machine | `/proc/meminfo` |
//! | control groups of versions 1 and 2, each with all groups around it | `/proc/self/cgroup`, `/proc/self/mountinfo` |
//! | address space and data of the process (`ulimit -v`, `ulimit -d`) | `/proc/self/limits`, `/proc/self/status` |
//!
//! Swap space does not count. Other systems report nothing.

mod files;
mod groups;
mod limit;
mod process;
#[cfg(test)]
mod tests;

use files::Files;
use limit::Limit;

/// Number of bytes from which on the system is asked whether there is room for them. To ask takes up to a millisecond,
/// which reads a dozen files, and so little memory is hardly missing.
pub const WORTH_ASKING: u64 = 1 << 22;

/// Returns the number of bytes that this process may still allocate, if the system reports it: the smallest rest of all
/// limits.
#[must_use]
pub fn available() -> Option<u64> {
    limits(&Files::of_system()).iter().map(Limit::rest).min()
}

/// Returns the number of bytes of addresses that limits of the process itself leave, if there are such limits. Mapped
/// libraries and reserved areas count there, but not in other limits.
#[must_use]
pub fn available_to_process() -> Option<u64> {
    process::own(&Files::of_system()).map(|limit| limit.rest()).min()
}

/// Returns the number of bytes that this process may have in all, if the system reports it: the smallest limit.
#[must_use]
pub fn total() -> Option<u64> {
    limits(&Files::of_system()).iter().map(|limit| limit.bytes).min()
}

/// Returns all limits that hold for this process.
fn limits(files: &Files) -> Vec<Limit> {
    process::machine(files).into_iter().chain(process::own(files)).chain(groups::limits(files)).collect()
}
