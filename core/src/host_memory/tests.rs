use super::files::Files;
use super::limit::Limit;
use super::{available, limits, total};
use std::fs;

const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:  8000 kB\nMemFree:  12 kB\nMemAvailable:  6000 kB\n");

/// Returns the bytes that are left in a system with these files.
fn left(files: &[(&str, &str)]) -> Option<u64> {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    limits(&Files::below(root.path())).iter().map(Limit::rest).min()
}

#[test]
fn the_machine_has_a_limit_and_an_unknown_system_none() {
    assert_eq!(left(&[MACHINE]), Some(6000 * 1024));
    assert_eq!(left(&[]), None);
    assert_eq!(left(&[("proc/meminfo", "MemTotal: many\n")]), None);
}

#[test]
fn limits_of_the_process_count_what_it_has() {
    let limits = |space: &str, data: &str| {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max data size             {data}            unlimited            bytes     \n\
             Max address space         {space}            unlimited            bytes     \n"
        )
    };
    let status = ("proc/self/status", "VmPeak:\t 900 kB\nVmSize:\t 500 kB\nVmData:\t 300 kB\n");
    let at = |text: &str| left(&[MACHINE, status, ("proc/self/limits", text)]);
    assert_eq!(at(&limits("unlimited", "unlimited")), Some(6000 * 1024));
    assert_eq!(at(&limits("1024000", "unlimited")), Some(500 * 1024));
    assert_eq!(at(&limits("1024000", "512000")), Some(200 * 1024));
    assert_eq!(at(&limits("1024", "unlimited")), Some(0));
}

/// The inner group has no limit; the outer one has 1,000 kB, of which 700 are used and 300 of these are pages of files.
#[test]
fn groups_of_version_2_are_within_those_around_them() {
    let mount = ("proc/self/mountinfo", "42 31 0:38 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n");
    let group = ("proc/self/cgroup", "0::/user.slice/job\n");
    let outer = [
        ("sys/fs/cgroup/user.slice/memory.max", "1024000\n"),
        ("sys/fs/cgroup/user.slice/memory.high", "max\n"),
        ("sys/fs/cgroup/user.slice/memory.current", "716800\n"),
        ("sys/fs/cgroup/user.slice/memory.stat", "anon 1\nfile 999999\ninactive_file 204800\nactive_file 102400\n"),
    ];
    let inner = ("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
    let files = [&[MACHINE, mount, group, inner], &outer[..]].concat();
    assert_eq!(left(&files), Some(600 * 1024));
    let lower = ("sys/fs/cgroup/user.slice/job/memory.high", "102400\n");
    assert_eq!(left(&[&files[..], &[lower]].concat()), Some(100 * 1024));
    // A group outside of the visible ones: the mounted one is all that is known.
    let outside = ("proc/self/cgroup", "0::/../other\n");
    let root = ("sys/fs/cgroup/memory.max", "2048000\n");
    assert_eq!(left(&[MACHINE, mount, outside, root]), Some(2000 * 1024));
}

/// A container of version 1: the mounted group is the container's, and a job inside it has less.
#[test]
fn groups_of_version_1_are_found_below_the_mounted_one() {
    let mount = (
        "proc/self/mountinfo",
        "32 31 0:29 /docker/c1 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
         35 31 0:32 /docker/c1 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
    );
    let group = ("proc/self/cgroup", "5:cpu:/docker/c1\n4:memory:/docker/c1/job\n0::/\n");
    let container = [
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "2048000\n"),
        ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1024000\n"),
        ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 102400\n"),
        ("sys/fs/cgroup/cpu/memory.limit_in_bytes", "1\n"),
    ];
    let files = [&[MACHINE, mount, group], &container[..]].concat();
    assert_eq!(left(&files), Some(1100 * 1024));
    let job = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "512000\n");
    assert_eq!(left(&[&files[..], &[job]].concat()), Some(500 * 1024));
}

#[cfg(target_os = "linux")]
#[test]
fn this_machine_has_memory_left() {
    assert!(available().unwrap() > 0 && available() < total());
}
