//! Memory that is still available to this process.

use std::fs;

/// Returns the number of bytes that this process may still allocate, if the system reports it. It is the available
/// memory of the machine, or the rest of the control group's limit if that is less.
#[must_use]
pub fn free() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| field(&text, "MemAvailable:")?.checked_mul(1024));
    let group = || {
        let limit = read("/sys/fs/cgroup/memory.max")?.trim().parse().ok()?;
        let used = read("/sys/fs/cgroup/memory.current")?.trim().parse().ok()?;
        Some(left(limit, used, &read("/sys/fs/cgroup/memory.stat")?))
    };
    [machine, group()].into_iter().flatten().min()
}

/// Returns the number behind a name at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
}

/// Returns the rest of a limit. Pages of files count as used, but are freed when memory is needed.
fn left(limit: u64, used: u64, statistics: &str) -> u64 {
    let files = field(statistics, "file ").unwrap_or(0);
    limit.saturating_sub(used.saturating_sub(files))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_linux_tells_is_understood() {
        let text = "MemTotal:       32768 kB\nMemFree:  12 kB\nMemAvailable:    4096 kB\n";
        assert_eq!((field(text, "MemAvailable:"), field(text, "Swap:")), (Some(4096), None));
        assert_eq!(left(1_000, 700, "anon 500\nfile 200\n"), 500);
        assert_eq!(left(1_000, 1_700, "anon 1700\nfile 0\n"), 0);
        if cfg!(target_os = "linux") {
            assert!(free().unwrap() > 0);
        }
    }
}
